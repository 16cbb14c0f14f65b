"""When a request is sent again, and how long that waits."""

from __future__ import annotations

import enum
import random
from dataclasses import dataclass
from typing import Optional

from .error import LecternError


class Repeatable(enum.Enum):
    """What may be sent again."""

    #: Also where nobody knows whether the server did it, because doing it twice is as good as once.
    ALWAYS = "always"
    #: Only where the server said that it did nothing.
    REFUSED = "refused"
    #: A body that can be read but once.
    NEVER = "never"


@dataclass(frozen=True)
class RetryOptions:
    """How often a request is sent again at most, and the longest wait before that, in seconds."""

    retries: int
    longest_wait: float


FIRST_WAIT = 0.5
#: Seconds beyond what the server asked for, so that many who wait do not come back in the same moment.
MOST_JITTER = 1.0
#: The server did nothing, and may do it later.
REFUSED_FOR_NOW = (429, 503)
#: Whatever lies between may have given up waiting for a server that goes on.
UNKNOWN_OUTCOME = (502, 504)
UNANSWERED = ("UNREACHABLE", "BROKEN_OFF", "TIMEOUT")


def wait_before(
    attempt: int, failure: LecternError, repeatable: Repeatable, options: RetryOptions
) -> Optional[float]:
    """Seconds until the ``attempt``-th repetition (from 1 on), or None where there is none."""
    if attempt > options.retries or not _may_repeat(failure, repeatable):
        return None
    if failure.retry_after is None:
        return min(options.longest_wait, FIRST_WAIT * 2.0 ** (attempt - 1)) * (0.5 + random.random() / 2)
    if failure.retry_after > options.longest_wait:
        return None
    return failure.retry_after + random.random() * MOST_JITTER


def _may_repeat(failure: LecternError, repeatable: Repeatable) -> bool:
    if repeatable is Repeatable.NEVER:
        return False
    if is_refused_for_now(failure):
        return True
    unknown = failure.status in UNKNOWN_OUTCOME or failure.code in UNANSWERED
    return repeatable is Repeatable.ALWAYS and unknown


def is_refused_for_now(failure: LecternError) -> bool:
    return failure.status in REFUSED_FOR_NOW
