"""Saving and reading: one folder format for all that frex writes."""

from frex.storage.arrays import ArrayAppender, Strings, StringsAppender, forget, tidy
from frex.storage.folders import FolderWriter
from frex.storage.reading import MANIFEST, FolderReader

__all__ = [
    "MANIFEST",
    "ArrayAppender",
    "FolderReader",
    "FolderWriter",
    "Strings",
    "StringsAppender",
    "forget",
    "tidy",
]
