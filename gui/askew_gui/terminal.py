"""What the command line writes beside messages: bytes to stdout, progress to a terminal."""

from __future__ import annotations

import errno
import os
import signal
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from askew.errors import AskewError

if TYPE_CHECKING:
    from collections.abc import Iterator


def to_stdout(content: bytes) -> None:
    """Write to stdout; a reader that went away is left to click.

    Raises
    ------
    AskewError
        If stdout is closed or takes no more.
    """
    if sys.stdout is None:  # closed before the start
        raise AskewError("cannot write to stdout: it is closed")
    try:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        give_stdout_up()
        raise AskewError(f"cannot write to stdout: {(error.strerror or str(error)).lower()}") from error


def printable(text: str) -> str:
    """Return text out of a file without what would move the cursor or change the colours of a terminal."""
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)


def give_stdout_up() -> None:
    """Send nowhere what stdout would not take; Python would try again at its end, and complain."""
    with suppress(OSError, ValueError, AttributeError):  # stdout may be closed, or no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def ended_by_ctrl_c() -> Iterator[None]:
    """Let Ctrl+C end the process at once: Qt crashes where an exception comes out of the middle of it."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class TerminalProgress:
    """Shows how far a file is read or a folder filled, on stderr and only if that is a terminal."""

    def __init__(self, what: str, doing: str = "Reading") -> None:
        self._what = f"{doing} {what}"
        self._shown = -1
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()  # None: closed before the start

    def __call__(self, done: int, total: int) -> None:
        """Show the percentage when it changes."""
        percent = 100 * done // total if total else 100
        if self._is_terminal and percent != self._shown:
            self._shown = percent
            click.echo(f"\r{self._what}: {percent} %", err=True, nl=False)

    def close(self) -> None:
        """Clear the line."""
        if self._shown >= 0:
            click.echo("\r\x1b[K", err=True, nl=False)


@contextmanager
def progress_of(file: str) -> Iterator[TerminalProgress]:
    """Show on a terminal how far a file is read."""
    progress = TerminalProgress(Path(file).name)
    try:
        yield progress
    finally:
        progress.close()
