"""What every tutorial begins with: a folder to work in, commands whose output is in one piece."""

from __future__ import annotations

import os
import subprocess

from IPython.core.magic import register_cell_magic

os.chdir(os.environ["FREX_TUTORIALS"])
for name in ("FORCE_COLOR", "CLICOLOR_FORCE"):  # a notebook is no terminal
    os.environ.pop(name, None)
os.environ["COLUMNS"] = "100"


@register_cell_magic
def bash(_: str, cell: str) -> None:
    """Run a cell's commands; one that fails fails the tutorial."""
    done = subprocess.run(["bash", "-ec", cell], capture_output=True, text=True, check=False)
    print(done.stdout + done.stderr, end="")
    done.check_returncode()
