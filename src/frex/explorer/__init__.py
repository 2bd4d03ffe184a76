"""The explorer: a fit as one self-contained page that an editor opens in any browser."""

from frex.explorer.page import make_page, write_page

__all__ = ["make_page", "write_page"]
