import numpy as np
import pytest
from bits import small_corpus

from frex.corpus import blocks as module
from frex.corpus import read_corpus
from frex.corpus.blocks import blocks
from frex.model import branching_tree


@pytest.mark.parametrize("size", [1, 40, 1 << 20])
@pytest.mark.parametrize("span", [(0, None), (7, 60), (9, 9)])
def test_blocks_are_all_counts_in_order(size, span, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "BLOCK", size)
    whole = small_corpus(branching_tree((2, 2)), 90)
    whole.write(tmp_path / "corpus")
    corpus = read_corpus(tmp_path / "corpus")
    first, last = span[0], whole.n_documents if span[1] is None else span[1]
    expected = whole.counts[first:last].tocoo()
    found = list(blocks(corpus, *span))  # each is good still: what was given back is read again
    ends = [(rows.documents.start, rows.documents.stop) for rows in found]
    assert [a for a, _ in ends] + [last] == [first] + [b for _, b in ends]
    joined = [
        np.concatenate([np.empty(0, int), *part]) for part in list(zip(*found, strict=True))[1:]
    ]
    if found:
        assert np.array_equal(joined[0], expected.row + first)
        assert np.array_equal(joined[1], expected.col)
        assert np.array_equal(joined[2], expected.data)
        longest = np.diff(whole.counts.indptr).max()
        assert max(len(rows.counts) for rows in found) <= max(size, longest)
    assert bool(found) == (last > first)
