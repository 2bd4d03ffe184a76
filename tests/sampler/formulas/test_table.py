"""The table of formulas in CONTRIBUTING.md, and the modules, name the same functions."""

import re
from pathlib import Path

import frex.sampler.formulas  # noqa: F401 - all of them
from frex.sampler.formulas.options import formulas

ROOT = Path(__file__).parents[3]
ROW = re.compile(r"^\| [^|]+ \| `(\w+)` \| ((?:`\w+`(?:, )?)+) \|$", re.MULTILINE)


def named():
    """Return the functions that the table names, as module.function."""
    text = (ROOT / "CONTRIBUTING.md").read_text().partition("## Every formula, once")[2]
    rows = ROW.findall(text.partition("\n## ")[0])
    return [f"{module}.{name}" for module, names in rows for name in re.findall(r"\w+", names)]


def test_every_formula_has_one_place_and_the_table_has_every_formula():
    defined = [f"{each.__module__.rpartition('.')[2]}.{each.__name__}" for each in formulas]
    assert len(set(defined)) == len(defined)
    table = named()
    assert sorted(table) == sorted(defined)
