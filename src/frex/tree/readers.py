"""Readers of trees in common formats of taxonomies."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frex.errors import InputError, require
from frex.tree.files import SYNTAXES, as_text, ending_of, format_of, read_bytes
from frex.tree.limits import check_levels, check_nested, plain_loader
from frex.tree.records import ROOT, TopicRecord
from frex.tree.skos import skos_records
from frex.tree.topics import TopicTree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from os import PathLike

_COLUMNS = {
    "topic": ("topic", "node", "id", "code"),
    "parent": ("parent", "broader"),
    "title": ("name", "title", "label"),
}


def read_tree(
    path: str | PathLike[str],
    format: str | None = None,  # noqa: A002 - the word users type
    *,
    names_language: str | None = None,
) -> TopicTree:
    """Read a tree from a file, which may be compressed (``.gz``, ``.xz``, ``.bz2``, ``.zst``).

    A topic may have several parents, by several rows or by occurring several times. The tree uses
    the first of them, and `TopicTree.with_parents` chooses another. In SKOS, where parents have no
    order, it is the first by name.

    Parameters
    ----------
    path
        The file; or a folder, each subfolder of which is a topic, named by its path.
    format
        ``"csv"`` (columns topic, parent and perhaps name; commas, semicolons or tabs),
        ``"json"`` or ``"yaml"`` (nested), ``"paths"`` (one ``a/b/c`` a line), ``"rcv1"`` (the
        hierarchy file of RCV1-v2) or ``"skos"``. By default determined by the file's ending.
    names_language
        The language of the titles, such as ``"de"``, for SKOS in several languages; by default
        English, if available.

    Returns
    -------
    TopicTree
        The topics, in the order of the file.

    Raises
    ------
    InputError
        The file cannot be read, or is not a tree; the error names file and line.

    Examples
    --------
    >>> from frex import read_tree
    >>> print(read_tree('tree.csv'))
    ROOT  4 topics
    ├── trade  Trade
    │   ├── metal  Metals
    │   └── grain  Grain
    └── sport  Sport
    """
    file = Path(path)
    if file.is_dir():
        return _folder_tree(file)
    ending = ending_of(file)
    chosen = format or format_of(file, ending)
    if chosen not in (*_READERS, "skos"):
        raise InputError(
            f"there is no tree format {chosen!r}",
            remedy=f"Use one of {', '.join([*_READERS, 'skos'])}.",
        )
    data = read_bytes(file)
    if chosen == "skos":
        records = skos_records(data, file, SYNTAXES.get(ending, "xml"), names_language)
        return TopicTree.from_records(records, file)
    if names_language is not None:
        raise InputError(
            f"a language of the names was asked for, {names_language!r}",
            path=file,
            remedy="Leave it out: only SKOS has names in several languages.",
        )
    return TopicTree.from_records(
        _without_root(list(_READERS[chosen](as_text(data, file), file))), file
    )


def _folder_tree(folder: Path) -> TopicTree:
    """Return the tree of the subfolders of a folder, hidden ones left out."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_dir())
    paths = sorted(p.as_posix() for p in found if not any(n.startswith(".") for n in p.parts))
    if not paths:
        raise InputError(
            "has no subfolders, so it is no tree", path=folder, remedy="Give the tree's file."
        )
    return TopicTree.from_paths(paths)


def _without_root(records: list[TopicRecord]) -> list[TopicRecord]:
    """Replace an empty parent, or a "root" that is not a topic, by the root."""
    topics = {record.topic for record in records}
    return [
        record._replace(parent=None)
        if not record.parent or (record.parent.upper() == ROOT and record.parent not in topics)
        else record
        for record in records
    ]


def _csv_records(text: str, file: Path) -> Iterator[TopicRecord]:
    header = next(filter(str.strip, text.split("\n")), "")
    delimiter = max(",;\t", key=header.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        columns = _csv_columns(
            next((row for row in rows if "".join(row).strip()), []), file, max(1, rows.line_num)
        )
        for row in rows:
            if not any(cell.strip() for cell in row):
                continue
            cells = {role: row[i].strip() if i < len(row) else None for role, i in columns.items()}
            if cells["topic"] is None or cells.setdefault("parent", "") is None:
                raise InputError(
                    f"too few columns: {delimiter.join(row)!r}",
                    path=file,
                    line=rows.line_num,
                    remedy="Give a topic and its parent; a top-level topic has an empty parent.",
                )
            yield TopicRecord(cells["topic"], cells["parent"], cells.get("title"), rows.line_num)
    except csv.Error as error:
        raise InputError(
            f"not a CSV file: {error}", path=file, line=rows.line_num, remedy="Mend the line."
        ) from error


def _csv_columns(header: list[str], file: Path, line: int) -> dict[str, int]:
    names = [cell.strip().lower() for cell in header]
    columns = {}
    for role, known in _COLUMNS.items():
        found = [names.index(name) for name in known if name in names]
        if found:
            columns[role] = found[0]
    flat = "topic" in columns and len(columns) == len(names)  # no column that may be a parent
    if not flat and not {"topic", "parent"} <= columns.keys():
        raise InputError(
            f"the first line names no columns 'topic' and 'parent': {', '.join(header)!r}",
            path=file,
            line=line,
            remedy="Name the columns topic, parent and, where topics have titles, name.",
        )
    return columns


def path_records(
    lines: Iterable[tuple[int, str]], *, separator: str = "/", path: Path | None = None
) -> Iterator[TopicRecord]:
    """Yield a record for each path, after records for the topics above it."""
    made: dict[str, int] = {}  # implied topics, which a later line may also name
    given: dict[str, int] = {}
    for line, text in lines:
        parts = [part.strip() for part in text.strip().split(separator)]
        check_levels(len(parts), path, line)  # before names of that many parts are made
        if not all(parts):
            raise InputError(
                f"a path with an empty part: {text.strip()!r}",
                path=path,
                line=line,
                remedy=f"Write it as a{separator}b{separator}c.",
            )
        whole = separator.join(parts)
        if whole in given:
            raise InputError(
                f"topic {whole!r} appears twice (first on line {given[whole]})",
                path=path,
                line=line,
                remedy="Remove one of them.",
            )
        given[whole] = line
        parent = None
        for end in range(1, len(parts) + 1):
            topic = separator.join(parts[:end])
            if topic not in made:
                made[topic] = line
                yield TopicRecord(topic, parent, parts[end - 1], line)
            parent = topic


def _paths_file_records(text: str, file: Path) -> Iterator[TopicRecord]:
    lines = ((n, line) for n, line in enumerate(text.splitlines(), start=1) if line.strip())
    return path_records(lines, path=file)


def nested_records(
    nested: Any, *, path: Path | None = None, line_of: Callable[[str], int | None] | None = None
) -> Iterator[TopicRecord]:
    """Yield the records of nested mappings and lists, parents first.

    A node is a name; a mapping from names to their children; or a mapping with the keys
    ``topic`` (or ``name``), optionally ``title``, and ``children``.
    """
    line = line_of or (lambda _: None)
    stack: list[tuple[Any, str | None]] = [(nested, None)]
    while stack:
        below, parent = stack.pop()
        later: list[tuple[Any, str]] = []
        for topic, title, children in _nested_children(below, path):
            yield TopicRecord(topic, parent, title, line(topic))
            if children:
                later.append((children, topic))
        stack.extend(reversed(later))


def _nested_children(below: Any, path: Path | None) -> Iterator[tuple[str, str | None, Any]]:
    """Yield (topic, title, children) for the nodes directly in `below`."""
    if below is None:
        return
    if isinstance(below, str):
        yield below, None, None
    elif isinstance(below, list | tuple):
        for item in below:
            yield from _nested_children(item, path)
    elif isinstance(below, Mapping) and ("topic" in below or {"name", "children"} <= below.keys()):
        topic = below.get("topic", below.get("name"))
        title = below.get("title", below.get("name", topic))
        yield _text(topic, path), _text(title, path), below.get("children")
    elif isinstance(below, Mapping):
        for topic, children in below.items():
            yield _text(topic, path), None, children
    else:
        _text(below, path)


def _text(value: Any, path: Path | None) -> str:
    if isinstance(value, str):
        return value
    raise InputError(
        f"a topic is {value!r}, a {type(value).__name__}, where text is wanted",
        path=path,
        remedy="Put the name in quotes.",
    )


def _json_records(text: str, file: Path) -> Iterator[TopicRecord]:
    def pairs(items: list[tuple[str, Any]]) -> Any:
        once = dict(items)
        # a list keeps both, so that the repetition is reported
        return once if len(once) == len(items) else [{k: v} for k, v in items]

    _check_brackets(text, file)
    try:
        nested = json.loads(text, object_pairs_hook=pairs)
    except ValueError as error:  # a number of thousands of digits has no line
        reason, line = getattr(error, "msg", error), getattr(error, "lineno", None)
        raise InputError(
            f"not JSON: {reason}", path=file, line=line, remedy="Mend the line."
        ) from error
    return nested_records(nested, path=file, line_of=_line_finder(text))


def _check_brackets(text: str, file: Path) -> None:
    """Raise an error for deeply nested JSON, because the parser would not report the line."""
    depth, line = 0, 1
    for part in re.finditer(r'"(?:[^"\\]|\\.)*"|[][{}\n]', text):
        line += part[0] == "\n"
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(part[0], 0)
        check_nested(depth, file, line)


def _line_finder(text: str) -> Callable[[str], int | None]:
    """Return a function that finds the line of the next occurrence of a quoted name.

    The parser does not store lines, and records come in breadth-first order. Each call with the
    same name moves on to its next occurrence, as needed to report a repetition.
    """
    lines: dict[str, list[int]] = {}
    for n, line in enumerate(text.splitlines(), start=1):
        for quoted in re.findall(r'"(?:[^"\\]|\\.)*"', line):
            try:
                lines.setdefault(json.loads(quoted), []).append(n)
            except json.JSONDecodeError:
                continue
    for found in lines.values():
        found.reverse()

    def line_of(name: str) -> int | None:
        found = lines.get(name, [])
        return found.pop() if len(found) > 1 else (found[0] if found else None)

    return line_of


def _yaml_records(text: str, file: Path) -> Iterator[TopicRecord]:
    yaml = require("yaml", "yaml", "a tree in YAML")
    try:
        node = yaml.compose(text, Loader=plain_loader(yaml, file))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise InputError(
            f"not YAML: {getattr(error, 'problem', None) or error}",
            path=file,
            line=None if mark is None else mark.line + 1,
            remedy="Mend the line.",
        ) from error
    lines: dict[str, list[int]] = {}
    _yaml_lines(node, lines)
    return nested_records(
        _yaml_value(node),
        path=file,
        line_of=lambda name: lines[name].pop(0) if lines.get(name) else None,
    )


def _yaml_value(node: Any) -> Any:
    """Convert a YAML node to lists and text; names stay text even if they look like numbers."""
    if node is None or (node.id == "scalar" and node.tag.endswith(":null")):
        return None
    if node.id == "scalar":
        return node.value
    if node.id == "sequence":
        return [_yaml_value(item) for item in node.value]
    pairs = [(_yaml_value(k), _yaml_value(v)) for k, v in node.value]
    keys = [k for k, _ in pairs if isinstance(k, str)]
    if len(set(keys)) < len(pairs):  # a repeated or invalid name: keep both, to report it
        return [{k: v} if isinstance(k, str) else {"topic": k} for k, v in pairs]
    return dict(pairs)


def _yaml_lines(node: Any, lines: dict[str, list[int]]) -> None:
    for item in [] if node is None or node.id == "scalar" else node.value:
        for part in item if isinstance(item, tuple) else (item,):
            if part.id == "scalar":
                lines.setdefault(part.value, []).append(part.start_mark.line + 1)
            else:
                _yaml_lines(part, lines)


def _rcv1_records(text: str, file: Path) -> Iterator[TopicRecord]:
    """Read ``parent: X child: Y child-description: Z``, the form of rcv1.topics.hier.orig."""
    pattern = re.compile(r"\s*parent:\s*(\S+)\s+child:\s*(\S+)\s+child-description:\s*(.*\S)?\s*$")
    for n, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        match = pattern.match(line)
        if not match:
            raise InputError(
                f"not a line of an RCV1 hierarchy: {line.strip()!r}",
                path=file,
                line=n,
                remedy="Each line reads: parent: X child: Y child-description: Z",
            )
        parent, child, description = match.groups()
        if parent.upper() != "NONE":  # the official file's first line names the root itself
            yield TopicRecord(child, parent, description, n)


_READERS: dict[str, Callable[[str, Path], Iterable[TopicRecord]]] = {
    "csv": _csv_records,
    "json": _json_records,
    "yaml": _yaml_records,
    "paths": _paths_file_records,
    "rcv1": _rcv1_records,
}
