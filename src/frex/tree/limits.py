"""What a file of a tree may not do: grow without end on being read.

A few hundred bytes of YAML aliases or XML entities stand for gigabytes, and a path of 20,000 levels
for 20,000 names of up to 20,000 parts each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from frex.errors import InputError

if TYPE_CHECKING:
    from os import PathLike

MOST_LEVELS = 100
"""Levels of a tree; published taxonomies have up to 20."""

MOST_NESTED = 2 * MOST_LEVELS
"""Brackets within brackets; a topic with a title has two, its own and those of its children."""

LONGEST_ENTITY = 1000
"""Characters that an XML entity may stand for; those in use begin addresses."""


def check_levels(n: int, path: str | PathLike[str] | None, line: int | None = None) -> None:
    """Refuse a tree, or a path in one, of too many levels.

    Parameters
    ----------
    n
        Levels.
    path, line
        Where they were met.
    """
    if n > MOST_LEVELS:
        raise InputError(
            f"the tree has {n:,} levels here",
            path=path,
            line=line,
            remedy=f"Make it flatter: {MOST_LEVELS} are the most.",
        )


def plain_loader(yaml: Any, path: str | PathLike[str]) -> Any:
    """Return PyYAML's safe loader for files without aliases that are not nested deeply.

    Parameters
    ----------
    yaml
        The module.
    path
        Of the file, for what it refuses.
    """

    class PlainLoader(yaml.SafeLoader):  # type: ignore[misc]  # it is an extra
        """YAML without aliases, and not nested deeply."""

        depth = 0

        def compose_node(self, parent: Any, index: Any) -> Any:
            event = self.peek_event()
            line = event.start_mark.line + 1
            if isinstance(event, yaml.AliasEvent):
                raise InputError(
                    f"the alias *{event.anchor}, which may stand for anything",
                    path=path,
                    line=line,
                    remedy="Write out what it stands for.",
                )
            check_nested(self.depth, path, line)
            self.depth += 1
            node = super().compose_node(parent, index)
            self.depth -= 1
            return node

    return PlainLoader


def check_nested(depth: int, path: str | PathLike[str], line: int) -> None:
    """Refuse brackets within brackets, or YAML's indents, of too many levels.

    Parameters
    ----------
    depth
        How many are open.
    path, line
        Where.
    """
    if depth > MOST_NESTED:
        raise InputError("nested too deeply", path=path, line=line, remedy="Make it flatter.")


def check_entities(data: bytes, path: str | PathLike[str]) -> None:
    """Refuse XML whose entities stand for others, or for long texts.

    What is not XML is left to the parser, which says so better.

    Parameters
    ----------
    data
        The file, or as much of its beginning as has the document type.
    path
        Of the file.
    """
    parser = expat.ParserCreate()

    def declare(name: str, is_parameter: bool, value: str | None, *_: str | None) -> None:
        if is_parameter or value is None or "&" in value or len(value) > LONGEST_ENTITY:
            raise InputError(
                f"the entity {name!r} stands for others, another file, or a long text",
                path=path,
                line=parser.CurrentLineNumber,
                remedy="Write out what it stands for.",
            )

    def stop(*_: Any) -> None:
        raise _FoundError

    parser.EntityDeclHandler = declare
    parser.StartElementHandler = stop  # entities are declared before the first element
    try:
        parser.Parse(data, True)
    except (_FoundError, expat.ExpatError):
        return


class _FoundError(Exception):
    """The document type is over."""
