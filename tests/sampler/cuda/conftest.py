"""The GPU's tests run on a GPU, or on the CUDA simulator where `NUMBA_ENABLE_CUDASIM` is 1."""

import importlib.util
import threading
from contextlib import contextmanager

import numpy as np
from numba import config

collect_ignore_glob = ["test_*.py"]
if importlib.util.find_spec("numba_cuda") is not None:
    from numba import cuda

    if cuda.is_available():
        collect_ignore_glob = []

if config.ENABLE_CUDASIM:
    from numba.cuda.simulator import kernel as simulator
    from numba.cuda.simulator.kernelapi import Dim3, FakeCUDAModule

    @contextmanager
    def swapped_for_good(function, fake):
        """Give a function's module the simulated `cuda`.

        The simulator's own takes it back when the first thread leaves the function, while others
        are still in it.
        """
        names = function.__globals__
        for name, value in list(names.items()):
            if value is cuda or isinstance(value, FakeCUDAModule):
                names[name] = fake
        yield

    class Lane(threading.Thread):
        """A thread of a block."""

        def __init__(self, work, barrier, block, thread):
            super().__init__(daemon=True)
            self._work, self._barrier = work, barrier
            self.blockIdx, self.threadIdx = Dim3(*block), Dim3(*thread)
            self.error = None

        def run(self):
            try:
                self._work()
            except Exception as error:  # noqa: BLE001 - raised again by the block
                self.error = error
                self._barrier.abort()

        def syncthreads(self):
            self._barrier.wait()

    class BarrierBlock:
        """Runs a block. The simulator's own polls its threads, which takes a hundred times longer.

        Like a GPU it hangs, or here breaks, where some threads of a block miss a barrier.
        """

        def __init__(self, function, _grid, block, _debug):
            self._function, self._block = function, block

        def run(self, grid_point, *args):
            points = list(np.ndindex(*self._block))
            barrier = threading.Barrier(len(points), timeout=60)
            lanes = [
                Lane(lambda: self._function(*args), barrier, grid_point, point) for point in points
            ]
            for lane in lanes:
                lane.start()
            for lane in lanes:
                lane.join()
            errors = [lane.error for lane in lanes if lane.error is not None]
            for error in sorted(errors, key=lambda e: isinstance(e, threading.BrokenBarrierError)):
                raise error

    simulator.swapped_cuda_module = swapped_for_good
    simulator.BlockManager = BarrierBlock
