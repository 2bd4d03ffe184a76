"""Dispersion of words between a topic's children, and their exclusivity to one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from frex.errors import InputError
from frex.plots.labels import draw_labels
from frex.plots.style import (
    BLUE,
    PALE,
    calm,
    dressed,
    head,
    log_axis,
    mark_baseline,
    name_axes,
    shorten,
)
from frex.plots.topic import display_words
from frex.posterior.compared import exclusivity_of
from frex.scores import frex_from

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from frex.posterior import Posterior
    from frex.tree import TopicTree


def dispersion_plot_data(posterior: Posterior, topic: str | int) -> pd.DataFrame:
    """Return a row for each word and child of a topic, sorted by word, then by child.

    Columns: `word` (its display form), `stem`, `child` (its name), `dispersion` (the variance of
    the word's log rate among the children: exp of the posterior mean of its logarithm) and
    `exclusivity` of the word to the child among its siblings.

    Parameters
    ----------
    posterior
        The fit.
    topic
        A topic with children, by name, title or node; ``"ROOT"`` for the top-level topics.

    Returns
    -------
    pandas.DataFrame
        The columns named above.

    Raises
    ------
    InputError
        The topic has no children, so it has no dispersions.

    Examples
    --------
    >>> from frex.plots import dispersion_plot_data
    >>> from frex.posterior import read_posterior
    >>> posterior = read_posterior('FIT')
    >>> dispersion_plot_data(posterior, 'trade').shape[0]
    50
    """
    tree = posterior.tree
    node = posterior.find(topic) if isinstance(topic, str) else topic
    children = tree.children(node)
    if not children:
        above = tree.names[tree.parents[node]]
        raise InputError(
            f"{tree.names[node]!r} has no children between which a word could differ",
            remedy=f"Choose a topic that has, such as its parent {above}.",
        )
    parents = [n for n in range(tree.n_nodes) if tree.children(n)]
    dispersion = posterior.dispersions[:, parents.index(node)]
    exclusivity = [exclusivity_of(posterior, child, "siblings", "topic") for child in children]
    n_words, n_children = len(posterior.words), len(children)
    return pd.DataFrame({
        "word": np.repeat(np.array(display_words(posterior), object), n_children),
        "stem": np.repeat(np.array(posterior.words, object), n_children),
        "child": np.tile(np.array([tree.names[child] for child in children], object), n_words),
        "dispersion": np.repeat(dispersion, n_children),
        "exclusivity": np.column_stack(exclusivity).ravel(),
    })  # fmt: skip


def dispersion_plot(
    posterior: Posterior, topic: str | int, *, n: int = 14, ax: Axes | None = None
) -> Axes:
    """Draw the words of a topic: dispersion among its children against exclusivity to each.

    Words that all children use equally lie at the left, near the baseline; only words with a large
    dispersion can be exclusive to one child.

    Parameters
    ----------
    posterior, topic
        As in `dispersion_plot_data`.
    n
        Number of labelled words: those high in both, by the harmonic mean of their ECDFs.
    ax
        Where to draw; a new figure where left out.

    Returns
    -------
    matplotlib.axes.Axes
        Where it was drawn.

    Examples
    --------
    >>> from frex.plots import dispersion_plot
    >>> from frex.posterior import read_posterior
    >>> posterior = read_posterior('FIT')
    >>> ax = dispersion_plot(posterior, 'trade', n=3)
    """
    data = dispersion_plot_data(posterior, topic)
    tree = posterior.tree
    node = posterior.find(topic) if isinstance(topic, str) else topic
    children = tree.children(node)
    own = data.loc[data.groupby("stem", sort=False)["exclusivity"].idxmax()]
    score = frex_from(own["exclusivity"], own["dispersion"])
    named = own.iloc[(-score).argsort(kind="stable")[:n]]
    with calm():
        ax = dressed(ax)
        look: dict[str, Any] = {"s": 4, "linewidth": 0, "rasterized": True}
        ax.scatter(data["dispersion"], data["exclusivity"], color=PALE, alpha=0.5, **look)
        ax.scatter(own["dispersion"], own["exclusivity"], color=BLUE, alpha=0.6, **look)
        low, high = data["dispersion"].min(), data["dispersion"].max()
        ax.set_xlim(low / 1.1, high * (high / low) ** 0.08)
        log_axis(ax, "x")
        ax.set_ylim(-0.02, data["exclusivity"].max() + 0.1)
        mark_baseline(ax, 1 / max(len(children), 2))  # an only child is compared with its parent
        _head(ax, tree, node)
        name_axes(ax, "dispersion: variance of the log rate among the children", "exclusivity")
        points = own[["dispersion", "exclusivity"]].to_numpy()
        texts = [shorten(word, 24) for word in named["word"]]
        draw_labels(ax, named[["dispersion", "exclusivity"]].to_numpy(), texts, others=points)
    return ax


def _head(ax: Axes, tree: TopicTree, node: int) -> None:
    title = f"{shorten(tree.titles[node])}: which words tell its children apart"
    n_children = len(tree.children(node))
    beside = "one child, beside its parent" if n_children == 1 else f"{n_children} children"
    head(ax, title if node else "Which words tell the top-level topics apart",
         f"{beside}; blue: each word in the child that it is most exclusive to")  # fmt: skip
