"""The page in a real browser, as an editor uses it."""

import csv
from dataclasses import replace
from urllib.parse import quote

import numpy as np
import pytest
from fits import autoregressive
from pages import HOSTILE, SCRIPT, TREE, WORDS, make_fit
from scipy.sparse import csr_array

from frex.corpus import Corpus
from frex.corpus.documents import Details
from frex.corpus.membership import FEW
from frex.explorer import write_page
from frex.explorer.documents import count_documents
from frex.explorer.relations import correlations, strongest
from frex.posterior import Moment
from frex.posterior.words import score
from frex.scores import frex_from
from frex.storage.lines import guarded, unguarded
from frex.tree import TopicTree

expect = pytest.importorskip("playwright.sync_api").expect
LISTED = 20
PAPER, WHITE = "getComputedStyle(document.body).backgroundColor", "rgb(255, 255, 255)"


@pytest.fixture(scope="module")
def fit():
    return make_fit()


@pytest.fixture(scope="module")
def path(fit, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "page.html"
    write_page(fit, path, title=f"A fit & {SCRIPT}")
    return path


def heading(page):
    return page.locator("main h1").inner_text()


def listed(page):
    """Return the numbers of the words that a topic lists, in order."""
    rows = page.locator("table.words tbody tr")
    return [int(word) for word in rows.evaluate_all("rows => rows.map(row => row.dataset.word)")]


def set_weight(page, weight):
    page.locator("#weight").fill(str(weight))


def best(fit, topic, weight, compare, n=LISTED):
    scores = score(fit, weight=weight, compare=compare)[TREE.node(topic) - 1]
    return np.argsort(-scores, kind="stable")[:n].tolist()


def test_it_opens_and_says_what_the_fit_is(visit, path):
    with visit(path) as page:
        assert "60 documents · 300 words · 8 topics" in page.locator("#fit > summary").inner_text()
        assert "How it was computed: MAP fit" in page.locator("#fit").text_content()
        titles = page.locator("#tree .label").all_inner_texts()
        assert titles == list(TREE.titles[1:])
        assert page.locator(".home .card").count() == 3
        page.locator("#ask").click()
        assert page.locator("#help").is_visible()
        page.get_by_role("button", name="Close").click()
        assert not page.locator("#help").is_visible()


SAMPLED = {"method": "sample", "warmup": 300, "draws": 700, "chains": 2, "seed": 0}


def sampled(correlation):
    return {"settings": SAMPLED, "draws": {"root_mean": autoregressive(correlation, 2, 700)}}


TRUST = {
    "approximate": ({}, "a quick approximation"),
    "provisional": (sampled(0.99), "are provisional"),
    "settled": (sampled(0.0), "can be relied on"),
}


@pytest.mark.parametrize("level", TRUST)
def test_it_says_plainly_how_far_it_can_be_trusted(visit, fit, tmp_path, level):
    changes, part = TRUST[level]
    path = tmp_path / "page.html"
    write_page(replace(fit, **changes), path)
    with visit(path) as page:
        assert part in page.locator(".home .trust").inner_text()
        badges = page.locator("#fit .badge").all_inner_texts()
        assert badges == ([] if level == "settled" else [level])
        page.locator("#fit > summary").click()
        assert part in page.locator("#fit .trust").inner_text()
        assert "root_mean" not in page.locator("body").inner_text()
        page.locator("#fit details summary").click()
        figures = page.locator("#fit details").inner_text()
        assert ("Worst R-hat" in figures and "root_mean" in figures) == bool(changes)


def test_search_finds_topics_and_words(visit, path):
    with visit(path) as page:
        page.locator("#search").fill("GOL")
        assert page.locator("#found [role=option]").all_inner_texts()[0].split() == [
            "topic", "Golf", "Sport",
        ]  # fmt: skip
        page.keyboard.press("Enter")
        page.wait_for_selector("h1:text-is('Golf')")
        page.locator("#search").fill("word17")
        page.locator("#found [role=option]").first.click()
        page.wait_for_selector("h1:text-is('word17s')")
        assert "counted as word17" in page.locator("main").inner_text()
        page.locator("#search").fill("nowhere")
        assert "Nothing" in page.locator("#found").inner_text()


def test_a_topic_says_where_else_the_taxonomy_has_it(visit, tmp_path):
    names, parents = [*TREE.topics, "golf", "golf"], [TREE.names[p] for p in TREE.parents[1:]]
    graph = TopicTree(names, [*parents, "music", "law"], [*TREE.titles[1:], "", ""])
    write_page(make_fit(graph), tmp_path / "page.html")
    with visit(tmp_path / "page.html", "#topic=golf") as page:
        assert page.locator(".also").inner_text() == "Also under: Music, Law"
        page.locator(".also a").last.click()
        page.wait_for_selector("h1:text-is('Law')")
        assert page.locator(".also").count() == 0


@pytest.mark.parametrize("compare", ["siblings", "all"])
def test_the_ranking_is_pythons_at_any_weight(visit, path, fit, compare):
    with visit(path, f"#topic=golf&set={compare}") as page:
        page.get_by_role("button", name="Show 40 words").click()
        for weight in (0, 0.05, 0.35, 0.5, 0.7, 0.95, 1):
            set_weight(page, weight)
            assert listed(page) == best(fit, "golf", weight, compare, n=40), weight
        scores = score(fit, weight=1, compare=compare)[TREE.node("golf") - 1]
        rows = page.locator("table.words tbody tr").evaluate_all(
            "rows => rows.filter(row => !row.querySelector('.interval'))"
            ".map(row => [row.dataset.word, row.cells[2].textContent])"
        )
        assert len(rows) > (0 if compare == "siblings" else 39)  # without draws, scores of means
        assert all(text == f"{scores[int(word)]:.3f}" for word, text in rows)


def test_choosing_the_comparison_ranks_anew(visit, path, fit):
    with visit(path, "#topic=golf&w=0.8") as page:
        assert listed(page) == best(fit, "golf", 0.8, "siblings")
        page.locator("#set").select_option("all topics")
        assert listed(page) == best(fit, "golf", 0.8, "all")
        assert listed(page) != best(fit, "golf", 0.8, "siblings")
        assert "did not average" in page.locator(".controls").inner_text()
        assert page.url.endswith("#topic=golf&w=0.8&set=all")


def test_intervals_follow_the_weight(visit, path, fit):
    topic = TREE.node("tennis") - 1
    with visit(path, "#topic=tennis") as page:
        for weight in (0.2, 0.9):
            set_weight(page, weight)
            shown = page.locator("table.words tbody tr").evaluate_all(
                "rows => rows.map(r => [r.dataset.word, r.querySelector('.unseen')?.textContent])"
            )
            compared = 0
            for word, text in shown:
                place = np.flatnonzero(fit.scored["siblings"].words[topic] == int(word))
                assert (text is not None) == (len(place) == 1)
                if text is None:
                    continue
                _, _, frequency, exclusivity = (
                    fit.scored["siblings"].values[:, :, topic, place[0]].T
                )
                draws = 1 / (weight / exclusivity + (1 - weight) / frequency)
                ends = [float(end) for end in text.split(" to ")]
                expected = np.quantile(draws, [0.05, 0.95], method="weibull")
                assert ends == pytest.approx(expected, abs=0.004)
                compared += 1
            assert compared > 5


def test_no_value_is_outside_its_own_interval(visit, path):
    ends = "[...text.matchAll(/[\\d.,]+/g)].map(found => +found[0].replaceAll(',', ''))"
    with visit(path, "#topic=golf") as page:
        for weight in (0.1, 0.5, 1):
            set_weight(page, weight)
            rows = page.locator("table.words tbody tr").evaluate_all(
                "rows => rows.filter(row => row.querySelector('.unseen')).map(row => {"
                f"const text = row.querySelector('.unseen').textContent; const ends = {ends};"
                "const [value, low, high] = ['.value', '.interval', '.interval'].map((kind, i) =>"
                " +row.querySelector(kind).getAttribute(i < 2 ? 'x1' : 'x2'));"
                "return [[+row.cells[2].textContent, ...ends], [value, low, high]]; })"
            )
            assert len(rows) > 5
            assert all(low <= value <= high for row in rows for value, low, high in row)
        for row in page.locator("table.words tbody tr").all()[:8]:
            row.hover()
            known = page.locator("#tip tr").evaluate_all(
                "rows => rows.map(row => [...row.cells].slice(1).map(cell => cell.textContent))"
                f".filter(([, text]) => text).map(([value, text]) => [+value.replaceAll(',', ''),"
                f" ...{ends}])"
            )
            assert all(low <= value <= high for value, low, high in known)


def test_pointing_at_a_word_tells_its_scores(visit, path, fit):
    with visit(path, "#topic=golf") as page:
        page.wait_for_selector(".plot circle.listed")
        spots = page.locator(".plot circle.listed").evaluate_all(
            "dots => dots.map(dot => { const r = dot.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })"
        )
        assert len(spots) == LISTED
        word = best(fit, "golf", 0.5, "siblings")[0]
        page.mouse.move(*spots[-1])  # the best is drawn last, on top
        page.wait_for_selector("#tip:not([hidden])")
        tip = page.locator("#tip").inner_text()
        assert fit.surface[word] in tip
        scored, topic = fit.scored["siblings"], TREE.node("golf") - 1
        draws = scored.values[:, 0, topic, scored.words[topic].tolist().index(word)]
        rate = 1000 / fit.mean_length * np.exp(np.median(draws))  # of the draws, as its interval
        shown = float(page.locator("#tip tr:nth-child(2) td").first.inner_text().replace(",", ""))
        assert shown == pytest.approx(rate, rel=0.006)
        page.mouse.move(5, 5)
        assert not page.locator("#tip").is_visible()
        page.locator("table.words tbody tr").nth(2).hover()
        assert fit.surface[listed(page)[2]] in page.locator("#tip").inner_text()
        page.wait_for_selector(".plot circle.marked")
        page.mouse.click(*spots[-1])
        page.wait_for_selector(".word h1")
        assert heading(page) == fit.surface[word]


def test_the_plot_zooms_and_its_labels_keep_apart(visit, path):
    with visit(path, "#topic=golf") as page:
        page.wait_for_selector(".plot circle")
        every = page.locator(".plot circle").count()
        boxes = page.locator(".plot .labels text").evaluate_all(
            "texts => texts.map(t => t.getBBox())"
            ".map(b => [b.x, b.y, b.x + b.width, b.y + b.height])"
        )
        assert len(boxes) > 10
        for i, (left, top, right, bottom) in enumerate(boxes):
            for left2, top2, right2, bottom2 in boxes[:i]:
                apart = right <= left2 or left >= right2 or bottom <= top2 + 3 or top >= bottom2 - 3
                assert apart

        dots = page.locator(".plot circle")
        show_all = page.locator(".plot-tools").get_by_role("button", name="Show all")
        page.locator(".plot").hover(position={"x": 400, "y": 200})
        page.mouse.wheel(0, -400)
        expect(dots).not_to_have_count(every)
        show_all.click()
        expect(dots).to_have_count(every)
        page.locator(".plot").focus()
        page.keyboard.press("+")
        expect(dots).not_to_have_count(every)
        page.keyboard.press("0")
        expect(dots).to_have_count(every)
        page.locator("#ranks").check()
        page.wait_for_selector(".plot .guide polyline")


def test_keys_alone_lead_to_a_topic_and_back(visit, path):
    focused = "document.activeElement.querySelector('.label')?.textContent"
    with visit(path) as page:
        page.keyboard.press("/")
        page.keyboard.type("ten")
        page.keyboard.press("Enter")
        page.wait_for_selector("h1:text-is('Tennis')")
        assert page.evaluate("document.activeElement.textContent") == "Tennis"
        page.keyboard.press("Escape")
        assert page.evaluate(focused) == "Tennis"
        for key in ("ArrowLeft", "ArrowDown", "Enter"):
            page.keyboard.press(key)
        page.wait_for_selector("h1:text-is('Golf')")
        assert page.locator("[aria-selected=true] > .row > .label").inner_text() == "Golf"
        for key in ("End", "ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowRight"):
            page.keyboard.press(key)
        assert page.evaluate(focused) == "Opera"
        page.go_back()
        page.wait_for_selector("h1:text-is('Tennis')")
        page.go_back()
        page.wait_for_selector(".home")
        page.keyboard.press("?")
        assert page.locator("#help").is_visible()


def test_tab_reaches_every_part(visit, path):
    with visit(path, "#topic=golf") as page:
        reached = set()
        for _ in range(60):
            page.keyboard.press("Tab")
            reached.add(
                page.evaluate(
                    "document.activeElement.id || document.activeElement.getAttribute('class')"
                )
            )
        assert {"skip", "search", "weight", "set", "plot", "longer", "theme", "ask"} <= reached


def test_a_link_says_what_is_shown(visit, path, fit):
    with visit(path, f"#topic={quote(SCRIPT)}&w=0.25&set=all") as page:
        assert heading(page) == SCRIPT
        assert page.locator("#weight").input_value() == "0.25"
        assert listed(page) == best(fit, SCRIPT, 0.25, "all")
        set_weight(page, 0.75)
        page.locator("nav.path a").last.click()
        page.wait_for_selector("h1:text-is('Sport')")
        assert page.locator("#weight").input_value() == "0.75"
    with visit(path, "#topic=nowhere&w=x") as page:
        assert "There is no topic “nowhere”" in page.locator("main").inner_text()


def test_a_word_across_the_tree(visit, path, fit):
    word = WORDS.index("word7")
    with visit(path, "#word=word7") as page:
        assert heading(page) == "word7s"
        page.get_by_label("most used first").check()
        expect(page.locator(".spread tbody tr").first).to_have_attribute(
            "data-node", str(int(fit.frequency[word].argmax()) + 1)
        )
        rows = page.locator(".spread tbody tr").evaluate_all(
            "rows => rows.map(row =>"
            " [row.dataset.node, ...[...row.cells].slice(1).map(cell => cell.textContent)])"
        )
        assert len(rows) == TREE.n_topics
        rates = fit.frequency[word] * 1000 / fit.mean_length
        assert [int(row[0]) - 1 for row in rows] == np.argsort(-rates).tolist()
        frex = score(fit)[:, word]
        for node, rate, share, value in rows:
            topic = int(node) - 1
            assert float(rate.replace(",", "")) == pytest.approx(rates[topic], rel=0.006)
            moment = fit.exclusivity["siblings"]
            assert float(share) == pytest.approx(moment.mean[word, topic], abs=0.0006)
            assert value == f" {frex[topic]:.3f}".strip()
        page.get_by_label("on the tree").check()
        expect(page.locator(".spread tbody tr").first).to_have_attribute("data-node", "1")


def test_siblings_documents_and_neighbours(visit, path, fit):
    with visit(path, "#topic=golf&w=0.3") as page:
        cards = page.locator(".family .card")
        assert cards.locator("h3").all_inner_texts() == ["Golf", "Tennis", SCRIPT]
        assert page.locator(".card[aria-current] h3").all_inner_texts() == ["Golf"]
        tennis = cards.nth(1).locator("ol")
        shown = [[int(w) for w in column.locator("a").evaluate_all(
            "links => links.map(a => a.dataset.word)")] for column in tennis.all()]  # fmt: skip
        assert shown == [best(fit, "tennis", w, "siblings", n=8) for w in (0.3, 0)]

        typical = fit.typical
        first = typical.documents[typical.starts[TREE.node("golf") - 1]]
        row = page.locator(".documents tbody tr").first
        assert row.locator("th").inner_text() == fit.ids[first]
        assert row.locator("a").all_inner_texts() == [fit.surface[w] for w in (0, 3, 10)]

        labels = fit.labels.toarray()
        shared = labels[labels[:, TREE.node("golf") - 1]].sum(axis=0)
        shared[TREE.node("golf") - 1] = 0
        text = page.locator(".neighbours tbody tr").first.inner_text()
        assert TREE.titles[int(shared.argmax()) + 1] in text
        assert f"{shared.max()} (" in text


def test_hostile_words_are_text(visit, path):
    with visit(path) as page:
        for word in HOSTILE:
            page.goto(f"{path.as_uri()}#word={quote(word)}")
            expect(page.locator("main .word h1")).to_have_text(word)
            assert page.locator("main h1").text_content() == word


def test_hostile_names_are_text(visit, path):
    with visit(path) as page:
        assert page.title() == f"A fit & {SCRIPT}"
        assert SCRIPT in page.locator("#tree .label").all_inner_texts()
        assert page.locator("script:not([type])").count() == 1


ODD = (
    'say "quotes"',
    "a/b\\c",
    "<b>bold</b>",
    "🦊 fox",
    "שלום עולם",
    "x" * 200,
    "long " * 40,
    "100%",
)


@pytest.mark.parametrize("width", [1400, 800, 700, 500])
def test_the_two_lists_of_a_card_stand_level(visit, path, width):
    with visit(path, viewport={"width": width, "height": 800}) as page:
        for pair in page.locator(".card .pair").all():
            first, beside = (pair.locator("ol").nth(i).bounding_box() for i in (0, 1))
            assert first["y"] == beside["y"]
            assert first["x"] + first["width"] <= beside["x"]


@pytest.mark.parametrize("width", [1400, 390])
def test_odd_and_endless_names_leave_the_figures_in_sight(visit, tmp_path, width):
    tree = TopicTree([name.strip() for name in ODD], [None] * len(ODD))
    path = tmp_path / "page.html"
    write_page(make_fit(tree), path)
    for place in ("", "#view=topics", "#view=map", "#word=word9", f"#topic={'x' * 200}"):
        with visit(path, place, viewport={"width": width, "height": 900}) as page:
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            for row in page.locator("table.overview tbody tr").all():
                for cell in (row.locator("a").first, row.locator("td.number").last):
                    box = cell.bounding_box()
                    assert box["x"] >= 0
                    assert box["x"] + box["width"] <= width
            for card in page.locator(".card h3").all():
                assert card.bounding_box()["height"] < 80
    with visit(path, "#view=topics") as page:
        assert set(page.locator("table.overview tbody a").all_inner_texts()) == set(tree.topics)


def test_a_tree_with_one_topic_at_the_top_shows_those_below(visit, tmp_path):
    tree = TopicTree(["all", "golf", "law", "civil"], [None, "all", "all", "law"])
    path = tmp_path / "page.html"
    write_page(make_fit(tree), path)
    with visit(path) as page:
        assert set(page.locator(".home .card h3").all_inner_texts()) == {"golf", "law", "civil"}
        assert page.locator(".home h2").all_inner_texts()[0] == "The topics below all"
    with visit(path, "#view=map") as page:
        assert page.locator(".legend a").all_inner_texts() == ["law"]


def test_a_link_may_have_a_word_as_it_is_shown(visit, path):
    for word in ("word9", "word9s"):  # as it was counted; as people see it
        with visit(path, f"#word={word}") as page:
            assert page.locator("h1").inner_text() == "word9s"


def test_nothing_from_outside_is_allowed(browser, path):
    page = browser.new_page()
    page.goto(path.as_uri())
    broken = page.evaluate(
        "new Promise(tell => { addEventListener('securitypolicyviolation',"
        " event => tell(event.effectiveDirective)); fetch('https://example.org').catch(() => 0); })"
    )
    assert broken == "connect-src"
    page.close()


def test_dark_mode_follows_the_system_until_chosen(visit, path):
    with visit(path, color_scheme="dark") as page:
        dark = page.evaluate(PAPER)
        page.locator("#theme").click()
        assert page.evaluate(PAPER) != dark
        page.locator("#theme").click()
        assert page.evaluate(PAPER) == dark
    with visit(path) as page:
        assert page.evaluate(PAPER) == WHITE


def test_print_leaves_the_tools_out(visit, path):
    with visit(path, "#topic=golf", color_scheme="dark") as page:
        page.emulate_media(media="print")
        for tool in ("#side", "#theme", ".plot-tools", ".slider"):
            assert not page.locator(tool).is_visible()
        assert page.locator("table.words").is_visible()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == WHITE


@pytest.mark.parametrize("place", ["", "#topic=golf", "#word=word7"])
def test_a_narrow_screen_needs_no_sideways_scrolling(visit, path, place):
    with visit(path, place, viewport={"width": 360, "height": 700}) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert not page.locator("#tree").is_visible()
        page.locator("#menu").click()
        page.locator("#tree .label", has_text="Jazz").click()
        page.wait_for_selector("h1:text-is('Jazz')")
        assert not page.locator("#tree").is_visible()


def test_a_fit_without_draws_or_documents(visit, fit, tmp_path):
    old = replace(fit, scored={}, typical=None, surface=None)
    write_page(old, tmp_path / "old.html")
    with visit(tmp_path / "old.html", "#topic=golf") as page:
        assert "no intervals" in page.locator(".controls").inner_text()
        assert page.locator(".whisker .interval").count() == 0
        assert page.locator(".documents").count() == 0
        word = listed(page)[0]
        assert page.locator("table.words th a").first.text_content() == WORDS[word]


WHOLE = TopicTree(
    ["before", *TREE.topics, "darts", "dutch"],
    [None, *[None if p == 0 else TREE.names[p] for p in TREE.parents[1:]], "sport", "golf"],
    ["Before", *TREE.titles[1:], "Darts", "Dutch"],
)


@pytest.fixture(scope="module")
def leafy(fit):
    """Return a fit in which sport has no documents of its own, and other topics none at all."""
    exposures = fit.exposures.copy()
    exposures[TREE.node("sport") - 1] = 0
    return replace(fit, exposures=exposures, given_taxonomy=WHOLE)


@pytest.fixture(scope="module")
def leafy_path(leafy, tmp_path_factory):
    path = tmp_path_factory.mktemp("leafy") / "page.html"
    write_page(leafy, path)
    return path


def test_an_inner_topic_without_documents_is_shown_by_all_documents_below(visit, leafy_path, leafy):
    with visit(leafy_path) as page:
        cards = page.locator(".home .card")
        assert cards.locator("h3").all_inner_texts() == ["Sport", "Music", "Law"]
        below = count_documents(leafy)["below"][WHOLE.node("sport")]
        told = [f"words of all {below} documents below" in text for text in cards.all_inner_texts()]
        assert told == [True, False, False]
        shown = cards.first.locator("ol").first.locator("a")
        numbers = shown.evaluate_all("links => links.map(a => +a.dataset.word)")
        assert numbers == best(leafy, "sport", 0.5, "siblings", n=8)
        page.goto(f"{leafy_path.as_uri()}#topic=sport")
        expect(page.locator("main h1")).to_have_text("Sport")
        assert page.locator("input[name=of]").first.is_checked()
        assert listed(page) == best(leafy, "sport", 0.5, "siblings")
        assert page.locator(".whisker .interval").count() == 0
        assert "no intervals" in page.locator("main").inner_text()
        page.get_by_label("at the centre of the topics below").check()
        own = score(leafy, of="topic")[TREE.node("sport") - 1]
        assert listed(page) == np.argsort(-own, kind="stable")[:LISTED].tolist()
        assert page.locator(".whisker .interval").count() > 0
        assert page.url.endswith("#topic=sport&of=topic")
        page.reload()
        expect(page.get_by_label("at the centre of the topics below")).to_be_checked()
        page.goto(f"{leafy_path.as_uri()}#word=word7")
        row = page.locator(f".spread tr[data-node='{WHOLE.node('sport')}']")
        assert "Sport with all below" in row.inner_text()


def test_an_inner_topic_with_documents_shows_its_own_words_first(visit, leafy_path, leafy):
    with visit(leafy_path, "#topic=music&set=all") as page:
        assert listed(page) == best(leafy, "music", 0.5, "all")
        page.get_by_label("of all documents here and below").check()
        shares = leafy.branches.exclusivity(TREE.node("music"), "all")
        scores = frex_from(shares, leafy.branches.rates(TREE.node("music")))
        assert listed(page) == np.argsort(-scores, kind="stable")[:LISTED].tolist()
        page.locator("table.words tbody tr").first.hover()
        assert f"{scores.max():.3f}" in page.locator("#tip").inner_text()
        page.locator("#tree .label", has_text="Golf").click()
        page.wait_for_selector("h1:text-is('Golf')")
        assert "of=" not in page.url
        assert page.locator("input[name=of]").count() == 0


def test_a_topic_with_none_beside_it_says_so(visit, tmp_path):
    tree = TopicTree(["top", "a", "b"], [None, "top", "top"])
    write_page(make_fit(tree), tmp_path / "page.html")
    with visit(tmp_path / "page.html", "#topic=top&of=branch") as page:
        assert "No topic is beside it to compare with" in page.locator("main").inner_text()
        page.wait_for_selector(".plot circle")
        assert "used alike" not in page.locator(".plot").text_content()


def test_topics_without_documents_are_named_and_have_no_scores(visit, leafy_path):
    with visit(leafy_path) as page:
        assert "8 topics" in page.locator("#fit > summary").inner_text()
        page.locator("#tree li[data-node='1'] .n", has_text="no documents").wait_for()
        empty = page.locator("#tree .left-out .label").all_inner_texts()
        assert empty == ["Before", "Darts"]  # and one more below a topic that is closed
        page.locator("#search").fill("dutch")
        assert "no documents" in page.locator("#found [role=option]").first.inner_text()
        page.keyboard.press("Enter")
        page.wait_for_selector("h1:text-is('Dutch')")
        text = page.locator("main").inner_text()
        assert "No document is filed under this topic, nor under any below it" in text
        assert page.locator("main table, main .plot, main .controls").count() == 0
        page.goto(f"{leafy_path.as_uri()}#topic=golf")
        page.wait_for_selector("h1:text-is('Golf')")
        cards = page.locator(".family .card h3").all_inner_texts()
        assert cards == ["Golf", "Tennis", SCRIPT]


def test_frex_from_is_what_the_test_compares_with(fit):
    """`score` is `frex_from` of posterior means; the page promises the latter."""
    topic = TREE.node("golf") - 1
    expected = frex_from(fit.exclusivity["siblings"].mean[:, topic], fit.frequency[:, topic])
    assert np.array_equal(score(fit)[topic], expected)


def test_bars_are_scaled_by_topics_of_which_enough_is_known(visit, fit, tmp_path):
    word, tennis = WORDS.index("word7"), TREE.node("tennis")
    labels = fit.labels.tolil()
    labels[3:, tennis - 1] = False
    labels = csr_array(labels)
    shares = np.full(labels.nnz, 0.5)
    log_rates = fit.log_rates.mean.copy()
    log_rates[word, tennis] += 9
    moments = {"log_rates": (log_rates, log_rates), "memberships": (shares, shares)}
    moments = {name: Moment(*both) for name, both in moments.items()}
    write_page(replace(fit, labels=labels, moments=moments), tmp_path / "page.html")
    assert count_documents(replace(fit, labels=labels, moments=moments))["below"][tennis] < 4
    with visit(tmp_path / "page.html", "#word=word7") as page:
        parts = page.locator(".spread tr[data-node] .bar:not(.share)").evaluate_all(
            "bars => bars.map(bar => +bar.style.getPropertyValue('--part'))"
        )
        assert sorted(parts)[-2:] == [1, 1]  # the best known, and the one that is cut off
        assert min(parts) > 0.001
        row = page.locator(f".spread tr[data-node='{tennis}']")
        assert row.locator(".bar.beyond").count() == 1
        assert "only" in row.inner_text()
        for width in (1400, 1000, 800, 390):  # what is said of few documents is not printed over
            page.set_viewport_size({"width": width, "height": 900})
            note, cell = (row.locator(part).bounding_box() for part in (".note", "td >> nth=0"))
            assert note["x"] + note["width"] <= cell["x"] + cell["width"]


@pytest.mark.parametrize("width", [360, 800, 1400])
def test_the_numbers_of_an_axis_stand_apart(visit, path, width):
    with visit(path, "#topic=golf", viewport={"width": width, "height": 700}) as page:
        page.locator(".drawing").evaluate("part => { part.open = true; }")
        for step in ("", "ranks", "zoom"):
            if step == "ranks":
                page.locator("#ranks").check()
            if step == "zoom":
                page.get_by_role("button", name="Zoom in").click()
            page.wait_for_timeout(100)  # a frame
            boxes = page.locator(".axes text:not(.axis-name)").evaluate_all(
                "texts => texts.map(t => t.getBBox())"
                ".map(b => [b.x, b.y + 3, b.x + b.width, b.y + b.height - 3])"
            )
            assert len(boxes) > 3
            for i, (left, top, right, bottom) in enumerate(boxes):
                for left2, top2, right2, bottom2 in boxes[:i]:
                    assert right < left2 or left > right2 or bottom < top2 or top > bottom2


def test_ranks_spread_the_good_words(visit, path):
    with visit(path, "#topic=golf") as page:
        page.locator("#ranks").check()
        page.wait_for_selector(".plot .guide polyline")
        reach = page.locator(".plot").evaluate(
            "plot => { const spots = [...plot.querySelectorAll('.listed')].filter(d => d.cx);"
            "const span = key => { const all = spots.map(d => d[key].baseVal.value);"
            " return Math.max(...all) - Math.min(...all); };"
            "return [span('cx') / plot.clientWidth, span('cy') / plot.clientHeight]; }"
        )
        assert min(reach) > 0.25


@pytest.mark.parametrize("size", [(800, 600), (390, 844)])
def test_the_header_is_one_line_on_a_narrow_screen(visit, path, size):
    with visit(path, viewport=dict(zip(("width", "height"), size, strict=True))) as page:
        assert page.locator("#top").bounding_box()["height"] < 46
        ask = page.locator("#ask").bounding_box()
        assert ask["x"] + ask["width"] > size[0] - 40
        assert "60 documents" in page.locator(".home .fit summary").first.inner_text()
        page.goto(f"{path.as_uri()}#topic=golf")
        page.wait_for_selector(".topic")
        assert page.locator(".part[open]").count() == 0
        assert page.locator("table.words tbody tr").count() == 10
        height = page.evaluate("document.documentElement.scrollHeight")
        assert height < 1.5 * size[1] + 100


LINK = "https://example.org/?a=1&b=%22"
BAD = ("javascript:alert(1)", "data:text/html,<b>", "//evil", "ftp://a.org", "https://a b")


@pytest.fixture(scope="module")
def known(fit):
    """Return a fit that knows of its documents: hostile titles, links, dates and beginnings."""
    typical = fit.typical.documents[fit.typical.starts[1] : fit.typical.starts[2]]
    columns = {name: [""] * len(fit.ids) for name in ("title", "url", "date", "snippet")}
    columns["date"] = [f"{1990 + number // 6}-01-02" for number in range(len(fit.ids))]
    columns["title"][typical[0]] = f"=1+1 {SCRIPT}"
    columns["snippet"][typical[0]] = "<img src=x onerror=alert(1)>"
    columns["url"][typical[0]] = LINK
    return replace(fit, details=Details(columns))


@pytest.fixture(scope="module")
def known_path(known, tmp_path_factory):
    path = tmp_path_factory.mktemp("known") / "page.html"
    rng = np.random.default_rng(0)
    counts = csr_array(rng.poisson(0.5, (len(known.ids), len(WORDS))).astype(np.int32))
    corpus = Corpus.from_matrices(counts, words=WORDS, ids=list(known.ids))
    write_page(known, path, corpus=corpus)
    return path


def test_typical_documents_have_titles_that_are_links(visit, known_path, known):
    with visit(known_path, "#topic=golf") as page:
        row = page.locator(".documents tbody tr").first
        link = row.locator("th a")
        assert link.inner_text() == f"=1+1 {SCRIPT}"
        assert link.get_attribute("href") == LINK
        assert link.get_attribute("rel") == "noopener noreferrer"
        assert row.locator(".snippet").inner_text() == "<img src=x onerror=alert(1)>"
        first = known.typical.documents[known.typical.starts[1]]
        assert row.locator(".date").inner_text() == known.details.value("date", int(first))
        assert page.locator("img").count() == 0


def test_only_addresses_of_the_web_are_links(visit, fit, tmp_path):
    for number, url in enumerate(BAD):
        columns = {"title": ["T"] * len(fit.ids), "url": [url] * len(fit.ids)}
        write_page(replace(fit, details=Details(columns)), tmp_path / f"{number}.html")
        with visit(tmp_path / f"{number}.html", "#topic=golf") as page:
            assert page.locator(".documents th a").count() == 0
            assert page.locator(".documents th").nth(4).inner_text().startswith("T")


def test_tables_can_be_taken_along(visit, known_path, known, tmp_path):
    with visit(known_path, "#topic=golf", accept_downloads=True) as page:
        with page.expect_download() as download:
            page.locator(".documents").get_by_role("button", name="CSV").click()
        download.value.save_as(tmp_path / "table.csv")
        text = (tmp_path / "table.csv").read_text(encoding="utf-8-sig")
        lines = list(csv.reader(text.splitlines()))
        assert lines[0] == ["id", "title", "url", "date", "snippet", "score", "words"]
        assert lines[1][1] == f"'=1+1 {SCRIPT}"  # no formula
        assert unguarded(lines[1][1]) == f"=1+1 {SCRIPT}"
        assert lines[1][5] == "0.9"
        with page.expect_download() as download:
            page.locator(".list").get_by_role("button", name="CSV").click()
        assert download.value.suggested_filename.endswith("words-of-Golf.csv")
        download.value.save_as(tmp_path / "words.csv")
        words = (tmp_path / "words.csv").read_text(encoding="utf-8-sig")
        rows = list(csv.DictReader(words.splitlines()))
        order = best(known, "golf", 0.5, "siblings")
        assert [row["Counted as"] for row in rows] == [guarded(WORDS[word]) for word in order]
        assert all(float(row["FREX"]) > 0 for row in rows)
        page.evaluate("navigator.clipboard.writeText = text => { window.copied = text; }")
        page.locator(".neighbours").get_by_role("button", name="Copy").click()
        page.wait_for_function("window.copied")
        copied = page.evaluate("window.copied").split("\n")
        assert len(copied) == page.locator(".neighbours tr").count()
        assert copied[0].split("\t")[:2] == ["Topic", "Documents with both"]


def test_the_most_frequent_words_can_be_hidden(visit, path):
    with visit(path) as page:
        columns = page.locator(".home .card").first.locator("ol")
        assert [columns.nth(i).is_visible() for i in (0, 1)] == [True, True]
        page.locator("#frequent").uncheck()
        assert [columns.nth(i).is_visible() for i in (0, 1)] == [True, False]
        page.reload()
        page.wait_for_selector(".home .card")
        assert not columns.nth(1).is_visible()
        assert not page.locator("#frequent").is_checked()


def test_all_topics_are_in_a_table_that_can_be_sorted(visit, known_path, known):
    with visit(known_path) as page:
        page.locator("#views").get_by_text("Table").click()
        page.wait_for_selector("h1:text-is('All topics')")
        rows = page.locator("table.overview tbody tr")
        assert rows.count() == TREE.n_topics
        below = count_documents(known)["below"]
        ordered = rows.evaluate_all("rows => rows.map(row => +row.dataset.node)")
        assert [below[node] for node in ordered] == sorted(below[1:], reverse=True)
        for head in ("Exclusivity", "Coherence"):
            page.get_by_role("button", name=head).click()
            shown = rows.evaluate_all(
                "(rows, i) => rows.map(row => +row.cells[i].dataset.value)",
                ["Exclusivity", "Coherence"].index(head) + 4,
            )
            assert shown == sorted(shown, reverse=True)
            assert len(set(shown)) > 1
        page.get_by_role("button", name="Coherence").click()
        assert page.locator("[aria-sort=ascending]").inner_text().startswith("Coherence")
    with visit(known_path, "#topic=golf") as page:
        assert "coherence" in page.locator(".topic").inner_text()


def test_without_the_corpus_coherence_is_not_known(visit, path):
    with visit(path, "#view=topics") as page:
        assert "--corpus" in page.locator("main").inner_text()
        assert page.get_by_role("button", name="Coherence").count() == 0


def test_the_map_shows_topics_and_leads_to_them(visit, fit, tmp_path):
    labels = fit.labels.toarray()
    labels[:, TREE.node("jazz") - 1] = labels[:, TREE.node("golf") - 1]
    labels = csr_array(labels)
    shares = np.full(labels.nnz, 0.5)
    moments = {**fit.moments, "memberships": Moment(shares, shares)}
    fit, path = replace(fit, labels=labels, moments=moments), tmp_path / "page.html"
    write_page(fit, path)
    with visit(path, "#view=map") as page:
        page.wait_for_selector(".map circle")
        assert page.locator(".map circle").count() == TREE.n_topics
        assert page.locator(".legend a").all_inner_texts()[:1] == ["Sport"]
        spot = page.locator(".map circle").first.bounding_box()
        middle = spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2
        page.mouse.move(*middle)
        page.wait_for_selector("#tip:not([hidden])")
        title = page.locator("#tip strong").inner_text()
        assert title in TREE.titles
        lines = page.locator(".map .lines line").count()
        counts = np.diff(fit.labels.tocsc().indptr)
        assert lines == len(strongest(correlations(fit), counts >= FEW)) > 0
        page.locator(".map-view .check input").uncheck()
        expect(page.locator(".map .lines line")).to_have_count(0)
        assert page.locator(".together tbody tr").count() == lines
        page.mouse.click(*middle)
        page.wait_for_selector(".topic h1")
        assert heading(page) == title


def test_topics_over_time(visit, known_path, known):
    with visit(known_path, "#topic=golf") as page:
        page.wait_for_selector(".chart polyline")
        assert page.locator(".chart circle").count() == 10
        page.locator(".chart").hover(position={"x": 80, "y": 60})
        tip = page.locator("#tip").inner_text()
        assert tip.startswith("1990")
        assert "of 6 documents" in tip
        page.locator(".time details summary").click()
        first = (
            page.locator(".time tbody tr")
            .first.locator("td")
            .evaluate_all("cells => cells.map(cell => +cell.dataset.value)")
        )
        share = known.labels.toarray()[:6, TREE.node("golf") - 1].mean()
        assert first[:2] == [6, pytest.approx(share, abs=1e-4)]
        assert first[2] <= first[1] <= first[3]
        assert "Used more since 1995-01-02" in page.locator(".movers").inner_text()


def test_a_fit_without_labels_speaks_of_shares(visit, fit, tmp_path):
    settings = {**fit.settings, "n_topics": TREE.n_topics}
    write_page(replace(fit, settings=settings), tmp_path / "page.html")
    with visit(tmp_path / "page.html") as page:
        every = [page.locator("body").inner_text()]
        for place in ("#topic=golf", "#view=map", "#view=topics", "#word=word7"):
            page.goto((tmp_path / "page.html").as_uri() + place)
            page.wait_for_selector("main h1")
            page.wait_for_timeout(50)
            every.append(page.locator("body").inner_text())
        assert not any(text in one for one in every for text in ("this label", "have the label"))
        assert "% of the text is about this topic" in every[1]
        assert "Goes together with" in every[1]
        page.locator("#ask").click()
        assert "Editors" not in page.locator("#about").inner_text()
