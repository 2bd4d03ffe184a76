"""Fits made by hand, with all that the explorer's page shows."""

import base64
import json
import zlib

import numpy as np
from scipy import sparse

from frex.posterior import Moment, Posterior, Scored, Typical
from frex.tree import TopicTree

SCRIPT = "<script>alert(1)</script>"
HOSTILE = (
    "</script>",
    '"quo\'tes"',
    "a\u2028b",
    "שלום",
    "🦊 fox",
    "{{index}}",
    "&lt;b&gt;",
    "<!--",
)
TREE = TopicTree(
    ["sport", "golf", "tennis", SCRIPT, "music", "opera", "jazz", "law"],
    [None, "sport", "sport", "sport", None, "music", "music", None],
    ["Sport", "Golf", "Tennis", SCRIPT, "Music", "Opera", "Jazz", "Law"],
)
WORDS = (*HOSTILE, *(f"word{number}" for number in range(292)))


def make_fit(tree=TREE, words=WORDS, *, n_documents=60, n_draws=50, n_scored=40, seed=0):
    """Return a fit whose means are random, with draws of the scores about them."""
    rng = np.random.default_rng(seed)
    log_rates = rng.normal(-3, 2, (len(words), 1)) + rng.normal(0, 1, (len(words), tree.n_nodes))
    log_rates[-6:] = log_rates[-6]  # some words are alike, and
    log_rates[-6:, 2] += 4  # among the best of the second topic: there scores tie
    rates = np.exp(log_rates)
    shares = _sibling_shares(tree, rates)
    labels = sparse.random_array(
        (n_documents, tree.n_topics), density=min(1.0, 2.5 / tree.n_topics), rng=rng
    ).tocsr()
    memberships = labels.data / np.repeat(labels.sum(axis=1), np.diff(labels.indptr))
    candidates = np.stack(
        [
            np.sort(np.argsort(-shares[:, k] * rates[:, k + 1])[:n_scored])
            for k in range(tree.n_topics)
        ]
    ).astype(np.int32)
    return Posterior(
        tree=tree,
        words=words,
        surface=tuple(f"{word}s" if word.startswith("word") else word for word in words),
        ids=[f"doc <{number}>" for number in range(n_documents)],
        labels=sparse.csr_array(labels.astype(bool)),
        mean_length=80.0,
        settings={"method": "map", "seed": 0, "draws": n_draws},
        moments={
            "log_rates": Moment(log_rates, rates),
            "memberships": Moment(memberships, memberships),
        },
        exposures=np.bincount(labels.indices, memberships, tree.n_topics),
        exclusivity={"siblings": Moment(shares, shares)},
        scored={"siblings": _scored(candidates, rates, shares, n_draws, rng)},
        typical=_typical(tree, n_documents, rng),
    )


def unbundle(text):
    """Return what a piece of a page holds: its header's `meta`, and its arrays by name."""
    data = zlib.decompress(base64.b64decode(text))
    start = 4 + int.from_bytes(data[:4], "little")
    header, arrays = json.loads(data[4:start]), {}
    for name, kind, length in header["arrays"]:
        size = {"Uint8Array": 1, "Uint16Array": 2, "Uint32Array": 4}[kind]
        planes = np.frombuffer(data, np.uint8, size * length, start).reshape(size, length)
        arrays[name] = sum(plane.astype(np.int64) << 8 * i for i, plane in enumerate(planes))
        start += size * length
    assert start == len(data)
    return header["meta"], arrays


def _sibling_shares(tree, rates):
    columns = [
        rates[:, node] / rates[:, list(tree.comparison_set(node))].sum(axis=1)
        for node in range(1, tree.n_nodes)
    ]
    return np.stack(columns, axis=1)


def _scored(candidates, rates, shares, n_draws, rng):
    """Draw rates and exclusivities about their means, and any ECDFs: they need not agree."""
    points = np.stack(
        [np.take_along_axis(point.T, candidates, axis=1) for point in (rates[:, 1:], shares)]
    )
    values = np.concatenate([points, rng.uniform(0.8, 1.0, points.shape)])
    values = values * rng.uniform(0.9, 1.0, (n_draws, *values.shape))
    values[:, 0] = np.log(values[:, 0])
    return Scored(candidates, values.astype(np.float32))


def _typical(tree, n_documents, rng):
    n_rows = 3 * tree.n_topics
    return Typical(
        starts=np.arange(0, n_rows + 1, 3),
        documents=rng.integers(n_documents, size=n_rows),
        scores=np.tile([0.9, 0.5, 0.25], tree.n_topics),
        words=np.tile(np.array([0, 3, 10, -1, -1, -1, -1, -1], np.int32), (n_rows, 1)),
    )
