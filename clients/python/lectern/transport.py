"""Requests to one server: credentials, time limits, repetitions, and what went wrong in words."""

from __future__ import annotations

import http.client
import json
import re
import socket
import ssl
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterable, Mapping, Optional, Union
from urllib.parse import quote, urlencode

from .connections import Connections
from .error import LecternError, refusal_of
from .retry import Repeatable, RetryOptions, wait_before

Key = Union[str, Callable[[], str]]
#: Network failures as http.client and the system have them.
FAILURES = (OSError, http.client.HTTPException)


class OwnContentFailure(Exception):
    """Carries what the caller's own content raised past what is a failure of the network."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__(str(cause))
        self.cause = cause


@dataclass(frozen=True)
class Body:
    content: Union[bytes, Iterable[bytes], None]
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Plan:
    method: str
    #: Its segments are encoded.
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    json: Any = None
    #: Made anew for each time that it is sent.
    body: Optional[Callable[[], Body]] = None
    repeatable: Repeatable = Repeatable.ALWAYS
    #: Told why, before the request is sent again.
    on_repeat: Optional[Callable[[LecternError], None]] = None
    #: Seconds until the answer must be there; None: no limit.
    timeout: Optional[float] = None


class Answer:
    """An accepted request's answer; to be read to its end, or closed."""

    def __init__(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse, home: Connections):
        self._connection, self._response, self._home = connection, response, home

    @property
    def status(self) -> int:
        return self._response.status

    @property
    def headers(self) -> http.client.HTTPMessage:
        return self._response.headers

    @property
    def request_id(self) -> Optional[str]:
        return self._response.headers.get("x-request-id")

    def limit_silence(self, seconds: Optional[float]) -> None:
        """How long nothing may come from now on."""
        # The response keeps its socket open after its connection has let go of it.
        if self._connection.sock is not None:
            self._connection.sock.settimeout(seconds)

    def read(self) -> bytes:
        """All that is to come. Raises what the network raises."""
        body = self._response.read()
        self.release()
        return body

    def read_some(self, size: int = 65536) -> bytes:
        """What has come; empty at the end. Raises what the network raises."""
        return self._response.read1(size)

    def read_line(self) -> bytes:
        """Up to a line's end; empty at the end. Raises what the network raises."""
        return self._response.readline()

    def release(self) -> None:
        """Once it was read to its end."""
        if self._response.will_close:
            self.close()
        else:
            self._home.give_back(self._connection)

    def close(self) -> None:
        self._response.close()
        self._connection.close()


class Transport:
    def __init__(
        self,
        url: str,
        key: Key,
        retry: RetryOptions,
        idle_timeout: Optional[float],
        ssl_context: Optional[ssl.SSLContext],
    ) -> None:
        """Raises ValueError for an address or key that can be none."""
        self._connections = Connections(url, ssl_context)
        self._key = key
        self.retry = retry
        self.idle_timeout = idle_timeout
        if isinstance(key, str):
            _checked(key)

    def with_retry(self, retry: RetryOptions) -> Transport:
        """The same connections, with other repetitions."""
        other = Transport.__new__(Transport)
        other.__dict__.update(self.__dict__, retry=retry)
        return other

    def json(self, plan: Plan) -> Any:
        """The answer as JSON. Raises LecternError."""

        def read(answer: Answer) -> Any:
            try:
                return json.loads(answer.read())
            except ValueError:
                raise LecternError(
                    f"{self._connections.origin} answered with something else than JSON: is it a Lectern server?",
                    code="UNEXPECTED_ANSWER",
                    status=answer.status,
                    request_id=answer.request_id,
                ) from None

        return self.send(plan, read)

    def send(self, plan: Plan, read: Callable[[Answer], Any]) -> Any:
        """What ``read`` makes of the answer, once the server has accepted the request. Raises LecternError."""
        attempt = 0
        while True:
            attempt += 1
            try:
                return self._attempt(plan, read)
            except LecternError as failure:
                wait = wait_before(attempt, failure, plan.repeatable, self.retry)
                if wait is None:
                    raise
                if plan.on_repeat is not None:
                    plan.on_repeat(failure)
                time.sleep(wait)

    def close(self) -> None:
        self._connections.close()

    def _attempt(self, plan: Plan, read: Callable[[Answer], Any], fresh: bool = False) -> Any:
        body = plan.body() if plan.body is not None else _json_body(plan.json)
        # An upload does not meet a connection that is closed this very moment.
        fresh = fresh or plan.body is not None
        connection, is_used = self._connections.take(plan.timeout, fresh)
        response: Optional[http.client.HTTPResponse] = None
        try:
            response = self._ask(connection, plan, body)
            answer = Answer(connection, response, self._connections)
            if response.status >= 300:
                raise refusal_of(response.status, response.headers, answer.read())
            return read(answer)
        except OwnContentFailure as failure:
            connection.close()
            raise failure.cause from None
        except socket.timeout:
            connection.close()
            raise LecternError(
                f"{self._connections.origin} did not answer within {plan.timeout} seconds.", code="TIMEOUT"
            ) from None
        except FAILURES as failure:
            connection.close()
            # The server closed it while it lay idle, and has seen nothing of this.
            if is_used and response is None and plan.repeatable is Repeatable.ALWAYS:
                return self._attempt(plan, read, fresh=True)
            raise LecternError(
                f"{self._connections.origin} cannot be reached: {failure or type(failure).__name__}", code="UNREACHABLE"
            ) from failure
        except BaseException:
            if response is None or not response.isclosed():
                connection.close()
            raise

    def _ask(
        self, connection: http.client.HTTPConnection, plan: Plan, body: Body
    ) -> http.client.HTTPResponse:
        key = self._key if isinstance(self._key, str) else _checked(self._key())
        headers = {**body.headers, **plan.headers, "authorization": f"Bearer {key}"}
        given = {name: _as_text(value) for name, value in plan.query.items() if value is not None}
        path = f"{self._connections.prefix}{plan.path}{'?' + urlencode(given) if given else ''}"
        chunked = "transfer-encoding" in headers
        try:
            connection.request(plan.method, path, body=body.content, headers=headers, encode_chunked=chunked)
        except (BrokenPipeError, ConnectionResetError):
            # Who refuses an upload need not read it: the refusal may be there.
            if connection.sock is None:
                raise
        response = connection.getresponse()
        # A head that is cut looks to http.client like one that is whole, and lacks what comes last or all of it.
        if response.length is None and not response.chunked:
            response.close()
            raise http.client.HTTPException("its answer broke off within the head, or does not tell where it ends")
        return response


def segment(value: str, what: str) -> str:
    """One segment of a path. Raises ValueError for what no address can hold."""
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise ValueError(f"{what} must be a text that is neither empty nor dots.")
    return quote(value, safe="")


def _json_body(value: Any) -> Body:
    if value is None:
        return Body(None, {})
    return Body(json.dumps(value, allow_nan=False).encode(), {"content-type": "application/json"})


def _as_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _checked(key: Any) -> str:
    # What is not even a header's value would be shown by the error that http.client raises for it.
    if not isinstance(key, str) or re.fullmatch(r"[\x21-\x7e]+", key) is None:
        raise ValueError("key must be an API key or token, without spaces or line breaks.")
    return key
