"""A tree in a folder, in the form of `TopicTree.to_dict`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex.errors import InputError
from frex.tree.topics import TopicTree

if TYPE_CHECKING:
    from frex.storage import FolderReader

FORM: dict[str, Any] = {
    "topics": [str],
    "parents": [int],
    "titles": [str],
    "other_parents?": [[int]],
    "aliases?": [[str]],
}


def tree_in(folder: FolderReader, name: str = "tree") -> TopicTree:
    """Read a tree from one of a folder's JSON files.

    Its topics must be in the order of the label matrix's columns, so a tree in any other order,
    with a parent that does not come before its children, is refused.

    Parameters
    ----------
    folder
        The folder.
    name
        Name of the file.
    """
    return folder.once(name, lambda: _read(folder, name))


def _read(folder: FolderReader, name: str) -> TopicTree:
    saved = folder.json(name, FORM)
    try:
        tree = TopicTree.from_dict(saved)
    except (IndexError, ValueError) as error:
        what = error.message if isinstance(error, InputError) else "its lists do not fit together"
        raise folder.damaged(f"{name}.json", f"is no tree: {what}") from error
    made = tree.to_dict()
    if any(made[part] != saved[part] for part in saved.keys() & made.keys()):
        raise folder.damaged(f"{name}.json", "is no tree whose parents come before their children")
    return tree
