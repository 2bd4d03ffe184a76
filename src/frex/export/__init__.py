"""Export of a fit to other programs: tables, netCDF, SKOS, pyLDAvis."""

from frex.export.netcdf import write_netcdf
from frex.export.pyldavis import write_pyldavis
from frex.export.skos import write_skos
from frex.export.spreadsheets import write_csv, write_parquet
from frex.export.tables import Table, fit_tables

__all__ = [
    "Table",
    "fit_tables",
    "write_csv",
    "write_netcdf",
    "write_parquet",
    "write_pyldavis",
    "write_skos",
]
