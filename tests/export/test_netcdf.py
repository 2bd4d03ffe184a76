import numpy as np
import pytest

from frex.errors import InputError
from frex.export import write_netcdf


def test_the_file_reads_back(fit, tmp_path):
    xarray = pytest.importorskip("xarray")
    file = tmp_path / "fit.nc"
    write_netcdf(fit, file)
    with xarray.open_datatree(file) as again:
        assert again.equals(fit.to_arviz())
        np.testing.assert_array_equal(again["moments"]["exposures"], fit.exposures)
        assert set(again.children) == {"posterior", "sample_stats", "moments", "scores"}
    assert list(tmp_path.iterdir()) == [file]
    with pytest.raises(InputError, match="exists already"):
        write_netcdf(fit, file)
    with pytest.raises(InputError, match=r"Let it end in \.nc"):
        write_netcdf(fit, tmp_path / "fit.ttl")
