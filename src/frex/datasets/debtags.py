"""Debian package descriptions under the tags people gave them: the bundled corpus.

`scripts/build_debtags.py` makes the bundle from Debian's package indexes and says which facets,
packages and stems it keeps. Descriptions are stemmed and include stop words: the model
has to find that common words are not exclusive to any topic.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from frex.datasets.bundle import unpack
from frex.datasets.counted import write_counted
from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from frex.corpus import Corpus
    from frex.text import PrepareReport

BUNDLE = Path(__file__).parent / "data" / "debtags.npz"


def load_debtags() -> Corpus:
    """Return the bundled corpus: some 10,000 packages, 3,000 stems, 240 tags in three levels.

    Returns
    -------
    Corpus
        Package descriptions, labelled by hand with a tree of tags.

    Examples
    --------
    >>> from frex.datasets import load_debtags
    >>> load_debtags()
    Corpus(10,540 documents, 2,959 words, 258 topics, 660,703 tokens)
    """
    return unpack(BUNDLE)[0]


def prepare(data: Sequence[Path], out: Path, **options: Any) -> PrepareReport:
    """Write the bundled corpus as a corpus folder.

    Parameters
    ----------
    data
        Nothing: the corpus needs no files.
    out
        The corpus folder to make.
    **options
        Those of `frex.datasets.counted.write_counted`.
    """
    if data:
        raise InputError(
            f"debtags comes with the package and reads no files, not {data[0]}",
            remedy="Leave the data out.",
        )
    return write_counted(load_debtags(), out, **options)
