"""The pages in a real browser, as an evaluator uses them."""

from contextlib import contextmanager

import pytest
from contrast import pale
from evaluators import HOSTILE, make_summaries, serving

from frex.study import make_study

expect = pytest.importorskip("playwright.sync_api").expect
PAPER = "getComputedStyle(document.body).backgroundColor"


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Return a study in which every evaluator has two tasks of each kind."""
    path = tmp_path_factory.mktemp("browser") / "study"
    lists = make_summaries(n_topics=2)
    return make_study(path, lists, evaluators=12, intrusion=2, coherence=2, title=HOSTILE[0])


@pytest.fixture(scope="module")
def server(study):
    with serving(study) as running:
        yield running


@pytest.fixture(scope="module")
def links(study, server):
    """Return links that no other test has used, one after another."""
    return (study.link(number, server.address) for number in range(1, 13))


@pytest.fixture
def visit(browser, server):
    """Return a context manager that opens a page, and afterwards refuses any error or request."""

    @contextmanager
    def open_page(link, **options):
        context = browser.new_context(**{"viewport": {"width": 1200, "height": 900}, **options})
        page = context.new_page()
        troubles, requests = [], []
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("dialog", lambda dialog: troubles.append(dialog.message))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(link)
        yield page
        assert [text for text in troubles if "422" not in text] == []
        outside = (server.address, "data:")
        assert [url for url in requests if not url.startswith(outside)] == []
        context.close()

    return open_page


def answer(page, place=0):
    """Choose in every question, and send the page."""
    for question in page.locator(".question").all():
        question.locator("input").nth(place).check()
    page.locator("button[type=submit]").click()


def saved(study, link):
    with study.answers() as answers:
        return answers.of(str(study.tokens.index(link.rsplit("/", 1)[1]) + 1))


@pytest.mark.parametrize("javascript", [True, False])
def test_from_the_first_page_to_the_last(visit, study, links, javascript):
    link = next(links)
    with visit(link, java_script_enabled=javascript) as page:
        expect(page.locator("h1")).to_have_text(HOSTILE[0])
        page.get_by_text("Begin").click()
        for number in range(1, 5):
            expect(page.locator(".place")).to_contain_text(f"Task {number} of 4")
            assert page.locator("progress").get_attribute("value") == str(number - 1)
            answer(page, 1)
        expect(page.locator("h1")).to_have_text("Thank you")
        tasks = study.tasks_of(study.tokens.index(link.rsplit("/", 1)[1]) + 1)
        assert saved(study, link) == {
            task.number: [allowed[1] for allowed in task.choices]
            if task.kind == "intrusion"
            else [2, 2, 2, 2]
            for task in tasks
        }
        page.goto(link)  # coming back later
        expect(page.locator("h1")).to_have_text("Thank you")


def test_hostile_words_are_shown_as_they_are(visit, study, links):
    link = next(links)
    tasks = study.tasks_of(study.tokens.index(link.rsplit("/", 1)[1]) + 1)
    with visit(link) as page:
        for place, task in enumerate(tasks, start=1):
            page.goto(f"{link}/{place}")
            shown = page.locator(".word").all_text_contents()
            words = [word for question in task.questions for word in question.words]
            assert shown[: len(words)] == words
            assert any(word in words for word in HOSTILE)
            assert page.locator("script").count() == 1


def test_going_back_reloading_and_changing(visit, study, links):
    link = next(links)
    with visit(f"{link}/1") as page:
        answer(page, 0)
        expect(page.locator(".place")).to_contain_text("Task 2 of 4")
        page.go_back()
        expect(page.locator(".question").first.locator("input").first).to_be_checked()
        answer(page, 5)
        expect(page.locator(".place")).to_contain_text("Task 2 of 4")
        assert list(saved(study, link).values()) == [[6] * 6]
        page.locator("input[name=q3]").nth(3).check()
        page.reload()
        expect(page.locator("input[name=q3]").nth(3)).to_be_checked()  # not sent, but not lost
        page.get_by_text("Back").click()
        expect(page.locator("input[name=q1]").nth(5)).to_be_checked()


def test_open_questions_are_pointed_at(visit, study, links):
    link = next(links)
    with visit(f"{link}/1", java_script_enabled=False) as page:
        page.locator("form").evaluate("form => { form.noValidate = true; }")
        page.locator("input[name=q2]").first.check()
        page.locator("button[type=submit]").click()
        expect(page.get_by_role("alert")).to_contain_text("please answer question 1, question 3")
        expect(page.locator("input[name=q2]").first).to_be_checked()
        assert saved(study, link) == {}


def test_a_double_click_is_one_answer(visit, study, links):
    link = next(links)
    with visit(f"{link}/1") as page:
        for question in page.locator(".question").all():
            question.locator("input").first.check()
        page.locator("button[type=submit]").dblclick()
        expect(page.locator(".place")).to_contain_text("Task 2 of 4")
        assert list(saved(study, link).values()) == [[1] * 6]


def test_keys_alone_are_enough(visit, study, links):
    link = next(links)
    with visit(link) as page:
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator(".place")).to_contain_text("Task 1 of 4")
        page.wait_for_load_state()  # the script's keys
        for place in range(1, 7):
            page.keyboard.press("Tab")
            page.keyboard.press(str(place))
        page.keyboard.press("Tab")  # Back
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator(".place")).to_contain_text("Task 2 of 4")
        assert list(saved(study, link).values()) == [[1, 2, 3, 4, 5, 6]]
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        page.keyboard.press("ArrowDown")
        expect(page.locator("input[name=q1]").nth(1)).to_be_checked()


def test_a_telephone_and_the_dark(visit, links):
    link = next(links)
    papers = set()
    for scheme in ("light", "dark"):
        with visit(
            link, viewport={"width": 340, "height": 700}, color_scheme=scheme, has_touch=True
        ) as page:
            papers.add(page.evaluate(PAPER))
            for place in ("", "/1", "/3"):
                page.goto(link + place)
                assert page.evaluate("document.documentElement.scrollWidth") <= 340
                assert pale(page) == []
    assert len(papers) == 2
