"""A form of fields and files (RFC 7578), sent while its files are read, so that none lies in memory."""

from __future__ import annotations

import json
import uuid
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence

from .transport import Body, OwnContentFailure
from .upload_file import Part, UploadFile


def upload_fields(fields: Mapping[str, Any], files: Sequence[UploadFile], parts: Sequence[Part]) -> Dict[str, str]:
    """Raises ValueError where the form could not tell the files apart."""
    written: Dict[str, Any] = {
        name: value if isinstance(value, str) else json.dumps(value) for name, value in fields.items() if value is not None
    }
    if len(files) == 1:
        written.update(externalId=files[0].external_id, path=files[0].path)
    else:
        names = [part.name for part in parts]
        written["externalIds"] = _by_name("external_id", names, [file.external_id for file in files])
        written["paths"] = _by_name("path", names, [file.path for file in files])
    return {name: value for name, value in written.items() if value is not None}


def _by_name(field: str, names: Sequence[str], values: Sequence[Optional[str]]) -> Optional[str]:
    """A JSON object by file name, the only thing that a form of several files knows them by."""
    named = {name: value for name, value in zip(names, values) if value is not None}
    for name in named:
        if names.count(name) > 1:
            raise ValueError(
                f"Two files of one upload are called {name!r}: send those that have an {field} by themselves."
            )
    return json.dumps(named) if named else None


def form_body(fields: Mapping[str, str], files: Sequence[Part]) -> Body:
    """Its length is told where all files' is known."""
    boundary = f"lectern-{uuid.uuid4()}"
    texts = [_head(boundary, f'name="{_escaped(name)}"') + value.encode() + b"\r\n" for name, value in fields.items()]
    heads = [
        _head(boundary, f'name="file"; filename="{_escaped(part.name)}"', f"Content-Type: {_one_line(part.type)}\r\n")
        for part in files
    ]
    end = f"--{boundary}--\r\n".encode()

    def chunks() -> Iterator[bytes]:
        yield from texts
        for head, part in zip(heads, files):
            yield head
            try:
                yield from part.chunks()
            except (OSError, ValueError, TypeError) as failure:
                raise OwnContentFailure(failure) from failure
            yield b"\r\n"
        yield end

    headers = {"content-type": f"multipart/form-data; boundary={boundary}"}
    sizes: List[Optional[int]] = [part.size for part in files]
    if None in sizes:
        headers["transfer-encoding"] = "chunked"
    else:
        framing = sum(map(len, texts)) + sum(map(len, heads)) + len(files) * len(b"\r\n") + len(end)
        headers["content-length"] = str(framing + sum(size for size in sizes if size is not None))
    return Body(chunks(), headers)


def _head(boundary: str, disposition: str, more: str = "") -> bytes:
    return f"--{boundary}\r\nContent-Disposition: form-data; {disposition}\r\n{more}\r\n".encode()


def _escaped(name: str) -> str:
    """As browsers write names (HTML, section 4.10.22.8)."""
    return name.replace("\n", "%0A").replace("\r", "%0D").replace('"', "%22")


def _one_line(text: str) -> str:
    return text.replace("\r", "").replace("\n", "")
