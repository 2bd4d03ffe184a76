"""The explorer: a fit as one self-contained page that an editor opens in any browser."""

from frex.explorer.data import n_steps
from frex.explorer.page import make_page, write_page
from frex.explorer.review import make_review, write_review

__all__ = ["make_page", "make_review", "n_steps", "write_page", "write_review"]
