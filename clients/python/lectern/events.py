"""An answer as it is written: Server-Sent Events (WHATWG HTML, section 9.2) out of lines."""

from __future__ import annotations

from typing import Callable, Iterator, List, Literal, Tuple, TypedDict, Union

from .types import QueryAnswer, SearchResult, Usage

#: An answer with its sources.
Answer = QueryAnswer


class SourcesEvent(TypedDict):
    """Comes first."""

    type: Literal["sources"]
    sources: List[SearchResult]


class TokenEvent(TypedDict):
    """The next words."""

    type: Literal["token"]
    text: str


class DoneEvent(TypedDict):
    """Comes last."""

    type: Literal["done"]
    model: str
    usage: Usage


QueryEvent = Union[SourcesEvent, TokenEvent, DoneEvent]


def server_sent_events(read_line: Callable[[], bytes]) -> Iterator[Tuple[str, str]]:
    """Name and data of each. Comments, and an event that is not ended by an empty line, are passed over."""
    event = "message"
    data: List[str] = []
    while True:
        line = read_line()
        if not line:
            return
        text = line.decode("utf-8").rstrip("\r\n")
        if text == "":
            if data:
                yield event, "\n".join(data)
            event, data = "message", []
            continue
        name, _, value = text.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "event":
            event = value
        elif name == "data":
            data.append(value)
