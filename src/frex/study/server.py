"""The server of a study."""

from __future__ import annotations

from contextlib import closing, suppress
from typing import TYPE_CHECKING

from frex.errors import require
from frex.web import address, ended_by_sigterm, listen

if TYPE_CHECKING:
    from collections.abc import Callable

    from frex.study.folder import Study

HOST, PORT = "127.0.0.1", 8000


def serve(
    study: Study,
    *,
    host: str = HOST,
    port: int = PORT,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve a study until Ctrl-C or SIGTERM; the current requests are finished.

    Parameters
    ----------
    study
        The study.
    host, port
        Address and port; port 0 for any free one.
    ready
        Called with the address when the server accepts connections.
    """
    purpose = "Serving a study"
    require("starlette", "study", purpose)
    require("uvicorn", "study", purpose)
    from frex.study.app import make_app  # noqa: PLC0415 - they need the extra
    from frex.web.connections import Server  # noqa: PLC0415

    with closing(listen(host, port)) as listener, study.answers() as answers:
        server = Server(make_app(study, answers), "frex.study.app")
        # uvicorn raises either signal again when all is done
        with suppress(KeyboardInterrupt), ended_by_sigterm():
            if ready is not None:
                ready(address(listener))
            server.run(sockets=[listener])
