import numpy as np
import pytest
from derivatives import jacobian
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import linalg

from frex.sampler import schmc
from frex.sampler.schmc import StepSize, find_mode, mass_factor, trajectory
from frex.sampler.state import Clock, Stream

ADDRESS = Clock(1, 0, 0).address(Stream.ROOT_MEAN)
SEEDS = st.integers(0, 2**32 - 1)
compiling = settings(deadline=None, max_examples=30)


def quartic(x):
    """A density that is no Gaussian, with its gradient."""
    return float(-0.25 * (x**4).sum() - 0.5 * x[0] * x[-1]), -(x**3) - 0.5 * np.eye(len(x))[0] * x[
        -1
    ] - 0.5 * np.eye(len(x))[-1] * x[0]


def random_mass(n, rng):
    factor = rng.normal(size=(n, n + 2))
    return linalg.cholesky(factor @ factor.T + np.eye(n), lower=True)


def run(monkeypatch, position, momentum, lower, *, u=1e-300, jitter=0.5, n_steps=5, step=0.2):
    """Run a trajectory with a chosen momentum; return its move and the momentum at its end."""
    seen = []

    def density(x):
        seen.append(x)
        return quartic(x)

    noise = linalg.solve_triangular(lower, momentum, lower=True)
    monkeypatch.setattr(schmc, "normal_array", lambda *_: noise)
    monkeypatch.setattr(schmc, "uniform_pair", lambda *_: (jitter, u))
    move = trajectory(position, density, lower, ADDRESS, step=step, n_steps=n_steps)
    # momentum at the end: the last half step, from the last two positions
    velocity = (seen[-1] - seen[-2]) / (step * (0.8 + 0.4 * jitter))
    end = lower @ lower.T @ velocity + 0.5 * step * (0.8 + 0.4 * jitter) * quartic(seen[-1])[1]
    return move, end


@given(st.integers(1, 5), SEEDS)
@settings(max_examples=30, deadline=None)
def test_a_trajectory_run_back_ends_where_it_began(n, seed):
    rng = np.random.default_rng(seed)
    position, lower = rng.normal(size=n), random_mass(n, rng)
    momentum = lower @ rng.normal(size=n)
    with pytest.MonkeyPatch.context() as patch:
        there, end = run(patch, position, momentum, lower)
        back, again = run(patch, there.position, -end, lower)
    np.testing.assert_allclose(back.position, position, atol=1e-10)
    np.testing.assert_allclose(again, -momentum, atol=1e-8)
    assert back.energy == pytest.approx(-there.energy, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_a_trajectory_preserves_volume(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    lower, n = random_mass(3, rng), 3

    def flow(start):
        move, end = run(monkeypatch, start[:n], start[n:], lower)
        return np.concatenate([move.position, end])

    derivative = jacobian(flow, np.concatenate([rng.normal(size=n), lower @ rng.normal(size=n)]))
    assert linalg.det(derivative) == pytest.approx(1, abs=1e-6)


def test_a_move_is_accepted_by_its_change_of_energy(monkeypatch):
    rng = np.random.default_rng(1)
    position, lower = rng.normal(size=3), random_mass(3, rng)
    momentum = lower @ rng.normal(size=3)
    certain, end = run(monkeypatch, position, momentum, lower, step=0.9)
    kinetic = [0.5 * p @ linalg.cho_solve((lower, True), p) for p in (momentum, end)]
    change = quartic(certain.position)[0] - kinetic[1] - quartic(position)[0] + kinetic[0]
    assert certain.energy == pytest.approx(change, rel=1e-9)
    assert certain.acceptance == pytest.approx(min(1, np.exp(change)))
    for share, accepted in ((0.99, True), (1.01, False)):
        u = share * np.exp(change)
        move, _ = run(monkeypatch, position, momentum, lower, step=0.9, u=u)
        assert np.array_equal(move.position, certain.position if accepted else position)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("where", [1, 3])
def test_what_diverges_is_rejected(bad, where):
    calls = []

    def density(x):
        calls.append(x)
        value, gradient = quartic(x)
        return (bad if len(calls) == where + 1 else value), gradient

    start = np.zeros(2)
    move = trajectory(start, density, np.eye(2), ADDRESS, step=0.1, n_steps=3)
    assert np.array_equal(move.position, start)
    assert (move.acceptance, move.energy) == (0.0, -np.inf)


def test_a_momentum_that_overflows_is_rejected_without_a_word():
    start = np.full(2, 3.0)
    move = trajectory(start, quartic, 1e-3 * np.eye(2), ADDRESS, step=1e3, n_steps=4)
    assert np.array_equal(move.position, start)
    assert move.acceptance == 0


@compiling
@given(st.integers(1, 6), SEEDS)
def test_one_newton_step_finds_the_mode_of_a_gaussian(n, seed):
    rng = np.random.default_rng(seed)
    lower, mode = random_mass(n, rng), rng.normal(size=n)
    precision = lower @ lower.T

    def density(x):
        away = precision @ (x - mode)
        return float(-0.5 * (x - mode) @ away), -away

    found = find_mode(rng.normal(size=n), density, lambda _: -precision, n_iterations=2)
    np.testing.assert_allclose(found, mode, atol=1e-6)


def test_the_mode_of_a_hard_function_is_found():
    # log cosh: far out the Hessian is nearly 0, and a full Newton step overshoots by orders
    def density(x):
        return float(-np.logaddexp(x, -x).sum() - 0.005 * x @ x), -np.tanh(x) - 0.01 * x

    def hessian(x):
        return np.diag(-1 / np.cosh(x) ** 2 - 0.01)

    found = find_mode(np.array([9.0, -14.0, 0.1]), density, hessian)
    np.testing.assert_allclose(found, 0, atol=1e-3)

    # Rosenbrock's valley: the Hessian is not definite everywhere
    def valley(x):
        a, b = x
        slope = np.array([2 * (a - 1) + 400 * a * (a * a - b), 200 * (b - a * a)])
        return float(-((1 - a) ** 2) - 100 * (b - a * a) ** 2), -slope

    def bend(x):
        a, b = x
        return -np.array([[2 + 1200 * a * a - 400 * b, -400 * a], [-400 * a, 200.0]])

    np.testing.assert_allclose(find_mode(np.array([-1.2, 1.0]), valley, bend), 1, atol=1e-3)


def test_a_mass_is_made_positive_definite():
    matrix = np.array([[2.0, 0.3], [0.3, 1.0]])
    lower = mass_factor(matrix)
    np.testing.assert_allclose(lower @ lower.T, matrix)
    lower = mass_factor(np.diag([4.0, -9.0]))
    np.testing.assert_allclose(lower @ lower.T, np.diag([4.0, 9.0]))
    assert np.isfinite(mass_factor(np.zeros((3, 3)))).all()


def test_steps_learn_their_target_and_freeze_at_the_average():
    step = StepSize.create(2, 3)
    assert step.longest == pytest.approx(schmc.LENGTH / 3)

    def acceptance(value):  # the second item could take any step
        return np.array([np.exp(-((value[0] / 0.3) ** 2)), 1.0])

    late = []
    for i in range(400):
        step.learn(acceptance(step.value), late=i >= 200)
        if i >= 200:
            late.append(step.value.copy())
    step.freeze()
    np.testing.assert_allclose(step.value, np.exp(np.log(late).mean(axis=0)), rtol=1e-12)
    assert acceptance(step.value)[0] == pytest.approx(schmc.TARGET_ACCEPTANCE, abs=0.01)
    assert step.value[1] == pytest.approx(step.longest)


def test_a_step_without_a_late_scan_stays_as_it_is():
    step = StepSize.create(1, 3)
    step.learn(np.array([0.1]), late=False)
    before = step.value.copy()
    step.freeze()
    assert np.array_equal(step.value, before)


def test_a_search_does_not_go_where_slopes_are_no_numbers():
    def cliff(x):
        return (1e9, np.array([np.nan])) if x[0] > 1 else (-float((x[0] - 3) ** 2), -2 * (x - 3))

    found = find_mode(np.zeros(1), cliff, lambda _: np.array([[-2.0]]))
    assert 0.9 < found[0] <= 1
