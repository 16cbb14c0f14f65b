"""The interface of a Lectern server, one method for each of its operations."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import ssl
import time
from types import TracebackType
from typing import Any, Callable, Dict, Iterable, Iterator, List, Literal, Mapping, NamedTuple, Optional, Sequence, Type, Union

from .download import Download
from .error import LecternError, refusal_in_stream
from .events import Answer, QueryEvent, server_sent_events
from .form import form_body, upload_fields
from .listing import Listing, Page
from .retry import Repeatable, RetryOptions, is_refused_for_now
from .transport import FAILURES, Key, Plan, Transport, segment
from .transport import Answer as Received
from .types import Dataset, Filter, PassageListDataItem, SearchResult, StoredFile
from .upload_file import Part, UploadFile

#: Seconds. A language model reads thousands of tokens before its first word.
QUERY_TIMEOUT = 300.0
#: A server that is started anew goes on with what it has accepted: it is waited for longer than anything else.
RETRIES_WHILE_WAITING = 20

Uploadable = Union[str, "os.PathLike[str]", UploadFile]


class Token(NamedTuple):
    token: str
    #: Seconds.
    expires_in: int


class Passages(NamedTuple):
    passages: List[PassageListDataItem]
    #: How many the file has.
    total: int


class Contents(NamedTuple):
    size: Optional[int]
    type: str


class Lectern:
    """
    Every method raises LecternError. Which of them are sent again by themselves, and when, is in the README. May be used by several
    threads at once; ``with`` closes its connections at the end.
    """

    def __init__(
        self,
        url: str,
        key: Key,
        *,
        timeout: Optional[float] = 60.0,
        idle_timeout: Optional[float] = 60.0,
        retries: int = 5,
        longest_wait: float = 60.0,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """
        ``url``: of the server, with or without ``/v1``. ``key``: an API key or a frontend token, or a function that gives one for
        each request. ``timeout``: seconds until an answer must be there; uploads have none, queries five minutes.
        ``idle_timeout``: seconds without a byte of a download or stream after which it counts as cut. ``retries``: how often a
        request is sent again at most. ``longest_wait``: seconds that a repetition is waited for at most; where the server asks for
        more, its refusal is raised. ``ssl_context``: for a certificate of your own. Raises ValueError for an address or key that
        can be none.
        """
        self._transport = Transport(url, key, RetryOptions(retries, longest_wait), idle_timeout, ssl_context)
        self._timeout = timeout
        self._upload_timeout: Optional[float] = None
        self._query_timeout: Optional[float] = QUERY_TIMEOUT

    def with_options(self, *, timeout: Optional[float] = None, retries: Optional[int] = None) -> Lectern:
        """The same client, over the same connections, with another time limit for everything, or other repetitions."""
        other = copy.copy(self)
        if timeout is not None:
            other._timeout = other._upload_timeout = other._query_timeout = timeout
        if retries is not None:
            other._transport = self._transport.with_retry(RetryOptions(retries, self._transport.retry.longest_wait))
        return other

    def close(self) -> None:
        """Closes the connections that nothing uses."""
        self._transport.close()

    def __enter__(self) -> Lectern:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def upload(
        self,
        files: Union[Uploadable, Iterable[Uploadable]],
        dataset_id: Optional[str] = None,
        *,
        extra_meta: Optional[Mapping[str, Any]] = None,
        chunk_size: Optional[int] = None,
        chunk_overlap: Optional[int] = None,
        language: Optional[str] = None,
        ocr_languages: Optional[Sequence[str]] = None,
        in_background: bool = False,
    ) -> List[StoredFile]:
        """
        Stores and indexes files, all or none. ``in_background`` (``async`` in the interface): they are read later, each by itself, and
        ``wait_until_ready`` waits for that. With a frontend token, ``dataset_id`` may be left out. Sent again where the server
        refused it for now, and where its outcome is not known if every file has an ``external_id``, which makes doing it twice as
        good as once. Raises OSError for a file that cannot be read.
        """
        given = [files] if isinstance(files, (str, os.PathLike, UploadFile)) else list(files)
        asked = [file if isinstance(file, UploadFile) else UploadFile(file) for file in given]
        parts = [Part(file) for file in asked]
        fields = upload_fields(
            {
                "datasetId": dataset_id,
                "chunkSize": chunk_size,
                "chunkOverlap": chunk_overlap,
                "extraMeta": None if extra_meta is None else dict(extra_meta),
                "language": language,
                "ocrLanguages": None if ocr_languages is None else list(ocr_languages),
            },
            asked,
            parts,
        )
        if any(part.is_read_once for part in parts):
            repeatable = Repeatable.NEVER
        elif all(file.external_id is not None for file in asked):
            repeatable = Repeatable.ALWAYS
        else:
            repeatable = Repeatable.REFUSED
        plan = Plan(
            "POST",
            "/v1/files/upload",
            query={"async": True if in_background else None},
            body=lambda: form_body(fields, parts),
            repeatable=repeatable,
            timeout=self._upload_timeout,
        )
        stored: List[StoredFile] = self._transport.json(plan)["files"]
        return stored

    def wait_until_ready(
        self,
        files: Iterable[Union[str, StoredFile]],
        *,
        interval: float = 1.0,
        on_progress: Optional[Callable[[StoredFile], None]] = None,
    ) -> List[StoredFile]:
        """
        Returns the files, in the same order, once searches find all of them. Raises LecternError with the code and sentence of a file
        that cannot be read. ``on_progress`` is told after each look at one that is not ready. A server that is restarted meanwhile is
        waited for.
        """
        retries = self._transport.retry.retries
        patient = self.with_options(retries=max(retries, RETRIES_WHILE_WAITING) if retries > 0 else 0)
        ready = []
        for asked in files:
            file_id = asked if isinstance(asked, str) else asked["fileId"]
            while True:
                file = patient.get_file(file_id)
                if file["status"] == "failed":
                    raise _unreadable(file)
                if file["status"] != "processing":
                    ready.append(file)
                    break
                if on_progress is not None:
                    on_progress(file)
                time.sleep(interval)
        return ready

    def list_files(
        self,
        dataset_id: Optional[str] = None,
        *,
        limit: int = 100,
        name: Optional[str] = None,
        external_id: Optional[str] = None,
    ) -> Listing[StoredFile]:
        """
        The files of a dataset, newest first; ``name``: only those called exactly so. With a frontend token, ``dataset_id`` may be left
        out. ``limit``: files on a page.
        """
        query = {"datasetId": dataset_id, "limit": limit, "name": name, "externalId": external_id}

        def fetch_page(cursor: Optional[str]) -> Page[StoredFile]:
            page = self._get("/v1/files", {**query, "cursor": cursor})
            return Page(page["files"], page.get("nextCursor"))

        return Listing(fetch_page)

    def get_file(self, file_id: str) -> StoredFile:
        """A file's details, with ``permanentUrl``, which needs no key."""
        file: StoredFile = self._get(_file_path(file_id))["files"][0]
        return file

    def download(self, file_id: str, *, start: int = 0, end: Optional[int] = None) -> Download:
        """The file's bytes, from ``start`` to before ``end``. A connection that is cut is gone on with by itself."""
        return Download(self._transport, f"{_file_path(file_id)}/content", start, end, self._timeout)

    def save_file(self, file_id: str, path: Union[str, "os.PathLike[str]"]) -> StoredFile:
        """
        Writes a stored file to ``path``, which appears whole or not at all, in place of what is there. Until then its bytes lie in
        ``PATH.FILEID.partial``; called again after an interruption, it goes on with them. Raises LecternError, also where the bytes
        are not those that were stored (``UNEXPECTED_ANSWER``), and OSError.
        """
        file = self.get_file(file_id)
        target = os.fspath(path)
        partial = f"{target}.{file['fileId']}.partial"
        digest = hashlib.sha256()
        size = file["size"]
        with open(partial, "a+b") as saved:
            saved.seek(0)
            for chunk in iter(lambda: saved.read(1 << 20), b""):
                digest.update(chunk)
            length = saved.tell()
            if size is not None and length > size:
                saved.truncate(0)
                digest, length = hashlib.sha256(), 0
            if length == 0 or length != size:
                with self.download(file["fileId"], start=length) as download:
                    for chunk in download:
                        digest.update(chunk)
                        saved.write(chunk)
            expected = file.get("sha256")
            if expected and digest.hexdigest() != expected:
                # Not to be gone on with.
                saved.truncate(0)
                raise LecternError(
                    f"What came of {file['originalName']!r} is not what was stored. Ask for it again.",
                    code="UNEXPECTED_ANSWER",
                )
            saved.flush()
            os.fsync(saved.fileno())
        os.replace(partial, target)
        return file

    def head_file(self, file_id: str) -> Contents:
        """What a download would be told first."""

        def read(answer: Received) -> Contents:
            answer.read()
            length = answer.headers.get("content-length")
            return Contents(
                None if length is None else int(length), answer.headers.get("content-type", "application/octet-stream")
            )

        plan = Plan("HEAD", f"{_file_path(file_id)}/content", timeout=self._timeout)
        contents: Contents = self._transport.send(plan, read)
        return contents

    def get_subtitles(self, file_id: str, format: Literal["srt", "vtt"] = "srt") -> str:
        """What is said in a recording, or stands in a file of subtitles."""
        plan = Plan("GET", f"{_file_path(file_id)}/subtitles", query={"format": format}, timeout=self._timeout)
        text: bytes = self._transport.send(plan, lambda answer: answer.read())
        return text.decode("utf-8")

    def get_passages(self, file_id: str, *, start: int = 0, limit: int = 20) -> Passages:
        """A file's passages in their order, from the ``start``-th on (``chunkIndex`` of a result), and how many it has."""
        answer = self._get(f"{_file_path(file_id)}/passages", {"from": start, "limit": limit})
        return Passages(answer["data"], answer["total"])

    def delete_file(self, file_id: str) -> List[StoredFile]:
        """What was deleted. Where the answer to a first try was lost, that may be nothing."""
        return self._delete(_file_path(file_id), gone="FILE_NOT_FOUND")

    def delete_dataset(self, dataset_id: str) -> List[StoredFile]:
        """All files of a dataset."""
        return self._delete(_dataset_path(dataset_id))

    def delete_by_external_id(self, dataset_id: str, external_id: str) -> List[StoredFile]:
        """The file of a dataset that its owner calls so."""
        return self._delete(_dataset_path(dataset_id), {"externalId": external_id}, gone="FILE_NOT_FOUND")

    def delete_everything(self) -> List[StoredFile]:
        """Every file of the customer; with a frontend token, of its dataset."""
        return self._delete("/v1/files")

    def list_datasets(self, *, limit: int = 100) -> Listing[Dataset]:
        """The datasets that hold files, ordered by id. ``limit``: datasets on a page."""

        def fetch_page(cursor: Optional[str]) -> Page[Dataset]:
            page = self._get("/v1/datasets", {"limit": limit, "cursor": cursor})
            return Page(page["data"], page["nextCursor"])

        return Listing(fetch_page)

    def search(
        self,
        question: str,
        dataset_id: Optional[str] = None,
        *,
        filters: Optional[Sequence[Filter]] = None,
        limit: Optional[int] = None,
        min_score: Optional[float] = None,
        highlights: Optional[bool] = None,
    ) -> List[SearchResult]:
        """The passages nearest to a question, best first. With a frontend token, ``dataset_id`` may be left out."""
        asked = _retrieval(question, dataset_id, filters, limit, min_score, highlights)
        results: List[SearchResult] = self._post("/v1/search", asked, self._timeout)["data"]
        return results

    def query(
        self,
        question: str,
        dataset_id: Optional[str] = None,
        *,
        filters: Optional[Sequence[Filter]] = None,
        limit: Optional[int] = None,
        min_score: Optional[float] = None,
        highlights: Optional[bool] = None,
    ) -> Answer:
        """An answer from the documents, with its sources."""
        asked = _retrieval(question, dataset_id, filters, limit, min_score, highlights)
        answer: Answer = self._post("/v1/query", {**asked, "stream": False}, self._query_timeout)["data"]
        return answer

    def query_stream(
        self,
        question: str,
        dataset_id: Optional[str] = None,
        *,
        filters: Optional[Sequence[Filter]] = None,
        limit: Optional[int] = None,
        min_score: Optional[float] = None,
        highlights: Optional[bool] = None,
    ) -> Iterator[QueryEvent]:
        """
        The same, as it is written: its sources, its words, its end. Closed early, it ends the answer. Sent again only as long as nothing
        of it has come.
        """
        asked = _retrieval(question, dataset_id, filters, limit, min_score, highlights)
        plan = Plan(
            "POST",
            "/v1/query",
            json={**asked, "stream": True},
            headers={"accept": "text/event-stream"},
            timeout=self._query_timeout,
        )
        answer: Received = self._transport.send(plan, lambda answer: answer)
        answer.limit_silence(self._transport.idle_timeout)
        try:
            for event, data in server_sent_events(answer.read_line):
                read = json.loads(data)
                if event == "sources":
                    yield {"type": "sources", "sources": read}
                elif event == "token":
                    yield {"type": "token", "text": read["text"]}
                elif event == "error":
                    raise refusal_in_stream(read, answer.request_id)
                elif event == "done":
                    yield {"type": "done", "model": read["model"], "usage": read["usage"]}
                    return
        except FAILURES as failure:
            raise _broken_off(answer) from failure
        finally:
            answer.close()
        raise _broken_off(answer)

    def create_token(
        self, dataset_id: str, *, ttl_seconds: Optional[int] = None, scope: Optional[Literal["read"]] = None
    ) -> Token:
        """A frontend token for one dataset; needs an API key."""
        fields = {"datasetId": dataset_id, "ttlSeconds": ttl_seconds, "scope": scope}
        made = self._post("/v1/tokens/create", _without_none(fields), self._timeout)
        return Token(made["token"], made["expiresIn"])

    def _get(self, path: str, query: Optional[Mapping[str, Any]] = None) -> Dict[str, Any]:
        answer: Dict[str, Any] = self._transport.json(Plan("GET", path, query=query or {}, timeout=self._timeout))
        return answer

    def _post(self, path: str, fields: Mapping[str, Any], timeout: Optional[float]) -> Dict[str, Any]:
        answer: Dict[str, Any] = self._transport.json(Plan("POST", path, json=fields, timeout=timeout))
        return answer

    def _delete(
        self, path: str, query: Optional[Mapping[str, Any]] = None, gone: Optional[str] = None
    ) -> List[StoredFile]:
        """``gone``: the code that says, after a try whose outcome nobody knows, that this try did it."""
        unknown: List[LecternError] = []

        def on_repeat(failure: LecternError) -> None:
            if not is_refused_for_now(failure):
                unknown.append(failure)

        plan = Plan("DELETE", path, query=query or {}, on_repeat=on_repeat, timeout=self._timeout)
        try:
            removed: List[StoredFile] = self._transport.json(plan)["files"]
            return removed
        except LecternError as failure:
            if unknown and failure.code == gone:
                return []
            raise


def _retrieval(
    question: str,
    dataset_id: Optional[str],
    filters: Optional[Sequence[Filter]],
    limit: Optional[int],
    min_score: Optional[float],
    highlights: Optional[bool],
) -> Dict[str, Any]:
    return _without_none(
        {
            "datasetId": dataset_id,
            "question": question,
            "filters": None if filters is None else list(filters),
            "limit": limit,
            "minScore": min_score,
            "highlights": highlights,
        }
    )


def _without_none(fields: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _file_path(file_id: str) -> str:
    return f"/v1/files/{segment(file_id, 'file_id')}"


def _dataset_path(dataset_id: str) -> str:
    return f"/v1/datasets/{segment(dataset_id, 'dataset_id')}/files"


def _broken_off(answer: Received) -> LecternError:
    return LecternError("The answer broke off before its end.", code="BROKEN_OFF", request_id=answer.request_id)


def _unreadable(file: StoredFile) -> LecternError:
    reason = file.get("error")
    return LecternError(
        reason["message"] if reason else f"{file['originalName']!r} could not be read.",
        code=reason["code"] if reason else "UNREADABLE_FILE",
        # What an upload that is waited for would have been answered.
        status=400,
        details={"file": file["originalName"]},
    )
