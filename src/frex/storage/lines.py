"""Lines of CSV that are safe to open in a spreadsheet, and read back as they were.

All text is quoted, so that no line break in it ends a row, whatever kind of break. A spreadsheet
takes a text that begins with ``=``, ``+``, ``-`` or ``@`` for a formula, and some begin anew after
a line break. So before such a sign stands an apostrophe, and before an apostrophe, a tab or a
carriage return too: then `unguarded` knows which to take away.
"""

from __future__ import annotations

import math
import re
from numbers import Real
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

_BREAKS = r"\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
# the last four are the signs in full width, which Japanese spreadsheets take for the same
_SIGNS = rf"(?<![^{_BREAKS}])(?=[=+\-@\t\r'\uff0b\uff0d\uff1d\uff20])"
_GUARD = re.compile(_SIGNS)
_GUARDED = re.compile(_SIGNS.replace("(?=", "'(?="))


def csv_line(cells: Iterable[Any], *, guard: bool = True) -> str:
    """Return a row as a line of CSV; None and numbers that are not finite are empty cells.

    Parameters
    ----------
    cells
        Texts and numbers.
    guard
        Whether people may open the file in a spreadsheet. A file that only frex reads needs none.
    """
    return ",".join([_cell(cell, guard) for cell in cells]) + "\n"


def guarded(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula, by apostrophes put before signs."""
    return _GUARD.sub("'", text)


def unguarded(text: str) -> str:
    """Return the text that `guarded` was given; any other is left as it is."""
    return _GUARDED.sub("", text)


def _cell(cell: Any, guard: bool) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Real):
        return str(cell) if math.isfinite(cell) else ""
    text = guarded(str(cell)) if guard else str(cell)
    return f'"{text.replace(chr(34), chr(34) * 2)}"'
