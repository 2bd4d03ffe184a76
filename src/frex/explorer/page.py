"""The file: a template, a style sheet, scripts and data in one page that needs no network."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from importlib.resources import files
from typing import TYPE_CHECKING

from frex import __version__
from frex.errors import InputError
from frex.explorer.data import INTERVAL, make_data
from frex.explorer.labelling import stemmer_scripts
from frex.storage.files import check_file, whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from os import PathLike
    from pathlib import Path

    from frex.corpus import Corpus
    from frex.posterior import Posterior
    from frex.predict import Calibration

# each script uses names of those before it; together they are one function
_SCRIPTS = (
    "dom", "unpack", "data", "place", "tables", "tree", "search", "zoom", "plot", "tip", "controls",
    "words", "overview", "map", "trends", "topic", "word",
    "reading", "labeller", "paste", "app",
)  # fmt: skip
_ESCAPES = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}


def write_page(
    posterior: Posterior,
    path: str | PathLike[str],
    *,
    title: str = "A fit",
    corpus: Corpus | None = None,
    overwrite: bool = False,
    calibration: Calibration | None = None,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Write a fit as a page.

    Parameters
    ----------
    posterior
        The fit.
    path
        The file to write, in a folder that exists.
    title
        Title of the page.
    corpus
        The corpus of the fit. With it the page has the coherence of topics, and, if documents have
        dates, the words that rise and fall.
    calibration
        The calibration of the fit, as read by `frex.predict.calibration_of`. With it the page has a
        box to paste a text into, which it labels by itself.
    overwrite
        Replace an existing file.
    progress
        Called after each topic, `frex.explorer.data.n_steps` times in all.

    Raises
    ------
    InputError
        The page cannot be written there.

    Examples
    --------
    >>> from frex.explorer import write_page
    >>> from frex.posterior import read_posterior
    >>> posterior = read_posterior('FIT')
    >>> write_page(posterior, 'page.html', overwrite=True)
    """
    place = check_file(path, overwrite=overwrite)
    save(
        make_page(
            posterior, title=title, corpus=corpus, calibration=calibration, progress=progress
        ),
        place,
    )


def save(page: str, place: Path) -> None:
    """Write a page atomically."""
    try:
        with whole_file(place) as partial:
            partial.write_text(page, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(
            f"cannot write the page: {error.strerror}", path=place, remedy="Choose another place."
        ) from error


def make_page(
    posterior: Posterior,
    *,
    title: str = "A fit",
    corpus: Corpus | None = None,
    calibration: Calibration | None = None,
    progress: Callable[[int], None] | None = None,
) -> str:
    """Return the page as text. `write_page` explains the parameters."""
    data = make_data(posterior, title, corpus=corpus, calibration=calibration, progress=progress)
    return assemble(
        "page.html",
        ["page.css"],
        [*stemmer_scripts(data.overview.get("reading")), *_SCRIPTS],
        title=title,
        index=data.overview,
        pieces=data.pieces,
        interval=f"{100 * INTERVAL:g}",
    )


def assemble(
    template: str,
    styles: Iterable[str],
    scripts: Iterable[str],
    *,
    title: str,
    index: object,
    pieces: Mapping[str, str],
    **values: str,
) -> str:
    """Return a page made of assets and data, with a policy that lets nothing else run.

    Parameters
    ----------
    template, styles, scripts
        Names of assets; the scripts, without their ending, become one function.
    title
        Title of the page.
    index
        Data that are read at once, as values of JSON.
    pieces
        Packed, by name.
    **values
        Other values of the template, as HTML.
    """
    assets = files("frex.explorer") / "assets"

    def text(name: str) -> str:
        return (assets / name).read_text(encoding="utf-8")

    style = "".join(map(text, styles))
    parts = [text(f"{name}.js") for name in scripts]
    script = "\n".join(['(() => {\n"use strict";', *parts, "})();\n"])
    # the index and the program come first: the page is drawn while the pieces are still being read
    packed = "\n".join(
        f'<script type="application/octet-stream" id="{name}">{piece}</script>'
        for name, piece in pieces.items()
    )
    return _fill(
        text(template),
        {
            "policy": policy([script], [style], "img-src data:"),
            "version": html.escape(__version__),
            "title": html.escape(title),
            "style": style,
            "index": _as_json(index),
            "script": script,
            "pieces": packed,
            **values,
        },
    )


def _fill(template: str, values: dict[str, str]) -> str:
    """Fill in a template in one pass, so that braces in a value are only text."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], template)


def _as_json(value: object) -> str:
    """Write JSON that is safe between script tags: no markup, no line separators."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_ESCAPES)


def policy(scripts: Iterable[str], styles: Iterable[str], *others: str) -> str:
    """Return a Content-Security-Policy: these scripts and styles, and nothing from anywhere.

    Parameters
    ----------
    scripts, styles
        The text between their tags.
    others
        Further directives that the page needs.
    """

    def sources(texts: Iterable[str]) -> str:
        digests = (hashlib.sha256(text.encode()).digest() for text in texts)
        return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)

    rules = ("default-src 'none'", f"script-src {sources(scripts)}", f"style-src {sources(styles)}")
    return "; ".join((*rules, *others, "base-uri 'none'", "form-action 'none'"))
