"""
Lectern as a retriever of LlamaIndex (llama-index-core).

    retriever = LecternRetriever(Lectern("http://127.0.0.1:8080", key), "handbook", limit=5)
    nodes = retriever.retrieve("Who approves a holiday of two weeks?")
"""

from typing import Any, List, Optional

from lectern import Lectern
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode


class LecternRetriever(BaseRetriever):
    def __init__(self, lectern: Lectern, dataset_id: Optional[str] = None, **search: Any) -> None:
        """``search``: filters, limit, min_score."""
        self._lectern, self._dataset_id, self._search = lectern, dataset_id, search
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> List[NodeWithScore]:
        return [
            NodeWithScore(
                score=result["score"],
                node=TextNode(
                    id_=f"{result['metadata']['fileId']}/{result['metadata']['chunkIndex']}",
                    text=result["pageContent"],
                    metadata=result["metadata"],
                ),
            )
            for result in self._lectern.search(query_bundle.query_str, self._dataset_id, **self._search)
        ]
