"""Memberships of a topic or of a document."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from frex.errors import InputError
from frex.plots.style import (
    BLUE,
    GREY,
    INK,
    PLAIN,
    SKY,
    VERMILLION,
    calm,
    count_axis,
    dressed,
    head,
    legend,
    name_axes,
    shorten,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from frex.posterior import Posterior


def memberships_plot_data(posterior: Posterior, topic: str | int) -> pd.DataFrame:
    """Return a row for each multi-label document with a topic.

    Columns: `document` (its id), `labels` (their number), `mean` and `sd` of its membership in
    the topic.

    Parameters
    ----------
    posterior
        The fit.
    topic
        A topic's name, title or node.
    """
    tree, labels = posterior.tree, posterior.labels
    node = posterior.find(topic) if isinstance(topic, str) else topic
    counts = np.diff(labels.indptr)
    rows = np.repeat(np.arange(len(counts)), counts)
    entries = np.flatnonzero((labels.indices == node - 1) & (counts[rows] > 1))
    if not len(entries):
        raise InputError(
            f"no document has the topic {tree.names[node]!r} beside another",
            remedy="Choose a topic that shares documents with others.",
        )
    return pd.DataFrame({
        "document": [posterior.ids[row] for row in rows[entries]],
        "labels": counts[rows[entries]],
        "mean": posterior.memberships.mean[entries],
        "sd": posterior.memberships.sd[entries],
    })  # fmt: skip


def memberships_plot(posterior: Posterior, topic: str | int, *, ax: Axes | None = None) -> Axes:
    """Draw the memberships of a topic in its multi-label documents.

    Parameters
    ----------
    posterior, topic
        As in `memberships_plot_data`.
    ax
        The Axes; a new figure by default.
    """
    data = memberships_plot_data(posterior, topic)
    tree = posterior.tree
    node = posterior.find(topic) if isinstance(topic, str) else topic
    n_labelled = int((posterior.labels.indices == node - 1).sum())
    median, even = data["mean"].median(), (1 / data["labels"]).mean()
    with calm():
        ax = dressed(ax, 5.6, 3.2)
        ax.hist(data["mean"], bins=20, range=(0, 1), color=SKY, edgecolor="white", linewidth=0.6)
        ax.set_xlim(0, 1)
        ax.margins(y=0.2)
        count_axis(ax)
        ax.axvline(median, color=VERMILLION, linewidth=1.2, label=f"median {median:.2f}")
        ax.axvline(even, color=GREY, linewidth=1.0, linestyle=(0, (4, 3)),
                   label=f"even shares {even:.2f}")  # fmt: skip
        legend(ax, loc="upper right", ncols=2)
        head(ax, f"{shorten(tree.titles[node])}: its part in documents with other labels",
             f"{len(data):,} of the topic's {n_labelled:,} documents; "
             "even shares: if all labels of a document counted alike")  # fmt: skip
        name_axes(ax, "membership in the topic", "documents")
    return ax


def document_plot_data(posterior: Posterior, document: str) -> pd.DataFrame:
    """Return a row for each label of a document, the largest membership first.

    Columns: `topic`, `title`, `mean` and `sd` of the membership.

    Parameters
    ----------
    posterior
        The fit.
    document
        The document's id.

    Returns
    -------
    pandas.DataFrame
        The columns named above.

    Raises
    ------
    InputError
        There is no such document, or it has no label.

    Examples
    --------
    >>> from frex.plots import document_plot_data
    >>> from frex.posterior import read_posterior
    >>> posterior = read_posterior('FIT')
    >>> document_plot_data(posterior, 'metal-0').shape[0]
    1
    """
    ids = list(posterior.ids)
    if document not in ids:
        close = difflib.get_close_matches(document, ids, n=3) or ids[:3]
        raise InputError(
            f"there is no document {document!r} in the fit",
            remedy=f"Choose another, such as {' or '.join(close)}.",
        )
    row = ids.index(document)
    entries = slice(posterior.labels.indptr[row], posterior.labels.indptr[row + 1])
    nodes = posterior.labels.indices[entries] + 1
    if not len(nodes):
        raise InputError(
            f"the document {document!r} has no labels", remedy="Choose one that has some."
        )
    frame = pd.DataFrame({
        "topic": [posterior.tree.names[node] for node in nodes],
        "title": [posterior.tree.titles[node] for node in nodes],
        "mean": posterior.memberships.mean[entries],
        "sd": posterior.memberships.sd[entries],
    })  # fmt: skip
    return frame.sort_values("mean", ascending=False, kind="stable", ignore_index=True)


def document_plot(posterior: Posterior, document: str, *, ax: Axes | None = None) -> Axes:
    """Draw the memberships of a document, with one standard deviation.

    Parameters
    ----------
    posterior, document
        As in `document_plot_data`.
    ax
        The Axes; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        Where it was drawn.

    Examples
    --------
    >>> from frex.plots import document_plot
    >>> from frex.posterior import read_posterior
    >>> posterior = read_posterior('FIT')
    >>> ax = document_plot(posterior, 'metal-0')
    """
    data = document_plot_data(posterior, document)
    place = np.arange(len(data))
    reach = np.clip([data["mean"] - data["sd"], data["mean"] + data["sd"]], 0, 1)
    with calm():
        ax = dressed(ax, 5.6, 1.3 + 0.24 * len(data))
        ax.grid(visible=False, axis="y")
        ax.barh(place, data["mean"], height=0.62, color=SKY)
        ax.hlines(place, *reach, color=BLUE, linewidth=1.4)
        ax.set_yticks(place, [shorten(name, 36) for name in data["topic"]], color=INK, **PLAIN)
        ax.tick_params(axis="y", length=0)
        ax.set_ylim(len(data) - 0.4, -0.6)
        ax.set_xlim(0, 1)
        head(ax, f"{shorten(document, 36)}: how it divides among its labels")
        name_axes(ax, "membership, and one standard deviation to each side", "")
    return ax
