import logging

from frex.web.logs import Seldom


def test_what_is_logged_again_and_again_is_logged_seldom():
    seldom = Seldom()
    logged = []
    for number in range(1000):
        record = logging.LogRecord("x", logging.ERROR, "a.py", 7, "fault %s", (number,), None)
        if seldom.filter(record):
            logged.append(record.getMessage())
    assert logged[:3] == ["fault 0", "fault 1 (2 times)", "fault 3 (4 times)"]
    assert len(logged) == 10
    other = logging.LogRecord("x", logging.ERROR, "a.py", 8, "another", (), None)
    assert seldom.filter(other)
