"""What every failed call raises."""

from __future__ import annotations

import json
import re
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from http.client import HTTPMessage
from typing import Any, Dict, Optional


class LecternError(Exception):
    """Its text is the server's sentence, which says what happened and what to do. It never holds a key or token."""

    #: The server's code (``INSUFFICIENT_CREDITS``), ``HTTP_401`` and the like where the server only gives a sentence, or the
    #: client's own: ``UNREACHABLE`` (no answer), ``TIMEOUT``, ``BROKEN_OFF`` (the answer ended too early),
    #: ``UNEXPECTED_ANSWER`` (not a Lectern's).
    code: str
    #: Of HTTP; 0 where there was no answer, or where it broke off.
    status: int
    #: What the server says beside its sentence: ``required`` and ``available``, ``file``, ``limit``.
    details: Optional[Dict[str, Any]]
    #: By which the server's log knows the request.
    request_id: Optional[str]
    #: Seconds after which the same request may succeed.
    retry_after: Optional[float]

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int = 0,
        details: Optional[Dict[str, Any]] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.details = details
        self.request_id = request_id
        self.retry_after = retry_after


def refusal_of(status: int, headers: HTTPMessage, body: bytes) -> LecternError:
    """The refusal that an answer holds."""
    said = _read(_parse(body))
    waits = _seconds_of(headers.get("retry-after"))
    return LecternError(
        said["sentence"] or f"The server answered with status {status}.",
        code=said["code"] or f"HTTP_{status}",
        status=status,
        details=said["details"],
        request_id=headers.get("x-request-id"),
        retry_after=said["retry_after"] if waits is None else waits,
    )


def refusal_in_stream(data: Any, request_id: Optional[str]) -> LecternError:
    """A refusal that came as an event, after its stream had begun."""
    said = _read(data)
    return LecternError(
        f"The answer broke off: {said['sentence'] or 'the server does not say why.'}",
        code=said["code"] or "BROKEN_OFF",
        details=said["details"],
        request_id=request_id,
        retry_after=said["retry_after"],
    )


def _read(body: Any) -> Dict[str, Any]:
    fields: Dict[str, Any] = body if isinstance(body, dict) else {}
    error, message, details = fields.get("error"), fields.get("message"), fields.get("details")
    return {
        "code": error if isinstance(error, str) and re.fullmatch(r"[A-Z][A-Z0-9_]*", error) else None,
        "sentence": next((words for words in (message, error) if isinstance(words, str)), None),
        "details": details if isinstance(details, dict) else None,
        "retry_after": _seconds_of(fields.get("retryAfter")),
    }


def _parse(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


def _seconds_of(value: Any) -> Optional[float]:
    """Seconds, or a date as HTTP has it; None for anything else."""
    if value is None or isinstance(value, bool):
        return None
    try:
        return max(0.0, float(value))
    except (TypeError, ValueError):
        pass
    try:
        date = parsedate_to_datetime(str(value))
        return max(0.0, (date - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError, IndexError):
        return None
