"""A page in a browser."""

from contextlib import contextmanager

import pytest


@pytest.fixture(scope="module")
def visit(browser):
    """Return a context manager that opens a page, and afterwards refuses any error or request."""

    @contextmanager
    def open_page(path, place="", **options):
        context = browser.new_context(**{"viewport": {"width": 1400, "height": 900}, **options})
        page = context.new_page()
        troubles, requests = [], []
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("requestfailed", lambda request: troubles.append(request.url))
        page.on("dialog", lambda dialog: troubles.append(dialog.message))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(path.as_uri() + place)
        page.wait_for_selector("main h1")
        yield page
        assert troubles == []
        assert [url for url in requests if not url.startswith(path.as_uri())] == []
        context.close()

    return open_page
