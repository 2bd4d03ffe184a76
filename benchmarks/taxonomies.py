"""Real taxonomies from file to page with default settings, and labels of held-out documents.

Every fifth document of a corpus is held out. The others go through `prepare`, `fit` (the mode, and
seeds 0 and 1), `diagnose`, `top` and `report`, as commands; then the held-out ones through
`predict`, whose labels are compared with the editors': labels out of the box, and those by the
plain rule of a copy of the fit without its calibration. The mode is fitted twice, without and with
calibration, to time both. A row is stored as soon as it is computed, so that an interrupted run
continues.

    python benchmarks/taxonomies.py [NAME ...] [--methods map,0,1] [--threads 0] [--place FOLDER]
        [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import lzma
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from machine import DATA, Watch, describe

from frex.corpus import read_corpus
from frex.posterior import HYPERPARAMETERS, diagnose, read_posterior
from frex.posterior.guards import refuse_not_finite

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

HOLD_OUT = 5
"""Every so many-th document is held out."""

METHODS = ("map", "0", "1")
"""The mode, and the seeds of the sampled fits."""


@dataclass(frozen=True)
class Taxonomy:
    """Documents and a tree as they are published."""

    name: str
    folder: str
    first: int | None = None  #: of the documents; None for all

    @property
    def tree(self) -> Path:
        """The tree's file."""
        return DATA / self.folder / f"{self.folder}-tree.csv"

    def lines(self) -> list[str]:
        """Return the documents, a line of JSON each."""
        with lzma.open(DATA / self.folder / f"{self.folder}.jsonl.xz", "rt") as file:
            return file.readlines()[: self.first]


TAXONOMIES = {
    taxonomy.name: taxonomy
    for taxonomy in (
        Taxonomy("eurlex-2000", "eurlex", 2000),
        Taxonomy("eurlex", "eurlex"),
        Taxonomy("cwe", "cwe"),
        Taxonomy("swisslaw", "swisslaw"),
        Taxonomy("boe", "boe"),
        Taxonomy("mdn", "mdn"),
    )
}


def frex(*arguments: str | Path) -> str:
    """Run a command of frex and return what it printed; a command that fails ends the run."""
    command = [sys.executable, "-c", "from frex.cli import main; main()", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    if done.returncode:
        raise SystemExit(f"frex {' '.join(map(str, arguments))}: {done.returncode}\n{done.stderr}")
    return done.stdout


def prepare(taxonomy: Taxonomy, place: Path) -> None:
    """Part the documents, and make a corpus of each part."""
    parts: dict[str, list[str]] = {"train": [], "test": []}
    for number, line in enumerate(taxonomy.lines()):
        parts["test" if number % HOLD_OUT == HOLD_OUT - 1 else "train"].append(line)
    for part, lines in parts.items():
        (place / f"{part}.jsonl").write_text("".join(lines), encoding="utf-8")
        frex(
            "prepare", place / f"{part}.jsonl", "--tree", taxonomy.tree, "--out", place / part,
            "--unlabelled", "drop", "--overwrite",
        )  # fmt: skip


def measure(place: Path, method: str, threads: int) -> dict[str, Any]:
    """Take the corpus through all commands with one method; return the row's figures."""
    fit = place / f"fit-{method}"
    how = ["--method", "map"] if method == "map" else ["--seed", method]
    how += ["--threads", str(threads)]
    seconds = None
    if method == "map":
        begun = time.perf_counter()
        frex("fit", place / "train", "--out", fit, "--overwrite", "--no-calibrate", *how)
        seconds = round(time.perf_counter() - begun, 1)
    watch, begun = Watch(), time.perf_counter()
    frex("fit", place / "train", "--out", fit, "--overwrite", *how)
    calibrated, others = time.perf_counter() - begun, watch.others
    frex("diagnose", fit)
    lists = frex("top", fit)
    frex("report", fit, "--out", place / f"{method}.html", "--overwrite")
    labels = place / f"labels-{method}.jsonl"
    frex("predict", fit, place / "test.jsonl", "--out", labels, "--explain", "--overwrite")
    plain = plain_labels(fit, place, method)
    posterior = read_posterior(fit)
    refuse_not_finite(posterior)
    judged = diagnose(posterior)
    hyper = [row for name in HYPERPARAMETERS for row in judged.measured.get(name, ())]
    traced = [row.r_hat for row in judged.measured.get("log_rates", ())]
    return {
        "topics": posterior.tree.n_topics,
        "left_out": len(posterior.without_documents),
        "documents": len(posterior.ids),
        "words": len(posterior.words),
        "threads": threads,
        "seconds": seconds,  # without calibration, where that was done
        "calibrated": round(calibrated, 1),  # with it
        "others_busy": round(others, 2),
        "draws": posterior.n_draws,
        "r_hat": _worst(row.r_hat for row in hyper),
        "rates_above": _share(value > 1.01 for value in traced) if traced else None,
        "problems": judged.problems,
        "f1": round(micro_f1(labels, read_corpus(place / "test")), 3),
        "f1_plain": round(micro_f1(plain, read_corpus(place / "test")), 3),
        "listed": len(re.findall(r"\S", lists)) > 0,
    }


def plain_labels(fit: Path, place: Path, method: str) -> Path:
    """Label the held-out documents by a copy of the fit without its calibration."""
    labels = place / f"plain-{method}.jsonl"
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "fit"
        shutil.copytree(fit, copy, ignore=shutil.ignore_patterns("calibration"))
        frex("predict", copy, place / "test.jsonl", "--out", labels, "--overwrite")
    return labels


def _worst(values: Iterable[float]) -> float | None:
    known = [value for value in values if math.isfinite(value)]
    return round(max(known), 4) if known else None


def _share(flags: Iterable[bool]) -> float:
    known = list(flags)
    return round(sum(known) / max(len(known), 1), 3)


def micro_f1(path: Path, truth: Any) -> float:
    """Return micro F1 of predicted labels against those of a corpus of the same documents."""
    actual = {name: set(truth.labels_of(d)) for d, name in enumerate(truth.ids)}
    true = predicted = wanted = 0
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line, parse_constant=_no_number)
            if record["id"] in actual:
                labels = set(record["labels"])
                true += len(labels & actual[record["id"]])
                predicted += len(labels)
                wanted += len(actual[record["id"]])
    return 2 * true / max(predicted + wanted, 1)


def _no_number(text: str) -> None:
    raise SystemExit(f"JSON holds {text}")


def table(rows: dict[str, dict[str, Any]]) -> str:
    """Return the rows as Markdown."""
    lines = [
        "| corpus | documents | topics (left out) | fit | draws | worst R-hat | micro F1 | plain |",
        "|---|---:|---:|---|---:|---:|---:|---:|",
    ]
    for key, row in rows.items():
        name, method = key.rsplit(" ", 1)
        how = "mode" if method == "map" else f"seed {method}"
        draws = "" if method == "map" else f"{row['draws']:,}"
        lines.append(
            f"| {name} | {row['documents']:,} | {row['topics']:,} ({row['left_out']:,}) "
            f"| {how}, {row['calibrated']:,.0f} s | {draws} | {row['r_hat'] or ''} "
            f"| {row['f1']:.3f} | {row['f1_plain']:.3f} |"
        )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the taxonomies that were named, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", default=list(TAXONOMIES))
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--place", type=Path, default=Path(tempfile.gettempdir()) / "taxonomies")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("taxonomies.json"))
    given = parser.parse_args(arguments)
    rows = json.loads(given.out.read_text(encoding="utf-8")) if given.out.exists() else {}
    for name in given.names:
        place = given.place / name
        if not (place / "train").is_dir():
            place.mkdir(parents=True, exist_ok=True)
            prepare(TAXONOMIES[name], place)
        for method in given.methods.split(","):
            key = f"{name} {method}"
            if key not in rows:
                rows[key] = {"machine": describe(), **measure(place, method, given.threads)}
                given.out.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
                print(f"{key}: {json.dumps(rows[key])}", flush=True)
    print(table(rows))


if __name__ == "__main__":
    main()
