from evaluators import HOSTILE

from frex.web.markup import Html, fill, joined


def test_all_but_markup_is_escaped():
    word = fill("<b>{word}</b>", word="<i>&\"'")
    assert word == "<b>&lt;i&gt;&amp;&quot;&#x27;</b>"
    assert fill("<p>{inner}</p>", inner=joined([word, Html("<br>")])) == f"<p>{word}\n<br></p>"


def test_braces_in_a_value_are_text():
    for word in HOSTILE:
        inner = fill("{word}", word=word)
        assert fill("{a}{b}", a=inner, b="{a}") == f"{inner}{{a}}"
