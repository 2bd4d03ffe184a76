import numpy as np
import pytest
from fits import make_fit, make_map_fit

from frex.errors import FolderError, InputError
from frex.posterior import read_posterior
from frex.posterior.folder import _arrays

FITS = {
    "sample": make_fit(),
    "map": make_map_fit(),
    "stopped before the first draw": make_fit(2, 0, complete=False, surface=None),
    "of a prepared corpus": make_fit(1, 4, analyzer={"stem": True, "stop_words": ["the"]}),
    "of version 0.1": make_fit(1, 4, scored={}, typical=None),
}


@pytest.mark.parametrize("fit", FITS.values(), ids=FITS)
def test_written_fit_is_read_back_bit_for_bit(tmp_path, fit):
    fit.write(tmp_path / "fit")
    again = read_posterior(tmp_path / "fit")
    for (name, before), (same_name, after) in zip(_arrays(fit), _arrays(again), strict=True):
        assert name == same_name
        assert before.dtype == after.dtype
        assert before.shape == after.shape
        assert before.tobytes() == after.tobytes()
    for name in (
        "tree",
        "words",
        "surface",
        "ids",
        "mean_length",
        "settings",
        "complete",
        "analyzer",
        "details",
    ):
        assert getattr(again, name) == getattr(fit, name)
    for name in ("moments", "exclusivity", "draws", "stats", "scored"):
        assert list(getattr(again, name)) == list(getattr(fit, name))
    assert (again.typical is None) == (fit.typical is None)
    assert again.labels.dtype == bool
    assert (again.labels != fit.labels).nnz == 0


def test_large_arrays_stay_on_disk(tmp_path):
    make_fit().write(tmp_path / "fit")
    fit = read_posterior(tmp_path / "fit")
    assert isinstance(fit.log_rates.mean, np.memmap)
    assert isinstance(fit.draws["log_rates"], np.memmap)


def test_altered_fit_is_refused(tmp_path):
    make_fit().write(tmp_path / "fit")
    file = tmp_path / "fit" / "moments_log_rates_mean.npy"
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    with pytest.raises(FolderError, match=r"moments_log_rates_mean\.npy.*altered"):
        read_posterior(tmp_path / "fit")
    file.unlink()
    with pytest.raises(FolderError, match="missing"):
        read_posterior(tmp_path / "fit", verify=False)


def test_a_fit_is_overwritten_only_when_asked(tmp_path):
    make_fit().write(tmp_path / "fit")
    with pytest.raises(InputError, match="exists already"):
        make_map_fit().write(tmp_path / "fit")
    make_map_fit().write(tmp_path / "fit", overwrite=True)
    assert read_posterior(tmp_path / "fit").settings["method"] == "map"
