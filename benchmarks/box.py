"""Compare the page's box with `frex predict`: share of equal labels, and time.

Documents are read from JSON lines. Every other sentence of each is used, so that the texts differ
from those of the fit. The page of a calibrated fit is opened in Chromium, without its policy, so
that its functions can be called; a text's time is that of labels and of the words for
and against them.

    python benchmarks/box.py FIT DOCS.jsonl [--documents 1000]
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import tempfile
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import sync_playwright

from frex.explorer import make_page
from frex.posterior import read_posterior
from frex.predict import Predictor, analyzer_of, calibration_of, count_in_words, predict
from frex.predict.documents import Documents

ASK = (
    "window.ask = async texts => { const all = []; for (const text of texts) {"
    " const begun = performance.now(); const { labels, odds } = await labelsOf(text);"
    " all.push({ took: performance.now() - begun, odds: [...odds],"
    " labels: labels.map(k => index.names[labeller.nodes[k]]) }); } return all; };\n"
)


def halves(path: Path, n: int) -> list[str]:
    """Return every other sentence of documents."""
    with path.open(encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in islice(lines, n)]
    return [" ".join(re.split(r"(?<=[.;:!?])\s+", text)[::2]) for text in texts]


def page_that_answers(page: str) -> str:
    """Return a page whose inside can be asked."""
    page = re.sub(r"<meta http-equiv=[^>]*>", "", page)
    start = page.index("<script>")
    end = page.rindex("})();", start, page.index("</script>", start))
    return page[:end] + ASK + page[end:]


def in_the_page(page: str, texts: list[str]) -> list[dict[str, Any]]:
    """Return what the page says of texts."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder, "page.html")
        path.write_text(page_that_answers(page), encoding="utf-8")
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        tab = browser.new_page()
        tab.goto(f"{path.as_uri()}#view=label")
        tab.wait_for_selector("#text")
        tab.evaluate("text => ask([text])", texts[0])  # unpacks what labels need
        made: list[dict[str, Any]] = tab.evaluate("texts => ask(texts)", texts)
        browser.close()
    return made


def main() -> None:
    """Compare, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fit", type=Path)
    parser.add_argument("documents", type=Path)
    parser.add_argument("--documents", dest="n", type=int, default=1000)
    options = parser.parse_args()
    posterior, calibration = read_posterior(options.fit), calibration_of(options.fit)
    if calibration is None:
        raise SystemExit("the fit is not calibrated")
    texts = halves(options.documents, options.n)
    counts = count_in_words(texts, posterior.words, analyzer_of(posterior))
    batch = Documents([str(n) for n in range(len(texts))], counts, None)
    made = predict(Predictor(posterior), calibration, batch)
    found = in_the_page(make_page(posterior, calibration=calibration), texts)
    topics = np.array(posterior.tree.topics)
    expected = [set(topics[row].tolist()) for row in made.labels.toarray()]
    same = [set(one["labels"]) == labels for one, labels in zip(found, expected, strict=True)]
    shown = 1 / (1 + np.exp(-np.array([one["odds"] for one in found])))
    off = np.abs(shown - made.probabilities).max(axis=1)
    took = np.array([one["took"] for one in found])
    n_words = np.diff(counts.indptr)
    print(f"{options.fit.name}: {len(posterior.words):,} words, {len(topics):,} topics")
    print(f"{sum(same):,} of {len(same):,} documents have the labels of frex predict")
    print(f"largest difference of a probability: {np.median(off):.4f} in the middle, "
          f"{np.quantile(off, 0.99):.4f} in 99 of 100")  # fmt: skip
    print(f"a text of {np.median(n_words):.0f} different words took {np.median(took):.1f} ms in "
          f"the middle, {np.quantile(took, 0.99):.1f} ms in 99 of 100")  # fmt: skip


if __name__ == "__main__":
    main()
