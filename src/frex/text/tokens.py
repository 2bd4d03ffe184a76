"""`Analyzer`: what counts as a word, and which stem it is counted under."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Literal

import Stemmer

from frex.errors import InputError
from frex.text import proper_nouns
from frex.text.stopwords import smart

if TYPE_CHECKING:
    from collections.abc import Callable

Tokens = Literal["words", "whitespace"]

CURLY = "\N{RIGHT SINGLE QUOTATION MARK}"

# One table lower-cases ASCII text and blanks what no word contains; with `split` it finds the
# tokens of an abstract four times as fast as a regular expression (7 against 27 microseconds).
_ASCII = "".join(c.lower() if c.isalnum() or c == "'" else " " for c in map(chr, range(128)))


@dataclass(frozen=True)
class Analyzer:
    """Turns a text into stems, one word at a time.

    A word is a run of letters, digits, combining marks and inner apostrophes that begins with a
    letter. Upper and lower case are the same, and so are curly and straight apostrophes, and
    composed and decomposed accents. A possessive *'s* is taken off. Single characters are no
    words: they are initials, list marks and the variables of formulas. Text in a script without
    spaces between words has to be segmented first, and read with ``tokens="whitespace"``.

    Parameters
    ----------
    tokens
        ``"words"``: running text. ``"whitespace"``: text that was tokenised before; what stands
        between white space is a word, as it is.
    stem
        Count words under their Porter stem.
    stop_words
        None, ``"smart"`` (the SMART stop list), or the words to leave out, compared before
        stemming. The model tells common words from exclusive ones, so it needs no list.
    drop_proper_nouns
        Leave out proper nouns, found by a part-of-speech tagger; needs the extra ``tagger``.

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

    def __post_init__(self) -> None:
        if self.tokens not in ("words", "whitespace"):
            raise InputError(
                f"there is no way to tokenise called {self.tokens!r}",
                remedy="Use 'words' or 'whitespace'.",
            )
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

    def analyze(self, text: str) -> list[str]:
        """Return the stems of a text in their order.

        This is the definition; `frex.text.counting` computes the same, each distinct token once.
        It can be given to a scikit-learn vectorizer as ``analyzer``.
        """
        surfaces = filter(None, map(self.surface, self.split(text)))
        return list(map(self.stemmer(), surfaces))

    def has_words(self, text: str) -> bool:
        """Whether `analyze` would find any."""
        return any(self.surface(token) is not None for token in self.split(text))

    def split(self, text: str) -> list[str]:
        """Return the tokens of a text, still to be passed through `surface`."""
        if self.tokens == "whitespace":
            return text.split()
        if self.drop_proper_nouns:
            text = proper_nouns.blank(text)
        if text.isascii():
            return text.translate(_ASCII).split()
        # `lower` may leave a combining mark behind (İ), so composing comes after it
        text = unicodedata.normalize("NFC", text.lower()).replace("_", " ")
        return _word_pattern().findall(text)

    def surface(self, token: str) -> str | None:
        """Return the word that a token stands for, unstemmed, or None where it is no word."""
        if self.tokens == "whitespace":
            return None if token in self._stops else token
        word = token.replace(CURLY, "'").strip("'")
        if word in self._stops:
            return None
        word = word.removesuffix("'s").rstrip("'")
        if len(word) < 2 or not word[0].isalpha() or word in self._stops:
            return None
        return word

    def stemmer(self) -> Callable[[str], str]:
        """Return a function from words to stems; make one for each thread."""
        if not self.stem:
            return str
        stem: Callable[[str], str] = Stemmer.Stemmer("porter", 0).stemWord
        return lambda word: stem(word) or word  # Porter leaves nothing of "s"

    @cached_property
    def _stops(self) -> frozenset[str]:
        if self.stop_words is None:
            return frozenset()
        if self.stop_words == "smart":
            return smart()
        words = map(str.lower, self.stop_words) if self.tokens == "words" else self.stop_words
        return frozenset(unicodedata.normalize("NFC", word.replace(CURLY, "'")) for word in words)


@cache
def _word_pattern() -> re.Pattern[str]:
    r"""Return the pattern of a token beyond ASCII: ``\w`` alone would cut words at their marks.

    Marks above U+FFFF, of historic scripts, are left out: with them the class is no longer a
    bitmap, and matching is ten times slower.
    """
    marks = (c for c in map(chr, range(0x300, 0x10000)) if unicodedata.category(c)[0] == "M")
    return re.compile(rf"[\w'{CURLY}{''.join(marks)}]+")
