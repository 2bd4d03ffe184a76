"""`Analyzer`: splits text into words and stems."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from frex.errors import InputError
from frex.text import proper_nouns
from frex.text.languages import (
    CURLY,
    ENGLISH,
    NONE,
    ascii_table,
    check_language,
    composed,
    lowered,
    stemmer,
    word_pattern,
)
from frex.text.stopwords import smart

if TYPE_CHECKING:
    from collections.abc import Callable

Tokens = Literal["words", "whitespace"]


@dataclass(frozen=True)
class Analyzer:
    """Splits text into words and returns their stems.

    A word is a sequence of letters, digits, combining marks and inner apostrophes that begins with
    a letter. Case is ignored, and so are differences between curly and straight apostrophes, and
    between composed and decomposed accents. In English a possessive *'s* is removed; in French,
    Italian and Catalan an apostrophe separates two words. Single characters are not words: they are
    initials, list marks and variables of formulas. Text in a script without spaces between words
    must be segmented first, and read with ``tokens="whitespace"``.

    Parameters
    ----------
    tokens
        ``"words"``: running text. ``"whitespace"``: tokenised text, in which words are separated by
        white space and not changed.
    stem
        Whether to count words under their stem.
    stop_words
        None, ``"smart"`` (the SMART stop list), or the words to leave out, compared before
        stemming. The model distinguishes common from exclusive words, so it needs no list.
    drop_proper_nouns
        Whether to leave out English proper nouns, found by a part-of-speech tagger; needs the extra
        ``tagger``.
    language
        Language of the texts, one of `frex.text.languages.LANGUAGES`. English uses Porter's
        stemmer, as in the paper, and other languages those of Snowball; ``"none"``: no stemming.
    phrases
        Whether to count two or three words that occur together more often than by chance as one
        (see `frex.text.phrases`). Phrases are learned from a corpus, so `analyze` does not return
        them.

    Examples
    --------
    >>> from frex.text import Analyzer
    >>> list(Analyzer(stop_words='smart').analyze('The mines reopened, again'))
    ['mine', 'reopen']
    """

    tokens: Tokens = "words"
    stem: bool = True
    stop_words: Literal["smart"] | tuple[str, ...] | None = None
    drop_proper_nouns: bool = False
    language: str = ENGLISH
    phrases: bool = False

    def __post_init__(self) -> None:
        if self.tokens not in ("words", "whitespace"):
            raise InputError(
                f"there is no way to tokenise called {self.tokens!r}",
                remedy="Use 'words' or 'whitespace'.",
            )
        check_language(self.language)
        if self.language not in (ENGLISH, NONE):
            self._refuse_english()
        if isinstance(self.stop_words, str) and self.stop_words != "smart":
            raise InputError(
                f"there is no stop list {self.stop_words!r}",
                remedy="Use 'smart', or give the words themselves as a tuple.",
            )
        if self.drop_proper_nouns and self.tokens == "whitespace":
            raise InputError(
                "proper nouns cannot be told in text that was tokenised before",
                remedy="Use tokens='words', or leave drop_proper_nouns off.",
            )

    def _refuse_english(self) -> None:
        """Raise an error for options that are only for English."""
        if self.stop_words == "smart":
            raise InputError(
                f"the stop list 'smart' is English, and the language {self.language}",
                remedy="None is needed; or give the words: --stop-words FILE, stop_words=(...).",
            )
        if self.drop_proper_nouns:
            raise InputError(
                f"only English proper nouns can be told, and the language is {self.language}",
                remedy="Leave it off: --drop-proper-nouns, drop_proper_nouns.",
            )

    def analyze(self, text: str) -> list[str]:
        """Return the stems of a text in order.

        This is the definition; `frex.text.counting` computes the same, but analyses each distinct
        token once. A scikit-learn vectorizer accepts this method as ``analyzer``.
        """
        surfaces = filter(None, map(self.surface, self.split(text)))
        return list(map(self.stemmer(), surfaces))

    def has_words(self, text: str) -> bool:
        """Whether `analyze` would find any."""
        return any(self.surface(token) is not None for token in self.split(text))

    def split(self, text: str) -> list[str]:
        """Return the tokens of a text, the input of `surface`."""
        if self.tokens == "whitespace":
            return text.split()
        if self.drop_proper_nouns:
            text = proper_nouns.blank(text)
        if text.isascii():
            return text.translate(ascii_table(self.language)).split()
        return word_pattern(self.language).findall(composed(text, self.language))

    def surface(self, token: str) -> str | None:
        """Return the display form of a token, or None if it is not a word."""
        if self.tokens == "whitespace":
            return None if token in self._stops else token
        word = token.replace(CURLY, "'").strip("'")
        if self._stops and lowered(word, self.language) in self._stops:
            return None
        if self.language == ENGLISH:
            word = word.removesuffix("'s").rstrip("'")
        if len(word) < 2 or not word[0].isalpha():
            return None
        if self._stops and lowered(word, self.language) in self._stops:
            return None
        return word

    def stemmer(self) -> Callable[[str], str]:
        """Return a function from words to stems; make one for each thread."""
        stem = stemmer(self.language if self.stem else NONE)
        language = self.language
        if (
            self.tokens == "whitespace" or language == ENGLISH
        ):  # already in lower case, or unchanged
            return stem
        return lambda word: stem(lowered(word, language))

    @cached_property
    def _stops(self) -> frozenset[str]:
        if self.stop_words is None:
            return frozenset()
        if self.stop_words == "smart":
            return smart()
        words = (unicodedata.normalize("NFC", w.replace(CURLY, "'")) for w in self.stop_words)
        if self.tokens == "whitespace":
            return frozenset(words)
        language = NONE if self.language == ENGLISH else self.language  # a list may have capitals
        return frozenset(lowered(word, language) for word in words)
