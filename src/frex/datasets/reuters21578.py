"""Reuters-21578: newswire of 1987 with topics in groups, from the official SGML.

The files are `reut2-000.sgm` to `reut2-021.sgm` and `cat-descriptions_120396.txt`, in a folder, in
the official tar archive, or named one by one. Each story takes the identifier ``NEWID``; its text
is title and body. The dateline (place and day), the wire's sign-off ``Reuter`` and the filler
``Blah blah blah.`` of title-only stories say nothing of the subject and are left out. Titles and
days are kept to be shown, and the part of the ModApte split, `split`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

from frex.datasets.files import OfficialFile, OfficialFiles
from frex.datasets.labelled import prepare_labelled
from frex.errors import InputError
from frex.text import Document
from frex.tree import TopicTree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from frex.text import PrepareReport

STORIES = "*.sgm"
CATEGORIES = "cat-descriptions_120396.txt"

Split = Literal["train", "test", "unused"]
SPLITS: dict[Split, str] = {"train": "TRAIN", "test": "TEST", "unused": "NOT-USED"}

# Which commodities the indexers file under which: `wheat` stories carry `grain` as well.
FAMILIES = {
    "grain": "barley corn oat rice rye sorghum wheat",
    "livestock": "carcass f-cattle hog l-cattle pork-belly",
    "meal-feed": "castor-meal citruspulp cornglutenfeed cotton-meal fishmeal groundnut-meal "
    "lin-meal palm-meal rape-meal soy-meal sun-meal tapioca",
    "oilseed": "castorseed cottonseed groundnut linseed rapeseed soybean sunseed",
    "veg-oil": "castor-oil coconut-oil corn-oil cotton-oil groundnut-oil lin-oil palm-oil "
    "palmkernel rape-oil soy-oil sun-oil tung-oil",
}

_STORY = re.compile(r"<REUTERS\b([^>]*)>(.*?)</REUTERS>", re.DOTALL)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_TOPICS = re.compile(r"<TOPICS>(.*?)</TOPICS>", re.DOTALL)
_ITEM = re.compile(r"<D>(.*?)</D>", re.DOTALL)
_TEXT = re.compile(r"<TEXT\b[^>]*>(.*?)</TEXT>", re.DOTALL)
_TITLE = re.compile(r"<TITLE>(.*?)</TITLE>", re.DOTALL)
_BODY = re.compile(r"<BODY>(.*?)</BODY>", re.DOTALL)
_DAY = re.compile(r"<DATE>\s*(\d{1,2})-([A-Z]{3})-(\d{4})\b")
_MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
_CONTROL = re.compile(r"&#\d+;|[\x00-\x08\x0b-\x1f\x7f]")
_SIGN_OFF = re.compile(r"\s*\breuters?\s*$", re.IGNORECASE)


def documents(
    paths: Sequence[Path], *, split: Split | None = None, unlabelled: bool = False
) -> Iterator[Document]:
    """Read the stories in the order of the official files.

    Parameters
    ----------
    paths
        The `.sgm` files, or a folder or tar archive that holds them.
    split
        Only that part of the ModApte split: stories marked ``TOPICS="YES"`` whose ``LEWISSPLIT``
        is it. None reads everything.
    unlabelled
        Yield stories without a topic too.
    """
    if split is not None and split not in SPLITS:
        raise InputError(f"no split {split!r}", remedy=f"Use one of {', '.join(SPLITS)}.")
    for file in OfficialFiles(paths, [STORIES]).all(STORIES):
        for document in _stories(file):
            in_split = split is None or document.details["split"] == split
            if in_split and (document.labels or unlabelled):
                yield document


def topic_tree(paths: Sequence[Path], *, levels: Literal[2, 3] = 3) -> TopicTree:
    """Read the 135 topics and their groups from the category file.

    Every topic of the official stories is in that file; a story with another one is an error when
    it is prepared, as for any corpus.

    Parameters
    ----------
    paths
        The category file, or a folder or tar archive that holds it.
    levels
        2: the official groups (``grp:Commodity`` and so on) over their topics. 3: besides, the
        commodities of a family (grain, livestock, meal-feed, oilseed, veg-oil) hang under it.
    """
    if levels not in {2, 3}:
        raise InputError(f"a tree of {levels} levels was asked for", remedy="Ask for 2 or 3.")
    rows = list(_categories(OfficialFiles(paths, [CATEGORIES]).one(CATEGORIES)))
    family = {kind: parent for parent, kinds in FAMILIES.items() for kind in kinds.split()}
    names = [name for name, _, _ in rows]
    parents = [family.get(name, group) if levels == 3 else group for name, group, _ in rows]
    return TopicTree(names, parents, [title for _, _, title in rows])


def prepare(data: Sequence[Path], out: Path, **options: Any) -> PrepareReport:
    """Turn the official files into a corpus with the three-level tree.

    Parameters
    ----------
    data
        The folder, the tar archive, or the files.
    out
        The corpus folder to make.
    **options
        Those of `frex.datasets.labelled.prepare_labelled`.
    """
    return prepare_labelled(documents(data), topic_tree(data), out, **options)


def _stories(file: OfficialFile) -> Iterator[Document]:
    content = file.text("latin-1")
    line, seen, end = 1, 0, 0
    for story in _STORY.finditer(content):
        line += content.count("\n", seen, story.start())
        seen, end = story.start(), story.end()
        attributes = dict(_ATTRIBUTE.findall(story[1]))
        topics, text = _TOPICS.search(story[2]), _TEXT.search(story[2])
        if "NEWID" not in attributes or topics is None or text is None:
            raise InputError("a story without NEWID, TOPICS or TEXT", path=file.path, line=line)
        labels = tuple(dict.fromkeys(label.strip().lower() for label in _ITEM.findall(topics[1])))
        yield Document(
            attributes["NEWID"], _plain_text(text[1]), labels, str(file.path), line,
            {
                "title": _clean(_TITLE.search(text[1])),
                "date": _date(story[2]),
                "split": _modapte(attributes),
            },
        )  # fmt: skip
    if "<REUTERS" in content[end:] or not end:
        raise InputError(
            "no complete story" if not end else "the last story is cut short",
            path=file.path,
            line=line,
            remedy="Copy the official file again.",
        )


def _plain_text(sgml: str) -> str:
    """Title and body; of an unprocessed text, which has neither, all of it."""
    title, body = _TITLE.search(sgml), _BODY.search(sgml)
    parts = [part[1] for part in (title, body) if part] or [sgml]
    parts = [_CONTROL.sub(" ", part).strip() for part in parts]
    if body or not title:
        parts[-1] = _SIGN_OFF.sub("", parts[-1])
    return _unescaped("\n".join(parts))


def _clean(found: re.Match[str] | None) -> str:
    return "" if found is None else _unescaped(_CONTROL.sub(" ", found[1]))


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _modapte(attributes: dict[str, str]) -> str:
    """Return the part of the ModApte split that a story is in; empty for none."""
    if attributes.get("TOPICS") != "YES":
        return ""
    names = {official: name for name, official in SPLITS.items()}
    return names.get(attributes.get("LEWISSPLIT", ""), "")


def _date(sgml: str) -> str:
    """Return the day of a story; a few have none that can be read."""
    found = _DAY.search(sgml)
    if found is None or found[2] not in _MONTHS:
        return ""
    return f"{found[3]}-{_MONTHS.index(found[2]) + 1:02d}-{int(found[1]):02d}"


def _categories(file: OfficialFile) -> Iterator[tuple[str, str | None, str]]:
    """Yield ``(name, parent, title)`` from the section on subject codes, groups first met first."""
    group: str | None = None
    inside = False
    for number, line in file.lines("latin-1"):
        entry = line.strip()
        if entry.startswith("****Subject Codes"):
            inside = True
        elif inside and entry.startswith("____"):
            return
        elif inside and (heading := re.fullmatch(r"\*\*(.+) Codes \(\d+\)", entry)):
            group = f"grp:{heading[1]}"
            yield group, None, heading[1]
        elif inside and entry:
            code = re.fullmatch(r"(?:(?P<title>.+) \()?(?P<code>[A-Z0-9-]+)\)?", entry)
            if code is None:
                raise InputError(f"not a category: {entry!r}", path=file.path, line=number)
            yield code["code"].lower(), group, code["title"] or code["code"].title()
    raise InputError(
        "no complete section of subject codes" if inside else "no section '****Subject Codes'",
        path=file.path,
        remedy="Copy the official file again.",
    )
