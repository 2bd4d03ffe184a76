import tempfile

import numpy as np

from frex.serve.shared import load, save


def test_what_is_saved_is_mapped_and_a_reader_changes_nothing():
    value = {"a": np.arange(7), "b": [np.ones((3, 2), np.float32), "text"], "c": np.empty(0)}
    with tempfile.TemporaryFile() as file:
        save(value, file)
        found = load(file.fileno())
        assert found["b"][1] == "text"
        for one, other in ((found["a"], value["a"]), (found["b"][0], value["b"][0])):
            np.testing.assert_array_equal(one, other)
            assert one.dtype == other.dtype
            assert not one.flags.owndata
            one[...] = 5
        np.testing.assert_array_equal(load(file.fileno())["a"], np.arange(7))
