"""Takes Snowball's stemmers for JavaScript into the explorer's assets.

Sphinx carries them as the Snowball compiler makes them, and their licence comes with the package
snowballstemmer: both are there where the site can be built. A page gets the one of its language.
frex itself counts by PyStemmer; `tests/explorer/test_paste.py` compares the two.

    python scripts/stemmers.py
"""

from __future__ import annotations

import re
from importlib.metadata import files as files_of
from pathlib import Path

import sphinx.search
import Stemmer

SOURCE = Path(sphinx.search.__file__).with_name("minified-js")
READABLE = SOURCE.with_name("non-minified-js")
ASSETS = Path(__file__).parents[1] / "src" / "frex" / "explorer" / "assets" / "stemmers"
WANTED = set(Stemmer.algorithms()) - {"english", "dutch_porter"}  # English is Porter's here


def licence() -> str:
    """Return Snowball's licence."""
    found = [file for file in files_of("snowballstemmer") or () if file.name == "COPYING"]
    return found[0].read_text().strip()


def main() -> None:
    """Write the stemmers, each as a class that is called `Snowball`."""
    ASSETS.mkdir(exist_ok=True)
    made_by = re.search(r"Snowball [\d.]+", (READABLE / "german-stemmer.js").read_text())
    version = made_by[0] if made_by else "Snowball"
    (ASSETS / "LICENSE").write_text(f"{licence()}\n")
    base = (SOURCE / "base-stemmer.js").read_text().strip()
    notice = f"/* Stemmers by {version}, https://snowballstem.org\n\n{licence()}\n*/\n"
    (ASSETS / "base.js").write_text(f"{notice}var BaseStemmer;\n{base}\n")
    for name in sorted(WANTED):
        file = SOURCE / f"{name}-stemmer.js"
        if not file.exists():
            print(f"there is none of {name}")
            continue
        text, n = re.subn(r"\Avar \w+Stemmer=", "var Snowball=", file.read_text().strip())
        if n != 1:
            raise SystemExit(f"{file} does not begin as the others do")
        (ASSETS / f"{name}.js").write_text(f"{text}\n")


if __name__ == "__main__":
    main()
