"""Code shared by the servers of frex: connections with deadlines, listening, markup.

Only `frex.web.connections` needs uvicorn, which the extras ``study`` and ``serve`` install.
"""

from frex.web.listening import address, ended_by_sigterm, is_loopback, listen
from frex.web.markup import Html, fill, joined

__all__ = [
    "Html",
    "address",
    "ended_by_sigterm",
    "fill",
    "is_loopback",
    "joined",
    "listen",
]
