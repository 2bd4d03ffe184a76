"""The attack of `test_strangers.py` by the thousand, with signals and memory watched.

Each case is a folder that was changed in one place and signed anew. A process of its own reads and
uses it as the program would; where that one dies, the case is told and another goes on.

    python tests/attack.py [--cases 2000] [--kinds corpus,fit,calibration,truth,checkpoint]
"""

import argparse
import contextlib
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

import strangers
from hostile import hostile_copy

from frex.errors import FrexError

ALLOWANCE = 16 << 20
"""Bytes of memory that one case may need beyond another: allocators are not alike each time."""


def forget_peak():
    """Let the peak of resident memory begin anew; Linux only."""
    Path("/proc/self/clear_refs").write_text("5")


def peak():
    """Return the peak of resident memory since it was forgotten, in bytes."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.split("VmHWM:")[1].split()[0])


def attempt(kind, place):
    """Use a folder; return how it ended, and how far memory rose above what it was."""
    forget_peak()
    before = peak()
    warnings.simplefilter("ignore")
    with contextlib.redirect_stderr(io.StringIO()):
        try:
            complaint = strangers.use(kind, place, further=True)
        except FrexError as error:
            complaint = str(error)
        except Exception as error:  # noqa: BLE001 - what the command line calls a fault
            return "fault", f"{type(error).__name__}: {error}", peak() - before
    return ("refused" if complaint else "accepted"), complaint, peak() - before


def work(kind, place):
    """Take the numbers of cases from standard input, and tell how each ended."""
    honest, hostile = place / kind, place / f"{kind}-hostile-{os.getpid()}"
    attempt(kind, honest)  # what is compiled and imported is not counted
    print(json.dumps(["ready", *attempt(kind, honest)]), flush=True)
    for line in sys.stdin:
        what = hostile_copy(honest, hostile, random.Random(int(line)))
        print(json.dumps([what, *attempt(kind, hostile)]), flush=True)


class Worker:
    """A process that goes through cases, and is begun anew where one kills it."""

    def __init__(self, kind, place):
        self.command = [sys.executable, __file__, "--work", kind, str(place)]
        self.begin()

    def begin(self):
        """Start, and learn how much memory an honest folder takes."""
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            self.command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
        )
        _, end, said, self.honest_peak = json.loads(self.process.stdout.readline())
        assert end == "accepted", said

    def run(self, case):
        """Return what was changed, how it ended, what was said, and the memory that it took."""
        self.process.stdin.write(f"{case}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if answer:
            return json.loads(answer)
        signal = -self.process.wait()
        self.begin()
        return ["?", "killed", f"signal {signal}", 0]


def attack(kind, place, cases):
    """Go through the cases of a kind, print what went wrong, and count how they ended."""
    strangers.KINDS[kind].make(place / kind)
    worker, ends, most = Worker(kind, place), Counter(), 0
    for case in range(cases):
        what, end, said, memory = worker.run(case)
        if end in ("accepted", "refused") and memory > worker.honest_peak + ALLOWANCE:
            end = "too much memory"
        most = max(most, memory - worker.honest_peak)
        ends[end] += 1
        if end not in ("refused", "accepted"):
            print(f"  {kind} {case}: {end}: {what}: {said[:200]} ({memory >> 20} MiB)", flush=True)
    worker.process.stdin.close()
    worker.process.wait()
    told = ", ".join(f"{n} {end}" for end, n in ends.most_common())
    print(f"{kind}: {cases} cases: {told}; at most {most / 2**20:.1f} MiB beyond the honest folder")
    return ends


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--kinds", default=",".join(strangers.KINDS))
    parser.add_argument("--work", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.work:
        work(args.work[0], Path(args.work[1]))
        return
    kinds, ends = args.kinds.split(","), Counter()
    with tempfile.TemporaryDirectory() as place:
        for kind in kinds:
            ends += attack(kind, Path(place), args.cases // len(kinds))
    sys.exit(bool(ends.keys() - {"refused", "accepted"}))


if __name__ == "__main__":
    main()
