"""Makes Numba's CUDA simulator quick; importing it is enough, where it is switched on."""

import threading
from contextlib import contextmanager

import numpy as np
from numba import config, cuda

from frex.sampler.kernels.cuda import options

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
            barrier = threading.Barrier(len(points), timeout=300)
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

    def kind(value):
        """Return what a kernel is compiled for: a value's type, and an array's layout."""
        if isinstance(value, tuple):
            return (type(value).__name__, *map(kind, value))
        array = getattr(value, "_ary", value)
        if isinstance(array, np.ndarray):
            return str(array.dtype), array.ndim, "C" if array.flags.c_contiguous else "A"
        return str(np.result_type(value)) if np.isscalar(value) else type(value).__name__

    known = {}
    launch_of = options.Kernel.__getitem__

    def checked(kernel, configuration):
        """Return a launch that fails where the types are not those of the first.

        On a GPU a kernel is compiled once, and takes what it is given for what it was compiled for.
        """
        launch = launch_of(kernel, configuration)

        def launch_checked(*args):
            types = [kind(arg) for arg in args]
            first = known.setdefault(kernel, types)
            assert types == first, (
                f"{kernel._dispatcher.fn.__name__} was compiled for {first}, and is given {types}"
            )
            launch(*args)

        return launch_checked

    options.Kernel.__getitem__ = checked
