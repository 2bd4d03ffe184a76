"""The box to paste a text into, beside what Python makes of the same text."""

import json
import re
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest
import Stemmer
from contrast import pale

from frex import Corpus, TopicTree, datasets
from frex.explorer import make_page, write_page
from frex.predict import Predictor, calibrate_by_folds, count_in_words, predict
from frex.predict.documents import Documents
from frex.predict.reasons import give_reasons
from frex.sampler.fit import fit as fit_corpus
from frex.sampler.settings import Settings
from frex.text import Analyzer
from frex.text.languages import LANGUAGES
from frex.text.record import analyzer_record
from frex.text.stopwords import smart

pytest.importorskip("playwright.sync_api")
ASSETS = files("frex.explorer") / "assets"
ENDS = (
    "s", "es", "ies", "sses", "ed", "eed", "ing", "ingly", "y", "ly", "al", "ational", "tional",
    "enci", "izer", "ization", "biliti", "fulness", "ousli", "icate", "ative", "ness", "ement",
    "ment", "ent", "ion", "sion", "e", "ee", "ll", "le",
)  # fmt: skip
STEMS = ("", "s", "y", "yy", "ay", "syz", "hop", "hopp", "fil", "agre", "control", "tree", "rat",
         "o'neil", "él", "3d", "plast", "bl", "troubl", "siz", "box", "snow")  # fmt: skip
TEXTS = (
    "The Dog's dogs' 'quoted' dog\u2019s well-known wells; O'Neil, x y zz 3rd A1 snake_case",
    "Éclair e\u0301clair ÉCLAIR naïve İstanbul straße STRASSE \u0939\u093f\u0928\u094d\u0926\u0940",
    "l'homme dell\u2019arte aujourd'hui col·legi ''' ' '' \x1c tab\tnew\nline\u00a0space",
    "the New York City, New York Times; the new York Times of the new x York gold mines new york",
    "Die Häuser, des Hauses; größere Straßen, Türen; Étoile des chevaux aimables continuellement",
    "las casas blancas rápidamente; книгами и книги; evlerimizden kitaplar\u0131 İSTANBUL'DA",
    "🦊fox fox🦊 e=mc2 100% <script>alert(1)</script> \uff21\uff22\uff23 ⅷ x²",
    "",
)


@pytest.fixture(scope="module")
def tab(browser):
    page = browser.new_page()
    yield page
    page.close()


def script(name):
    return (ASSETS / f"{name}.js").read_text(encoding="utf-8")


def stems_in_the_page(tab, algorithm, words):
    scripts = f"{script('stemmers/base')} {script(f'stemmers/{algorithm}')}"
    call = f'words => {{ "use strict"; {scripts} const s = new Snowball(); '
    return tab.evaluate(f"{call} return words.map(word => s.stemWord(word) || word); }}", words)


def test_stems_are_those_of_snowballs_porter(tab):
    stem = Stemmer.Stemmer("porter", 0).stemWord
    words = [start + end for start in STEMS for end in ENDS] + sorted(smart())
    words += [word for word in datasets.load_debtags().surface if word.isalpha()]
    assert stems_in_the_page(tab, "porter", words) == [stem(word) or word for word in words]


STEMMERS = sorted({file.name for file in (ASSETS / "stemmers").iterdir()} - {"base.js", "LICENSE"})
CHANGED = {"danish", "finnish", "lithuanian"}  # in Snowball 3.1: one word in twenty, or fewer


@pytest.mark.parametrize("algorithm", [name.removesuffix(".js") for name in STEMMERS])
def test_stemmers_are_those_of_pystemmer(tab, algorithm):
    text = script(f"stemmers/{algorithm}")
    ends = [json.loads(f'"{end}"') for end in re.findall(r'\["([^"\\]+)",-?\d+,-?\d+', text)]
    rng = np.random.default_rng(0)
    letters = sorted(set("".join(ends)))
    words = [
        "".join(rng.choice(letters, rng.integers(1, 6))) + "".join(rng.choice(ends, pick))
        for pick in rng.integers(1, 3, 3000)
    ]
    stem = Stemmer.Stemmer(algorithm, 0).stemWord
    pairs = zip(stems_in_the_page(tab, algorithm, words), words, strict=True)
    same = np.mean([found == (stem(word) or word) for found, word in pairs])
    assert same > (0.94 if algorithm in CHANGED else 0.999)


PHRASES = ["new york", "york time", "new york citi", "the new", "gold mine"]
READERS = {
    "english": Analyzer(),
    "plain": Analyzer(stem=False),
    "smart": Analyzer(stop_words="smart"),
    "own": Analyzer(stop_words=("dog\u2019s", "Éclair")),
    "none": Analyzer(language="none"),
    "french": Analyzer(language="french", stem=False),
    "catalan": Analyzer(language="catalan", stem=False),
    "turkish": Analyzer(language="turkish", stem=False),
    "french stems": Analyzer(language="french"),
    "german stems": Analyzer(language="german"),
    "russian stems": Analyzer(language="russian"),
    "turkish stems": Analyzer(language="turkish"),
    "spanish phrases": Analyzer(language="spanish", phrases=True),
    "phrases": Analyzer(phrases=True),
    "whitespace": Analyzer(tokens="whitespace", stem=False),
}


@pytest.mark.parametrize("name", READERS)
def test_a_text_is_read_as_python_reads_it(tab, name):
    from frex.explorer.labelling import _stops, stemmer_scripts  # noqa: PLC0415 - what it is told

    analyzer = READERS[name]
    # Snowball 3.1 takes the apostrophe off German words, 3.0 does not
    texts = [text for text in TEXTS if name != "german stems" or not re.search("['\u2019]", text)]
    words = sorted({word for text in texts for word in analyzer.analyze(text)})
    words += PHRASES if analyzer.phrases else []
    counts = count_in_words(texts, words, analyzer).toarray()
    how = {
        "tokens": analyzer.tokens,
        "stem": analyzer.stem,
        "language": analyzer.language,
        "stops": _stops(analyzer),
        "tagged": False,
        "phrases": analyzer.phrases,
    }
    stemmers = "".join(map(script, stemmer_scripts(how)))
    found = tab.evaluate(
        "([how, all, texts]) => { const index = { reading: how, words: all }; const shown = all;"
        "const words = new Map(all.map((word, number) => [word, number]));"
        f"{stemmers} {script('reading')}"
        "return texts.map(text => [...reading.read(text)]); }",
        [how, words, texts],
    )
    for row, pairs in zip(counts, found, strict=True):
        assert dict(map(tuple, pairs)) == {int(w): int(row[w]) for w in np.flatnonzero(row)}


TREE = TopicTree(
    ["sport", "golf", "chess", "law", "civil", "penal", "art"],
    [None, "sport", "sport", None, "law", "law", None],
)


FILED = [name for name in TREE.topics if name != "law"]  # which has no documents of its own


def documents(n, seed):
    """Return texts that are about one topic or two, and their labels."""
    rng = np.random.default_rng(seed)
    own = {name: [f"{name}{letter}{letter}ing" for letter in "abcdefgh"] for name in TREE.topics}
    every = [word for words in own.values() for word in words]
    common = [f"common{letter}" for letter in "abcdefghijklmnop"]
    texts, labels = [], []
    for _ in range(n):
        chosen = rng.choice(FILED, size=rng.choice([1, 1, 2]), replace=False).tolist()
        words = [str(rng.choice(own[name])) for name in chosen for _ in range(rng.integers(2, 9))]
        words += rng.choice(common + every, rng.integers(5, 30)).tolist()
        texts.append(" ".join(words))
        labels.append([name for name in chosen if f"{name}" not in ("sport", "law")] or chosen[:1])
    return texts, labels


@pytest.fixture(scope="module")
def fitted():
    """Return a fit, its calibration, and texts that it did not see."""
    texts, labels = documents(240, 0)
    corpus = Corpus.from_texts(texts, labels, TREE, analyzer=Analyzer())
    posterior = fit_corpus(corpus, Settings(method="map", draws=8))
    return posterior, calibrate_by_folds(corpus), documents(150, 1)[0]


@pytest.fixture(scope="module")
def made(fitted):
    """Return what Python says of these texts."""
    posterior, calibration, texts = fitted
    counts = count_in_words(texts, posterior.words, Analyzer())
    batch = Documents([str(number) for number in range(len(texts))], counts, None)
    return predict(Predictor(posterior), calibration, batch)


@pytest.fixture(scope="module")
def opened(browser, fitted, tmp_path_factory):
    """Return a page whose inside can be asked: the box's own functions, without the policy."""
    posterior, calibration, _ = fitted
    page = make_page(posterior, calibration=calibration)
    page = re.sub(r"<meta http-equiv=[^>]*>", "", page)
    path = tmp_path_factory.mktemp("open") / "page.html"
    ask = (
        "window.ask = async text => { const made = await labelsOf(text);"
        "const name = k => index.names[labeller.nodes[k]];"
        "return { labels: made.labels.map(name), odds: [...made.odds], tokens: made.tokens,"
        " reasons: made.reasons.map(({ words, missing, tree }) =>"
        " ({ words: words.map(({ word, gain }) => [word, gain]), missing, tree })) }; };\n"
    )
    start = page.index("<script>")
    end = page.rindex("})();", start, page.index("</script>", start))
    path.write_text(page[:end] + ask + page[end:], encoding="utf-8")
    tab = browser.new_page()
    tab.goto(f"{path.as_uri()}#view=label")
    tab.wait_for_selector("#text")
    yield tab
    tab.close()


def test_the_page_has_the_labels_of_predict(opened, fitted, made):
    found = opened.evaluate(
        "async texts => { const all = []; for (const text of texts) all.push(await ask(text));"
        " return all; }",
        fitted[2],
    )
    expected = [set(np.array(TREE.topics)[row].tolist()) for row in made.labels.toarray()]
    same = [set(one["labels"]) == labels for one, labels in zip(found, expected, strict=True)]
    assert np.mean(same) >= 0.99
    shown = 1 / (1 + np.exp(-np.array([one["odds"] for one in found])))
    off = np.abs(shown - made.probabilities)
    assert off.max() < 0.02
    assert off.mean() < 0.001
    assert {len(labels) for labels in expected} >= {1, 2}


def test_words_argue_as_python_has_them_argue(opened, fitted):
    posterior, calibration, texts = fitted
    predictor = Predictor(posterior)
    for text in texts[:40]:
        found = opened.evaluate("text => ask(text)", text)
        counts = count_in_words([text], posterior.words, Analyzer())
        columns = np.array([TREE.node(name) - 1 for name in found["labels"]])
        reasons = give_reasons(predictor, calibration.joined, counts, columns)
        for theirs, ours in zip(found["reasons"], reasons, strict=False):
            gains = dict(zip(ours.words.tolist(), ours.gains.tolist(), strict=True))
            assert dict(map(tuple, theirs["words"])) == pytest.approx(gains, abs=0.03)
            assert theirs["missing"] == pytest.approx(ours.missing, abs=0.03)
            assert theirs["tree"] == pytest.approx(ours.tree, abs=0.03)


def test_the_box_shows_labels_and_words(visit, fitted, made, tmp_path):
    posterior, calibration, texts = fitted
    path = tmp_path / "page.html"
    write_page(posterior, path, calibration=calibration)
    with visit(path) as page:
        page.locator("#views").get_by_text("Label a text").click()
        page.locator("#text").fill(texts[0])
        page.wait_for_selector(".suggested .chosen")
        row = made.labels.toarray()[0]
        shown = page.locator(".suggested .chosen th a").all_inner_texts()
        assert set(shown) == set(np.array(TREE.topics)[row].tolist())
        text = page.locator(".suggested .chosen").first.inner_text()
        assert shown[0] in text
        assert "%" in text
        assert page.locator(".suggested .chosen .telling a").count() > 2
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            assert pale(page) == []
        page.locator(".suggested .chosen th a").first.click()
        page.wait_for_selector(".topic")
        page.go_back()
        page.wait_for_selector(".suggested .chosen")
        assert page.locator("#text").input_value() == texts[0]
        page.locator("#text").fill("xyzzy <img src=x onerror=alert(1)>")
        page.wait_for_selector(".found .warning")
        assert page.locator(".suggested").count() == 0


def test_without_a_calibration_there_is_no_box(visit, fitted, tmp_path):
    write_page(fitted[0], tmp_path / "page.html")
    with visit(tmp_path / "page.html", "#view=label") as page:
        assert page.locator("#views").get_by_text("Label a text").count() == 0
        assert page.locator(".home").count() == 1


def test_a_language_whose_stemmer_is_not_here_is_named(visit, fitted, tmp_path):
    posterior, calibration, _ = fitted
    known = {name.removesuffix(".js") for name in STEMMERS} | {"english", "none"}
    language = next((name for name in LANGUAGES if name not in known), None)
    if language is None:
        pytest.skip("this PyStemmer has no language that the page has not")
    record = json.loads(json.dumps(analyzer_record(Analyzer(language=language))))
    foreign = replace(posterior, analyzer=record)
    write_page(foreign, tmp_path / "page.html", calibration=calibration)
    with visit(tmp_path / "page.html", "#view=label") as page:
        assert f"stemmer of {language}" in page.locator(".paste .warning").inner_text()
        page.locator("#text").fill(" ".join(posterior.surface[:6]))
        page.wait_for_selector(".suggested .chosen")
        assert "from 6 words" in page.locator(".found").inner_text()
