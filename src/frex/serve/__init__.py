"""Suggestions over HTTP: fits that are asked by Annif, by its clients, and by people on a page.

Serving needs the extra ``serve``.
"""

from frex.serve.server import HOST, PORT, VARIABLE, serve

__all__ = ["HOST", "PORT", "VARIABLE", "serve"]
