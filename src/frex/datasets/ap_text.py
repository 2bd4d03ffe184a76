"""Associated Press from its text, prepared as in the paper's section 4.6.

Words on the SMART stop list and proper nouns are left out, so that summaries of topics contain no
filler words, and need no knowledge of people and places. The paper names no other rule, so words
are not stemmed, and rare ones are kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex.datasets.ap import documents
from frex.datasets.labelled import prepare_labelled
from frex.text import Analyzer, VocabularyRule

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from frex.text import PrepareReport

ANALYZER = Analyzer(stem=False, stop_words="smart", drop_proper_nouns=True)
EVERY_WORD = VocabularyRule(min_documents=1)


def prepare(data: Sequence[Path], out: Path, **options: Any) -> PrepareReport:
    """Turn the stories into a corpus folder.

    Parameters
    ----------
    data
        `ap.tgz`, the folder unpacked from it, or `ap.txt`.
    out
        The corpus folder to make.
    **options
        Those of `frex.datasets.labelled.prepare_labelled`.
    """
    options.setdefault("analyzer", ANALYZER)
    options.setdefault("vocabulary", EVERY_WORD)
    return prepare_labelled(documents(data), None, out, **options)
