"""A table is whole on all ranks, whoever shares memory with whom."""

import json

import pytest
from mpi import needs_mpirun, run_on_ranks

from frex.sampler.ranks import tables
from frex.storage.locks import lock

CODE = """
import json
import numpy as np
from mpi4py import MPI
from frex.sampler.ranks import tables
from frex.sampler.ranks.exchange import Partition, Ranks
{machines}
ranks = Ranks.world()
partition = Partition(np.array([3, 0, 4, 1, 2]), np.array([0, 2, 2, 5]), ranks.rank)
places, in_order = ranks.table(partition), ranks.table(partition, (2,), in_order=True)
places.array[partition.own] = 10 * partition.own
in_order.array[partition.mine] = 10 * partition.own[:, None] + [0, 1]
places.fill()
in_order.fill()
rounds = []
for turn in range(3):
    topics = ranks.stretch(4)
    rows = 100.0 * turn + np.arange(topics.start, topics.stop)[:, None]
    rounds.append(ranks.all_stretches(rows, 4)[:, 0].tolist())
found = {{
    "started as": MPI.COMM_WORLD.Get_rank(),
    "starts": places._machines.starts.tolist(),
    "places": places.array.tolist(),
    "in order": in_order.array.tolist(),
    "bins": ranks.all_bins(1.0 * ranks.bins.own).tolist(),
    "rounds": rounds,
}}
every = ranks.gather(found)
if ranks.first:
    print(json.dumps(every))
"""
TWO_MACHINES = """
world = MPI.COMM_WORLD.Get_rank()
tables._of_a_machine = lambda communicator: communicator.Split(world % 2, 0)
"""
NO_ROOM = """
if MPI.COMM_WORLD.Get_rank() == 0:
    tables.MEMORY = "/there is no such place"
"""


@needs_mpirun
@pytest.mark.parametrize(
    ("machines", "starts", "order"),
    [
        ("", [0, 3], [0, 1, 2]),
        (TWO_MACHINES, [0, 2, 3], [0, 2, 1]),  # ranks of a machine follow one another
        (NO_ROOM, [0, 1, 2, 3], [0, 1, 2]),
    ],
    ids=["one machine", "two machines", "nothing shared"],
)
def test_a_table_is_whole_on_all_ranks(machines, starts, order):
    code, out, err = run_on_ranks(3, CODE.format(machines=machines))
    assert code == 0, err
    every = json.loads(out)
    assert [rank["started as"] for rank in every] == order
    for rank in every:
        assert rank["starts"] == starts
        assert rank["places"] == [0, 10, 20, 30, 40]
        assert rank["in order"] == [[30, 31], [0, 1], [40, 41], [10, 11], [20, 21]]
        assert rank["bins"] == list(range(64))
        assert rank["rounds"] == [[100 * turn + item for item in range(4)] for turn in range(3)]


def test_memory_that_a_killed_run_left_is_free_again_and_no_other(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "MEMORY", tmp_path)
    left, used, others = (tmp_path / name for name in ("frex-abcd_123", "frex-00000000", "other"))
    for path in (left, used, others):
        path.touch()
    with lock(used), tables._new_file(100) as mine:
        assert mine.stat().st_size == 100
        assert set(tmp_path.iterdir()) == {mine, used, others}
        with tables._new_file(100) as second:
            assert set(tmp_path.iterdir()) == {mine, second, used, others}
    assert set(tmp_path.iterdir()) == {used, others}
