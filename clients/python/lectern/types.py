"""Shapes of the interface. Written by scripts/clients.ts from the OpenAPI document: do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union

class StoredFileError(TypedDict):
    code: ErrorCode
    message: str


class _StoredFileAlways(TypedDict):
    fileId: str
    originalName: str
    datasetId: str
    customerId: str
    # Storage path.
    filePath: str
    mimeType: Union[str, None]
    # Bytes.
    size: Union[int, None]
    # What read the file.
    loaderId: str
    created: str
    extension: str
    # ready: searches find it. processing: it was uploaded with async=true and is still to be read; loaderId
    # is empty then, and mimeType as it was declared. failed: it could not be read, and stays listed until it
    # is deleted.
    status: Literal["processing", "ready", "failed"]
    # What is said in audio and video, and in subtitle files.
    transcriptionText: Union[str, None]
    # The same with its times.
    transcriptionSrt: Union[List[SubtitleEntry], None]
    # The metadata that its upload gave it.
    extraMeta: Union[Dict[str, Any], None]


class StoredFile(_StoredFileAlways, total=False):
    # Of the bytes, hexadecimal; null for a file from before it was recorded.
    sha256: Union[str, None]
    # What its owner calls it, if anything; one file of a dataset is called so.
    externalId: str
    # Where it lies for its owner, if that was said.
    path: str
    # Of what is spoken or written in it, as its upload said, else as it was found out or the document says;
    # as BCP 47 has it.
    language: str
    # While it is processing: how much of a scan or recording has been recognised; 0 of other files.
    progress: float
    # Where it failed: why, as an upload would have been refused.
    error: StoredFileError
    # In the answer to an upload: it was stored already as it was sent, nothing was done, and it cost nothing.
    unchanged: Literal[True]
    # Signed download address, valid for 7 days, unchanged until its last. Only where one file is asked for.
    permanentUrl: str


class SubtitleEntry(TypedDict):
    # From 1 on.
    id: int
    # Seconds.
    startTime: float
    # Seconds.
    endTime: float
    text: str


class _FileEnvelopeAlways(TypedDict):
    success: Literal[True]
    message: str
    files: List[StoredFile]


class FileEnvelope(_FileEnvelopeAlways, total=False):
    # Of a listing in pages alone: asks for the next; null on the last.
    nextCursor: Union[str, None]


class Dataset(TypedDict):
    datasetId: str
    files: int
    chunks: int
    # Of the uploaded files together.
    bytes: int
    # When the oldest of its files was stored.
    created: str
    # When the newest of its files was stored.
    updated: str


class DatasetList(TypedDict):
    success: Literal[True]
    data: List[Dataset]
    # Asks for the next page; null on the last.
    nextCursor: Union[str, None]


class FilterMatchValue(TypedDict):
    # Must be equal in type and value.
    value: Union[str, float, bool]


class FilterMatchAny(TypedDict):
    # One of these must be equal. None: nothing matches.
    any: List[Union[str, float, bool]]


FilterMatchNot = TypedDict("FilterMatchNot", {"not": "Union[Union[str, float, bool], List[Union[str, float, bool]]]"})


class FilterMatchRangeRange(TypedDict, total=False):
    # Above it.
    gt: Union[str, float]
    # It, or above.
    gte: Union[str, float]
    # Below it.
    lt: Union[str, float]
    # It, or below.
    lte: Union[str, float]


class FilterMatchRange(TypedDict):
    # All must hold. Bounds are all numbers, all dates or all other strings, and only values of the same kind
    # match. A date is a year, a month, a day, or a day and a time as ISO 8601 has it, in UTC where it names
    # no other offset; a year, month or day is all of it, so that lte reaches to its end and gt begins behind
    # it. Other strings are compared by their UTF-16 units.
    range: FilterMatchRangeRange


class Filter(TypedDict):
    # Metadata field: a top-level key of extraMeta, or fileId, originalName, customerId, datasetId, or
    # chunkIndex, the passage's place in its file from 0 on; or path, where the file lies for its owner; or
    # what the file's format says: page, slide, sheet, row, chapter, heading, line, startTime, endTime,
    # member, title, author, date, subject, language. A passage of several pages or slides matches each of
    # them, one of several rows, lines or seconds the first.
    key: str
    # Exactly one of value, any, not and range. Values are compared by type, too: "1" is not 1.
    match: Union[FilterMatchValue, FilterMatchAny, FilterMatchNot, FilterMatchRange]


class PassageListDataItem(TypedDict):
    pageContent: str
    metadata: PassageMetadata


class PassageList(TypedDict):
    success: Literal[True]
    data: List[PassageListDataItem]
    # How many passages the file has.
    total: int


class Explanation(TypedDict):
    """What each kind of evidence said of a result; null where it said nothing, because results were not read. Only where it was asked for."""

    # How near its meaning is to the question's: the cosine of their vectors.
    meaning: Union[float, None]
    # Its words: BM25 as a share of the most that the question can have.
    words: Union[float, None]
    # The question's words, or other forms of them, as they stand in it.
    matched: List[str]
    # How much of the question its best stretch answers, read word by word.
    reading: Union[float, None]
    # How many neighbours in the question are neighbours in it.
    pairs: Union[float, None]


class SearchResultHighlightsItem(TypedDict):
    start: int
    end: int


class SearchResultAlsoInItem(TypedDict):
    fileId: str
    originalName: str
    chunkIndex: int


class _SearchResultAlways(TypedDict):
    # 0.9 and more: highly relevant; from 0.8: very; from 0.7: relevant; below: possibly.
    score: float
    pageContent: str
    metadata: PassageMetadata


class SearchResult(_SearchResultAlways, total=False):
    # Where the question's words, or other forms of them, stand in pageContent: UTF-16 units, the end
    # excluded, ascending, apart from one another. Only where it was asked for.
    highlights: List[SearchResultHighlightsItem]
    explanation: Explanation
    # Where else the same text was found, best first. Not there where it was not.
    alsoIn: List[SearchResultAlsoInItem]


class _RetrievalRequestAlways(TypedDict):
    # What to look for, in any language. Its length is counted in UTF-16 units.
    question: str


class RetrievalRequest(_RetrievalRequestAlways, total=False):
    # The dataset. Required with an API key; a frontend token brings its own.
    datasetId: Union[str, None]
    # All must match. Applied before the similarity search.
    filters: Union[List[Filter], None]
    # Most results, or passages that an answer is made from.
    limit: Union[int, None]
    # What each of them scores at least.
    minScore: Union[float, None]
    # true: each result says where the question's words stand in it.
    highlights: Union[bool, None]
    # true: each result says what each kind of evidence gave it.
    explain: Union[bool, None]


class _QueryRequestAlways(TypedDict):
    # What to look for, in any language. Its length is counted in UTF-16 units.
    question: str


class QueryRequest(_QueryRequestAlways, total=False):
    # The dataset. Required with an API key; a frontend token brings its own.
    datasetId: Union[str, None]
    # All must match. Applied before the similarity search.
    filters: Union[List[Filter], None]
    # Most results, or passages that an answer is made from.
    limit: Union[int, None]
    # What each of them scores at least.
    minScore: Union[float, None]
    # true: each result says where the question's words stand in it.
    highlights: Union[bool, None]
    # true: Server-Sent Events. Without it the Accept header decides.
    stream: Union[bool, None]


class SearchResponse(TypedDict):
    success: Literal[True]
    data: List[SearchResult]


class Usage(TypedDict):
    """What a language model read and wrote; zero where none was used."""

    promptTokens: int
    completionTokens: int


class QueryAnswer(TypedDict):
    # [1] cites the first of the sources.
    answer: str
    # Exactly the passages that the answer is made from, or what was found where they do not answer.
    sources: List[SearchResult]
    # The language model's name, or `extractive`.
    model: str
    usage: Usage


class QueryResponse(TypedDict):
    success: Literal[True]
    data: QueryAnswer


class QuerySourcesEvent(TypedDict):
    """Exactly the passages that the answer is made from."""

    event: Literal["sources"]
    data: List[SearchResult]


class QueryTokenEventData(TypedDict):
    text: str


class QueryTokenEvent(TypedDict):
    """The next words of the answer, to be joined as they are."""

    event: Literal["token"]
    data: QueryTokenEventData


class QueryDoneEventData(TypedDict):
    model: str
    usage: Usage


class QueryDoneEvent(TypedDict):
    """The answer is whole."""

    event: Literal["done"]
    data: QueryDoneEventData


class QueryErrorEvent(TypedDict):
    """The answer broke off, and costs nothing."""

    event: Literal["error"]
    data: ErrorBody


class _TokenRequestAlways(TypedDict):
    # The token's dataset, which need not exist yet. Its length is counted in UTF-16 units.
    datasetId: str


class TokenRequest(_TokenRequestAlways, total=False):
    # How long the token is valid; a fraction of a second is dropped.
    ttlSeconds: float
    # For searches, queries, listings and downloads only; left out for everything in the dataset.
    scope: Literal["read"]


class TokenResponseData(TypedDict):
    token: str
    expiresIn: int


class TokenResponse(TypedDict):
    success: Literal[True]
    token: str
    # Seconds.
    expiresIn: int
    data: TokenResponseData


UploadForm = TypedDict("UploadForm", {"file": "List[bytes]", "datasetId": "str", "chunkSize": "int", "chunkOverlap": "int", "extraMeta": "str", "externalId": "str", "externalIds": "str", "path": "str", "language": "str", "ocrLanguages": "Union[str, List[str]]", "async": "Literal[\"true\", \"false\"]", "paths": "str"}, total=False)


class _ErrorBodyAlways(TypedDict):
    # A code, or a sentence where that is the whole body.
    error: Union[ErrorCode, ErrorSentence]


class ErrorBody(_ErrorBodyAlways, total=False):
    # What happened and what to do, for people.
    message: str
    # What it is about, by name: `file` of an upload that was refused, `limit`, `size`.
    details: Dict[str, Any]
    # Seconds after which the same request may succeed.
    retryAfter: int


class InsufficientCreditsDetails(TypedDict):
    required: float
    available: float


class InsufficientCredits(TypedDict):
    error: Literal["INSUFFICIENT_CREDITS"]
    # What happened and what to do, for people.
    message: str
    details: InsufficientCreditsDetails


class PayloadTooLargeDetails(TypedDict):
    # Bytes; of an upload with too many passages, passages.
    limit: int


class PayloadTooLarge(TypedDict):
    error: Literal["PAYLOAD_TOO_LARGE"]
    # What happened and what to do, for people.
    message: str
    details: PayloadTooLargeDetails


class TooManyRequests(TypedDict):
    error: Literal["SIGN_IN_PAUSED", "RATE_LIMIT_EXCEEDED", "UPLOADS_PAUSED"]
    # What happened and what to do, for people.
    message: str
    # Seconds after which the same request may succeed.
    retryAfter: int


class _UnavailableAlways(TypedDict):
    error: Literal["SHUTTING_DOWN", "WARMING_UP", "RESTARTING", "ANSWER_UNAVAILABLE", "MODEL_MISSING", "BUSY", "INSUFFICIENT_STORAGE"]
    # What happened and what to do, for people.
    message: str


class Unavailable(_UnavailableAlways, total=False):
    # Seconds after which the same request may succeed.
    retryAfter: int


# The file's extraMeta, and these fields, whatever extraMeta holds. Where the passage stands, and what its
# document says of itself, are there where the file's format knows them.
PassageMetadata = Dict[str, Any]


# One of the Server-Sent Events of a query: first `sources`, then any number of `token`, last `done` or
# `error`.
QueryEvent = Union["QuerySourcesEvent", "QueryTokenEvent", "QueryDoneEvent", "QueryErrorEvent"]


# For programs. Later versions of v1 may add some.
ErrorCode = Literal["NOT_SIGNED_IN", "INVALID_SIGN_IN", "OPERATOR_ONLY", "FOREIGN_PAGE", "CUSTOMER_NOT_NAMED", "CUSTOMER_UNKNOWN", "BACKUP_UNKNOWN", "MODEL_UNKNOWN", "KEY_UNKNOWN", "SIGN_IN_PAUSED", "REFUSED", "INVALID_REQUEST", "INVALID_FILTER", "NO_FILE", "EMPTY_FILE", "UNSUPPORTED_FILE_TYPE", "UNREADABLE_FILE", "NO_OCR_LANGUAGE", "NO_TEXT", "NO_SPEECH_MODEL", "INVALID_CHUNKING", "QUESTION_TOO_LONG", "INVALID_METADATA", "INSUFFICIENT_CREDITS", "DATASET_MISMATCH", "PERMISSION_DENIED", "SCOPE_INSUFFICIENT", "FILE_NOT_FOUND", "NO_SUBTITLES", "DATASET_NOT_FOUND", "NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "PAYLOAD_TOO_LARGE", "RATE_LIMIT_EXCEEDED", "UPLOADS_PAUSED", "SHUTTING_DOWN", "WARMING_UP", "RESTARTING", "ANSWER_UNAVAILABLE", "MODEL_MISSING", "INSUFFICIENT_STORAGE", "BUSY"]


# Of errors whose whole body is this sentence.
ErrorSentence = Literal["Missing API key", "Invalid API key", "Missing API key or token", "Invalid API key or token", "datasetId is required", "datasetId must be between 1 and 100 characters", "ttlSeconds must be between 1 and 86400", "datasetId and question are required", "datasetId mismatch between token and request", "Internal error"]
