"""The pages, as they are and in a real browser."""

import re
import time

import pytest
from contrast import pale
from pages import HOSTILE, SCRIPT

from frex.serve import pages
from frex.serve.openapi import description
from frex.web import Html

TEXT = "the golfer putts for the goal"


def test_pages_load_nothing_from_elsewhere(server):
    for path in ("/", "/docs", "/page.css", "/page.js"):
        answer = server.ask(path)
        assert answer.status == 200
        assert not re.search(r"(?:src|href|url\(|import)\W*(?:https?:)?//", answer.text)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["access-control-allow-origin"] is None


def test_the_description_names_all_that_is_served():
    page = pages.docs(description())
    for path in description()["paths"]:
        assert f"/v1{path}</code>" in page
    assert isinstance(page, Html)


def made(server, name):
    """Return the answer when the page is made, or could not be."""
    while (answer := server.ask(f"/fits/{name}")).status == 503:
        assert "being made" in answer.text
        time.sleep(0.1)
    return answer


def test_the_explorer_of_a_fit_is_there(server):
    answer = made(server, "small")
    assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "<title>small" in answer.text
    assert int(answer.headers["content-length"]) == len(answer.text.encode())
    assert made(server, "second").status == 404  # its page could not be made
    assert server.get("/fits/nothing") == 404


@pytest.fixture
def page(browser, server):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page, troubles = context.new_page(), []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("dialog", lambda dialog: troubles.append(dialog.message))
    page.goto(f"http://127.0.0.1:{server.port}/")
    yield page
    assert troubles == []
    context.close()


def test_a_text_that_is_pasted_gets_topics_with_words(page):
    page.locator("#text").fill(TEXT)
    page.locator("#text").press("Control+Enter")
    page.wait_for_selector("#results li")
    shown = page.locator("#results li")
    assert shown.count() == 4
    under = shown.filter(has_text="golf").locator(".name .muted")
    assert under.inner_text().startswith("sport ")
    assert under.evaluate("path => getComputedStyle(path).fontWeight") == "400"
    name, card = (shown.first.locator(one).bounding_box() for one in (".name", ".topic"))
    assert name["width"] == pytest.approx(card["width"])  # on a telephone the figure is below it
    assert "putts" in page.locator("#results .word").all_inner_texts()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert pale(page) == []
    page.select_option("#project", "second")
    assert page.locator("#explorer").get_attribute("href") == "/fits/second"


def test_a_file_is_read_and_anything_in_it_is_text(page):
    file = {"name": "a.txt", "mimeType": "text/plain"}
    content = " ".join((SCRIPT, *HOSTILE, TEXT))
    page.locator("#file").set_input_files({**file, "buffer": content.encode()})
    page.wait_for_selector("#results li")
    assert page.locator("#text").input_value() == content
    page.locator("#file").set_input_files({**file, "buffer": b"\x00\x01"})
    page.locator("#state", has_text="This file is no text").wait_for()


def test_a_text_of_which_nothing_is_known_says_so(page):
    page.locator("#text").fill("xyzzy")
    page.locator("button").click()
    page.locator("#results", has_text="nothing to go by").wait_for()
