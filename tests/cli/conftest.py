"""Running the program inside the test's own process."""

from typing import NamedTuple

import pytest

from frex.cli import main


class Result(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def frex(capsys):
    """Return a function that runs `frex` with arguments and returns exit code and output."""

    def run(*arguments):
        with pytest.raises(SystemExit) as caught:
            main([str(a) for a in arguments])
        shown = capsys.readouterr()
        return Result(int(caught.value.code or 0), shown.out, shown.err)

    return run
