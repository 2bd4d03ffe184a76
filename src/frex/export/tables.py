"""The tidy tables of a fit: topics, words, memberships, hyperparameters, typical documents.

A table is yielded in chunks, so that the memberships of millions of documents need little memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from frex.corpus.documents import free_name
from frex.model.priors import DRIFT, HYPERPARAMETERS
from frex.posterior.guards import refuse_not_finite
from frex.posterior.measures import Quantity, measure
from frex.posterior.words import in_line, in_thousand, word_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from frex.posterior import Posterior
    from frex.posterior.branches import Of
    from frex.posterior.compared import Compare

Chunk: TypeAlias = "dict[str, Sequence[Any]]"
"""Some rows of a table: its columns by name, in order."""

_BLOCK = 1 << 15  # documents in a chunk of memberships
_SCORES = ("frex", "in_1000", "exclusivity")
_ENDS = ("", "_low", "_high")


_MEMBERSHIP: dict[str, type] = {"document": str, "topic": str, "mean": float, "sd": float}
_TYPICAL: dict[str, type] = {
    "topic": str, "rank": int, "document": str, "score": float, "words": str,
}  # fmt: skip
_DOCUMENT: dict[str, type] = {"document": str}
_NAMES_A_DOCUMENT = ("title", "url", "date")  # which the table of memberships also has


class Table(NamedTuple):
    """A table to be written."""

    name: str
    types: Mapping[str, type]  #: types of its columns, in order: str, int or float
    n_rows: int
    chunks: Iterator[Chunk]


def fit_tables(
    posterior: Posterior,
    *,
    n: int = 14,
    weight: float = 0.5,
    compare: Compare = None,
    of: Of = "auto",
    level: float = 0.9,
) -> list[Table]:
    """Return the tables of a fit; the parameters are those of `frex.posterior.top_words`.

    The table of topics has all topics of the taxonomy, including those without documents; the other
    tables have the topics that were fitted.
    """
    refuse_not_finite(posterior)
    typical = posterior.typical
    about = list(posterior.details.columns)
    return [
        Table(
            "topics",
            {"topic": str, "title": str, "parent": str, "level": int, "documents": int},
            posterior.taxonomy.n_topics,
            _topics(posterior),
        ),
        Table(
            "words",
            {"topic": str, "rank": int, "word": str, "stem": str}
            | {f"{score}{end}": float for score in _SCORES for end in _ENDS}
            | {"in_top": float, "of": str},
            posterior.tree.n_topics * min(n, len(posterior.words)),
            _words(
                posterior,
                {"n": n, "weight": weight, "compare": compare, "of": of, "level": level},
            ),
        ),
        Table(
            "memberships",
            _MEMBERSHIP | {name: str for name in about if name in _NAMES_A_DOCUMENT},
            posterior.labels.nnz,
            _memberships(posterior),
        ),
        Table(
            "hyperparameters",
            {field: str if field == "name" else float for field in Quantity._fields},
            len(HYPERPARAMETERS)
            - 1
            + posterior.tree.n_topics
            + posterior.settings.get("n_known", 0),
            _hyperparameters(posterior),
        ),
        Table(
            "typical_documents",
            _TYPICAL | {free_name(name, _TYPICAL): str for name in about},
            0 if typical is None else len(typical.documents),
            _typical(posterior),
        ),
        *(
            [
                Table(
                    "documents",
                    _DOCUMENT | {free_name(name, _DOCUMENT): str for name in about},
                    len(posterior.ids),
                    _documents(posterior),
                )
            ]
            if about
            else []
        ),
    ]


def _topics(posterior: Posterior) -> Iterator[Chunk]:
    tree = posterior.taxonomy
    documents = np.zeros(tree.n_topics, np.int64)
    documents[posterior.columns] = np.bincount(
        posterior.labels.indices, minlength=posterior.tree.n_topics
    )
    names: list[str | None] = [None, *tree.topics]  # a top-level topic has no parent
    yield {
        "topic": tree.topics,
        "title": tree.titles[1:],
        "parent": [names[parent] for parent in tree.parents[1:]],
        "level": tree.levels[1:].tolist(),
        "documents": documents.tolist(),
    }


def _words(posterior: Posterior, options: Mapping[str, Any]) -> Iterator[Chunk]:
    for topic in posterior.tree.topics:
        columns = in_thousand(posterior, word_columns(posterior, topic, **options))
        size = len(columns["word"])
        plain = {
            name: values.tolist() if isinstance(values, np.ndarray) else values
            for name, values in columns.items()
        }
        yield {"topic": [topic] * size, "rank": range(1, size + 1), **plain}


def _memberships(posterior: Posterior) -> Iterator[Chunk]:
    labels, topics = posterior.labels, posterior.tree.topics
    for first in range(0, labels.shape[0], _BLOCK):
        ids = posterior.ids[first : first + _BLOCK]
        ends = labels.indptr[first : first + len(ids) + 1]
        stored = slice(int(ends[0]), int(ends[-1]))
        about = posterior.details.part(slice(first, first + len(ids))).columns
        n_labels = np.diff(ends)
        yield {
            "document": _repeated(ids, n_labels),
            "topic": [topics[column] for column in labels.indices[stored]],
            "mean": posterior.memberships.mean[stored].tolist(),
            "sd": posterior.memberships.sd[stored].tolist(),
            **{n: _repeated(c, n_labels) for n, c in about.items() if n in _NAMES_A_DOCUMENT},
        }


def _repeated(texts: Sequence[str], times: NDArray[np.integer]) -> list[str]:
    repeated: list[str] = np.repeat(np.array(texts, dtype=object), times).tolist()
    return repeated


def _documents(posterior: Posterior) -> Iterator[Chunk]:
    for first in range(0, len(posterior.ids), _BLOCK):
        rows = slice(first, first + _BLOCK)
        about = posterior.details.part(rows).columns
        yield {
            "document": posterior.ids[rows],
            **{free_name(name, _DOCUMENT): column for name, column in about.items()},
        }


def _hyperparameters(posterior: Posterior) -> Iterator[Chunk]:
    for rows in measure(posterior, (*HYPERPARAMETERS, DRIFT)).values():
        yield {field: [getattr(row, field) for row in rows] for field in Quantity._fields}


def _typical(posterior: Posterior) -> Iterator[Chunk]:
    typical = posterior.typical
    if typical is None:
        return
    display = posterior.surface or posterior.words
    for topic, name in enumerate(posterior.tree.topics):
        rows = slice(int(typical.starts[topic]), int(typical.starts[topic + 1]))
        documents = typical.documents[rows].tolist()
        about = posterior.details.take(documents).columns
        yield {
            "topic": [name] * len(documents),
            "rank": range(1, len(documents) + 1),
            "document": [posterior.ids[document] for document in documents],
            "score": typical.scores[rows].tolist(),
            "words": [
                in_line([display[word] for word in words if word >= 0])
                for words in typical.words[rows]
            ],
            **{free_name(name, _TYPICAL): column for name, column in about.items()},
        }
