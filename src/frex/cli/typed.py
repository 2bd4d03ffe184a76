"""What was typed as text, read: whole numbers, comparison sets, stop lists."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from frex.tree import TopicTree
    from frex.tree.comparisons import Compare


def whole_numbers(text: str, option: str) -> list[int]:
    """Read an option's whole numbers, with commas between them."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise InputError(
            f"{option} is {text!r}", remedy="Give whole numbers with commas between them: 4,5"
        ) from None


def numbers(text: str, option: str) -> list[float]:
    """Read an option's numbers, with commas between them."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(
            f"{option} is {text!r}", remedy="Give numbers with commas between them: 0.15,0.25,0.6"
        ) from None


def read_stop_words(choice: str) -> Literal["smart"] | tuple[str, ...]:
    """Return the name of a stop list, or the words in a file of a user's own."""
    if choice == "smart":
        return "smart"
    try:
        return tuple(Path(choice).read_text(encoding="utf-8").split())
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"cannot read the stop words: {error}", path=choice, remedy="Use `smart`, or a file."
        ) from error


def comparisons(texts: Sequence[str], tree: TopicTree | None) -> tuple[Compare, ...]:
    """Read comparison sets; a text that is the name of a topic of the tree is that topic."""
    return tuple(_comparison(text, tree) for text in texts)


def _comparison(text: str, tree: TopicTree | None) -> Compare:
    if text in ("siblings", "all"):
        return text
    if tree is not None and text in tree:  # a topic's name may be a number, or have a comma
        return (text,)
    return int(text) if text.isdecimal() else tuple(name.strip() for name in text.split(","))
