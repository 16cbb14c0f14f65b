"""Client of a Lectern server."""

from .client import Lectern
from .download import Download
from .error import LecternError
from .events import Answer, DoneEvent, QueryEvent, SourcesEvent, TokenEvent
from .listing import Listing, Page
from .types import Dataset, Filter, SearchResult, StoredFile
from .upload_file import UploadFile

__all__ = [
    "Answer",
    "Dataset",
    "DoneEvent",
    "Download",
    "Filter",
    "Lectern",
    "LecternError",
    "Listing",
    "Page",
    "QueryEvent",
    "SearchResult",
    "SourcesEvent",
    "StoredFile",
    "TokenEvent",
    "UploadFile",
]
