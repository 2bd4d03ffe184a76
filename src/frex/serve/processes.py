"""The server's child processes: started apart from the terminal, told to end."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from frex.serve.frames import Frame, packed, receive

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_PATIENCE_S = 5.0


class DiedError(Exception):
    """A process ended before it answered.

    Parameters
    ----------
    begun
        Whether it had begun to work on it.
    """

    def __init__(self, *, begun: bool = False) -> None:
        super().__init__()
        self.begun = begun


class Process:
    """A process that answers messages, one at a time.

    It ends when its input does, so it does not outlive the server, however that ends.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._input, self._output = process, process.stdin, process.stdout

    @classmethod
    async def start(
        cls, module: str, arguments: Sequence[str], descriptors: Sequence[int]
    ) -> Process:
        """Start one.

        Parameters
        ----------
        module
            What it runs.
        arguments
            Of its command line.
        descriptors
            Files that it inherits.
        """
        process = await asyncio.create_subprocess_exec(
            # -P: do not import modules from the folder in which the server was started
            sys.executable, "-P", "-m", module, *arguments,
            stdin=PIPE, stdout=PIPE, pass_fds=descriptors,
            start_new_session=True,  # Ctrl-C is for the server, which lets it finish its work
        )  # fmt: skip
        return cls(process)

    @property
    def number(self) -> int:
        """The system's number of the process."""
        return self._process.pid

    async def hear(self) -> Frame:
        """Return the next message; raise `DiedError` at the end of the output."""
        try:
            return await receive(self._output)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise DiedError from error

    async def ask(self, head: Mapping[str, Any], body: bytes, patience_s: float) -> Frame:
        """Send a message, and return the answer; raise `TimeoutError` if it takes too long."""
        begun = False
        try:
            async with asyncio.timeout(patience_s):
                self._input.write(packed(Frame(dict(head), body)))
                await self._input.drain()
                await self.hear()
                begun = True
                return await self.hear()
        except (DiedError, ConnectionError) as error:
            raise DiedError(begun=begun) from error

    async def gone(self) -> int:
        """Wait until it has ended; return its exit code."""
        return await self._process.wait()

    def kill(self) -> None:
        """End it now."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def end(self) -> None:
        """Let it end; kill it if it does not."""
        self._input.close()
        try:
            async with asyncio.timeout(_PATIENCE_S):
                await self.gone()
        except TimeoutError:
            self.kill()
            await self.gone()
