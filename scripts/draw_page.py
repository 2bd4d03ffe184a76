"""Draw docs/images/explorer.png: a topic on the page of a fit of the bundled corpus, in Chromium.

frex datasets debtags --out debtags
frex fit debtags --method map --out debtags-fit
frex report debtags-fit --corpus debtags --title debtags --out page.html
python scripts/draw_page.py page.html
"""

from __future__ import annotations

import argparse
import shutil
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

OUT = Path(__file__).parents[1] / "docs" / "images" / "explorer.png"
TOPIC = "mail::filters"


def main() -> None:
    """Open the page, keep what is seen in a palette of 256."""
    parser = argparse.ArgumentParser(description="Draw the picture of the explorer.")
    parser.add_argument("page", type=Path)
    page = parser.parse_args().page.resolve()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        tab = browser.new_page(viewport={"width": 1280, "height": 820})
        tab.goto(f"{page.as_uri()}#topic={TOPIC}")
        tab.wait_for_selector(".dots .listed")
        tab.wait_for_timeout(500)
        seen = Image.open(BytesIO(tab.screenshot())).convert("RGB")
        browser.close()
    seen.quantize(256, dither=Image.Dither.NONE).save(OUT, optimize=True)
    print(f"{OUT.name}: {OUT.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
