"""
The Python client at the other end of a pipe: one call a line on standard input, one outcome a line on standard output, in the words of the
interface, so that one table holds for the client in every language.
"""

import hashlib
import io
import json
import sys
import traceback

from lectern import Lectern, LecternError, UploadFile

#: The interface's words, where Python has its own.
NAMES = {
    "datasetId": "dataset_id",
    "extraMeta": "extra_meta",
    "chunkSize": "chunk_size",
    "chunkOverlap": "chunk_overlap",
    "ocrLanguages": "ocr_languages",
    "minScore": "min_score",
    "ttlSeconds": "ttl_seconds",
    "externalId": "external_id",
    "fileId": "file_id",
    "async": "in_background",
    "from": "start",
}


class OnceOnly(io.RawIOBase):
    """A stream that cannot be rewound."""

    def __init__(self, path):
        self._file = open(path, "rb")

    def readable(self):
        return True

    def seekable(self):
        return False

    def read(self, size=-1):
        return self._file.read(size)


def upload(lectern, given):
    ids = given.pop("externalIds", {})
    files = [UploadFile(path) for path in given.pop("paths", [])]
    files += [UploadFile(text.encode(), name=name) for name, text in given.pop("texts", {}).items()]
    files += [UploadFile(OnceOnly(path), name=name) for name, path in given.pop("streams", {}).items()]
    for file in files:
        file.external_id = ids.get(file.name or file.content.rpartition("/")[2])
    return lectern.upload(files, **renamed(given))


def renamed(given):
    return {NAMES.get(name, name): value for name, value in given.items()}


def download(lectern, given):
    with lectern.download(**renamed(given)) as stream:
        content = stream.read()
    return {"length": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def save_file(lectern, given):
    lectern.save_file(given["fileId"], given["path"])
    with open(given["path"], "rb") as saved:
        return hashlib.sha256(saved.read()).hexdigest()


def query_stream(lectern, given):
    most = given.pop("stopAfter", float("inf"))
    types = []
    events = lectern.query_stream(**renamed(given))
    for event in events:
        types.append(event["type"])
        if len(types) >= most:
            events.close()
            break
    return types


def create_token(lectern, given):
    token = lectern.create_token(**renamed(given))
    return {"token": token.token, "expiresIn": token.expires_in}


CALLS = {
    "upload": upload,
    "waitUntilReady": lambda lectern, given: lectern.wait_until_ready(given["files"], interval=0.02),
    "listFiles": lambda lectern, given: list(lectern.list_files(**renamed(given))),
    "listDatasets": lambda lectern, given: list(lectern.list_datasets(**renamed(given))),
    "getFile": lambda lectern, given: lectern.get_file(given["fileId"]),
    "download": download,
    "saveFile": save_file,
    "headFile": lambda lectern, given: lectern.head_file(given["fileId"])._asdict(),
    "getSubtitles": lambda lectern, given: lectern.get_subtitles(**renamed(given)),
    "getPassages": lambda lectern, given: lectern.get_passages(**renamed(given))._asdict(),
    "deleteFile": lambda lectern, given: lectern.delete_file(given["fileId"]),
    "deleteDataset": lambda lectern, given: lectern.delete_dataset(given["datasetId"]),
    "deleteByExternalId": lambda lectern, given: lectern.delete_by_external_id(**renamed(given)),
    "deleteEverything": lambda lectern, given: lectern.delete_everything(),
    "search": lambda lectern, given: lectern.search(**renamed(given)),
    "query": lambda lectern, given: lectern.query(**renamed(given)),
    "queryStream": query_stream,
    "createToken": create_token,
}


def client(options):
    """Milliseconds are seconds here."""
    given = dict(options)
    url, key = given.pop("url"), given.pop("key")
    seconds = {"timeout": "timeout", "idleTimeout": "idle_timeout", "longestWait": "longest_wait"}
    more = {name: given[option] / 1000 for option, name in seconds.items() if option in given}
    if "retries" in given:
        more["retries"] = given["retries"]
    return Lectern(url, key, **more)


def outcome_of(asked):
    try:
        with client(asked["options"]) as lectern:
            return {"value": CALLS[asked["call"]](lectern, asked["arguments"]), "shown": repr(lectern)}
    except LecternError as error:
        told = {
            "kind": "LecternError",
            "message": str(error),
            "code": error.code,
            "status": error.status,
            "details": error.details,
            "requestId": error.request_id,
            "retryAfter": error.retry_after,
        }
        return {"error": told, "shown": traceback.format_exc() + repr(error)}
    except Exception as error:
        return {"error": {"kind": type(error).__name__, "message": str(error)}, "shown": traceback.format_exc()}


for line in sys.stdin:
    print(json.dumps(outcome_of(json.loads(line))), flush=True)
