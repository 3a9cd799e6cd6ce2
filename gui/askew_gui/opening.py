"""Opening word vectors in the background, with progress; the latest file asked for wins."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askew.errors import AskewError, VectorsError
from askew.vectors.bundled import BUNDLED
from askew_gui import intents
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from askew.vectors.options import Options
    from askew.vectors.table import WordVectors
    from askew_gui.jobs import Job
    from askew_gui.store import Store

    Opened = Callable[[WordVectors], object]
    Refused = Callable[[AskewError], object]

TOPIC = "vectors"


class MissingFileError(VectorsError):
    """The file is not where it was."""


def open_vectors(
    store: Store,
    name_or_path: str,
    opened: Opened | None = None,
    refused: Refused | None = None,
    options: Options | None = None,
) -> Job:
    """Open a bundled table or a file, then use it; the experiment stays as it is if that fails.

    Parameters
    ----------
    opened
        Called with the table once it is in use.
    refused
        Called with the error in place of a message.
    options
        What the person chose where the file can be read in several ways.
    """
    road = _Road(store, opened, refused)
    job = store.jobs.submit(
        "files",
        partial(_open, name_or_path, chosen(options)),
        road.arrive,
        road.refuse,
        topic=TOPIC,
        label=tr("Opening {}").format(Path(name_or_path).name),
        partly=road.begin,
    )
    road.watch(job)
    return job


class _Road:
    """One opening, from the first words of a big file, if it hands them over, to its end or failure."""

    def __init__(self, store: Store, opened: Opened | None, refused: Refused | None) -> None:
        self._store, self._opened, self._refused = store, opened, refused
        self._job: Job | None = None
        self._part: WordVectors | None = None
        self._step = 0

    def watch(self, job: Job) -> None:
        """Take the first words back if the job is cancelled."""
        self._job = job
        self._store.jobs.ended.connect(self._on_ended)

    def begin(self, part: WordVectors) -> None:
        """Use the first words while the rest is looked through."""
        before = self._store.undo_stack.index()
        intents.use_vectors(self._store, part)
        self._part = part
        self._step = self._store.undo_stack.index() if self._store.undo_stack.index() != before else 0

    def arrive(self, vectors: WordVectors) -> None:
        """Use all words."""
        if self._part is vectors and self._store.vectors is vectors:
            self._store.renew()
        else:
            intents.use_vectors(self._store, vectors)
        if self._opened is not None:
            self._opened(vectors)

    def refuse(self, error: Exception) -> None:
        """Go back to the old vectors and say why."""
        if not isinstance(error, AskewError):
            raise error
        self._take_back()
        if self._refused is None:
            self._store.fail(error)
        else:
            self._refused(error)

    def _on_ended(self, job: Job) -> None:
        if job is self._job:
            self._store.jobs.ended.disconnect(self._on_ended)
            if job.cancelled:
                self._take_back()

    def _take_back(self) -> None:
        part, self._part = self._part, None
        if part is None or self._store.vectors is not part:
            return
        if self._step and self._store.undo_stack.index() == self._step:
            self._store.take_back()
        else:  # other steps came after it: they stay, on the words that are known
            text = tr("Only the first {} words of {} are known, for it was not read to its end")
            self._store.say("warning", text.format(f"{len(part):,}", part.name), tr("Open it again"))


def chosen(options: Options | None) -> dict[str, Any]:
    """Return the choices that are not at their default, as keywords of `askew.open_vectors`."""
    if options is None:
        return {}
    kept = {field.name: getattr(options, field.name) for field in fields(options)}
    return {field.name: kept[field.name] for field in fields(options) if kept[field.name] != field.default}


def _open(name_or_path: str, options: dict[str, Any], job: Job) -> WordVectors:
    from askew.vectors import open_vectors

    if name_or_path not in BUNDLED and not Path(name_or_path).exists():
        raise MissingFileError(
            tr("the file is not there any more"),
            where=Path(name_or_path).name,
            remedy=tr("It may have been moved, renamed or on a disk that is not connected"),
        )
    return open_vectors(name_or_path, progress=job.report, first_part=job.hand_over, **options)
