"""The page of an audit in a real browser: reviewed by keyboard, exported, taken up again."""

import json
from contextlib import contextmanager

import pytest
from contrast import pale
from pages import HOSTILE, SCRIPT, TREE

from frex.audit import Group, LabelFinding, TopicFinding
from frex.corpus import read_corrections
from frex.explorer import make_review, write_review

expect = pytest.importorskip("playwright.sync_api").expect
N = 200


def label_finding(number, **changes):
    given = {
        "kind": "sibling", "document": f"doc <{number}>", "title": f"Title {number} {SCRIPT}",
        "link": f"https://example.org/{number}", "label": "golf", "other": "tennis",
        "probability": round(0.9 - number / 1000, 3), "expected": 1.5,
        "words_for": HOSTILE, "words_against": ("putt",), "given": ("golf", SCRIPT),
        "labels_for": (SCRIPT,),
    }  # fmt: skip
    return LabelFinding(**(given | changes))


def topic_finding(**changes):
    given = {
        "kind": "merge", "topic": "golf", "other": SCRIPT, "probability": 0.8, "estimate": 0.5,
        "low": 0.4, "high": 0.6, "documents": 9,
        "groups": (Group(SCRIPT, HOSTILE, ("doc <1>",)), Group("Golf", ("putt",), ())),
        "finding": f"Words hardly tell them apart {SCRIPT}", "advice": "Merge the two.",
    }  # fmt: skip
    return TopicFinding(**(given | changes))


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    labels = [label_finding(number) for number in range(N - 3)]
    labels += [
        label_finding(N - 3, kind="missing", label=None, other="jazz"),
        label_finding(N - 2, kind="wrong", label="opera", other=None, title="", link=""),
        label_finding(N - 1, kind="redundant", label="sport", other="golf", link="javascript:1"),
    ]
    path = tmp_path_factory.mktemp("review") / "audit.html"
    texts = {"doc <0>": f"It begins so {SCRIPT}"}
    topics = [topic_finding(), topic_finding(kind="split", other=None, topic="music")]
    known = {"doc <1>": (f"Title 1 {SCRIPT}", "https://example.org/1")}
    write_review(labels, topics, TREE, path, title=f"An audit & {SCRIPT}", texts=texts, known=known)
    return path


@pytest.fixture
def visit(browser):
    """Return a context manager that opens the page, and afterwards refuses errors and requests."""

    @contextmanager
    def open_page(path, context=None, **options):
        wide = {"viewport": {"width": 1400, "height": 900}}
        own = context or browser.new_context(**(wide | options))
        page = own.new_page()
        troubles, requests = [], []
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("dialog", lambda dialog: troubles.append(dialog.message))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_selector("#list li, main p")
        yield page
        assert troubles == []
        outside = [url for url in requests if not url.startswith((path.as_uri(), "blob:"))]
        assert outside == []
        page.close()
        if context is None:
            own.close()

    return open_page


def exported(page, tmp_path):
    with page.expect_download() as download:
        page.keyboard.press("e")
    file = tmp_path / "decisions.jsonl"
    download.value.save_as(file)
    return file


def test_two_hundred_findings_are_reviewed_by_keyboard(visit, path, tmp_path):
    with visit(path) as page:
        assert f"0 of {N} decided" in page.locator("#progress").inner_text()
        for number in range(N):
            page.keyboard.press("ars"[number % 3])
        assert f"{N} of {N} decided" in page.locator("#progress").inner_text()
        assert "Nothing left here" in page.locator("main").inner_text()
        file = exported(page, tmp_path)
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [line["decision"] for line in lines] == [
        ("accept", "reject", "skip")[number % 3] for number in range(N)
    ]
    assert [line["document"] for line in lines] == [f"doc <{number}>" for number in range(N)]
    corrections = read_corrections(file)
    assert len(corrections) == sum(number % 3 == 0 for number in range(N))
    assert corrections.corrections[0][1:3] == (("golf",), ("tennis",))


def test_what_is_added_and_removed_depends_on_the_kind(visit, path, tmp_path):
    with visit(path) as page:
        for kind in ("missing", "wrong", "redundant"):
            page.select_option("#kind", kind)
            page.locator("main").click()
            page.keyboard.press("a")
        page.select_option("#kind", "")
        page.locator("main").click()
        changes = [one[1:3] for one in read_corrections(exported(page, tmp_path)).corrections]
    assert changes == [((), ("jazz",)), (("opera",), ()), (("sport",), ())]


def test_a_decision_is_taken_back_and_survives_a_reload(visit, path):
    with visit(path) as page:
        page.keyboard.press("a")
        page.keyboard.press("r")
        page.keyboard.press("u")
        assert "1 of 200 decided" in page.locator("#progress").inner_text()
        assert page.locator("main h1").inner_text().startswith("Title 1")
        page.reload()
        page.wait_for_selector("#list li")
        assert "1 of 200 decided" in page.locator("#progress").inner_text()
        page.select_option("#status", "accept")
        assert page.locator("#list li").count() == 1
        assert page.locator("#list .accept").inner_text() == "accepted"


def test_another_browser_takes_the_decisions_up(visit, path, tmp_path):
    with visit(path) as page:
        for key in "aars":
            page.keyboard.press(key)
        file = exported(page, tmp_path)
    with visit(path) as page:
        page.set_input_files("#import", file)
        expect(page.locator("#progress")).to_have_text("4 of 200 decided")
        (tmp_path / "x.jsonl").write_text("nonsense")
        page.set_input_files("#import", tmp_path / "x.jsonl")
        expect(page.locator("#live")).to_have_text("The file holds no decisions.")


def test_hostile_titles_and_words_are_only_text(visit, path):
    with visit(path) as page:
        assert page.locator("main h1").inner_text() == f"Title 0 {SCRIPT}"
        assert page.locator("main .words span").first.inner_text() == HOSTILE[0]
        assert page.locator("#list .what span").first.inner_text() == "sibling Golf"
        assert page.locator(".reasons p span.muted").inner_text().startswith(" · mostly comes with")
        assert SCRIPT in page.locator(".snippet").inner_text()
        link = page.locator("main h1 a")
        assert link.get_attribute("href") == "https://example.org/0"
        assert "noopener" in link.get_attribute("rel")
        page.select_option("#kind", "redundant")
        assert page.locator("main h1 a").count() == 0  # no address of the web
        page.locator("main").click()
        page.keyboard.press("2")
        assert SCRIPT in page.locator("main .change").inner_text()
        example = page.locator(".reasons a")
        assert example.inner_text() == f"Title 1 {SCRIPT}"
        assert example.get_attribute("href") == "https://example.org/1"
        assert page.title() == f"An audit & {SCRIPT}"


def test_filters_leave_what_is_asked_for(visit, path):
    with visit(path) as page:
        page.fill("#search", "TITLE 17")
        assert page.locator("#list li").count() == 11  # 17, and 170 to 179
        page.fill("#search", "")
        page.select_option("#branch", str(TREE.node("music")))
        assert page.locator("#list li").count() == 2  # jazz and opera
        page.locator("main").click()
        page.keyboard.press("2")
        assert page.locator("#list li").count() == 1
        page.keyboard.press("a")
        assert "1 of 2 decided" in page.locator("#progress").inner_text()


def test_help_the_theme_and_an_empty_audit(visit, tmp_path):
    path = tmp_path / "empty.html"
    write_review([], [], TREE, path)
    with visit(path) as page:
        assert "Nothing was found" in page.locator("main").inner_text()
        page.keyboard.press("?")
        assert page.locator("#help").is_visible()
        page.keyboard.press("Escape")
        before = page.evaluate("document.documentElement.dataset.theme")
        page.locator("#theme").click()
        assert page.evaluate("document.documentElement.dataset.theme") != before


def test_the_page_says_nothing_of_any_network():
    page = make_review([label_finding(0)], [topic_finding()], TREE)
    assert "default-src 'none'" in page
    assert SCRIPT not in page


@pytest.mark.parametrize("width", [390, 800])
def test_a_narrow_screen_has_the_finding_its_buttons_and_below_it_the_list(visit, path, width):
    with visit(path) as page:
        page.set_viewport_size({"width": width, "height": 600})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for button in ("a", "r", "s"):
            page.keyboard.press(button)
        page.locator("#status").select_option("")
        for _ in range(2):
            assert pale(page) == []
            page.locator("#theme").click()
        assert page.locator("#top").bounding_box()["height"] <= 90
        for button in page.locator(".decide button").all():
            box = button.bounding_box()
            assert box["y"] + box["height"] <= 600
        assert page.locator("#side").bounding_box()["y"] > page.locator("h1").bounding_box()["y"]
        assert page.locator("#search").is_visible()
        page.locator("#list li").nth(2).click()
        assert page.locator("#list li").nth(2).get_attribute("aria-current") == "true"
        for _ in range(12):
            page.keyboard.press("j")
        current = page.locator("#list li").nth(14)
        assert current.get_attribute("aria-current") == "true"
        inside, around = current.bounding_box(), page.locator("#list").bounding_box()
        assert around["y"] <= inside["y"] < around["y"] + around["height"]
        assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("size", [(1400, 900), (390, 844)])
def test_everything_is_in_sight_on_a_desk_and_on_a_phone(visit, tmp_path, size):
    """The list is beside the finding, or below it; what is to be decided can be pressed."""
    path = tmp_path / "long.html"
    long = "no-end" * 40
    labels = [label_finding(0, label=long, other=f"x{long}", probability=0.99999)]
    labels += [label_finding(number, title=f"{number} {long}") for number in range(1, 40)]
    labels += [label_finding(50, kind="redundant", probability=1.0)]
    write_review(labels, [topic_finding(probability=0.997)], TREE, path, title=f"Audit {long}")
    with visit(path, viewport=dict(zip(("width", "height"), size, strict=True))) as page:
        wide, high = page.evaluate("[document.body.scrollWidth, document.body.scrollHeight]")
        assert wide <= size[0]
        assert (high <= size[1]) == (size[0] > 800)
        buttons = page.locator(".decide button")
        assert all(buttons.nth(n).bounding_box()["y"] < size[1] - 20 for n in range(3))
        chances = page.locator("#list .what span:last-child")
        assert chances.first.inner_text() == "> 99 %"  # nothing that is judged is certain
        assert chances.last.inner_text() == "100 %"
        assert {
            round(box["height"]) for n in range(5) if (box := chances.nth(n).bounding_box())
        } == {round(chances.last.bounding_box()["height"])}
        page.locator("#list li").last.click()
        assert "already" in page.locator("main .change").inner_text()
