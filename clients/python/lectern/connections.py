"""Connections to one server, kept for the next request."""

from __future__ import annotations

import http.client
import select
import ssl
import threading
from typing import List, Optional, Tuple
from urllib.parse import urlsplit

#: Kept open while nobody uses them.
MOST_IDLE = 8


class Connections:
    """May be used by several threads at once."""

    def __init__(self, url: str, ssl_context: Optional[ssl.SSLContext]) -> None:
        """Raises ValueError for an address that can be none."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("url must be the http(s) address of a Lectern server.")
        if parts.username or parts.password:
            raise ValueError("url must hold no name or password: the key is an argument of its own.")
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self.prefix = parts.path.rstrip("/")
        if self.prefix.endswith("/v1"):
            self.prefix = self.prefix[: -len("/v1")]
        self._host, self._port = parts.hostname, parts.port
        self._context = (ssl_context or ssl.create_default_context()) if parts.scheme == "https" else None
        self._idle: List[http.client.HTTPConnection] = []
        self._lock = threading.Lock()

    def take(self, timeout: Optional[float], fresh: bool) -> Tuple[http.client.HTTPConnection, bool]:
        """A connection, and whether it was used before."""
        while not fresh:
            with self._lock:
                if not self._idle:
                    break
                connection = self._idle.pop()
            if _is_alive(connection):
                connection.sock.settimeout(timeout)
                return connection, True
            connection.close()
        if self._context is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=timeout), False
        return http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._context), False

    def give_back(self, connection: http.client.HTTPConnection) -> None:
        """After its answer was read to the end."""
        with self._lock:
            if connection.sock is not None and len(self._idle) < MOST_IDLE:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()


def _is_alive(connection: http.client.HTTPConnection) -> bool:
    """A server that has closed an idle connection is seen by there being something to read."""
    if connection.sock is None:
        return False
    try:
        poll = select.poll()
        poll.register(connection.sock, select.POLLIN)
        return not poll.poll(0)
    except AttributeError:  # Windows has no poll
        return not select.select([connection.sock], [], [], 0)[0]
    except (OSError, ValueError):
        return False
