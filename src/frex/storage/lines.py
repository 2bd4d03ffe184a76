"""Lines of CSV that are safe to open in a spreadsheet, and can be read back unchanged.

All text is quoted, so that no kind of line break within it ends a row. Spreadsheets interpret a
text that begins with ``=``, ``+``, ``-`` or ``@`` as a formula, and some also a line within a text.
So an apostrophe is put before such a character, and also before an apostrophe, a tab or a carriage
return, so that `unguarded` can reverse it.
"""

from __future__ import annotations

import math
import re
from numbers import Real
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

_BREAKS = r"\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
# the last four are full-width characters, which Japanese spreadsheets treat in the same way
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
        Whether to guard against formulas. A file that only frex reads does not need this.
    """
    return ",".join([_cell(cell, guard) for cell in cells]) + "\n"


def guarded(text: str) -> str:
    """Return a text with apostrophes so that no spreadsheet interprets it as a formula."""
    return _GUARD.sub("'", text)


def unguarded(text: str) -> str:
    """Return the original of a text from `guarded`; any other text is unchanged."""
    return _GUARDED.sub("", text)


def _cell(cell: Any, guard: bool) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Real):
        return str(cell) if math.isfinite(cell) else ""
    text = guarded(str(cell)) if guard else str(cell)
    return f'"{text.replace(chr(34), chr(34) * 2)}"'
