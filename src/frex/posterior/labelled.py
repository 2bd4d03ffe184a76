"""The fit as a labelled `DataTree` for ArviZ and xarray."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.errors import require
from frex.model.priors import DRIFT
from frex.posterior.drifts import PRIOR
from frex.posterior.posterior import SCORED

if TYPE_CHECKING:
    from frex.posterior.posterior import Posterior

_DRAW_DIMS = {
    "affinity_mean": ["topic"],
    "log_rates": ["traced_rate"],
    "memberships": ["traced_membership"],
}


def to_arviz(posterior: Posterior) -> Any:
    """Return the fit as a `DataTree`.

    Groups: `posterior` (the draws) and `sample_stats` by chain and draw; `moments` with
    ``log_rates_mean``, ``log_rates_sd`` and so on by word, node, parent, topic and label, and the
    `exposures` by topic; `scores`, the draws of the scores, by comparison set, draw, topic and
    candidate, in which `candidate_word` is the word's number. A MAP fit has only the last two.
    """
    base = require("arviz_base", "arviz", "to_arviz")
    xarray = require("xarray", "arviz", "to_arviz")
    groups = {"posterior": dict(posterior.draws), "sample_stats": dict(posterior.stats)}
    tree = base.from_dict(
        {group: arrays for group, arrays in groups.items() if arrays},
        dims=_DRAW_DIMS,
        coords={"topic": list(posterior.tree.topics)},
        attrs={
            "/": {
                "settings": json.dumps(dict(posterior.settings), allow_nan=False),
                "complete": int(posterior.complete),  # netCDF has no booleans
                "mean_length": posterior.mean_length,
            }
        },
    )
    if posterior.draws:
        coords = {k: v for k, v in _traced(posterior).items() if v[0] in tree["posterior"].dims}
        tree["posterior"] = xarray.DataTree(tree["posterior"].to_dataset().assign_coords(coords))
    tree["moments"] = xarray.DataTree(
        xarray.Dataset(_moments(posterior), _moment_coords(posterior))
    )
    if posterior.scored:
        tree["scores"] = xarray.DataTree(xarray.Dataset(*_scores(posterior)))
    return tree


def _scores(posterior: Posterior) -> tuple[dict[str, tuple[list[str], Any]], dict[str, Any]]:
    """Return the draws of the scores, and their coordinates."""
    values = np.stack([scored.values for scored in posterior.scored.values()])
    dims = ["comparison", "kept_draw", "topic", "candidate"]
    variables = {name: (dims, values[:, :, part]) for part, name in enumerate(SCORED)}
    words = np.stack([scored.words for scored in posterior.scored.values()])
    return variables, {
        "comparison": list(posterior.scored),
        "topic": list(posterior.tree.topics),
        "candidate_word": (["comparison", "topic", "candidate"], words),
    }


def _traced(posterior: Posterior) -> dict[str, tuple[str, list[str]]]:
    """Return the names of the traced elements, as coordinates along their dimension."""
    names, topics = posterior.tree.names, posterior.tree.topics
    rates, memberships = posterior.traced_rates, posterior.traced_memberships
    return {
        "word": ("traced_rate", [posterior.words[w] for w, _ in rates]),
        "node": ("traced_rate", [names[n] for _, n in rates]),
        "document": ("traced_membership", [posterior.ids[d] for d, _ in memberships]),
        "membership_topic": ("traced_membership", [topics[k] for _, k in memberships]),
    }


def _moments(posterior: Posterior) -> dict[str, tuple[list[str], Any]]:
    variables: dict[str, tuple[list[str], Any]] = {"exposures": (["topic"], posterior.exposures)}
    for name, moment in posterior.moments.items():
        for part, array in moment._asdict().items():
            variables[f"{name}_{part}"] = (_moment_dims(posterior, name, array.shape), array)
    if posterior.exclusivity:
        for part in ("mean", "sd"):
            sets = np.stack([getattr(moment, part) for moment in posterior.exclusivity.values()])
            variables[f"exclusivity_{part}"] = (["comparison", "word", "topic"], sets)
    return variables


def _moment_dims(posterior: Posterior, name: str, shape: tuple[int, ...]) -> list[str]:
    if name == "memberships":
        return ["label"]
    if name == "affinity_mean":
        return ["topic"]
    if name == DRIFT:
        return ["known_topic"]
    if name == PRIOR:
        return ["word", "known_node"]
    if name.endswith("dispersions"):
        return ["word", "parent"]
    n_words, tree = len(posterior.words), posterior.tree
    known: dict[tuple[int, ...], list[str]] = {
        (n_words, tree.n_nodes): ["word", "node"],
        (n_words, tree.n_topics): ["word", "topic"],
    }
    return known.get(shape, [f"{name}_dim_{axis}" for axis in range(len(shape))])


def _moment_coords(posterior: Posterior) -> dict[str, Any]:
    tree, labels = posterior.tree, posterior.labels
    documents = np.repeat(np.arange(labels.shape[0]), np.diff(labels.indptr))
    return {
        "word": list(posterior.words),
        "node": list(tree.names),
        "topic": list(tree.topics),
        "parent": [tree.names[node] for node in range(tree.n_nodes) if tree.children(node)],
        "comparison": list(posterior.exclusivity),
        "label_document": ("label", np.asarray(posterior.ids[:])[documents]),
        "label_topic": ("label", np.asarray(tree.topics)[labels.indices]),
    }
