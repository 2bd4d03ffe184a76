from dataclasses import replace

import numpy as np
import pytest
from fits import make_fit

from frex.errors import InputError
from frex.posterior import Moment
from frex.posterior.guards import count_not_finite, refuse_not_finite


def test_a_sound_fit_passes_and_spreads_may_be_missing():
    fit = make_fit()
    refuse_not_finite(fit)
    sds = {name: Moment(moment.mean, moment.sd * np.nan) for name, moment in fit.moments.items()}
    refuse_not_finite(replace(fit, moments=sds))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("group", ["moments", "exclusivity", "draws"])
def test_a_value_that_is_no_number_is_refused_with_a_remedy(group, value):
    fit = make_fit()
    name, first = next(iter(getattr(fit, group).items()))
    array = first if group == "draws" else first.mean
    array[0, 0] = value
    (found,) = count_not_finite(fit).items()
    assert name in found[0]
    assert found[1] == 1
    with pytest.raises(InputError, match=f"1 .*{name}.*not finite") as raised:
        refuse_not_finite(fit)
    assert "frex diagnose" in str(raised.value)
