"""The fit as one netCDF file, which ArviZ and xarray open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frex.errors import require
from frex.storage.files import check_file, whole_file

if TYPE_CHECKING:
    from os import PathLike

    from frex.posterior import Posterior

ENDINGS = (".nc",)


def write_netcdf(
    posterior: Posterior, path: str | PathLike[str], *, overwrite: bool = False
) -> None:
    """Write the result of `Posterior.to_arviz`: draws, statistics, moments and scores.

    Parameters
    ----------
    posterior
        The fit.
    path
        The file to write, ending in .nc.
    overwrite
        Whether to replace an existing file.

    Examples
    --------
    >>> from frex.export import write_netcdf
    >>> from frex.posterior import read_posterior
    >>> posterior = read_posterior('FIT')
    >>> write_netcdf(posterior, 'fit.nc', overwrite=True)
    """
    file = check_file(path, endings=ENDINGS, overwrite=overwrite)
    require("h5netcdf", "arviz", "an export to netCDF")
    tree = posterior.to_arviz()
    # in memory first: the HDF5 library crashes with a segmentation fault if the disk gets full
    image = tree.to_netcdf(engine="h5netcdf")
    with whole_file(file) as partial:
        partial.write_bytes(image)
