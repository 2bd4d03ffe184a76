"""Data of the page: an index that is read at once, and pieces that are read when needed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from frex import __version__
from frex.corpus.membership import FEW
from frex.explorer.choice import STEPS, choose_words, first_in_lists, leaders, make_plan
from frex.explorer.documents import (
    count_documents,
    is_unsupervised,
    make_neighbours,
    make_relations,
    text_shares,
    typical_rows,
)
from frex.explorer.labelling import PIECE, label_piece, reading_of
from frex.explorer.layout import lay_out
from frex.explorer.packing import bundle, in_bytes, whole_type
from frex.explorer.quality import WORDS, check_corpus, coherence
from frex.explorer.relations import correlations, strongest
from frex.explorer.table import SHARES, make_lists, make_table
from frex.explorer.trends import make_trends
from frex.posterior import SCORED, diagnose
from frex.posterior.compared import compared_with
from frex.posterior.intervals import quantiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.explorer.choice import Plan
    from frex.explorer.table import Table
    from frex.posterior import Posterior, Scored
    from frex.predict import Calibration

WORDS_A_PIECE = 256
INTERVAL = 0.9
"""Posterior probability of the intervals that the page shows."""


class Data(NamedTuple):
    """Data of the page."""

    overview: dict[str, Any]  #: all that the tree, the search and the header need
    pieces: dict[str, str]  #: packed: ``topic-1``, ..., ``other-1``, ...; ``words-0``, ...


def make_data(
    posterior: Posterior,
    title: str,
    *,
    corpus: Corpus | None = None,
    calibration: Calibration | None = None,
    progress: Callable[[int], None] | None = None,
) -> Data:
    """Gather what the page shows of a fit.

    Parameters
    ----------
    posterior
        The fit.
    title
        What the page calls it.
    corpus
        The corpus of the fit, for what the fit alone does not contain: coherence, and the words
        that rise and fall.
    calibration
        Its calibration of labels, for the box to paste a text into.
    progress
        Called after each list, `n_steps` times in all.
    """
    rows = None if corpus is None else check_corpus(posterior, corpus)
    table = make_table(posterior, progress=progress)
    scored = {name: draws for name, draws in posterior.scored.items() if len(draws.values)}
    plan = make_plan(
        posterior.tree.n_topics,
        len(posterior.words),
        n_lists=len(table.lists),
        n_sets=len(table.exclusivity),
        n_scored=len(scored),
        candidates=max((draws.words.shape[1] for draws in scored.values()), default=0),
        draws=min((len(draws.values) for draws in scored.values()), default=0),
    )
    pieces = {}
    n_topics, related = posterior.tree.n_topics, correlations(posterior)
    relate = make_relations if is_unsupervised(posterior) else make_neighbours
    neighbours = relate(posterior, related)
    trends = make_trends(posterior, corpus, rows)
    judged = []  # for each topic the words that determine its quality
    nodes = [0, *(posterior.columns + 1).tolist()]  # of the taxonomy, which the page shows
    for row, (node, of) in enumerate(table.lists):
        compared = [len(compared_with(posterior, node, name, of)) for name in table.exclusivity]
        meta: dict[str, Any] = {"of": of, "compared": compared}
        best = _leaders(table, row)
        arrays: dict[str, NDArray[Any]] = {}
        if row < n_topics:
            judged.append(next(iter(best.values()))[STEPS // 2][:WORDS])
            documents = {"neighbours": neighbours[row], "documents": typical_rows(posterior, row)}
            meta |= documents
            if trends is not None:
                meta |= trends.words(row)
                arrays = {"trend": SHARES.codes(trends.shares[:, row])}
        kind = "topic" if row < n_topics else "other"
        drawn = scored if of == "topic" else {}
        arrays |= _list_arrays(table, row, best, meta, scored=drawn, plan=plan)
        pieces[f"{kind}-{nodes[node]}"] = bundle(meta, arrays)
        if progress is not None:
            progress(1)
    for number, piece in enumerate(_word_pieces(table, plan, np.array(nodes[1:]))):
        pieces[f"words-{number}"] = piece
    made = None if calibration is None else label_piece(posterior, calibration)
    reading = None if made is None else reading_of(posterior)
    if made is not None and reading is not None:
        pieces[PIECE] = made
    overview = _overview(posterior, title, table, plan)
    known = np.diff(posterior.labels.tocsc().indptr) >= FEW
    overview |= {
        "quality": _quality(posterior, table, judged, corpus),
        "map": _map(posterior, table, nodes),
        "lines": [[nodes[a + 1], nodes[b + 1], r] for a, b, r in strongest(related, known)],
        "reading": reading,
        "periods": None if trends is None else trends.overview(),
    }
    return Data(overview, pieces)


def _quality(
    posterior: Posterior,
    table: Table,
    judged: Sequence[NDArray[np.int64]],
    corpus: Corpus | None,
) -> dict[str, Any]:
    """Return by node of the taxonomy the mean exclusivity of the best words, and coherence."""
    shares = next(iter(table.exclusivity.values())).values
    means = [SHARES.step * shares[row, words].mean() for row, words in enumerate(judged)]
    found: dict[str, Any] = {"words": WORDS, "exclusivity": _by_node(posterior, means)}
    together = None if corpus is None else coherence(corpus, judged)
    return found | {"coherence": together and _by_node(posterior, together)}


def _by_node(posterior: Posterior, values: Sequence[float]) -> list[float | None]:
    """Return values of the fit's topics by node of the taxonomy, None where there is none."""
    spread: list[float | None] = [None] * posterior.taxonomy.n_nodes
    for node, value in zip((posterior.columns + 1).tolist(), values, strict=True):
        spread[node] = round(float(value), 3)
    return spread


def _map(posterior: Posterior, table: Table, nodes: Sequence[int]) -> list[list[float] | None]:
    """Return the position on the map by node of the taxonomy, from 0 to 1 in each direction."""
    rates = np.exp(table.scale.low + table.scale.step * table.rates.values[: len(nodes) - 1])
    places: list[list[float] | None] = [None] * posterior.taxonomy.n_nodes
    for node, place in zip(nodes[1:], lay_out(rates), strict=True):
        places[node] = [round(float(x), 3) for x in place]
    return places


def n_steps(posterior: Posterior) -> int:
    """Return the number of progress steps of `make_data`."""
    n_sets = len({*posterior.exclusivity, "siblings", "all"})
    return len(make_lists(posterior)) * (n_sets + 2)


def _overview(posterior: Posterior, title: str, table: Table, plan: Plan) -> dict[str, Any]:
    tree, judged = posterior.taxonomy, diagnose(posterior)
    nodes = [0, *(posterior.columns + 1).tolist()]
    n_topics = posterior.tree.n_topics
    shown = posterior.surface
    return {
        "title": title,
        "version": __version__,
        "fit": {
            "documents": len(posterior.ids),
            "method": posterior.settings["method"],
            "chains": posterior.n_chains,
            "draws": posterior.n_draws,
            "trust": judged.trust._asdict(),
            "worst": judged.worst_figures(),
        },
        "sets": [
            {
                "name": name,
                "averaged": name in posterior.exclusivity,
                "draws": plan.draws if name in posterior.scored else 0,
            }
            for name in table.exclusivity
        ],
        "steps": STEPS,
        "interval": INTERVAL,
        "names": tree.names,
        "titles": None if tree.titles == tree.names else tree.titles,
        "parents": tree.parents.tolist(),
        "otherParents": {node: tree.other_parents[node] for node in tree.several_parents},
        "leftOut": [tree.node(name) for name in posterior.without_documents],
        "branches": [nodes[node] for node, of in table.lists[:n_topics] if of == "branch"],
        "both": [nodes[node] for node, _ in table.lists[n_topics:]],
        "unsupervised": is_unsupervised(posterior),
        "few": FEW,
        "text": text_shares(posterior),
        **count_documents(posterior),
        "words": list(posterior.words),
        "surface": None if shown is None or list(shown) == list(posterior.words) else list(shown),
        "wordsAPiece": WORDS_A_PIECE,
        "topicsAWord": plan.topics,
        # a rate is the expected count in a document of mean length; people get it per 1,000 tokens
        "logRate": [table.scale.low + math.log(1000 / posterior.mean_length), table.scale.step],
        "share": SHARES.step,
        "hasDocuments": posterior.typical is not None,
    }


def _leaders(table: Table, row: int) -> dict[str, NDArray[np.int64]]:
    """Return a list's best words for each weight, by comparison set."""
    frequency = table.rates.ecdf(row)
    return {
        name: leaders(column.ecdf(row), frequency) for name, column in table.exclusivity.items()
    }


def _list_arrays(
    table: Table,
    row: int,
    best: Mapping[str, NDArray[np.int64]],
    meta: dict[str, Any],
    *,
    scored: Mapping[str, Scored],
    plan: Plan,
) -> dict[str, NDArray[Any]]:
    """Return a list's words and draws of the leading ones; store its greatest length in `meta`."""
    frequency = table.rates.ecdf(row)
    words, length = choose_words(list(best.values()), frequency, plan.records)
    words.sort()  # so that a stable sort leaves equal scores in the order of the words
    arrays = {"word": words.astype(whole_type(len(frequency)))}
    arrays |= _scores(table, np.full_like(words, row), words)
    for number, name in enumerate(table.exclusivity):
        if name in scored:
            topic = table.lists[row].node - 1
            places = first_in_lists(best[name], scored[name].words[topic], plan.scored)
            drawn = _draws(table, scored[name], topic, places, plan.draws)
            arrays |= {f"{key}{number}": array for key, array in drawn.items()}
    meta["list"] = length
    return arrays


def _scores(
    table: Table, rows: NDArray[np.int64], words: NDArray[np.int64]
) -> dict[str, NDArray[Any]]:
    """Return the data of some words, each in some list."""
    arrays: dict[str, NDArray[Any]] = {
        "rate": table.rates.values[rows, words],
        "rateRank": table.rates.ranks[rows, words],
    }
    for number, column in enumerate(table.exclusivity.values()):
        arrays[f"share{number}"] = column.values[rows, words]
        arrays[f"shareRank{number}"] = column.ranks[rows, words]
    return arrays


def _draws(
    table: Table, scored: Scored, topic: int, places: NDArray[np.int64], n_draws: int
) -> dict[str, NDArray[Any]]:
    """Return draws of the two ranks of some candidates, and intervals of what is ranked.

    An interval is its lower end, the median and its upper end. From the draws the page computes
    that of FREX at any weight.
    """
    n_words = table.rates.ranks.shape[1]
    values = dict(zip(SCORED, scored.values[:, :, topic, places].swapaxes(0, 1), strict=True))
    at = (1 - INTERVAL) / 2, 0.5, (1 + INTERVAL) / 2
    rate = table.scale.codes(quantiles(values["log_rate"], at))
    share = SHARES.codes(quantiles(values["exclusivity"], at))
    whole = whole_type(n_words)
    kept = np.linspace(0, len(scored.values) - 1, n_draws).round().astype(np.int64)
    ecdfs = np.stack([values["rate_ecdf"], values["exclusivity_ecdf"]])[:, kept]  # 2, draw, word
    ranks = np.rint(ecdfs.astype(np.float64) * n_words).astype(whole)
    codes, low, high = in_bytes(ranks.swapaxes(1, 2))
    return {
        "drawnWord": scored.words[topic, places].astype(whole),
        "drawnRate": rate,
        "drawnShare": share,
        "drawLow": low,
        "drawHigh": high,
        "draw": codes,
    }


def _word_pieces(table: Table, plan: Plan, nodes: NDArray[np.int64]) -> Iterator[str]:
    """Yield the words, some at a time: each with the topics that use it most, most first."""
    n_topics, n_words = len(nodes), table.rates.values.shape[1]
    for start in range(0, n_words, WORDS_A_PIECE):
        words = np.arange(start, min(start + WORDS_A_PIECE, n_words))
        rates = table.rates.values[:n_topics, words].T.astype(np.int32)
        topics = np.argsort(-rates, axis=1, kind="stable")[:, : plan.topics]
        arrays = {"topic": nodes[topics].astype(whole_type(int(nodes.max())))}
        arrays |= _scores(table, topics, np.broadcast_to(words[:, None], topics.shape))
        yield bundle({}, arrays)
