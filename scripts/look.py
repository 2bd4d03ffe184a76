"""Take pictures of pages in all sizes, light and dark, to be looked at; name what scrolls sideways.

    python scripts/look.py OUT NAME=ADDRESS [NAME=ADDRESS ...] [--text FILE]

An address is a file's or a server's, with the view behind `#`. Where a page has a box to paste a
text into, the text of FILE is put there. OUT gets NAME-WIDTH-THEME.png, and the whole of a long
page as NAME-WIDTH-THEME-whole.png.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, sync_playwright

SIZES = ((1400, 900), (800, 600), (390, 844))
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def look(browser: Browser, out: Path, name: str, address: str, text: str | None) -> None:
    """Take the pictures of one page."""
    for width, height in SIZES:
        for theme in THEMES:
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=theme,
                has_touch=width < 500, is_mobile=width < 500,
            )  # fmt: skip
            tab = context.new_page()
            tab.on("console", lambda message: print(f"{name}: {message.text}"))
            tab.on("pageerror", lambda error: print(f"{name}: {error}"))
            tab.goto(address)
            tab.wait_for_selector("h1")
            if text and tab.locator("textarea").count():
                tab.locator("textarea").first.fill(text)
                if tab.locator("main form button").count():  # of frex serve
                    tab.locator("main form button").first.click()
            tab.wait_for_timeout(900)
            picture = out / f"{name}-{width}-{theme}"
            tab.screenshot(path=f"{picture}.png")
            inner, whole = tab.evaluate(
                "[document.documentElement.clientWidth, document.documentElement.scrollWidth]"
            )
            long = tab.evaluate("document.documentElement.scrollHeight")
            if inner < whole:
                print(f"{name} at {width}: {whole} pixels wide in {inner}")
            print(f"{picture.name}: {long / height:.1f} screens")
            tab.screenshot(path=f"{picture}-whole.png", full_page=True)
            context.close()


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("out", type=Path)
    parser.add_argument("pages", nargs="+", metavar="NAME=ADDRESS")
    parser.add_argument("--text", type=Path)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    text = options.text and options.text.read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for page in options.pages:
            name, _, address = page.partition("=")
            look(browser, options.out, name, address, text)
        browser.close()


if __name__ == "__main__":
    main()
