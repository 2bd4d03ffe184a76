"""Look whether a version can be released, and tag it.

    python scripts/release.py [--tag]

Refuses a tree with changes that are not committed, a version that is not the same everywhere, a
changelog without a section of it, and a `dist/` whose wheel and sdist are missing or older than
the last commit. `CONTRIBUTING.md` has the list of what comes before.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]


def git(*arguments: str, root: Path = ROOT) -> str:
    """Return what git says."""
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def version(root: Path = ROOT) -> str:
    """Return the version of the package."""
    return str(tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"])


def complaints(root: Path = ROOT) -> Iterator[str]:
    """Yield what stands against a release."""
    if changed := git("status", "--porcelain", root=root):
        yield f"there are changes that are not committed:\n{changed}"
    wanted = version(root)
    places = {
        "src/frex/__init__.py": rf'^__version__ = "{re.escape(wanted)}"$',
        "CITATION.cff": rf"^version: {re.escape(wanted)}$",
        "CHANGELOG.md": rf"^## {re.escape(wanted)} ",
        "docs/about/citing.md": rf"Version {re.escape(wanted)}\.",
    }
    for name, pattern in places.items():
        if not re.search(pattern, (root / name).read_text(encoding="utf-8"), re.MULTILINE):
            yield f"{name} does not speak of version {wanted}"
    if f"v{wanted}" in git("tag", root=root).split():
        yield f"there is a tag v{wanted} already"
    last = int(git("log", "-1", "--format=%ct", root=root))
    for name in (f"frex-{wanted}-py3-none-any.whl", f"frex-{wanted}.tar.gz"):
        file = root / "dist" / name
        if not file.exists():
            yield f"dist/{name} is missing. Build it: python -m build"
        elif file.stat().st_mtime < last:
            yield f"dist/{name} is older than the last commit. Build it again: python -m build"


def main() -> None:
    """Complain, or tag."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tag", action="store_true", help="tag the commit, if nothing is wrong")
    asked = parser.parse_args()
    found = list(complaints())
    for complaint in found:
        print(complaint, file=sys.stderr)
    if found:
        raise SystemExit(1)
    if asked.tag:
        git("tag", "--annotate", f"v{version()}", "--message", f"frex {version()}")
    print(f"frex {version()} can be released" + (", and is tagged" if asked.tag else ""))


if __name__ == "__main__":
    main()
