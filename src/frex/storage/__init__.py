"""Saving and reading: one folder format for all that frex writes."""

from frex.storage.arrays import ArrayAppender, Strings, StringsAppender, forget, tidy
from frex.storage.files import check_file, whole_file
from frex.storage.folders import MANIFEST, FolderReader, FolderWriter

__all__ = [
    "MANIFEST",
    "ArrayAppender",
    "FolderReader",
    "FolderWriter",
    "Strings",
    "StringsAppender",
    "check_file",
    "forget",
    "tidy",
    "whole_file",
]
