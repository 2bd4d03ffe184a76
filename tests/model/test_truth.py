import numpy as np
import pytest

from frex.errors import FolderError
from frex.model import branching_tree, read_truth, simulate
from frex.model.priors import Hyperparameters

TREE = branching_tree((2, 2))
HYPER = Hyperparameters(-1.0, 0.5, np.full(6, -1.0), 2.0, 10.0, 0.2)


def parts(truth):
    yield from map(np.asarray, truth.hyper)
    yield from (truth.log_rates, truth.dispersions)
    for matrix in (truth.affinities, truth.memberships):
        yield from (matrix.data, matrix.indices, matrix.indptr, np.array(matrix.shape))


@pytest.mark.parametrize("keep_affinities", [False, True])
def test_written_truth_is_read_back_bit_for_bit(tmp_path, keep_affinities):
    truth = simulate(TREE, 30, 8, hyper=HYPER, keep_affinities=keep_affinities).truth
    truth.write(tmp_path / "truth")
    again = read_truth(tmp_path / "truth")
    for before, after in zip(parts(truth), parts(again), strict=True):
        assert before.dtype == after.dtype
        assert np.array_equal(before, after)
    if keep_affinities:
        assert np.array_equal(again.all_affinities, truth.all_affinities)
    else:
        assert again.all_affinities is None


def test_altered_truth_is_refused(tmp_path):
    simulate(TREE, 30, 8, hyper=HYPER).truth.write(tmp_path / "truth")
    file = tmp_path / "truth" / "log_rates.npy"
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    with pytest.raises(FolderError, match="altered"):
        read_truth(tmp_path / "truth")


def test_truth_of_some_documents_keeps_their_rows():
    truth = simulate(TREE, 30, 8, hyper=HYPER, keep_affinities=True).truth
    keep = np.arange(30) % 3 == 0
    some = truth.of_documents(keep)
    assert np.array_equal(some.memberships.toarray(), truth.memberships.toarray()[keep])
    assert np.array_equal(some.affinities.toarray(), truth.affinities.toarray()[keep])
    assert np.array_equal(some.all_affinities, truth.all_affinities[keep])
    assert some.log_rates is truth.log_rates
