"""What goes wrong before there is a window to say it in; without Qt, whose loading may be what fails."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from askew.errors import AskewError
from askew_gui.system_libraries import lacking

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def told_in_a_line() -> Iterator[None]:
    """Turn what goes wrong before there is a window into one line, and log it.

    Raises
    ------
    AskewError
        In place of whatever it was.
    """
    try:
        yield
    except AskewError:
        raise
    except Exception as error:
        missing = lacking(error) if isinstance(error, ImportError) else None
        if missing:
            raise AskewError(missing[0], remedy=missing[1]) from error
        from askew_gui import fault_log

        fault_log.FaultLog().note(error)
        text = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(":")
        where = f"Please report it; where it happened is in {fault_log.path()}"
        raise AskewError(f"Askew cannot start: {text}", remedy=where) from error
