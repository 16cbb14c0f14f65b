"""A stored file's bytes, gone on with where a connection ends too early: a file never changes under its id."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Iterator, Optional, Type

from .error import LecternError
from .retry import Repeatable, wait_before
from .transport import FAILURES, Answer, Plan, Transport


class Download:
    """Iterate it for its bytes, once; ``read()`` gives all of them. Close it, or use ``with``, where it is not read to its end."""

    def __init__(self, transport: Transport, path: str, start: int, end: Optional[int], timeout: Optional[float]) -> None:
        """Returns when the answer's head is there. Raises LecternError, as reading does; ValueError for no range."""
        if start < 0 or (end is not None and end <= start):
            raise ValueError("start and end must be 0 <= start < end.")
        self._transport, self._path, self._timeout = transport, path, timeout
        self._next, self._end = start, end
        self._answer: Optional[Answer] = self._ask()
        headers = self._answer.headers
        length = None if "content-encoding" in headers else headers.get("content-length")
        #: Bytes that are to come; None where the server or a proxy does not tell.
        self.size: Optional[int] = None if length is None else int(length)
        self.type: str = headers.get("content-type", "application/octet-stream")

    def __iter__(self) -> Iterator[bytes]:
        received = 0
        cuts = 0
        while True:
            try:
                answer = self._answer = self._answer or self._ask()
                answer.limit_silence(self._transport.idle_timeout)
                while True:
                    chunk = self._read_some(answer)
                    if not chunk:
                        break
                    received += len(chunk)
                    self._next += len(chunk)
                    cuts = 0
                    yield chunk
                if self.size is None or received >= self.size:
                    answer.release()
                    self._answer = None
                    return
                raise LecternError(
                    f"The download broke off after {received} of {self.size} bytes.",
                    code="BROKEN_OFF",
                    request_id=answer.request_id,
                )
            except LecternError as failure:
                self.close()
                if self.size is not None and received >= self.size:
                    return
                # As many in a row as repetitions are allowed; what came in between counts anew.
                cuts += 1
                wait = wait_before(cuts, failure, Repeatable.ALWAYS, self._transport.retry)
                if wait is None:
                    raise
                time.sleep(wait)
            except GeneratorExit:
                self.close()
                raise

    def read(self) -> bytes:
        return b"".join(self)

    def close(self) -> None:
        if self._answer is not None:
            self._answer.close()
            self._answer = None

    def __enter__(self) -> Download:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def _read_some(self, answer: Answer) -> bytes:
        try:
            return answer.read_some()
        except FAILURES as failure:
            raise LecternError(
                "The answer broke off: the connection ended or fell silent.",
                code="BROKEN_OFF",
                request_id=answer.request_id,
            ) from failure

    def _ask(self) -> Answer:
        is_part = self._next > 0 or self._end is not None
        until = "" if self._end is None else str(self._end - 1)
        headers = {"range": f"bytes={self._next}-{until}"} if is_part else {}
        plan = Plan("GET", self._path, headers=headers, timeout=self._timeout)
        answer: Answer = self._transport.send(plan, lambda answer: answer)
        if answer.status != (206 if is_part else 200):
            answer.close()
            raise LecternError(
                f"The part that was asked for was answered with status {answer.status}.",
                code="UNEXPECTED_ANSWER",
                status=answer.status,
                request_id=answer.request_id,
            )
        return answer
