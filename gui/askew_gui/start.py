"""The command `askew`: alone it opens the window without loading the command line, which takes a while."""

from __future__ import annotations

import sys
from typing import NoReturn

from askew.errors import AskewError


def main() -> NoReturn:
    """Open the window, or do what the arguments say."""
    if len(sys.argv) > 1:
        from askew_gui.cli import main as command_line

        command_line(prog_name="askew")
    try:
        from askew_gui.preflight import check_screen

        check_screen()
        from askew_gui.app import run

        code = run()
    except AskewError as error:
        print(f"askew: error: {error}", file=sys.stderr)
        code = 1
    sys.exit(code)
