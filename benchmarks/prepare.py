"""Documents per second and peak memory of `frex prepare`, beside scikit-learn's CountVectorizer.

All contestants read the same JSON lines file of titles and abstracts, split and stem by the same
rules, keep the words of at least five documents, and run in the same session, each in a process
of its own, taking turns. The file is unpacked first: unpacking is not what is measured. The clock
starts after the imports and stops when the counts are there; for frex that includes labels, ids
and a checksummed corpus folder on disk, for CountVectorizer a matrix in memory. The last column
tells how far the machine was busy with other things; where it is not near 0, measure again.

    python benchmarks/prepare.py [FILE.jsonl[.xz] [TREE]]
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("FREX_TEST_DATA", ROOT.parent / "shared" / "data")) / "arxiv"
ROUNDS = 3  # at full size; the other sizes are there for the memory and run once
FIELDS = ("title", "abstract")
MIN_DOCUMENTS = 5
OWN = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


def frex_prepare(file: Path, tree: Path, jobs: int) -> tuple[int, int]:
    """Run `frex prepare`; return the numbers of words and tokens."""
    from frex.text import Fields, VocabularyRule, prepare  # noqa: PLC0415 - in the child only
    from frex.tree import read_tree  # noqa: PLC0415

    report = prepare(
        file,
        read_tree(tree),
        file.with_suffix(f".{jobs}"),
        fields=Fields(id=None, text=FIELDS),  # documents are named after their lines
        vocabulary=VocabularyRule(min_documents=MIN_DOCUMENTS),
        jobs=jobs,
    )
    shutil.rmtree(report.path)
    return report.words, report.tokens


def count_vectorizer(file: Path, *, cached: bool) -> tuple[int, int]:
    """Run scikit-learn on the same texts; return the numbers of words and tokens."""
    from sklearn.feature_extraction.text import CountVectorizer  # noqa: PLC0415 - in the child only

    from frex.text import Analyzer  # noqa: PLC0415

    analyze = cached_analyzer() if cached else Analyzer().analyze
    vectorizer = CountVectorizer(analyzer=analyze, min_df=MIN_DOCUMENTS)
    with file.open(encoding="utf-8") as lines:
        counts = vectorizer.fit_transform(texts(lines))
    return counts.shape[1], int(counts.sum())


def texts(lines: Iterator[str]) -> Iterator[str]:
    """Yield title and abstract of every line."""
    for line in lines:
        record = json.loads(line)
        yield "\n\n".join(record[field] for field in FIELDS)


def cached_analyzer() -> Callable[[str], list[str]]:
    """Return the same analysis with every distinct token looked at once."""
    from frex.text import Analyzer  # noqa: PLC0415 - in the child only

    analyzer = Analyzer()
    stem = analyzer.stemmer()

    class Stems(dict[str, str | None]):
        def __missing__(self, token: str) -> str | None:
            word = analyzer.surface(token)
            self[token] = found = None if word is None else stem(word)
            return found

    stems = Stems()
    return lambda text: [s for s in map(stems.__getitem__, analyzer.split(text)) if s]


CONTESTANTS: dict[str, Callable[[Path, Path], tuple[int, int]]] = {
    "frex, 1 process": lambda file, tree: frex_prepare(file, tree, 1),
    "frex, 2 processes": lambda file, tree: frex_prepare(file, tree, 2),
    "CountVectorizer": lambda file, _: count_vectorizer(file, cached=False),
    "CountVectorizer, cached stems": lambda file, _: count_vectorizer(file, cached=True),
}


def run_contestant(name: str, file: Path, tree: Path) -> None:
    """Run one contestant in this process and print its result for the parent."""
    import_module("frex.text")  # before the clock starts
    if name.startswith("CountVectorizer"):
        import_module("sklearn.feature_extraction.text")
    start = time.perf_counter()
    words, tokens = CONTESTANTS[name](file, tree)
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "words": words, "tokens": tokens}))


def measure(name: str, file: Path, tree: Path) -> dict[str, Any]:
    """Run one contestant in a process of its own, watching its memory."""
    command = [sys.executable, __file__, str(file), str(tree), "--contestant", name]
    before = time.perf_counter(), busy_seconds(), own_seconds()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        watched = psutil.Process(process.pid)
        peak = 0
        while process.poll() is None:
            peak = max(peak, resident(watched))
            time.sleep(0.02)
        assert process.stdout is not None
        output = process.stdout.read()
    if process.returncode:
        raise SystemExit(f"{name} failed")
    wall, busy, own = (
        now - then
        for now, then in zip(
            (time.perf_counter(), busy_seconds(), own_seconds()), before, strict=True
        )
    )
    others = max(0.0, (busy - own) / wall)
    return {**json.loads(output), "peak": peak, "others": others}


def busy_seconds() -> float:
    """Return the time for which the machine's cores were at work, for whomever."""
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - getattr(times, "iowait", 0.0))


def own_seconds() -> float:
    """Return the time for which this program and its contestants were at work."""
    return sum(sum(resource.getrusage(who)[:2]) for who in OWN)


def resident(process: psutil.Process) -> int:
    """Return the resident memory of a process and all below it; shared pages count for each."""
    total = 0
    try:
        for member in (process, *process.children(recursive=True)):
            total += member.memory_info().rss
    except psutil.Error:  # one ended meanwhile
        pass
    return total


def turns(source: Path, folder: Path) -> Iterator[tuple[int, Path, str]]:
    """Yield number of documents, file and contestant of one run after the other."""
    full = folder / "full.jsonl"
    n = write_subset(source, full, None)
    for part in (4, 2):
        file = folder / f"part{part}.jsonl"
        size = write_subset(full, file, n // part)
        yield from ((size, file, name) for name in CONTESTANTS)
    for _ in range(ROUNDS):
        yield from ((n, full, name) for name in CONTESTANTS)
    # the same documents four times: more of them, and not one new word
    fourfold = folder / "fourfold.jsonl"
    with fourfold.open("wb") as out:
        for _ in range(4):
            with full.open("rb") as lines:
                shutil.copyfileobj(lines, out)
    yield from ((4 * n, fourfold, name) for name in CONTESTANTS if name.startswith("frex"))


def write_subset(source: Path, target: Path, n: int | None) -> int:
    """Write the first documents of a file, unpacked; return how many there are."""
    unpack = lzma.open if source.suffix == ".xz" else open
    with unpack(source, "rb") as lines, target.open("wb") as out:
        written = 0
        for line in islice(lines, n):
            out.write(line)
            written += 1
    return written


def report(results: dict[int, dict[str, list[dict[str, Any]]]]) -> None:
    """Print the results as a Markdown table."""
    when = datetime.now(UTC).strftime("%Y-%m-%d")
    print(
        f"\n{machine()}, {psutil.cpu_count()} cores, Python {platform.python_version()}, {when}\n"
    )
    print("| documents | contestant | documents/s: median (range) | peak MiB | cores of others |")
    print("|---:|---|---:|---:|---:|")
    for size, by_name in results.items():
        for name, runs in by_name.items():
            speeds = sorted(size / run["seconds"] for run in runs)
            spread = f" ({speeds[0]:,.0f}-{speeds[-1]:,.0f})" if len(speeds) > 1 else ""
            peak = max(run["peak"] for run in runs) / 2**20
            middle = statistics.median(speeds)
            others = max(run["others"] for run in runs)
            print(f"| {size:,} | {name} | {middle:,.0f}{spread} | {peak:,.0f} | {others:.1f} |")


def machine() -> str:
    """Return the name of the processor."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(": ")[1]
    return platform.processor() or platform.machine()


def main() -> None:
    """Run all contestants and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, nargs="?", default=DATA / "arxiv_150k.jsonl.xz")
    parser.add_argument("tree", type=Path, nargs="?", default=DATA / "tree.tsv")
    parser.add_argument("--contestant", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.contestant:
        run_contestant(options.contestant, options.file, options.tree)
        return
    if not options.file.exists():
        raise SystemExit(f"no documents at {options.file}: name a file and a tree")
    results: dict[int, dict[str, list[dict[str, Any]]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for turn, (size, file, name) in enumerate(turns(options.file, Path(folder)), start=1):
            result = measure(name, file, options.tree)
            results.setdefault(size, {}).setdefault(name, []).append(result)
            print(f"{turn}: {size:,} documents, {name}: {result}", file=sys.stderr)
    for by_name in results.values():  # the same words, the same tokens, or it is no race
        found = {(run["words"], run["tokens"]) for runs in by_name.values() for run in runs}
        assert len(found) == 1, found
    report(results)


if __name__ == "__main__":
    main()
