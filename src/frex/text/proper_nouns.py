"""Proper nouns, found by NLTK's averaged perceptron tagger."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from frex.errors import InputError, require

if TYPE_CHECKING:
    from collections.abc import Iterator

MODEL = "averaged_perceptron_tagger_eng"

# The tagger was trained on Penn Treebank sentences, in which punctuation marks are tokens.
_TOKEN = re.compile(r"\w+(?:['\u2019-]\w+)*|[^\w\s]")
_SENTENCE_END = re.compile(r"[.!?]['\u2019\")\]]*\s+|\n\s*\n")


def blank(text: str) -> str:
    """Return a text with its proper nouns (tags NNP and NNPS) replaced by spaces."""
    tagger = _tagger()
    pieces = []
    done = 0
    for start, end in _sentences(text):
        matches = list(_TOKEN.finditer(text, start, end))
        tags = tagger.tag([match.group() for match in matches])
        for match, (_, tag) in zip(matches, tags, strict=True):
            if tag in ("NNP", "NNPS"):
                pieces += [text[done : match.start()], " "]
                done = match.end()
    return "".join([*pieces, text[done:]])


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in _SENTENCE_END.finditer(text):
        yield start, end.end()
        start = end.end()
    yield start, len(text)


@cache
def _tagger() -> Any:
    nltk_tag = require("nltk.tag.perceptron", "tagger", "leaving out proper nouns")
    try:
        return nltk_tag.PerceptronTagger(lang="eng")
    except LookupError as error:
        raise InputError(
            f"NLTK's tagger model {MODEL!r} is not on this machine",
            remedy=f"Fetch it with: python -m nltk.downloader {MODEL}; or set NLTK_DATA to the "
            "folder that holds it.",
        ) from error
