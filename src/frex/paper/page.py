"""The page: all sections in the paper's order, self-contained, for any browser."""

from __future__ import annotations

import base64
import html
from importlib.resources import files
from typing import TYPE_CHECKING

from frex import __version__
from frex.explorer.page import policy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from frex.paper.sections import Section, Table
    from frex.paper.sizes import Size

_SIZES = {
    "full": "at full size",
    "quick": "at a quick size, for a first look: small parts of the corpora, HPC and PCM at their "
    "modes, few topics",
}


def make_page(
    sections: Mapping[str, Section],
    folder: Path,
    size: Size,
    corpora: Sequence[str],
    missing: Sequence[str],
) -> str:
    """Return the page as text.

    Parameters
    ----------
    sections
        By the experiments' names, in order.
    folder
        That of the sections, which has their figures.
    size
        Of the experiments.
    corpora, missing
        Those available, and the other ones of the paper.
    """
    style = (files("frex.paper") / "assets" / "page.css").read_text(encoding="utf-8")
    links = "".join(
        f'<li><a href="#{name}">{html.escape(section.title)}</a>'
        f"{' <span class=grey>(wanting)</span>' if section.wants else ''}</li>"
        for name, section in sections.items()
    )
    body = "".join(_section(name, section, folder / name) for name, section in sections.items())
    how = _SIZES.get(size.name, size.name)
    seconds = sum(section.seconds for section in sections.values())
    rules = html.escape(policy((), (style,), "img-src data:"), quote=True)
    return (
        "<!DOCTYPE html>\n"
        f'<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{rules}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>The paper, made anew</title><style>{style}</style></head><body>"
        "<h1>Tables and figures of the paper, made anew</h1>"
        "<p>E. M. Airoldi and J. M. Bischof, <cite>A Poisson convolution model for characterizing "
        "topical content with word frequency and exclusivity</cite>.</p>"
        f'<p class="grey">frex {html.escape(__version__)}, {html.escape(how)}; '
        f"{seconds / 60:.0f} minutes of work. "
        f"Corpora at hand: {html.escape(', '.join(corpora))}.</p>"
        f"{_wanted(missing)}"
        f"<nav><ol>{links}</ol></nav>{body}</body></html>\n"
    )


def _wanted(missing: Sequence[str]) -> str:
    if not missing:
        return ""
    return f'<p class="wants">Not at hand: {html.escape("; ".join(missing))}.</p>'


def _section(name: str, section: Section, folder: Path) -> str:
    parts = [f'<section id="{name}"><h2>{html.escape(section.title)}</h2>']
    if section.paper:
        parts.append(f'<p class="printed"><b>The paper:</b> {html.escape(section.paper)}</p>')
    if section.corpora:
        corpora = html.escape(", ".join(section.corpora))
        parts.append(f'<p class="grey">Here: {corpora}. {section.seconds:.0f} seconds.</p>')
    if section.wants:
        parts.append(f'<p class="wants">This wants {html.escape(section.wants)}.</p>')
    parts += [f"<p>{html.escape(text)}</p>" for text in section.text]
    parts += [_table(table) for table in section.tables]
    for caption, file in section.figures:
        data = base64.b64encode((folder / file).read_bytes()).decode()
        shown = html.escape(caption, quote=True)
        parts.append(
            f'<figure><img alt="{shown}" src="data:image/png;base64,{data}">'
            f"<figcaption>{shown}</figcaption></figure>"
        )
    return "".join([*parts, "</section>"])


def _table(table: Table) -> str:
    number = [
        all(_is_number(row[c]) for row in table.rows if row[c]) for c in range(len(table.columns))
    ]
    heads = "".join(f"<th>{html.escape(head)}</th>" for head in table.columns)
    kinds = [' class="number"' if is_number else "" for is_number in number]
    rows = "".join(
        "<tr>"
        + "".join(f"<td{k}>{html.escape(c)}</td>" for c, k in zip(row, kinds, strict=True))
        + "</tr>"
        for row in table.rows
    )
    caption = f"<caption>{html.escape(table.caption)}</caption>"
    table_rows = f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody>"
    return f'<div class="wide"><table>{caption}{table_rows}</table></div>'


def _is_number(cell: str) -> bool:
    return cell[:1] in "+-0123456789" and not any(letter.isalpha() for letter in cell.rstrip(" ms"))
