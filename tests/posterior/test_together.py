"""Topics with the very same documents are found, and named as such by `diagnose`."""

from dataclasses import replace

import numpy as np
from fits import make_fit
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from frex.posterior import diagnose
from frex.posterior.together import FEWEST, never_apart


@given(
    st.integers(1, 6).flatmap(
        lambda width: st.lists(st.lists(st.booleans(), min_size=width, max_size=width), min_size=1)
    )
)
def test_groups_are_those_of_equal_columns(rows):
    dense = np.array(rows)
    found = never_apart(csr_array(dense))
    for i in range(dense.shape[1]):
        for j in range(i + 1, dense.shape[1]):
            same = dense[:, i].sum() >= FEWEST and (dense[:, i] == dense[:, j]).all()
            assert same == any(i in group and j in group for group in found)
    sizes = [dense[:, group[0]].sum() for group in found]
    assert sizes == sorted(sizes, reverse=True)


def test_diagnose_names_them_where_topics_have_labels():
    fit = make_fit()
    assert not any("never filed apart" in note for note in diagnose(fit).notes)
    labels = fit.labels.toarray()
    labels[:, 0] = labels[:, 2]  # three documents
    alike = replace(fit, labels=csr_array(labels), moments={}, draws={})
    first, second = fit.tree.topics[0], fit.tree.topics[2]
    said = [note for note in diagnose(alike).notes if "never filed apart" in note]
    assert len(said) == 1
    assert f"{first} and {second}" in said[0]
    found = replace(alike, settings={**fit.settings, "n_topics": 4})
    assert not any("never filed apart" in note for note in diagnose(found).notes)
