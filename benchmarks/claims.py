"""Claims about speed or memory: their names, measured values and bars.

Every benchmark is a function that measures and returns claims. `run` makes a command of it: the
claims are printed as a table and, with ``--json``, passed to the table of all claims.
"""

from __future__ import annotations

import json
import statistics
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterable, Sequence

Sense = Literal["at least", "at most", "under", "over"]


@dataclass(frozen=True)
class Claim:
    """A row of the table.

    Attributes
    ----------
    name
        What is compared, in words.
    unit
        Of the value: ``"times"``, ``"ms"``, ``"MiB"``.
    bar, sense
        Where the value should be; a figure that is only published has no bar.
    value, low, high
        Median and range of what was measured; None where nothing was.
    note
        What the reader must know of the value, or why there is none.
    """

    name: str
    unit: str = "times"
    bar: float | None = None
    sense: Sense = "at least"
    value: float | None = None
    low: float | None = None
    high: float | None = None
    note: str = ""

    def of(self, values: Iterable[float], note: str = "") -> Claim:
        """Return the claim with the median and range of some values."""
        found = list(values)
        low, middle, high = min(found), statistics.median(found), max(found)
        return replace(self, value=middle, low=low, high=high, note=note or self.note)

    def missing(self, why: str) -> Claim:
        """Return the claim without a value, and the reason."""
        return replace(self, value=None, low=None, high=None, note=why)

    @property
    def met(self) -> bool | None:
        """Whether the median is where it should be; None where there is no bar, or no value."""
        if self.bar is None or self.value is None:
            return None
        return {
            "at least": self.value >= self.bar,
            "at most": self.value <= self.bar,
            "under": self.value < self.bar,
            "over": self.value > self.bar,
        }[self.sense]

    @property
    def measured(self) -> str:
        """Median, range and unit, as a reader wants them."""
        if self.value is None or self.low is None or self.high is None:
            return "not measured"
        low, middle, high = map(figure, (self.low, self.value, self.high))
        spread = "" if low == high else f" ({low} to {high})"
        return f"{middle}{spread} {self.unit}".rstrip()

    @property
    def wanted(self) -> str:
        """The bar in words."""
        return "" if self.bar is None else f"{self.sense} {self.bar:,g} {self.unit}".rstrip()


def figure(value: float) -> str:
    """Write a number with three digits, or all before the point; about 1 one more matters."""
    size = abs(value)
    digits = 0 if size >= 99.95 else 1 if size >= 9.995 else 2 if size >= 1.9995 else 3
    return f"{value:,.{digits}f}"


def rows(claims: Iterable[Claim]) -> list[str]:
    """Return the claims as rows of a Markdown table: claim, measured, bar, met, note."""
    words = {True: "yes", False: "**no**", None: ""}
    return [
        f"| {claim.name} | {claim.measured} | {claim.wanted} | {words[claim.met]} | {claim.note} |"
        for claim in claims
    ]


HEAD = ["| claim | measured: median (range) | bar | met | |", "|---|---:|---:|---|---|"]


def write_claims(claims: Sequence[Claim], path: Path) -> None:
    """Write claims as JSON."""
    path.write_text(json.dumps([asdict(claim) for claim in claims], indent=1) + "\n")


def read_claims(saved: Iterable[dict[str, Any]]) -> list[Claim]:
    """Return claims from what JSON has of them."""
    return [Claim(**fields) for fields in saved]


def run(parser: ArgumentParser, measure: Callable[[Namespace], Sequence[Claim]]) -> None:
    """Measure as the command line says, print the claims, and hand them on where it says so."""
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the claims there as well")
    args = parser.parse_args()
    claims = measure(args)
    print("\n" + "\n".join([*HEAD, *rows(claims)]))
    if args.json is not None:
        write_claims(claims, args.json)


def timed(work: Callable[[], object]) -> float:
    """Return the seconds that some work takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def spread(values: Iterable[float], unit: str = "") -> str:
    """Write median, range and unit."""
    return Claim("", unit).of(values).measured


def ratios(above: Sequence[float], below: Sequence[float]) -> list[float]:
    """Return the ratios of what was measured in the same round."""
    return [a / b for a, b in zip(above, below, strict=True)]
