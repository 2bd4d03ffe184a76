"""A vectorizer whose counts keep the names of their words, for pipelines of scikit-learn.

The steps of a pipeline exchange only a matrix, so scikit-learn's own vectorizers lose the words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

from frex.text import Analyzer

if TYPE_CHECKING:
    from collections.abc import Iterable


class NamedCounts(sparse.csr_matrix):
    """Counts, documents x words, with the names of the words; a part or a product has none."""

    words: tuple[str, ...] = ()


def names_of(counts: Any) -> tuple[str, ...] | None:
    """Return the names of the columns, if the counts have them."""
    words = counts.words if isinstance(counts, NamedCounts) else ()
    return words if len(words) == getattr(counts, "shape", (0, -1))[1] else None


class WordCounts(CountVectorizer):  # type: ignore[misc]  # scikit-learn has no types
    """`CountVectorizer` that passes on the names of its words to the next step.

    Words are defined as in `frex prepare`, but not stemmed, because a pipeline has no display
    forms.

    Parameters
    ----------
    min_df, max_df
        Least and largest number, or share, of documents with a word.
    max_features
        Most words, the most frequent ones.

    Examples
    --------
    >>> from frex import HPC, WordCounts
    >>> from sklearn.pipeline import make_pipeline
    >>> texts = ['gold and silver', 'wheat and corn', 'gold fell', 'corn rose'] * 3
    >>> model = make_pipeline(WordCounts(), HPC(method='map'))
    >>> fitted = model.fit(texts, ['metal', 'grain', 'metal', 'grain'] * 3)
    >>> fitted[-1].top_words('metal', 1)['word'].tolist()
    ['gold']
    """

    def __init__(
        self, *, min_df: float = 1, max_df: float = 1.0, max_features: int | None = None
    ) -> None:
        super().__init__(
            analyzer=Analyzer(stem=False).analyze,
            min_df=min_df,
            max_df=max_df,
            max_features=max_features,
        )

    def fit_transform(self, raw_documents: Iterable[str], y: Any = None) -> NamedCounts:
        """Learn the words and return the counts.

        Parameters
        ----------
        raw_documents
            The texts.
        y
            Ignored.

        Returns
        -------
        NamedCounts
            Documents x words.

        Examples
        --------
        >>> from frex import WordCounts
        >>> WordCounts().fit_transform(['gold and silver', 'gold fell']).words
        ('and', 'fell', 'gold', 'silver')
        """
        return self._named(super().fit_transform(raw_documents, y))

    def transform(self, raw_documents: Iterable[str]) -> NamedCounts:
        """Return the counts of the words that were learned.

        Parameters
        ----------
        raw_documents
            The texts.

        Returns
        -------
        NamedCounts
            Documents x words; words that were not learned are ignored.

        Examples
        --------
        >>> from frex import WordCounts
        >>> WordCounts().fit(['gold fell']).transform(['gold rose']).toarray().tolist()
        [[0, 1]]
        """
        return self._named(super().transform(raw_documents))

    def _named(self, counts: Any) -> NamedCounts:
        named = NamedCounts(counts)
        named.words = tuple(self.get_feature_names_out().tolist())
        return named
