"""Draw the pictures of pages in docs/images, explorer.png, serve.png and study.png, in Chromium.

frex datasets debtags --out debtags
frex fit debtags --method map --out debtags-fit
frex report debtags-fit --corpus debtags --title debtags --out page.html
frex serve debtags=debtags-fit &
frex study make --fit HPC=debtags-fit --matched --out study; frex study serve study --port 8001 &
python scripts/draw_page.py --explorer page.html --serve http://127.0.0.1:8000 \
  --study LINK/9    # of `frex study links study --url http://127.0.0.1:8001`, a task of coherence
"""

from __future__ import annotations

import argparse
import shutil
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

IMAGES = Path(__file__).parents[1] / "docs" / "images"
TOPIC = "mail::filters"
TEXT = (
    "A fast and configurable spam filter for mail. It reads mailboxes, trains a bayesian "
    "classifier on spam and good mail, and works with procmail, exim and postfix. Written in Perl."
)


def draw_explorer(tab: Page, address: str) -> bytes:
    """Show a topic."""
    tab.goto(f"{Path(address).resolve().as_uri()}#topic={TOPIC}")
    tab.wait_for_selector(".dots .listed")
    tab.wait_for_timeout(500)
    return tab.screenshot()


def draw_serve(tab: Page, address: str) -> bytes:
    """Have a text's topics suggested."""
    tab.goto(address)
    tab.locator("#text").fill(TEXT)
    tab.locator("#ask button").click()
    tab.wait_for_selector("#results li")
    return tab.screenshot()


def draw_study(tab: Page, address: str) -> bytes:
    """Rate two lists, and prefer none yet."""
    tab.goto(address)
    for question, choice in enumerate((1, 2)):
        tab.locator(".question").nth(question).locator("input").nth(choice).check()
    return tab.screenshot(full_page=True)


def draw(browser: Browser, name: str, address: str) -> None:
    """Keep what is seen of a page, in a palette of 256."""
    show, width, height = {
        "explorer": (draw_explorer, 1280, 820),
        "serve": (draw_serve, 1100, 760),
        "study": (draw_study, 820, 600),
    }[name]
    tab = browser.new_page(viewport={"width": width, "height": height})
    seen = Image.open(BytesIO(show(tab, address))).convert("RGB")
    out = IMAGES / f"{name}.png"
    seen.quantize(256, dither=Image.Dither.NONE).save(out, optimize=True)
    print(f"{out.name}: {out.stat().st_size:,} bytes")


def main() -> None:
    """Draw what is asked for."""
    parser = argparse.ArgumentParser(description="Draw the pictures of pages.")
    for name in ("explorer", "serve", "study"):
        parser.add_argument(f"--{name}", metavar="PAGE" if name == "explorer" else "ADDRESS")
    addresses = vars(parser.parse_args())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for name, address in addresses.items():
            if address:
                draw(browser, name, address)
        browser.close()


if __name__ == "__main__":
    main()
