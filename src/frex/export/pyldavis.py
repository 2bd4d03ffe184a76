"""The fit as a page of pyLDAvis, or the data behind it.

pyLDAvis needs distributions over words and the number of tokens of each topic. A topic's
distribution is its rates, divided by their sum. Its tokens are those expected if every document had
the mean length: for document d, theta[d,k] times the sum of the rates of k. pyLDAvis uses no other
information about documents, so each topic is passed as one long document, which gives the same
figures.
"""

from __future__ import annotations

import html
import json
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.linalg import eigh
from scipy.spatial.distance import pdist, squareform

from frex.errors import InputError, require
from frex.explorer.page import policy
from frex.posterior.guards import refuse_not_finite
from frex.storage.files import check_file, whole_file

if TYPE_CHECKING:
    from os import PathLike

    from numpy.typing import NDArray

    from frex.posterior import Posterior

ENDINGS = (".html", ".json")
_STEP, _WIDE_STEP, _MANY_TOPICS = 0.05, 0.25, 250
"""Positions of the slider, and with many topics: pyLDAvis ranks all words again for each position.

With 1,169 topics and 1,500 words 21 positions take 26 seconds in all, and 5 take 20.
"""
_STYLE = " body { font-family: sans-serif } #topics { columns: 18em }"
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>{style}</style>
<h1>{title}</h1>
<div id="ldavis"></div>
<h2>Topics</h2>
<ol id="topics">
{names}
</ol>
{scripts}
</html>
"""


def write_pyldavis(
    posterior: Posterior,
    path: str | PathLike[str],
    *,
    title: str = "A fit",
    overwrite: bool = False,
) -> None:
    """Write the page of pyLDAvis, or the data behind it.

    Topics are numbered in the order of the tree, from 1; those without documents are left out. The
    page lists their names and contains its scripts, so it needs no network.

    Parameters
    ----------
    posterior
        The fit.
    path
        The file to write, ending in .html for a page, or in .json for the data, which has the
        topics' names under ``topic.names``.
    title
        Title of the page.
    overwrite
        Whether to replace an existing file.

    Examples
    --------
    >>> from frex.export import write_pyldavis
    >>> from frex.posterior import read_posterior
    >>> posterior = read_posterior('FIT')
    >>> write_pyldavis(posterior, 'fit.html', overwrite=True)
    """
    file = check_file(path, endings=ENDINGS, overwrite=overwrite)
    prepared, names = prepare(posterior)
    if file.suffix.lower() == ".html":
        text = _page(_as_json(prepared.to_dict()), names, title)
    else:
        text = _as_json(prepared.to_dict() | {"topic.names": names})
    with whole_file(file) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")


def prepare(posterior: Posterior) -> tuple[Any, list[str]]:
    """Return the `PreparedData` of pyLDAvis, and the names of its topics."""
    with warnings.catch_warnings():  # pyLDAvis sets a filter of its own
        pyldavis = require("pyLDAvis", "pyldavis", "an export to pyLDAvis")
    weights: NDArray[np.float64] = np.asarray(posterior.membership_matrix().sum(axis=0)).ravel()
    used = np.flatnonzero(weights)
    if len(used) < 3:
        raise InputError(
            f"the fit has documents in {len(used)} topic{'' if len(used) == 1 else 's'}",
            remedy="pyLDAvis lays topics out on a plane, for which it needs 3 or more.",
        )
    refuse_not_finite(posterior)
    rates = np.asarray(posterior.frequency[:, used]).T
    sums = rates.sum(axis=1)
    tokens = weights[used] * sums
    display = posterior.surface or posterior.words
    if len(set(display)) < len(display):  # pyLDAvis identifies words by their spelling
        display = posterior.words
    prepared = pyldavis.prepare(
        rates / sums[:, None],
        np.eye(len(used)),
        tokens,
        list(display),
        weights[used] @ rates,
        lambda_step=_STEP if len(used) <= _MANY_TOPICS else _WIDE_STEP,
        mds=_plane,
        sort_topics=False,
        n_jobs=1,
    )
    return prepared, [posterior.tree.topics[topic] for topic in used]


def _plane(distributions: Any) -> NDArray[np.float64]:
    """Lay out topics by principal coordinates of their Jensen-Shannon divergences.

    This is pyLDAvis's own layout, up to signs, which calls Python for each pair of topics: for 258
    topics with 2,959 words it takes 34 of 41 seconds, while this function takes one second.
    """
    distances = pdist(np.asarray(distributions), "jensenshannon")
    # for almost equal topics, rounding may make the radicand negative
    divergences = squareform(np.nan_to_num(distances) ** 2)
    squares = divergences**2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1, keepdims=True) + squares.mean()
    values, vectors = eigh(-centred / 2)  # in increasing order
    return np.asarray(np.sqrt(values[:-3:-1].clip(min=0)) * vectors[:, :-3:-1])


def _page(data: str, names: list[str], title: str) -> str:
    """Return the page, which runs its three scripts and loads nothing.

    LDAvis uses style attributes, which the policy allows because they cannot contain scripts.
    """
    urls = require("pyLDAvis.urls", "pyldavis", "an export to pyLDAvis")
    places = (urls.D3_LOCAL, urls.LDAVIS_LOCAL, urls.LDAVIS_CSS_LOCAL)
    d3, ldavis, style = (Path(place).read_text(encoding="utf-8") for place in places)
    scripts = [d3, ldavis, f'new LDAvis("#ldavis", {data});']
    style += _STYLE
    return _PAGE.format(
        policy=policy(scripts, [style], "style-src-attr 'unsafe-inline'"),
        title=html.escape(title),
        style=style,
        names="\n".join(f"<li>{html.escape(name)}</li>" for name in names),
        scripts="\n".join(f"<script>{script}</script>" for script in scripts),
    )


def _as_json(value: dict[str, Any]) -> str:
    """Return JSON that is safe between script tags, even if a word is ``</script>``."""
    text = json.dumps(value, ensure_ascii=False, default=_plain, allow_nan=False)
    return text.translate({ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"})


def _plain(value: Any) -> Any:
    """Return a NumPy number as Python's."""
    return value.item()
