"""Sizes of the experiments: as in the paper, or small, for a first look."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Size:
    """The size of all experiments.

    Attributes
    ----------
    name
        Name of the folder in which results are stored.
    documents
        Largest number of documents of a corpus, drawn at random; None for all.
    corpora
        Number of the available labelled corpora; None for all.
    method
        How HPC is fitted.
    topics, words
        Numbers of topics, and lengths of summaries.
    pcm
        Options of PCM's fits that differ from those of `frex.evaluate`.
    splits
        Of the classification.
    scan_documents, scan_words, scans
        Of weak scaling: documents of a rank, words, and scans that are timed.
    """

    name: str
    documents: int | None = None
    corpora: int | None = None
    method: Literal["sample", "map"] = "sample"
    topics: tuple[int, ...] = (10, 25, 50, 100)
    words: tuple[int, ...] = (5, 10, 25, 50)
    pcm: Mapping[str, Any] = field(default_factory=dict)
    splits: int = 10
    scan_documents: int = 20_000
    scan_words: int = 5_000
    scans: int = 30


FULL = Size("full")
QUICK = Size(
    "quick",
    documents=800,
    corpora=2,
    method="map",
    topics=(5, 10),
    words=(5, 10),
    pcm={"method": "map"},
    splits=1,
    scan_documents=2_000,
    scan_words=1_000,
    scans=10,
)
