"""Validation rules for the files of a fit.

Estimates may be infinite or NaN: a chain can overflow, a mean is NaN before the first draw, and one
draw has no standard deviation. `frex diagnose` must be able to read and report such a fit; all
other readers refuse it by `frex.posterior.guards`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from frex.corpus.documents import META as DETAILS
from frex.corpus.documents import details_rules
from frex.corpus.folder import ANALYZER, vocabulary_in
from frex.errors import InputError
from frex.model.priors import DRIFT, HYPERPARAMETERS
from frex.posterior.drifts import PRIOR
from frex.posterior.posterior import SCORED
from frex.storage.rules import INTEGERS, Chosen, Ends, Numbers, sparse_rules, strings_rules
from frex.tree.folder import tree_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from frex.storage import FolderReader
    from frex.storage.rules import Rule
    from frex.tree import TopicTree

META: dict[str, Any] = {
    "complete": bool,
    "mean_length": float,
    "moments": [str],
    "exclusivity": [str],
    "draws": [str],
    "stats": [str],
    "scored": [str],
    "analyzer?": ANALYZER,
    **DETAILS,
}
SETTINGS: dict[str, Any] = {
    "method": str,
    "warmup?": int,
    "draws?": (None, int),
    "chains?": int,
    "seed?": int,
    "compare?": [(str, int, [str])],
    "n_topics?": (None, int),
    "n_known?": int,
}
LARGEST_SHARE = 1 + 1e-6
"""Upper bound of shares, with rounding of means."""

LARGEST_LOG = 700.0
"""Bound of logarithms whose exponential is finite."""

MOST_CHAINS = 10_000
"""Most chains; without draws the number of chains takes no space, and could be anything."""

_POSITIVE = {*HYPERPARAMETERS, DRIFT} - {"root_mean", "affinity_mean"}


Shapes: TypeAlias = "dict[str, tuple[int, ...]]"


def files_of(group: str, names: Iterable[str]) -> list[str]:
    """Return a file name for each array of a group.

    A comparison set has a user's name, so its file has a number instead.
    """
    if group in ("exclusivity", "scored"):
        return [f"{group}_{number}" for number, _ in enumerate(names)]
    return [f"{group}_{name}" for name in names]


def trees_in(folder: FolderReader) -> tuple[TopicTree, TopicTree | None]:
    """Return the tree that was fitted, and the taxonomy if it has further topics."""
    tree = tree_in(folder)
    if "taxonomy" not in folder:
        return tree, None
    taxonomy = tree_in(folder, "taxonomy")
    try:
        part = taxonomy.take([taxonomy.node(name) for name in tree.topics])
    except InputError as error:
        raise folder.damaged("taxonomy.json", f"has not the fit's tree: {error.message}") from error
    if part.names != tree.names or not np.array_equal(part.parents, tree.parents):
        raise folder.damaged("taxonomy.json", "has the fit's topics in another tree")
    return tree, taxonomy


def contents(folder: FolderReader) -> dict[str, Rule]:
    """Return the rules for the arrays of a fit."""
    folder.check_meta(META)
    settings = folder.json("settings", SETTINGS)
    if settings["method"] not in ("sample", "map"):
        raise folder.damaged("settings.json", f"has the method {settings['method']!r}")
    if folder.meta["mean_length"] < 0:
        raise folder.damaged("manifest.json", "declares documents of negative length")
    for group in ("moments", "exclusivity", "draws", "stats", "scored"):
        if len(set(folder.meta[group])) < len(folder.meta[group]):
            raise folder.damaged("manifest.json", f"names one of the {group} twice")
    tree, _ = trees_in(folder)
    n_words = len(vocabulary_in(folder)[0])
    (n_documents,), (n_labels,) = folder.shape("ids_ends"), folder.shape("labels_indices")
    rules = strings_rules("ids", n_documents, *folder.shape("ids"))
    rules |= details_rules(folder, n_documents)
    rules |= sparse_rules("labels", n_documents, tree.n_topics, n_labels)
    rules["exposures"] = Numbers((np.float64,), (tree.n_topics,), 0, finite=False)
    n_known = settings.get("n_known", 0)
    if not 0 <= n_known <= tree.n_topics:
        raise folder.damaged("settings.json", f"has {n_known:,} known topics")
    hyper = _hyper_shapes(tree.n_topics, n_known)
    rules |= dict(_moments(folder, tree, n_words, n_labels, hyper))
    rules |= dict(_draws(folder, hyper))
    rules |= dict(_chosen(folder, tree, n_words, n_documents))
    return rules


def _moments(
    folder: FolderReader, tree: TopicTree, n_words: int, n_labels: int, hyper: Shapes
) -> Iterator[tuple[str, Rule]]:
    """Yield the rules for means and standard deviations."""
    names = folder.meta["moments"]
    shapes = hyper | {
        "log_rates": (n_words, tree.n_nodes),
        "log_dispersions": (n_words, len(np.unique(tree.parents[1:]))),
        "memberships": (n_labels,),
    }
    n_known = hyper.get(DRIFT, (0,))[0]
    if n_known:
        shapes[PRIOR] = (n_words, 1 + n_known)
    if missing := {"log_rates", "memberships"} - set(names):
        raise folder.damaged("manifest.json", f"names no moments {missing.pop()}")
    for name, file in zip(names, files_of("moments", names), strict=True):
        if name not in shapes:
            raise folder.damaged("manifest.json", f"names moments {name}, which no fit has")
        high = LARGEST_SHARE if name == "memberships" else LARGEST_LOG if "log_" in name else None
        low = 0 if name == "memberships" or name in _POSITIVE else None
        yield f"{file}_mean", Numbers((np.float64,), shapes[name], low, high, finite=False)
        yield f"{file}_sd", Numbers((np.float64,), shapes[name], 0, finite=False)
    shape = n_words, tree.n_topics
    for file in files_of("exclusivity", folder.meta["exclusivity"]):
        yield f"{file}_mean", Numbers((np.float64,), shape, 0, LARGEST_SHARE, finite=False)
        yield f"{file}_sd", Numbers((np.float64,), shape, 0, finite=False)


def _draws(folder: FolderReader, hyper: Shapes) -> Iterator[tuple[str, Rule]]:
    """Yield the rules for draws and statistics; their numbers of chains and draws are equal."""
    names, stats = folder.meta["draws"], files_of("stats", folder.meta["stats"])
    shapes = hyper | {
        "log_rates": folder.shape("traced_rates", 2)[:1],
        "memberships": folder.shape("traced_memberships", 2)[:1],
    }
    if names and set(names) != set(shapes):
        raise folder.damaged("manifest.json", "names not the draws that a fit keeps")
    first = "draws_root_mean" if names else next(iter(stats), None)
    chains = (1, 0) if first is None else folder.shape(first, 2)
    if not 1 <= chains[0] <= MOST_CHAINS:
        raise folder.damaged(f"{first}.npy", f"is of {chains[0]:,} chains")
    for name, file in zip(names, files_of("draws", names), strict=True):
        low = 0 if name in _POSITIVE else None
        yield file, Numbers((np.float64,), (*chains, *shapes[name]), low, finite=False)
    for file in stats:
        yield file, Numbers((np.float64,), chains, finite=False)


def _hyper_shapes(n_topics: int, n_known: int) -> Shapes:
    shapes: Shapes = dict.fromkeys(HYPERPARAMETERS, ()) | {"affinity_mean": (n_topics,)}
    return shapes | ({DRIFT: (n_known,)} if n_known else {})


def _chosen(
    folder: FolderReader, tree: TopicTree, n_words: int, n_documents: int
) -> Iterator[tuple[str, Rule]]:
    """Yield the rules for traced parameters, leading words and typical documents."""
    pairs = {
        "traced_rates": (n_words, tree.n_nodes),
        "traced_memberships": (n_documents, tree.n_topics),
    }
    for name, sizes in pairs.items():
        yield name, Numbers(INTEGERS, (folder.shape(name, 2)[0], 2), 0, np.array(sizes) - 1)
    if not set(folder.meta["scored"]) <= set(folder.meta["exclusivity"]):
        raise folder.damaged(
            "manifest.json", "names scores of a comparison set without exclusivity"
        )
    for file in files_of("scored", folder.meta["scored"]):
        n = folder.shape(f"{file}_words", 2)[1]
        n_draws = folder.shape(f"{file}_values", 4)[0]
        if not 1 <= n <= n_words:
            raise folder.damaged(f"{file}_words.npy", f"has {n:,} of {n_words:,} words")
        yield f"{file}_words", Chosen((tree.n_topics, n), n_words, (np.int32,))
        shape = (n_draws, len(SCORED), tree.n_topics, n)
        yield f"{file}_values", Numbers((np.float32,), shape, finite=False)
    if "typical_starts" in folder:
        (n,), (_, n_listed) = folder.shape("typical_documents"), folder.shape("typical_words", 2)
        yield "typical_starts", Ends(tree.n_topics, n)
        yield "typical_documents", Numbers(INTEGERS, (n,), 0, n_documents - 1)
        yield "typical_scores", Numbers((np.float64,), (n,), finite=False)
        yield "typical_words", Numbers((np.int32,), (n, n_listed), -1, n_words - 1)
