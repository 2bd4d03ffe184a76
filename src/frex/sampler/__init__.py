"""The machine that draws from the posterior."""

import os

# GNU OpenMP spins while it waits, which on a busy machine takes the cores from those it waits for:
# two threads beside four busy processes took 18 s for a tiny fit, and 1 s when waiting asleep
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
