"""HTML in which a value is escaped unless it is known to be markup."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Html(str):
    """A text that is markup already."""

    __slots__ = ()


def fill(template: str, /, **values: object) -> Html:
    """Return a template with its ``{names}`` replaced; all that is not `Html` is escaped."""
    escaped = {
        name: value if isinstance(value, Html) else html.escape(str(value))
        for name, value in values.items()
    }
    return Html(template.format_map(escaped))


def joined(parts: Iterable[Html]) -> Html:
    """Return concatenated pieces of markup."""
    return Html("\n".join(parts))
