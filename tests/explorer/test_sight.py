"""What stands on the page can be read: contrast, names that are not torn, words apart."""

from dataclasses import replace

import numpy as np
import pytest
from contrast import pale
from pages import WORDS, make_fit

from frex.corpus import Corpus
from frex.corpus.documents import Details
from frex.explorer import write_page
from frex.tree import TopicTree

expect = pytest.importorskip("playwright.sync_api").expect
DESK, PHONE = {"width": 1400, "height": 900}, {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Return a page with all that there is: documents with dates, and a phrase among the words."""
    words = (*WORDS[:8], "new york", *WORDS[9:])
    fit = make_fit(words=words)
    fit.typical.words[fit.typical.words == 3] = 8
    columns = {
        "title": [f"Title {number}" for number in range(len(fit.ids))],
        "date": [f"{1990 + number // 6}-01-02" for number in range(len(fit.ids))],
        "snippet": ["It begins so"] * len(fit.ids),
    }
    fit = replace(fit, surface=words, details=Details(columns))
    counts = np.random.default_rng(0).poisson(0.5, (len(fit.ids), len(words)))
    corpus = Corpus.from_matrices(counts, words=words, ids=list(fit.ids))
    path = tmp_path_factory.mktemp("sight") / "page.html"
    write_page(fit, path, corpus=corpus)
    return path


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("place", ["", "#topic=golf", "#view=topics", "#view=map", "#word=word9"])
def test_texts_stand_out_from_what_is_behind_them(visit, path, place, theme):
    for size in (DESK, PHONE):
        with visit(path, place, color_scheme=theme, viewport=size) as page:
            page.locator("main details").evaluate_all("all => all.forEach(one => one.open = true)")
            page.wait_for_timeout(100)
            assert pale(page) == []


def test_words_in_a_line_are_apart_where_one_is_a_phrase(visit, path):
    with visit(path, "#topic=golf") as page:
        expect(page.locator(".documents .telling").first).to_contain_text("\xa0· new york\xa0· ")
        for line in page.locator(".movers p").all():
            n = line.locator("a").count()
            assert line.inner_text().count("\xa0· ") == max(n - 1, 0)


def test_topics_of_several_branches_say_in_which_they_are(visit, tmp_path):
    names, parents = ["home", "abroad", "tax 1", "tax 2"], [None, None, "home", "abroad"]
    titles = ["Home", "Abroad", "Tax", "Tax"]
    write_page(make_fit(TopicTree(names, parents, titles)), tmp_path / "page.html")
    for size in (DESK, PHONE):
        with visit(tmp_path / "page.html", viewport=size) as page:
            expect(page.locator(".home .card")).to_have_count(4)
            said = page.locator(".home .card .within")
            assert sorted(said.all_inner_texts()) == ["in Abroad", "in Home"]
            expect(said.first).to_be_visible()
            page.goto(f"{page.url.partition('#')[0]}#topic=home")
            expect(page.locator(".topic .card")).to_have_count(3)
            assert page.locator(".within").count() == 0


def test_names_of_deep_topics_are_not_torn_on_a_telephone(visit, tmp_path):
    names = ["0", "0.9", "0.94", "0.946", "0.946.2", "0.946.29", "0.946.294"]
    tree = TopicTree(names, [None, *names[:-1]])
    write_page(make_fit(tree), tmp_path / "page.html")
    with visit(tmp_path / "page.html", "#word=word9", viewport=PHONE) as page:
        links = page.locator(".spread th a").all()
        assert [link.inner_text() for link in links] == names
        assert all(link.bounding_box()["height"] < 25 for link in links)


def test_words_of_twenty_letters_are_not_torn_on_a_desk(visit, tmp_path):
    words = [f"Handelsbeziehungen{number:03d}" for number in range(300)]
    write_page(make_fit(words=words), tmp_path / "page.html")
    with visit(tmp_path / "page.html", "#topic=golf", viewport=DESK) as page:
        for link in page.locator("table.words th a").all():
            assert link.bounding_box()["height"] < 25


def test_long_titles_of_the_topics_above_leave_a_table_its_lines(visit, tmp_path):
    long = [f"Improper neutralization of special elements in the output of {n}" for n in range(4)]
    tree = TopicTree(list("abcd"), [None, "a", "b", "c"], long)
    write_page(make_fit(tree), tmp_path / "page.html")
    with visit(tmp_path / "page.html", "#view=topics", viewport=DESK) as page:
        notes = page.locator("table.overview tr[data-node='4'] .note")
        assert notes.inner_text().count("Improper neutralization of sp…") == 3
        assert notes.get_attribute("title") == " \u203a ".join(long[:3])


def test_the_heads_of_a_list_with_intervals_stand_apart(visit, path):
    with visit(path, "#topic=golf", viewport=DESK) as page:
        middle = page.locator(".scale .wide").bounding_box()
        for end in (0, 2):
            assert page.locator(".scale span").nth(end).bounding_box()["y"] > middle["y"] + 8


def test_a_period_between_empty_ones_has_its_interval(visit, tmp_path):
    fit = make_fit()
    months = [1 if number < 30 else 2 if number < 50 else 9 for number in range(60)]
    fit = replace(fit, details=Details({"date": [f"1990-0{month}-02" for month in months]}))
    write_page(fit, tmp_path / "page.html")
    with visit(tmp_path / "page.html", "#topic=golf") as page:
        page.wait_for_selector(".chart circle")
        assert page.locator(".chart circle").count() == 3
        assert page.locator(".chart polygon.band").count() == 1
        assert page.locator(".chart line.band").bounding_box()["height"] > 10


def test_few_documents_are_told_in_one_line_on_a_telephone(visit, tmp_path):
    write_page(make_fit(n_documents=8), tmp_path / "page.html")
    with visit(tmp_path / "page.html", "#word=word9", viewport=PHONE) as page:
        notes = page.locator(".spread .drawn .note")
        assert notes.count() > 2
        for note in notes.all():
            assert note.bounding_box()["height"] < 25
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_topics_that_share_documents_have_room_for_their_names_on_a_telephone(visit, tmp_path):
    write_page(make_fit(), tmp_path / "page.html")
    with visit(tmp_path / "page.html", "#topic=golf", viewport=PHONE) as page:
        page.locator(".neighbours summary").click()
        for cell in page.locator(".neighbours tbody th").all():
            assert cell.bounding_box()["width"] > 130
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_typical_documents_have_all_of_a_telephones_width(visit, path):
    with visit(path, "#topic=golf", viewport=PHONE) as page:
        page.locator(".documents summary").click()
        for row in page.locator(".documents tbody tr").all():
            for part in ("th", ".telling"):
                assert row.locator(part).bounding_box()["width"] > 340
            date, score = (row.locator(part).bounding_box() for part in (".date", ".number"))
            assert date["y"] == score["y"]
        box = page.locator(".documents .table-box")
        assert box.evaluate("box => box.scrollWidth <= box.clientWidth")


def test_of_topics_that_answer_alike_the_search_has_the_largest_first(visit, tmp_path):
    names = ["oilseed", "soy oil", "crude oil", "fuel oil", "boiling"]
    write_page(make_fit(TopicTree(names, [None] * 5), seed=3), tmp_path / "page.html")
    with visit(tmp_path / "page.html") as page:
        page.locator("#search").fill("oil")
        found = page.locator("#found [role=option] .label").all_inner_texts()[:5]
        assert found == ["oilseed", "crude oil", "soy oil", "fuel oil", "boiling"]
