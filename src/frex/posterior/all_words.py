"""The best words of all topics in one table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex.posterior.words import word_columns

if TYPE_CHECKING:
    from frex.posterior.measures import Backend
    from frex.posterior.posterior import Posterior


def top_words_of_all(
    posterior: Posterior, n: int = 14, *, backend: Backend = "pandas", **options: Any
) -> Any:
    """Return the best words of all topics: `topic`, `title`, `rank`, and `top_words`' columns.

    Parameters
    ----------
    posterior
        The fit.
    n
        Number of words of each topic.
    backend
        The data frame library of the result: ``"pandas"``, ``"polars"`` or ``"pyarrow"``.
    **options
        `by`, `weight`, `compare`, `of` and `level`, as for `top_words`.
    """
    import narwhals as nw  # noqa: PLC0415 - scores themselves need no data frames

    table: dict[str, list[Any]] = {}
    for node in range(1, posterior.tree.n_nodes):
        name, title = posterior.tree.names[node], posterior.tree.titles[node]
        found = word_columns(posterior, name, n, **options)
        n_found = len(found["word"])
        first = {"topic": [name] * n_found, "title": [title] * n_found}
        for key, values in {**first, "rank": range(1, n_found + 1), **found}.items():
            table.setdefault(key, []).extend(values)
    return nw.from_dict(table, backend=backend).to_native()
