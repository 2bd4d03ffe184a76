"""What the servers of frex share: connections with deadlines, listening, markup.

`frex.web.connections` needs uvicorn, which the extras ``study`` and ``serve`` bring; all else does
without.
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
