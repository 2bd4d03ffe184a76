import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frex import Corpus
from frex.errors import InputError
from frex.text import Analyzer
from frex.text.languages import LANGUAGES
from frex.text.stopwords import smart

PLAIN = Analyzer(stem=False)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The CAT sat.", ["the", "cat", "sat"]),
        ("state-of-the-art snake_case", ["state", "of", "the", "art", "snake", "case"]),
        ("the dog's bone, the dogs' bones", ["the", "dog", "bone", "the", "dogs", "bones"]),
        ("don't 'quoted' rock'n'roll", ["don't", "quoted", "rock'n'roll"]),
        ("don\u2019t the dog\u2019s", ["don't", "the", "dog"]),
        ("f''(x) x''y ''", ["x''y"]),
        ("1984 3.14 2nd 1990s B52 x2", ["b52", "x2"]),
        ("a I x é", []),
        ("Łódź naïve ΣΟΦΟΣ", ["łódź", "naïve", "σοφος"]),
        ("cafe\u0301 caf\u00e9", ["caf\u00e9", "caf\u00e9"]),
        ("\u0130stanbul", ["i\u0307stanbul"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("\u0301abc x_y_\u00e9\u00e8", ["\u00e9\u00e8"]),
        ("nul\0byte", ["nul", "byte"]),
        ("", []),
    ],
)
def test_words(text, words):
    assert PLAIN.analyze(text) == words


def test_words_are_stemmed_by_porter():
    text = "generalizations of oscillators' relational hopping"
    assert Analyzer().analyze(text) == ["gener", "of", "oscil", "relat", "hop"]


def test_the_smart_list_leaves_nothing_of_itself():
    assert len(smart()) == 570  # 571 lines; one word is there twice
    assert Analyzer(stop_words="smart").analyze(" ".join(sorted(smart()))) == []
    assert Analyzer(stop_words="smart").analyze("Don\u2019t touch IT, that's Bill's") == [
        "touch",
        "bill",
    ]


def test_own_stop_words_are_compared_before_stemming():
    analyzer = Analyzer(stop_words=("Running", "don\u2019t"))
    assert analyzer.analyze("running runs don't") == ["run"]


def test_whitespace_takes_tokens_as_they_are():
    analyzer = Analyzer(tokens="whitespace", stem=False, stop_words=("oil",))
    assert analyzer.analyze("crude oil 1,000 U.S. s") == ["crude", "1,000", "U.S.", "s"]


def test_stems_are_never_empty():
    assert Analyzer(tokens="whitespace").analyze("s") == ["s"]


@pytest.mark.parametrize(
    ("language", "text", "stems"),
    [
        ("german", "Häuser und das HAUS, Straße; Merkel's geht\u2019s", ["haus", "und", "das",
         "haus", "strass", "merkel", "geht"]),
        ("french", "L'homme d\u2019État qu'il élève", ["homm", "état", "qu", "il", "élev"]),
        ("italian", "dell'arte all\u2019opera", ["dell", "arte", "all", "oper"]),
        ("spanish", "Los años, el AÑO", ["los", "años", "el", "año"]),
        ("catalan", "l'escola", ["esc"]),
        ("turkish", "I\u015eIK \u0130L", ["\u0131\u015f\u0131k", "il"]),
        ("greek", "ΣΟΦΟΣ σοφός", ["σοφ", "σοφ"]),
        ("none", "Running O'Neill's ÉTATS", ["running", "o'neill's", "états"]),
    ],
)  # fmt: skip
def test_languages(language, text, stems):
    assert Analyzer(language=language).analyze(text) == stems


def test_every_stemmer_of_snowball_is_a_language():
    assert {"german", "french", "spanish", "finnish", "none"} < set(LANGUAGES)
    for language in LANGUAGES:
        assert Analyzer(language=language).analyze("Radio 2019") != []


def test_words_of_other_languages_are_shown_as_they_are_written():
    texts = ["Der Bundesrat und der Bund", "Der Bundesrat, der Bund", "und DER"]
    corpus = Corpus.from_texts(texts, analyzer=Analyzer(language="german"))
    assert dict(zip(corpus.words, corpus.surface, strict=True)) == {
        "bund": "Bund", "bundesrat": "Bundesrat", "der": "der", "und": "und",
    }  # fmt: skip
    assert Corpus.from_texts(texts).surface == ("bund", "bundesrat", "der", "und")
    unstemmed = Analyzer(language="none", stop_words=("DER", "Und"))
    assert Corpus.from_texts(texts, analyzer=unstemmed).words == ("bund", "bundesrat")


@pytest.mark.parametrize("language", ["english", "french", "german", "none"])
@given(text=st.text())
def test_ascii_and_other_text_follow_the_same_rules(language, text):
    plain = Analyzer(stem=False, language=language)
    ascii_text = text.encode("ascii", "ignore").decode()
    assert [*plain.analyze(ascii_text), "éé"] == plain.analyze(f"{ascii_text} éé")


@given(st.text())
def test_case_and_repetition_do_not_matter(text):
    # lower-casing is done once; analysing the words again finds the same words
    words = PLAIN.analyze(text)
    assert Counter(PLAIN.analyze(" ".join(words))) == Counter(words)
    assert all(len(word) > 1 and word[0].isalpha() for word in words)


def test_an_analyzer_can_be_sent_to_another_process():
    analyzer = Analyzer(stop_words="smart")
    assert analyzer.analyze("the cats") == ["cat"]
    assert pickle.loads(pickle.dumps(analyzer)) == analyzer


@pytest.mark.parametrize(
    "options",
    [{"tokens": "lines"}, {"stop_words": "english"},
     {"tokens": "whitespace", "drop_proper_nouns": True}, {"language": "Deutsch"},
     {"language": "german", "stop_words": "smart"},
     {"language": "german", "drop_proper_nouns": True}],
)  # fmt: skip
def test_impossible_options(options):
    with pytest.raises(InputError):
        Analyzer(**options)
