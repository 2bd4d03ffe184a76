"""Documents per second and peak memory of `frex prepare`, beside scikit-learn's CountVectorizer.

All contestants read the same JSON lines file of titles and abstracts, split and stem by the same
rules, keep the words of at least five documents, and run in the same session, each in a process
of its own, taking turns. The file is unpacked first: unpacking is not what is measured. The clock
starts after the imports and stops when the counts are there; for frex that includes labels, ids
and a checksummed corpus folder on disk, for CountVectorizer a matrix in memory. The last column
tells how far the machine was busy with other things; where it is not near 0, measure again.

    python benchmarks/prepare.py [FILE.jsonl[.xz] [TREE]] [--docs N] [--rounds 2]
"""

from __future__ import annotations

import argparse
import json
import lzma
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
from claims import Claim, ratios, run, spread
from machine import DATA, Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FIELDS = ("title", "abstract")
MIN_DOCUMENTS = 5
CLAIMS = {
    "frex, 1 process": Claim(
        "`frex prepare`, 1 process: documents per second / CountVectorizer", bar=1
    ),
    "frex, 2 processes": Claim(
        "`frex prepare`, 2 processes: documents per second / CountVectorizer", bar=1, sense="over"
    ),
}


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


def watch(name: str, file: Path, tree: Path) -> dict[str, Any]:
    """Run one contestant in a process of its own, watching its memory."""
    command = [sys.executable, __file__, str(file), str(tree), "--contestant", name]
    begun = Watch()
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
    return {**json.loads(output), "peak": peak, "others": begun.others}


def resident(process: psutil.Process) -> int:
    """Return the resident memory of a process and all below it; shared pages count for each."""
    total = 0
    try:
        for member in (process, *process.children(recursive=True)):
            total += member.memory_info().rss
    except psutil.Error:  # one ended meanwhile
        pass
    return total


def turns(
    source: Path, folder: Path, n: int | None, rounds: int
) -> Iterator[tuple[int, Path, str]]:
    """Yield number of documents, file and contestant of one run after the other."""
    full = folder / "full.jsonl"
    n = write_subset(source, full, n)
    for _ in range(rounds):
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
    print("| documents | contestant | documents/s: median (range) | peak MiB | cores of others |")
    print("|---:|---|---:|---:|---:|")
    for size, by_name in results.items():
        for name, runs in by_name.items():
            speeds = spread(size / run["seconds"] for run in runs)
            peak = max(run["peak"] for run in runs) / 2**20
            others = max(run["others"] for run in runs)
            print(f"| {size:,} | {name} | {speeds} | {peak:,.0f} | {others:.1f} |")


def measure(args: argparse.Namespace) -> list[Claim]:
    """Run all contestants."""
    if not args.file.exists():
        why = "no abstracts of arXiv: name a file and a tree"
        return [claim.missing(why) for claim in CLAIMS.values()]
    results: dict[int, dict[str, list[dict[str, Any]]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        all_turns = turns(args.file, Path(folder), args.docs, args.rounds)
        for turn, (size, file, name) in enumerate(all_turns, start=1):
            result = watch(name, file, args.tree)
            results.setdefault(size, {}).setdefault(name, []).append(result)
            print(f"{turn}: {size:,} documents, {name}: {result}", file=sys.stderr)
    for by_name in results.values():  # the same words, the same tokens, or it is no race
        found = {(run["words"], run["tokens"]) for runs in by_name.values() for run in runs}
        assert len(found) == 1, found
    report(results)
    size, fourfold = results
    rival = [run["seconds"] for run in results[size]["CountVectorizer"]]
    claims = []
    for name, claim in CLAIMS.items():
        seconds = [run["seconds"] for run in results[size][name]]
        speed = size / statistics.median(seconds)
        peaks = [max(run["peak"] for run in results[n][name]) / 2**20 for n in (size, fourfold)]
        note = (
            f"{speed:,.0f} documents/s; peak {peaks[0]:,.0f} MiB for {size:,} documents, "
            f"{peaks[1]:,.0f} for {fourfold:,}"
        )
        claims.append(claim.of(ratios(rival, seconds), note))
    return claims


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "file", type=Path, nargs="?", default=DATA / "arxiv" / "arxiv_150k.jsonl.xz"
    )
    parser.add_argument("tree", type=Path, nargs="?", default=DATA / "arxiv" / "tree.tsv")
    parser.add_argument("--docs", type=int, help="the first so many; all by default")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--contestant", help=argparse.SUPPRESS)
    if "--contestant" in sys.argv:
        args = parser.parse_args()
        run_contestant(args.contestant, args.file, args.tree)
        return
    run(parser, measure)


if __name__ == "__main__":
    main()
