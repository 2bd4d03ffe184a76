"""How the site is built: `make docs`, in which a warning is an error."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import frex

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

project = "frex"
author = "The frex developers"
copyright = author  # noqa: A001 - the name that Sphinx reads
version = release = frex.__version__

extensions = [
    "command_line",
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["_build", "**/.ipynb_checkpoints"]
source_suffix = {".md": "myst-nb", ".rst": "restructuredtext"}

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3  # links to headings are checked, as links to pages are
myst_links_external_new_tab = False

# tutorials are run when the site is built; one that fails fails the build
nb_execution_mode = "force"
nb_execution_timeout = 900
nb_execution_raise_on_error = True
nb_merge_streams = True
# all tutorials work in one folder, outside the sources, where each finds what the first made
TUTORIALS = HERE / "_build" / "tutorials"
TUTORIALS.mkdir(parents=True, exist_ok=True)
os.environ["FREX_TUTORIALS"] = str(TUTORIALS)
os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE / "_ext"), os.environ.get("PYTHONPATH", "")])

autosummary_generate = True
autodoc_typehints = "none"  # NumPy's docstrings say what things are
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

html_theme = "pydata_sphinx_theme"
html_title = "frex"
html_static_path = ["_static"]
html_css_files = ["frex.css"]
html_show_sourcelink = False
html_theme_options = {
    "show_prev_next": True,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 7,
    "secondary_sidebar_items": ["page-toc"],
    "navbar_align": "left",
    "footer_start": ["copyright"],
    "footer_end": ["theme-version"],
}
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
