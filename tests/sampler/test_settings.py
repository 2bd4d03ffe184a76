import pytest

from frex.errors import InputError
from frex.sampler.settings import Settings


def test_the_mode_has_no_use_for_a_curvature():
    with pytest.raises(InputError, match=r"curvature is 'dense'.*Leave it out"):
        Settings(method="map", curvature="dense")
    assert Settings(curvature="dense").method == "sample"
