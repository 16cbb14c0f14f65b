"""
Lectern as a retriever of LangChain (langchain-core 1).

    retriever = LecternRetriever(lectern=Lectern("http://127.0.0.1:8080", key), dataset_id="handbook", search={"limit": 5})
    documents = retriever.invoke("Who approves a holiday of two weeks?")
"""

from typing import Any, Dict, List, Optional

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from lectern import Lectern
from pydantic import ConfigDict, Field


class LecternRetriever(BaseRetriever):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    lectern: Lectern
    dataset_id: Optional[str] = None
    #: filters, limit, min_score.
    search: Dict[str, Any] = Field(default_factory=dict)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> List[Document]:
        return [
            Document(
                id=f"{result['metadata']['fileId']}/{result['metadata']['chunkIndex']}",
                page_content=result["pageContent"],
                metadata={**result["metadata"], "score": result["score"]},
            )
            for result in self.lectern.search(query, self.dataset_id, **self.search)
        ]
