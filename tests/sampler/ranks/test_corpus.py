"""Each rank holds its part of the counts, and all parts are the corpus."""

import json

import numpy as np
from bits import small_corpus
from mpi import needs_mpirun, run_on_ranks

from frex.model import branching_tree
from frex.model.reductions import reduce
from frex.sampler.data import kernel_data

CODE = """
import json, sys
from frex.corpus import blocks, read_corpus
from frex.sampler.ranks import corpus as parts
from frex.sampler.ranks.exchange import Ranks

blocks.BLOCK = 50  # documents are read in several blocks
ranks = Ranks.world()
part = parts.divide(read_corpus(sys.argv[1]), ranks)
words, documents = part.data
order = part.partitions["words"].order
mine = {
    "words": words.bin_words.tolist(),
    "starts": words.starts.tolist(),
    "firsts": words.firsts.tolist(),
    "counts": words.counts.tolist(),
    "own": documents.bin_documents.tolist(),
    "met": [order[documents.words[documents.starts[d] : documents.starts[d + 1]]].tolist()
            for d in documents.bin_documents],
    "single": float((words.single_counts * 7).sum()),
}
every = ranks.gather(mine)
if ranks.first:
    print(json.dumps(every))
"""


@needs_mpirun
def test_parts_are_the_corpus(tmp_path):
    corpus = small_corpus(branching_tree((3, 3)), n_documents=120, n_words=70)
    corpus.write(tmp_path / "corpus")
    code, out, err = run_on_ranks(3, CODE, tmp_path / "corpus")
    assert code == 0, err
    parts = json.loads(out)
    words, documents = kernel_data(reduce(corpus))
    assert sorted(f for part in parts for f in part["words"]) == list(range(corpus.n_words))
    assert sorted(d for part in parts for d in part["own"]) == list(range(len(documents.exposures)))
    for part in parts:
        assert part["single"] == 7 * words.single_counts.sum()
        starts = np.array(part["starts"])
        assert len(part["counts"]) == starts[-1] < 0.5 * len(words.counts)
        for f in part["words"]:
            own, whole = slice(*starts[f : f + 2]), slice(*words.starts[f : f + 2])
            assert part["firsts"][own] == words.firsts[whole].tolist()
            assert part["counts"][own] == words.counts[whole].tolist()
        for d, met in zip(part["own"], part["met"], strict=True):
            whole = slice(*documents.starts[d : d + 2])
            assert met == documents.words[whole].tolist()
