"""The session that a picture carries, so that a heat map opens the experiment that made it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from askew.evaluation import Evaluation
    from askew.vectors import WordVectors
    from askew_gui.export.spec import Format


class Carried(NamedTuple):
    """A session as bytes, or none, and then why."""

    session: bytes | None
    why_not: str = ""


def carried_session(evaluation: Evaluation, title: str = "") -> Carried:
    """Return the experiment of an evaluation as a session small enough for a picture; it names no path."""
    from askew.session import Session
    from askew.session_file import CARRIED_LIMIT, SessionError, to_bytes

    experiment = evaluation.experiment
    tables = {experiment.vectors.fingerprint: cast("WordVectors", evaluation.vectors)}
    try:
        session = to_bytes(Session((experiment,), title=title), tables, limit=CARRIED_LIMIT)
    except SessionError as error:  # not only too large: nothing of it keeps a picture from being written
        return Carried(None, str(error))
    return Carried(session)


def can_carry(file_format: Format) -> bool:
    """Return whether files of a format carry a session."""
    return file_format != "pdf"
