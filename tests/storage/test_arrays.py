from pathlib import Path

import numpy as np
import pytest

from frex.storage import forget


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="the system does not tell")
def test_what_is_forgotten_takes_no_memory_and_is_read_again(tmp_path):
    def resident(path):
        """Return the kilobytes of a mapped file that are in memory."""
        _, _, after = Path("/proc/self/smaps").read_text().partition(str(path))
        return int(after.partition("Rss:")[2].split()[0])

    values = np.arange(1 << 18)
    np.save(tmp_path / "values.npy", values)
    mapped = np.load(tmp_path / "values.npy", mmap_mode="r")[5:]
    assert mapped.sum() == values[5:].sum()
    assert resident(tmp_path / "values.npy") > 1000
    forget(mapped)
    assert resident(tmp_path / "values.npy") < 100
    assert np.array_equal(mapped, values[5:])
    forget(values)  # not mapped, and left alone
    assert values[-1] == (1 << 18) - 1
