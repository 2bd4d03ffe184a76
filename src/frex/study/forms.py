"""A task as the questions of a form, for frex's pages and for crowd platforms.

An answer is a radio button with an integer value, named q1, q2 and so on; `Task.choices` has its
range. The text direction of words is isolated from that of the surrounding text.
"""

from __future__ import annotations

from string import ascii_uppercase
from typing import TYPE_CHECKING

from frex.study.design import NO_PREFERENCE, RATINGS
from frex.web.markup import Html, fill, joined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from frex.study.design import Kind

HEADINGS: dict[Kind, str] = {
    "intrusion": "Find the word that does not belong",
    "coherence": "How well do these words belong together?",
}
INSTRUCTIONS: dict[Kind, str] = {
    "intrusion": (
        "In each question, five of the six words are about one theme and one word is from "
        "somewhere else. Choose the word that does not belong. Where you are not sure, "
        "choose the likeliest."
    ),
    "coherence": (
        "Each list of words is meant to describe one theme. Rate every list by itself; then "
        "say whether one of them is noticeably clearer than the others."
    ),
}
_RATED = {
    1: ("Not coherent", "no theme, or words that have little to do with each other"),
    2: ("Somewhat coherent", "a theme can be guessed, but several words do not fit"),
    3: ("Very coherent", "nearly all words are about one theme that is easy to name"),
}
# invented examples: two lists for each rating, with the reason
_EXAMPLES = (
    (3, "violin orchestra conductor symphony concert", "classical music"),
    (3, "flour oven dough yeast bakery", "baking bread"),
    (2, "hospital nurse window patient tuesday", "a hospital, with words from elsewhere"),
    (2, "goal referee striker budget minister", "football and politics, mixed"),
    (1, "made often people thing several", "words that fit any theme"),
    (1, "carpet engine lemon verdict cloud", "words without a theme"),
)

_QUESTION = """<fieldset id="question-{number}" class="question {kind}">
<legend><span class="number">{number}</span> {text}</legend>
{words}
<div class="choices">
{choices}
</div>
</fieldset>"""
_CHOICE = (
    '<label class="choice"><input type="radio" name="q{number}" value="{value}" required{checked}>'
    " <span>{text}</span></label>"
)
_WORD = '<bdi class="word">{word}</bdi>'
_NAMED = "<b>{name}</b><small>{detail}</small>"
_RUBRIC = """<details class="rubric"{opened}>
<summary>What the ratings mean, with examples</summary>
<dl>
{ratings}
</dl>
</details>"""
_RATING = "<dt>{rating} · {name}</dt>\n<dd>{meaning}\n<ul>{examples}</ul></dd>"
_EXAMPLE = "<li><i>{words}</i> ({why})</li>"


def questions(
    kind: Kind, words: Sequence[Sequence[str]], chosen: Mapping[int, int] | None = None
) -> Html:
    """Return the questions of a task.

    Parameters
    ----------
    kind
        The kind of task.
    words
        Words of each question, in display order.
    chosen
        Choices already made, by question from 1.
    """
    made = chosen or {}
    if kind == "intrusion":
        return joined(_intrusion(n, shown, made.get(n)) for n, shown in enumerate(words, start=1))
    rated = [_rating(n, shown, made.get(n)) for n, shown in enumerate(words, start=1)]
    return joined([*rated, _preference(words, made.get(len(words) + 1))])


def rubric(*, opened: bool) -> Html:
    """Return what each rating means, with examples."""
    ratings = []
    for rating in reversed(RATINGS):
        examples = [
            fill(_EXAMPLE, words=words, why=why) for own, words, why in _EXAMPLES if own == rating
        ]
        name, meaning = _RATED[rating]
        ratings.append(
            fill(_RATING, rating=rating, name=name, meaning=meaning, examples=joined(examples))
        )
    return fill(_RUBRIC, opened=Html(" open" * opened), ratings=joined(ratings))


def _intrusion(number: int, words: Sequence[str], chosen: int | None) -> Html:
    choices = [
        _choice(number, place, fill(_WORD, word=word), chosen)
        for place, word in enumerate(words, start=1)
    ]
    return _question(number, "intrusion", "Which word does not belong?", Html(), choices)


def _rating(number: int, words: Sequence[str], chosen: int | None) -> Html:
    choices = [
        _choice(number, rating, fill(_NAMED, name=rating, detail=_RATED[rating][0]), chosen)
        for rating in RATINGS
    ]
    text = f"List {ascii_uppercase[number - 1]}: how coherent is it?"
    return _question(number, "rating", text, _list(words), choices)


def _preference(words: Sequence[Sequence[str]], chosen: int | None) -> Html:
    number = len(words) + 1
    choices = [
        _choice(
            number,
            place,
            joined([fill("<b>List {letter}</b>", letter=ascii_uppercase[place - 1]), _list(shown)]),
            chosen,
        )
        for place, shown in enumerate(words, start=1)
    ]
    choices.append(_choice(number, NO_PREFERENCE, Html("<b>No preference</b>"), chosen))
    text = "Is one of these lists noticeably more coherent than the rest?"
    return _question(number, "preference", text, Html(), choices)


def _question(number: int, kind: str, text: str, words: Html, choices: Sequence[Html]) -> Html:
    return fill(
        _QUESTION, number=number, kind=kind, text=text, words=words, choices=joined(choices)
    )


def _choice(number: int, value: int, text: Html, chosen: int | None) -> Html:
    checked = Html(" checked" * (value == chosen))
    return fill(_CHOICE, number=number, value=value, checked=checked, text=text)


def _list(words: Sequence[str]) -> Html:
    listed = joined(fill(_WORD, word=word) for word in words)
    return fill('<span class="words">{words}</span>', words=listed)
