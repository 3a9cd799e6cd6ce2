"""The command `askew`: alone it opens the window without loading the command line, which takes a while."""

from __future__ import annotations

import gc
import os
import signal
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Open the window, or do what the arguments say."""
    # Products run in one thread anyway; threads that OpenBLAS starts with numpy cost a tenth of the start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl+C while modules load is no traceback
    try:
        if len(sys.argv) > 1:
            from askew_gui.cli import main as command_line

            signal.signal(signal.SIGINT, before)
            command_line(prog_name="askew")
        signal.signal(signal.SIGINT, before)
        gc.disable()  # nothing is thrown away before the first picture; `run` turns it on again
        sys.exit(_open_window())
    except ImportError as error:
        _tell_what_is_lacking(error)
        sys.exit(1)


def _tell_what_is_lacking(error: ImportError) -> None:
    """Name the library of the system that a module did not find; what is a defect goes on."""
    from askew_gui.system_libraries import lacking

    missing = lacking(error)
    if missing is None:
        raise error
    print(f"askew: error: {missing[0]}. {missing[1]}.", file=sys.stderr)


def _open_window() -> int:
    """Open the window and return the exit code; what a person can mend is said in a line."""
    from askew.errors import AskewError
    from askew_gui.preflight import check_screen
    from askew_gui.start_faults import told_in_a_line

    try:
        check_screen()
        with told_in_a_line():
            from askew_gui.app import run

            return run()
    except AskewError as error:
        print(f"askew: error: {error}", file=sys.stderr)
        return 1
