"""The store of a big file, built by a process of its own while its vectors are in use."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING

from askew.errors import VectorsError
from askew.vectors.cache import place_of
from askew.vectors.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from askew.vectors.options import Options
    from askew.vectors.table import WordVectors

_LOOK_EVERY = 0.1  # seconds


def import_arguments(path: Path, options: Options) -> list[str]:
    """Return the arguments of `askew` that import a file with the choices made."""
    arguments = ["vectors", "import", str(path.resolve())]
    for name, value in asdict(options).items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            arguments.append(flag)
        elif value not in (None, False):
            arguments += [flag, str(value)]
    return arguments


def build_store(
    path: Path, options: Options, program: Sequence[str], check: Callable[[], None]
) -> WordVectors:
    """Import a file in a process of its own, wait for it, and return the vectors of its store.

    Parameters
    ----------
    program
        The command that starts Askew, without arguments.
    check
        Called several times a second; what it raises ends the process.

    Raises
    ------
    VectorsError
        If the import fails; the message is that of the process.
    """
    folder = place_of(path, str(options))
    with subprocess.Popen(
        [*program, *import_arguments(path, options)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    ) as process:
        try:
            message = _wait(process, check)
        except BaseException:
            process.kill()
            raise
    vectors = open_store(folder) if process.returncode == 0 else None
    if vectors is None:
        what = message.strip().rsplit("askew: error: ", 1)[-1].rstrip(".")
        raise VectorsError(f"the import for nearest words did not succeed: {what or 'it ended early'}")
    return vectors


def _wait(process: subprocess.Popen[bytes], check: Callable[[], None]) -> str:
    """Wait for the end and return what was said on stderr."""
    while True:
        check()
        with suppress(subprocess.TimeoutExpired):
            _, said = process.communicate(timeout=_LOOK_EVERY)
            return said.decode("utf-8", "replace")


def this_program() -> list[str]:
    """Return the command that starts Askew again: the frozen program itself, or its module."""
    return [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "askew_gui"]
