"""Storage: the folder format of everything that frex saves."""

from frex.storage.arrays import ArrayAppender, Strings, StringsAppender, forget, tidy
from frex.storage.files import check_file, whole_file
from frex.storage.folders import FolderWriter
from frex.storage.lines import csv_line
from frex.storage.reading import MANIFEST, FolderReader

__all__ = [
    "MANIFEST",
    "ArrayAppender",
    "FolderReader",
    "FolderWriter",
    "Strings",
    "StringsAppender",
    "check_file",
    "csv_line",
    "forget",
    "tidy",
    "whole_file",
]
