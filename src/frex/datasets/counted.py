"""Write a corpus that its owner has counted already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex.errors import InputError
from frex.text import PrepareReport

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from frex.corpus import Corpus


def write_counted(
    corpus: Corpus,
    out: Path,
    *,
    progress: Callable[[int], None] | None = None,
    jobs: int = 0,  # noqa: ARG001 - every `prepare` takes it; here is nothing to share out
    overwrite: bool = False,
    **text_options: Any,
) -> PrepareReport:
    """Write a corpus folder; options about text are refused, for there is none.

    Parameters
    ----------
    corpus
        What to write.
    out
        The corpus folder to make.
    progress
        Called with the number of documents.
    jobs
        Processes, for those corpora that are counted here.
    overwrite
        Replace an existing corpus.
    **text_options
        Other options of `frex.text.prepare_documents`: each must be None.
    """
    given = [name for name, value in text_options.items() if value is not None]
    if given:
        raise InputError(
            f"this corpus comes as counts, so {' and '.join(given)} cannot apply",
            remedy="Leave such options out.",
        )
    corpus.write(out, overwrite=overwrite)
    if progress is not None:
        progress(corpus.n_documents)
    return PrepareReport(
        out,
        read=corpus.n_documents + corpus.report.get("empty_documents", 0),
        documents=corpus.n_documents,
        words=corpus.n_words,
        tokens=corpus.n_tokens,
        stems=corpus.n_words,
        dropped=dict(corpus.report),
    )
