import numpy as np
from numba import cuda

from frex.sampler.formulas.random import gamma, uniforms
from frex.sampler.kernels.cuda.random import normal
from frex.sampler.kernels.random import gamma_value, normal_array, uniform_pair
from frex.sampler.state import Clock, Stream

CLOCK = Clock(2**40 + 17, 3, 70_000)


@cuda.jit
def draw(address, items, out):
    i = cuda.grid(1)
    if i < len(items):
        key, scan, stream = address
        out[i, 0], out[i, 1] = uniforms(key, items[i], scan, stream, i)
        out[i, 2] = normal(address, items[i], i)
        out[i, 3], _ = gamma(key, items[i], scan, stream, 0, 0.3 + 2 * i)


def test_uniforms_have_the_bits_of_the_cpu_and_the_rest_its_values():
    address = CLOCK.address(Stream.LAPLACE_AFFINITIES)
    items = np.array([0, 1, 10_420, 2**31 - 1])
    out = cuda.to_device(np.zeros((len(items), 4)))
    draw[1, 4](address, items, out)
    for i, (item, drawn) in enumerate(zip(items, out.copy_to_host(), strict=True)):
        where = (address.key, item, address.scan, address.stream)
        assert tuple(drawn[:2]) == uniform_pair(*where, i)
        np.testing.assert_allclose(drawn[2], normal_array(*where, i + 1)[i], rtol=1e-12)
        np.testing.assert_allclose(drawn[3], gamma_value(*where, 0.3 + 2 * i), rtol=1e-12)
