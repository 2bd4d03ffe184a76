import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from frex.text import Analyzer, Document, spool
from frex.text.batches import DocumentBatch
from frex.text.digest import Digester
from frex.text.labelling import Labelling
from frex.text.spool import SeenIds, Spool
from frex.tree import TopicTree


def test_what_is_added_is_read_back_some_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(spool, "ROWS", 3)
    digester = Digester(
        Analyzer(), Labelling(TopicTree(["x", "y"], [None, None]).known_labels, "keep")
    )
    store = Spool(tmp_path)
    documents = [
        Document(f"é{i}", "corn oil corn" if i % 2 else "", ("y", "x")[: i % 3], f"f{i % 2}", i + 1)
        for i in range(7)
    ]
    for part in (documents[:2], documents[2:]):
        digest = digester(DocumentBatch(part))
        store.add(digest, digest.counts.stems)
    rows = list(store.rows())
    assert [len(r.ids) for r in rows] == [3, 3, 1]
    assert [i for r in rows for i in r.ids] == [d.id for d in documents]
    assert [p for r in rows for p in r.places] == [(d.path, d.line) for d in documents]
    assert np.concatenate([r.label_lengths for r in rows]).tolist() == [0, 1, 2, 0, 1, 2, 0]
    assert np.concatenate([r.labels for r in rows]).tolist() == [1, 0, 1, 1, 0, 1]
    assert np.concatenate([r.lengths for r in rows]).tolist() == [0, 2, 0, 2, 0, 2, 0]
    assert np.concatenate([r.counts for r in rows]).tolist() == [2, 1] * 3
    assert store.place("é4") == ("f0", 5)


@given(st.lists(st.lists(st.integers(0, 60).map(str), max_size=15), max_size=12))
def test_repeated_ids_are_told(batches):
    seen, known = SeenIds(), set()
    for ids in batches:
        expected = []
        for position, name in enumerate(ids):
            if name in known:
                expected.append(position)
            known.add(name)
        assert seen.repeated(ids) == expected


def test_many_ids_are_kept_as_short_hashes(monkeypatch):
    monkeypatch.setattr(spool, "ROWS", 16)
    seen = SeenIds()
    for start in range(0, 1000, 10):
        assert seen.repeated([f"document {i}" for i in range(start, start + 10)]) == []
        assert seen.repeated([f"document {start // 2}"]) == [0]
    assert len(np.unique(seen._sorted)) == len(seen._sorted) > 800
