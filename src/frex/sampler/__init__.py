"""The machine that draws from the posterior."""

import os

# GNU OpenMP spins while it waits, which on a busy machine takes the cores from those it waits for:
# beside four busy processes two threads that spin 30,000 turns took 37 s for a tiny fit, and 3 s
# when they waited asleep. But a thread that sleeps takes 40 us to wake, at each of 25 kernels of a
# scan. So they spin 5,000 turns first: 5 s there, and alone 0.9 s where asleep it took 1.7.
if "OMP_WAIT_POLICY" not in os.environ:
    os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
    os.environ.setdefault("GOMP_SPINCOUNT", "5000")
