"""What an upload takes, in each of the forms that a program has it in."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from typing import BinaryIO, Iterator, Optional, Union

CHUNK = 256 * 1024

Content = Union[str, "os.PathLike[str]", bytes, BinaryIO]


@dataclass
class UploadFile:
    """A file to upload, read while it is sent."""

    #: A path, bytes, or an open binary file, which is sent from where it stands. One that cannot be rewound is read once: an
    #: upload that holds it is never sent again.
    content: Content
    #: With its ending: where the content could be several things, it decides. By default the path's last part.
    name: Optional[str] = None
    #: What its owner calls it: the upload takes the place of the dataset's file of this name.
    external_id: Optional[str] = None
    #: Where it lies for its owner, relative, with ``/`` between folders.
    path: Optional[str] = None
    type: str = "application/octet-stream"


class Part:
    """A file ready to be sent."""

    def __init__(self, file: UploadFile) -> None:
        """Raises OSError for a path that cannot be read, TypeError for content of no kind that can be sent."""
        content = file.content
        name = file.name
        self.type = file.type
        self.size: Optional[int] = None
        self.is_read_once = False
        self._path: Optional[str] = None
        self._stream: Optional[BinaryIO] = None
        self._start = 0
        if isinstance(content, (str, os.PathLike)):
            self._path = os.fspath(content)
            self.size = os.stat(self._path).st_size
            if not os.path.isfile(self._path):
                raise ValueError(f"{self._path} is no file.")
            name = name or os.path.basename(self._path)
        elif isinstance(content, (bytes, bytearray, memoryview)):
            self._stream = io.BytesIO(content)
            self.size = len(content)
        elif hasattr(content, "read"):
            self._stream = content
            if hasattr(content, "seekable") and content.seekable():
                self._start = content.tell()
                self.size = content.seek(0, os.SEEK_END) - self._start
            else:
                self.is_read_once = True
        else:
            raise TypeError("content must be a path, bytes or an open binary file.")
        if not name:
            raise ValueError("A file that has no path needs a name.")
        self.name: str = name

    def chunks(self) -> Iterator[bytes]:
        """From its beginning. Raises OSError; ValueError where it is not as long as it was, so that no half of it is stored."""
        sent = 0
        for chunk in self._read():
            sent += len(chunk)
            if self.size is not None and sent > self.size:
                break
            yield chunk
        if self.size is not None and sent != self.size:
            raise ValueError(f"{self.name!r} changed while it was sent.")

    def _read(self) -> Iterator[bytes]:
        if self._path is not None:
            with open(self._path, "rb") as file:
                yield from _chunks_of(file)
        else:
            assert self._stream is not None
            if not self.is_read_once:
                self._stream.seek(self._start)
            yield from _chunks_of(self._stream)


def _chunks_of(file: BinaryIO) -> Iterator[bytes]:
    while True:
        chunk = file.read(CHUNK)
        if not isinstance(chunk, bytes):
            raise TypeError("content must be opened as a binary file.")
        if not chunk:
            return
        yield chunk
