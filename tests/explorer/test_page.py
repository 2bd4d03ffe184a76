import json
import re
from dataclasses import replace

import numpy as np
import pytest
from pages import SCRIPT, TREE, make_fit

from frex.errors import InputError
from frex.explorer import make_page, write_page
from frex.model import branching_tree
from frex.posterior import Moment


def test_the_index_cannot_leave_its_script():
    page = make_page(make_fit(), title=f"{SCRIPT} {{{{index}}}}")
    index = re.search(r'id="index">([^<]*)</script>', page)[1]
    assert not set("<>&\u2028\u2029") & set(index)
    assert json.loads(index)["names"] == list(TREE.names)
    assert SCRIPT not in page
    assert page.count("<script>") == 1
    assert "{{" not in page.replace("{{index}}", "")


def test_a_place_that_is_taken_or_missing(tmp_path):
    fit, place = make_fit(), tmp_path / "page.html"
    write_page(fit, place)
    made = place.read_text(encoding="utf-8")
    with pytest.raises(InputError, match=r"page\.html: exists already\. Choose"):
        write_page(fit, place, title="other")
    assert place.read_text(encoding="utf-8") == made
    write_page(fit, place, title="other", overwrite=True)
    assert place.read_text(encoding="utf-8") != made
    with pytest.raises(InputError, match=r"there is no folder .*nowhere"):
        write_page(fit, tmp_path / "nowhere" / "page.html")
    with pytest.raises(InputError, match="is a folder"):
        write_page(fit, tmp_path, overwrite=True)
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_rates_that_are_no_numbers_are_refused():
    fit = make_fit()
    log_rates = fit.log_rates.mean.copy()
    log_rates[3, 2] = np.nan
    with pytest.raises(InputError, match="frex diagnose"):
        make_page(replace(fit, moments={**fit.moments, "log_rates": Moment(log_rates, log_rates)}))


def test_a_large_fit_stays_below_15_mb():
    tree = branching_tree([10, 7, 6])
    words = tuple(f"w{number:05}" for number in range(20_000))
    assert tree.n_topics == 500
    fit = make_fit(tree, words, n_documents=2000, n_draws=60, n_scored=100)
    assert len(make_page(fit).encode()) < 15e6
