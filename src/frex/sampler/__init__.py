"""The machine that draws from the posterior."""

import os

# GNU OpenMP spins while it waits. On a busy machine this takes cores from the threads it waits for:
# beside four busy processes, a tiny fit with two threads took 37 s with 30,000 spins, and 3 s when
# they slept. But a sleeping thread takes 40 us to wake, at each of the 25 kernels of a scan. With
# 5,000 spins before sleeping the fit takes 5 s on the busy machine, and 0.9 s alone (1.7 s when
# sleeping at once).
if "OMP_WAIT_POLICY" not in os.environ:
    os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
    os.environ.setdefault("GOMP_SPINCOUNT", "5000")
