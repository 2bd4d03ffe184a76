"""Draw the pictures of docs/plots.md from a fit of the bundled corpus.

    frex datasets debtags --out debtags
    frex fit debtags --out debtags-fit --warmup 300 --draws 300
    python scripts/draw_docs.py debtags-fit

The run is short on purpose: the page shows a trace that has mixed beside one that has not. The
pictures are small, in pixels and in bytes: their colours are a palette of 256.
"""

from __future__ import annotations

import argparse
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib import rc_context
from PIL import Image

from frex import plots
from frex.posterior import read_posterior

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from frex.posterior import Posterior

IMAGES = Path(__file__).parents[1] / "docs" / "images"
LARGEST = 60_000  # bytes
RESOLUTION = 110
TRACED = ("root_mean", "dispersion_scale")


def pictures(posterior: Posterior) -> dict[str, Figure]:
    """Draw every plot once."""
    axes = {
        "frex": plots.frex_plot(posterior, "use::chatting"),
        "zoom": plots.zoom_plot(posterior, "use::chatting"),
        "dispersion": plots.dispersion_plot(posterior, "game"),
        "tree": plots.tree_plot(posterior.tree, "mail::filters"),
        "memberships": plots.memberships_plot(posterior, "use::chatting"),
        "document": plots.document_plot(posterior, "mutt"),
    }
    return {name: ax.figure.figure for name, ax in axes.items()} | {
        "stopwords": plots.stopwords_figure(posterior),
        "trace": plots.trace_figure(posterior, TRACED),
        "rank": plots.trace_figure(posterior, TRACED, kind="rank"),
    }


def write_small(figure: Figure, path: Path) -> int:
    """Write a figure as a PNG of few colours; return its size."""
    drawn, packed = BytesIO(), BytesIO()
    with rc_context({"savefig.dpi": RESOLUTION}):
        figure.savefig(drawn, format="png")
    few = Image.open(drawn).convert("RGB").quantize(256, dither=Image.Dither.NONE)
    few.save(packed, format="PNG", optimize=True)
    path.write_bytes(packed.getvalue())
    return len(packed.getvalue())


def main() -> None:
    """Draw all pictures, and say how large each has become."""
    parser = argparse.ArgumentParser(description="Draw the pictures of docs/plots.md.")
    parser.add_argument("fit", type=Path, help="a fit folder of debtags")
    posterior = read_posterior(parser.parse_args().fit)
    IMAGES.mkdir(exist_ok=True)
    for name, figure in pictures(posterior).items():
        size = write_small(figure, IMAGES / f"{name}.png")
        print(f"{name}: {size:,} bytes")
        if size > LARGEST:
            raise SystemExit(f"{name}.png is larger than {LARGEST:,} bytes")


if __name__ == "__main__":
    main()
