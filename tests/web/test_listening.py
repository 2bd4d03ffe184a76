import pytest

from frex.web import is_loopback


@pytest.mark.parametrize(
    ("host", "alone"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("::", False),
     ("192.168.0.7", False), ("example.org", False)],
)  # fmt: skip
def test_what_only_this_machine_reaches(host, alone):
    assert is_loopback(host) is alone
