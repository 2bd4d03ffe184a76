"""Write the table of claims in `benchmarks/results.json` into the docs.

python benchmarks/table.py
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from claims import HEAD, read_claims, rows

if TYPE_CHECKING:
    from collections.abc import Mapping

HERE = Path(__file__).parent
RESULTS, PAGE = HERE / "results.json", HERE.parent / "docs" / "about" / "performance.md"
BEGIN, END = "<!-- benchmarks: begin, made by benchmarks/table.py -->", "<!-- benchmarks: end -->"


def read_results(path: Path = RESULTS) -> dict[str, Any]:
    """Return what was measured, by part; nothing where nothing was."""
    found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return found


def markdown(results: Mapping[str, Any]) -> str:
    """Return the table of all claims, and below it where and when they were measured."""
    lines = list(HEAD)
    for part in results.values():
        lines += rows(read_claims(part["claims"]))
    return "\n".join([*lines, "", *places(results)])


def places(results: Mapping[str, Any]) -> list[str]:
    """Return a line for every machine and day: how busy others kept it, and with which parts."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, part in results.items():
        found.setdefault((part["machine"], part["date"]), []).append(name)
    several = len(found) > 1
    lines = []
    for (machine, date), names in found.items():
        busy = max(results[name]["others"] for name in names)
        parts = f" ({', '.join(names)})" if several else ""
        lines.append(f"{machine}, {date}{parts}; other work kept at most {busy:g} cores busy.")
    return lines


def with_table(text: str, table: str) -> str:
    """Return a text with the table between its markers."""
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def main() -> None:
    """Write the page anew."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None).parse_args()
    PAGE.write_text(with_table(PAGE.read_text(), markdown(read_results())))


if __name__ == "__main__":
    main()
