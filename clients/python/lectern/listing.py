"""A listing that is fetched page by page, as far as it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Generic, Iterator, List, Optional, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True)
class Page(Generic[Item]):
    items: List[Item]
    #: Asks for the page behind it; None on the last.
    next_cursor: Optional[str]


class Listing(Generic[Item]):
    """``for item in listing``, or page by page. Each time it is iterated it begins anew."""

    def __init__(self, fetch_page: Callable[[Optional[str]], Page[Item]]) -> None:
        self._fetch_page = fetch_page

    def pages(self, cursor: Optional[str] = None) -> Iterator[Page[Item]]:
        """From the first page on, or from behind ``cursor``."""
        while True:
            page = self._fetch_page(cursor)
            yield page
            if page.next_cursor is None:
                return
            cursor = page.next_cursor

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.items
