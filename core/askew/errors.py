"""Errors fit to show to a person: what happened, where, what to do."""

from __future__ import annotations


class AskewError(Exception):
    """Anything the user can mend.

    Parameters
    ----------
    what
        What happened, as a sentence without its full stop.
    where
        File, line, row or field; empty where there is none.
    remedy
        What to do about it, as a sentence without its full stop.
    """

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        self.what = what
        self.where = where
        self.remedy = remedy
        super().__init__(str(self))

    def __str__(self) -> str:
        """Return the whole message in one line."""
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head}. {self.remedy}." if self.remedy else f"{head}."


class VectorsError(AskewError):
    """A vector file cannot be read, or not as asked."""


class WeightsError(AskewError):
    """A weight matrix has the wrong shape, type or values."""


class ExperimentError(AskewError):
    """An experiment asks for something that cannot be computed."""


class Cancelled(Exception):
    """The user stopped the work; nothing to report."""
