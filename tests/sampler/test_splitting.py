import numpy as np
import pytest

from frex.sampler.splitting import splitting


@pytest.mark.parametrize("n_stages", range(1, 8))
def test_kicks_and_drifts_are_symmetric_and_add_up(n_stages):
    kicks, drifts = splitting(n_stages)
    assert len(kicks) == n_stages + 1
    assert len(drifts) == n_stages
    for sizes in (kicks, drifts):
        np.testing.assert_allclose(sizes, sizes[::-1], atol=1e-15)
        assert sizes.sum() == pytest.approx(n_stages)


def energy_error(kicks, drifts, step):
    """Return the mean error of energy of a trajectory through a unit Gaussian, from stationarity.

    A trajectory is a matrix that keeps areas; Blanes, Casas and Sanz-Serna have the mean in it.
    """
    matrix = np.eye(2)
    for kick, drift in zip(kicks, np.append(drifts, 0.0), strict=True):
        matrix = np.array([[1.0, 0.0], [-step * kick, 1.0]]) @ matrix
        matrix = np.array([[1.0, step * drift], [0.0, 1.0]]) @ matrix
    return 0.5 * ((matrix**2).sum() - 2.0)


@pytest.mark.parametrize("n_stages", [2, 3, 4, 6])
@pytest.mark.parametrize("step", [0.3, 0.5, 0.7])
def test_the_error_of_energy_is_less_than_the_leapfrogs(n_stages, step):
    leapfrog = np.ones(n_stages + 1)
    leapfrog[[0, -1]] = 0.5
    ours = energy_error(*splitting(n_stages), step)
    assert ours < 0.2 * energy_error(leapfrog, np.ones(n_stages), step)
