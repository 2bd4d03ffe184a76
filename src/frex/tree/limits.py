"""Limits of a tree's file, against files that expand without bound.

A few hundred bytes of YAML aliases or XML entities can expand to gigabytes, and a path of 20,000
levels to 20,000 names of up to 20,000 parts each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from frex.errors import InputError

if TYPE_CHECKING:
    from os import PathLike

MOST_LEVELS = 100
"""Most levels of a tree; published taxonomies have up to 20."""

MOST_NESTED = 2 * MOST_LEVELS
"""Most nested brackets; a topic with a title has two, its own and those of its children."""

LONGEST_ENTITY = 1000
"""Most characters of an XML entity; entities in use abbreviate the beginnings of addresses."""


def check_levels(n: int, path: str | PathLike[str] | None, line: int | None = None) -> None:
    """Raise an error for a tree or a path with too many levels.

    Parameters
    ----------
    n
        Number of levels.
    path, line
        File and line, for the error.
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
        The file, for errors.
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
    """Raise an error for too many levels of nested brackets, or of YAML's indents.

    Parameters
    ----------
    depth
        Number of open levels.
    path, line
        File and line, for the error.
    """
    if depth > MOST_NESTED:
        raise InputError("nested too deeply", path=path, line=line, remedy="Make it flatter.")


def check_entities(data: bytes, path: str | PathLike[str]) -> None:
    """Raise an error for XML entities that contain others or long texts.

    Errors in the XML itself are left to the parser, which reports them better.

    Parameters
    ----------
    data
        The file, or its beginning with the document type.
    path
        The file, for errors.
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
    """The end of the document type."""
