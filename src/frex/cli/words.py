"""The command `top`: the words of topics, also of other programs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import frex.posterior
from frex.cli import model_words, word_lists
from frex.cli.options import BRANCHES, COMPARED, Level, WordsOf
from frex.cli.typed import comparisons
from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from frex.cli.word_lists import Ranking

N_LISTED, N_ON_TREE = 14, 5
"""Words of a list, as in the paper's Table 4, and behind a topic on the tree."""


class Order(StrEnum):
    """What words are ranked by."""

    frex = "frex"
    frequency = "frequency"
    exclusivity = "exclusivity"


class Form(StrEnum):
    """How the words are printed."""

    table = "table"
    csv = "csv"
    json = "json"


def top(
    fit: Annotated[Path | None, typer.Argument(help="A fit folder.")] = None,
    *,
    model: Annotated[
        Path | None,
        typer.Option(
            help="Topics of another program, in place of a fit: a table, topics x words, as .csv, "
            "or Mallet's topic word weights or word topic counts."
        ),
    ] = None,
    stm: Annotated[
        bool, typer.Option("--stm", help="With --model: FREX as R's stm computes it.")
    ] = False,
    topic: Annotated[
        list[str] | None,
        typer.Option(
            "--topic",
            "-t",
            help="A topic's name, or its title. May be repeated. Without one: the whole tree.",
        ),
    ] = None,
    by: Annotated[Order, typer.Option(help="What words are ranked by.")] = Order.frex,
    n: Annotated[
        int | None,
        typer.Option("-n", "--words", help="How many words: 14, or 5 on the tree.", min=1),
    ] = None,
    weight: Annotated[
        float, typer.Option(help="Weight of exclusivity in FREX; the rest is frequency's.")
    ] = 0.5,
    compare: Annotated[
        str | None,
        typer.Option(
            help=f"{COMPARED}. By default what the fit was made with; any other has no intervals."
        ),
    ] = None,
    words_of: Annotated[WordsOf, typer.Option(help=f"{BRANCHES}.")] = WordsOf.auto,
    level: Level = 0.9,
    siblings: Annotated[
        bool,
        typer.Option("--siblings", help="The topic beside those that it is compared with."),
    ] = False,
    tree: Annotated[
        bool, typer.Option("--tree", help="The tree, or the branches of the topics named.")
    ] = False,
    stems: Annotated[
        bool, typer.Option("--stems", help="Show stems, not the words they stand for.")
    ] = False,
    form: Annotated[Form, typer.Option("--format", help="How to print the words.")] = Form.table,
) -> None:
    """Show the words of topics: by FREX, beside the most frequent ones.

    One topic with intervals, several side by side; without any, the tree with the best words of
    each. As csv or json, a row for each topic and word with all that is known of it.
    """
    if fit is None:
        of_fits = {
            "--compare": compare, "--siblings": siblings, "--tree": tree, "--stems": stems,
            "--words-of": words_of is not WordsOf.auto,
        }  # fmt: skip
        _show_model(
            model,
            [name for name, given in of_fits.items() if given],
            topics=topic or (),
            n=n,
            by=by.value,
            weight=weight,
            stm=stm,
            form=form.value,
        )
        return
    if model is not None or stm:
        raise InputError(
            "--model and --stm are for topics of other programs", remedy="Leave the fit out."
        )
    posterior = frex.posterior.read_posterior(fit)
    known = compare is None or compare in posterior.exclusivity
    ranking = word_lists.Ranking(
        posterior,
        by=by.value,
        weight=weight,
        compare=compare if known else comparisons([compare or ""], posterior.taxonomy)[0],
        of=words_of.value,
        level=level,
        stems=stems,
    )
    frex.posterior.refuse_not_finite(posterior)
    on_tree = tree or not topic
    if on_tree and form is Form.table:
        whole = posterior.taxonomy
        nodes = word_lists.branches(whole, [whole.find(name) for name in topic or ()])
    else:
        nodes = [posterior.find(name) for name in topic or ()]
    if siblings:
        nodes = _with_siblings(ranking, nodes, on_tree=on_tree)
    elif on_tree and form is not Form.table:
        nodes = word_lists.branches(posterior.tree, nodes)
    if form is not Form.table:
        word_lists.show_rows(ranking, nodes, n or N_LISTED, form.value)
    elif on_tree:
        word_lists.show_tree(ranking, nodes, n or N_ON_TREE)
    elif siblings:
        word_lists.show_side_by_side(ranking, nodes, n or N_LISTED, orders=[by.value])
    elif len(nodes) > 1:
        word_lists.show_side_by_side(
            ranking, nodes, n or N_LISTED, orders=[by.value, ranking.beside]
        )
    else:
        word_lists.show_topic(ranking, nodes[0], n or N_LISTED)


def _with_siblings(ranking: Ranking, nodes: Sequence[int], *, on_tree: bool) -> list[int]:
    if on_tree:
        raise InputError(
            "--siblings shows a topic beside others", remedy="Name it with --topic, without --tree."
        )
    return ranking.with_compared(nodes)


def _show_model(model: Path | None, of_fits: Sequence[str], **options: Any) -> None:
    """Show the words of another program's topics."""
    if model is None:
        raise InputError("no topics are named", remedy="Name a fit folder, or --model FILE.")
    if of_fits:
        raise InputError(f"{of_fits[0]} is for fits", remedy="Leave it out with --model.")
    model_words.show_model_words(model, **options)
