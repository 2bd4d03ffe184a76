"""Corpora on which there is hardly anything to learn: an audit ends, and says nothing foolish."""

import numpy as np
import pytest

from frex import Corpus, TopicTree
from frex.audit import audit_labels, audit_topics
from frex.audit.habits import FEW
from frex.audit.topics import UNUSED
from frex.predict import out_of_fold
from frex.sampler.fit import fit
from frex.sampler.settings import Settings

FLAT = ["t0", "t1", "t2", "t3"]


def about(labels, rng):
    """Return a text whose words are those of its first label, and some that all have."""
    own = [f"{label}word{n}" for label in labels[:1] for n in range(6)]
    return " ".join([*rng.choice(own, 12), *rng.choice([f"any{n}" for n in range(20)], 12)])


def made(labels, names, above=None):
    rng = np.random.default_rng(0)
    tree = TopicTree(names, [None] * len(names) if above is None else above)
    ids = [f"d{n}" for n in range(len(labels))]
    return Corpus.from_texts([about(own, rng) for own in labels], labels, tree, ids=ids)


def each(n):
    return [f"t{k}" for k in range(n)]


SMALL = {
    "a document a topic": made([[name] for name in each(12)], each(12)),
    "two documents": made([["t0"], ["t1"]], FLAT),
    "ten documents": made([[f"t{n % 3}"] for n in range(10)], FLAT),
    "one topic": made([["t0"]] * 30, ["t0"]),
    "one topic of several": made([["t1"]] * 30, FLAT),
    "all labels everywhere": made([each(12)] * 30, each(12)),
    "only children": made(
        [[name] for name in "abcd" for _ in range(12)], list("abcd"), [None, "a", "b", "c"]
    ),
    "inner labels": made([["a"], ["b"]] * 20, ["a", "b", "a1", "b1"], [None, None, "a", "b"]),
    "a label and its parent": made([["a", "a1"]] * 20 + [["b"]] * 20, ["a", "a1", "b"],
                                   [None, "a", None]),
}  # fmt: skip


@pytest.mark.parametrize("corpus", SMALL.values(), ids=SMALL)
def test_an_audit_ends_and_says_nothing_foolish(corpus):
    posterior = fit(corpus.without_empty_topics(), Settings(method="map", draws=2))
    judged = out_of_fold(corpus)
    labels = audit_labels(posterior, corpus, judged=judged, least=0.5)
    assert labels == []
    for one in audit_topics(posterior, corpus):
        assert one.kind in {*UNUSED, "together"}
        assert one.kind == "together" or one.documents < FEW
