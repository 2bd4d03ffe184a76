"""How words are printed: a topic with intervals, topics side by side, a tree, rows for programs."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import typer

from frex.cli.drawing import drawn
from frex.cli.screen import Format, cell_width, padded, say, show_table, terminal_width
from frex.posterior.compared import compared_with
from frex.posterior.words import best_words, in_line, in_thousand, word_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from frex.posterior import Posterior
    from frex.posterior.branches import Of
    from frex.posterior.compared import Compare
    from frex.posterior.words import By
    from frex.tree import TopicTree

_PIPE_WIDTH = 120  # where there is no terminal that has one
_HEADS = {"frex": "FREX", "frequency": "most frequent", "exclusivity": "most exclusive"}
_GAP = "   "
NO_DOCUMENTS = ("(no", "documents)")
MANY_EMPTY = 3
"""From so many siblings without documents on they share a line."""

_MARK = "*"  # of topics that are shown by the words of their branch


@dataclass(frozen=True)
class Ranking:
    """How words are to be ranked and displayed."""

    posterior: Posterior
    by: By
    weight: float
    compare: Compare
    of: Of
    level: float
    stems: bool

    @property
    def beside(self) -> By:
        """The order that stands beside the one asked for."""
        return "frequency" if self.by != "frequency" else "frex"

    def columns(self, node: int, n: int) -> dict[str, Any]:
        """Return a topic's best words and all that is known of them."""
        return word_columns(
            self.posterior,
            self.posterior.tree.names[node],
            n,
            by=self.by,
            weight=self.weight,
            compare=self.compare,
            of=self.of,
            level=self.level,
        )

    def words(self, node: int, n: int, by: By) -> list[str]:
        """Return a topic's best words in some order, as they are displayed."""
        best = best_words(
            self.posterior,
            self.posterior.tree.names[node],
            n,
            by=by,
            weight=self.weight,
            compare=self.compare,
            of=self.of,
        )
        surface = None if self.stems else self.posterior.surface
        display = surface or self.posterior.words
        return [display[word] for word in best]

    def compared(self, node: int) -> list[int]:
        """Return the other topics with which a topic is compared; the root is none."""
        members = compared_with(self.posterior, node, self.compare, self.of)
        return [member for member in members if member not in {0, node}]

    def by_branch(self, node: int) -> bool:
        """Tell whether a topic is shown by the words of its branch."""
        return self.posterior.branches.of(node, self.of) == "branch"

    def explain_mark(self, nodes: Sequence[int]) -> None:
        """Say what the mark of branches means, where a topic has it."""
        if any(map(self.by_branch, nodes)):
            say(f"\n{_MARK} words of all documents filed under the topic or below it")

    def with_compared(self, nodes: Sequence[int]) -> list[int]:
        """Return topics, each followed by those with which it is compared."""
        return list(dict.fromkeys(n for node in nodes for n in (node, *self.compared(node))))


def branches(tree: TopicTree, nodes: Sequence[int]) -> list[int]:
    """Return topics with all that is below them; all topics where none is given."""
    wanted = set(nodes) - {0}
    return [
        node
        for node in range(1, tree.n_nodes)
        if not wanted or not wanted.isdisjoint((node, *tree.ancestors(node)))
    ]


def show_rows(ranking: Ranking, nodes: Sequence[int], n: int, form: str) -> None:
    """Print a row for each topic and word, with every column, for programs."""
    tree = ranking.posterior.tree
    rows: dict[str, list[Any]] = {}
    for node in nodes:
        columns = in_thousand(ranking.posterior, ranking.columns(node, n))
        size = len(columns["word"])
        named = {
            "topic": [tree.names[node]] * size,
            "title": [tree.titles[node]] * size,
            "rank": range(1, size + 1),
        }
        for name, values in (named | columns).items():
            plain = values.tolist() if isinstance(values, np.ndarray) else values
            rows.setdefault(name, []).extend(plain)
    show_table(rows, Format(form))


def folded(tree: TopicTree, nodes: Sequence[int], empty: set[int]) -> dict[int, int]:
    """Return the topics of a listing that have a line of their own, and how many each stands for.

    Siblings without documents share the line of the last of them, with all that is below them, from
    `MANY_EMPTY` siblings on: a thesaurus may have more of them than of all others.

    Parameters
    ----------
    tree
        The taxonomy.
    nodes
        The topics of the listing, parents first.
    empty
        Topics without documents at or below them.
    """
    tops: dict[int, int] = {}  # of an empty topic, the highest empty one above it
    for node in nodes:
        if node in empty:
            tops[node] = tops.get(int(tree.parents[node]), node)
    siblings: dict[int, list[int]] = {}
    for top in dict.fromkeys(tops.values()):
        siblings.setdefault(int(tree.parents[top]), []).append(top)
    last = {top: many[-1] for many in siblings.values() if len(many) >= MANY_EMPTY for top in many}
    lines = dict.fromkeys((node for node in nodes if tops.get(node) not in last), 1)
    for top in tops.values():
        if top in last:
            lines[last[top]] = lines.get(last[top], 0) + 1
    return {node: lines[node] for node in nodes if node in lines}


def show_tree(ranking: Ranking, nodes: Sequence[int], n: int) -> None:
    """Print topics of the taxonomy, by its nodes, and behind each its best words."""
    tree, fitted = ranking.posterior.taxonomy, ranking.posterior.tree
    counts = folded(tree, nodes, {node for node in nodes if tree.names[node] not in fitted})
    nodes = list(counts)
    known = [fitted.node(tree.names[node]) if tree.names[node] in fitted else 0 for node in nodes]
    marks = [f" {_MARK}" if node and ranking.by_branch(node) else "" for node in known]
    words = [
        in_line(ranking.words(node, n, ranking.by) if node else NO_DOCUMENTS) for node in known
    ]
    room = wide = terminal_width()
    if wide is not None:  # half of it at least, for a few lists of long words may be folded
        taken = max(map(cell_width, words)) + len(_GAP)
        room = max(wide - taken, wide // 2) - (len(_MARK) + 1) * any(marks)
    titles = [
        _title(tree, node) if counts[node] == 1 else f"{counts[node]:,} topics" for node in nodes
    ]
    lines = drawn(tree, nodes, titles, room)
    width = max(cell_width(line + mark) for line, mark in zip(lines, marks, strict=True))
    if room is not None:  # the words of a few topics far down stand further right
        width = min(width, room)
    for line, mark, best in zip(lines, marks, words, strict=True):
        say(f"{padded(line + mark, width)}  {best}")
    ranking.explain_mark([node for node in known if node])


def show_topic(ranking: Ranking, node: int, n: int) -> None:
    """Print a topic's words with intervals, and beside them the other list."""
    posterior = ranking.posterior
    columns = ranking.columns(node, n)
    per_thousand = 1000 / posterior.mean_length  # a rate is of a document of mean length
    by_branch = ranking.by_branch(node)
    say(typer.style(_title(posterior.tree, node), bold=True))
    if by_branch:
        say("These are words of all documents filed under the topic or below it.")
    for line in _legend(ranking, node, len(columns["word"])):
        say(line)
    if by_branch:
        say("There are no intervals: such scores are made of posterior means.")
    elif np.isnan(columns["frex_low"]).all():
        kept = ", ".join(posterior.scored) or "no comparison set"
        say(f"FREX has no intervals here: the fit kept draws of it for {kept}.")
    say()
    table = {
        _HEADS[ranking.by]: columns["stem" if ranking.stems else "word"],
        "score": _with_interval(columns, "frex", 3),
        "exclusivity": _with_interval(columns, "exclusivity", 2),
        "in 1,000": _with_interval(columns, "frequency", 1, per_thousand),
    }
    if not by_branch:
        chances = ["" if np.isnan(p) else f"{100 * p:.0f} %" for p in columns["in_top"]]
        table[f"top {n}"] = [f"{chance:>5}" for chance in chances]
    table[_HEADS[ranking.beside]] = ranking.words(node, n, ranking.beside)
    show_table(table, Format.table, spare=("in 1,000",))


def _legend(ranking: Ranking, node: int, n: int) -> Iterator[str]:
    """Yield what the columns mean, in sentences."""
    others = [ranking.posterior.tree.names[other] for other in ranking.compared(node)]
    more = f" and {len(others) - 4} more" if len(others) > 4 else ""
    by_branch = ranking.by_branch(node)
    alone = "in it alone: no topic is beside it" if by_branch else "in it and the whole corpus"
    among = f"in it, {', '.join(others[:4])}{more}" if others else alone
    yield f"score: FREX, with a weight of {ranking.weight:g} on exclusivity"
    yield f"exclusivity: the topic's share of the word's rates {among}"
    about = "of these documents" if by_branch else "about the topic"
    yield f"in 1,000: how often the word is expected in 1,000 words {about}"
    if not by_branch:
        yield f"top {n}: chance of being among the topic's {n} best"
        yield f"(low-high): interval of {100 * ranking.level:g} %"


def _with_interval(
    columns: dict[str, Any], name: str, digits: int, factor: float = 1.0
) -> list[str]:
    """Write a score with its interval, where it has one."""
    point, low, high = (factor * columns[f"{name}{end}"] for end in ("", "_low", "_high"))
    return [
        f"{p:.{digits}f}" + ("" if np.isnan(a) else f" ({a:.{digits}f}-{b:.{digits}f})")
        for p, a, b in zip(point, low, high, strict=True)
    ]


def show_side_by_side(ranking: Ranking, nodes: Sequence[int], n: int, orders: Sequence[By]) -> None:
    """Print lists of words in columns, as many topics beside one another as fit.

    With two orders each topic has two lists, as in the paper's Table 4; one is named only once.
    """
    named = len(orders) > 1
    if not named:
        say(typer.style(_HEADS[orders[0]], bold=True))
        say()
    blocks = []
    for node in nodes:
        lists = [[*[_HEADS[by]] * named, "", *ranking.words(node, n, by)] for by in orders]
        mark = f" {_MARK}" if ranking.by_branch(node) else ""
        blocks.append(_block(_title(ranking.posterior.tree, node) + mark, lists))
    line_width = shutil.get_terminal_size((_PIPE_WIDTH, 24)).columns
    for number, band in enumerate(_bands(blocks, line_width)):
        if number:
            say()
        for line in zip(*band, strict=True):
            say(_GAP.join(line).rstrip())
    ranking.explain_mark(nodes)


def _block(title: str, lists: Sequence[Sequence[str]]) -> list[str]:
    """Return lines of equal width: a title, and lists side by side."""
    widths = [max(map(cell_width, words)) for words in lists]
    lines = ["  ".join(map(padded, words, widths)) for words in zip(*lists, strict=True)]
    width = max(cell_width(title), cell_width(lines[0]))
    return [padded(line, width) for line in (title, *lines)]


def _bands(blocks: Sequence[list[str]], line_width: int) -> Iterator[list[list[str]]]:
    """Yield blocks that fit beside one another."""
    band: list[list[str]] = []
    for block in blocks:
        if band and sum(map(_wide, band)) + _wide(block) > line_width + len(_GAP):
            yield band
            band = []
        band.append(block)
    yield band


def _wide(block: Sequence[str]) -> int:
    return cell_width(block[0]) + len(_GAP)


def _title(tree: TopicTree, node: int) -> str:
    """Return a topic's name, and its title where that says more than the name."""
    name, title = tree.names[node], tree.titles[node]
    return name if _letters(name).endswith(_letters(title)) else f"{name}  {title}"


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
