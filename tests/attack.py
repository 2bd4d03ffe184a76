"""What others may send, by the thousand: folders changed and signed anew, damaged runs, bombs.

    python tests/attack.py folders [--cases 2000] [--kinds corpus,fit,calibration,truth,checkpoint]
    python tests/attack.py damage
    python tests/attack.py bombs [--mib 1024]
    python tests/attack.py inputs [--cases 10000]

Of folders, each case is one that was changed in one place. A process of its own reads it and uses
it as the program would, down to a fit, a page and predictions; where that process dies, the case
is reported and another goes on. The tests do the same with small sizes. Linux only.
"""

import argparse
import contextlib
import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

import bombs
import strangers
from hostile import hostile_copy
from malformed import outcomes_of

from frex.errors import FrexError

ALLOWANCE = 64 << 20
"""Bytes of memory that a case may need beyond an honest folder: some compile what that did not."""

FREX = """import resource, sys
from pathlib import Path
from frex.cli import main
try:
    main(sys.argv[1:])
finally:
    own = int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])
    print(max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
"""


def forget_peak():
    """Let the peak of resident memory begin anew."""
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
        end, said, memory = attempt(kind, hostile)
        if memory > ALLOWANCE:  # wider numbers have kernels of their own, compiled once
            memory = attempt(kind, hostile)[2]
        print(json.dumps([what, end, said, memory]), flush=True)


class Worker:
    """A process that goes through cases, and is begun anew where one kills it."""

    def __init__(self, kind, place):
        self.command = [sys.executable, __file__, "folders", "--work", kind, str(place)]
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
    return set(ends) <= {"refused", "accepted"}


def folders(place, asked):
    """Attack each kind of folder."""
    kinds = asked.kinds.split(",")
    ends = {kind: attack(kind, place, asked.cases // len(kinds)) for kind in kinds}
    return all(ends.values())


DAMAGES = {
    "cut short": lambda data: data[:-1],
    "empty": lambda _: b"",
    "one bit": lambda data: data[:-1] + bytes([data[-1] ^ 1]),
    "longer": lambda data: data + b"\0",
}


def damage(place, _):
    """Damage each file of a saved run in each way, or remove it; no run goes on from there."""
    honest, damaged, ends = place / "honest", place / "damaged", Counter()
    strangers.KINDS["checkpoint"].make(honest)
    names = [path.relative_to(honest) for path in sorted(honest.rglob("*")) if path.is_file()]
    for name in names:
        for way, change in [*DAMAGES.items(), ("removed", None)]:
            shutil.rmtree(damaged, ignore_errors=True)
            shutil.copytree(honest, damaged)
            file = damaged / name
            file.write_bytes(change(file.read_bytes())) if change else file.unlink()
            end, said, _ = attempt("checkpoint", damaged)
            ends[end] += 1
            if end != "refused":
                print(f"  {name} {way}: {end}: {said[:200]}", flush=True)
    print(
        f"{len(names)} files of a saved run, each damaged in {len(DAMAGES) + 1} ways: {dict(ends)}"
    )
    return set(ends) == {"refused"}


def burst(command):
    """Run a command; return exit code, the end of what it says, peak memory in MiB, seconds."""
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", FREX, *map(str, command)],
        capture_output=True,
        check=False,
        text=True,
    )
    *said, kib = f"{done.stderr} {done.stdout}".split()
    return done.returncode, " ".join(said)[-160:], int(kib) / 1024, time.monotonic() - begun


def explode(place, asked):
    """Give `frex prepare` files that grow, after one that does not."""
    sound = True
    for name, docs, tree in bombs.make(place, asked.mib << 20):
        command = ["prepare", docs, "--tree", tree, "--out", place / "corpus", "--overwrite"]
        code, said, mib, seconds = burst(command)
        size = (tree if "tree" in name else docs).stat().st_size
        print(
            f"{name} ({size:,} bytes): exit code {code}, {mib:.0f} MiB, {seconds:.1f} s\n  {said}"
        )
        sound &= code == (0 if name.startswith("honest") else 2)
    return sound


def prepare(place, asked):
    """Prepare malformed documents; a case that ends otherwise than it should ends the command."""
    print(dict(outcomes_of(asked.cases, place)))
    return True


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("folders", "damage", "bombs", "inputs"))
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--kinds", default=",".join(strangers.KINDS))
    parser.add_argument("--mib", type=int, default=1024, help="what a bomb unpacks to")
    parser.add_argument("--work", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.work:
        work(asked.work[0], Path(asked.work[1]))
        return
    does = {"folders": folders, "damage": damage, "bombs": explode, "inputs": prepare}[asked.what]
    with tempfile.TemporaryDirectory() as place:
        sys.exit(not does(Path(place), asked))


if __name__ == "__main__":
    main()
