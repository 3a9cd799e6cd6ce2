"""Opening word vectors in the background, with progress; the latest file asked for wins."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from askew.errors import AskewError
from askew_gui import intents
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from askew.vectors.table import WordVectors
    from askew_gui.jobs import Job
    from askew_gui.store import Store

TOPIC = "vectors"


def open_vectors(store: Store, name_or_path: str) -> Job:
    """Open a bundled table or a file, then use it; the experiment stays as it is if that fails."""
    label = tr("Opening {}").format(Path(name_or_path).name)
    return store.jobs.submit(
        "files",
        partial(_open, name_or_path),
        partial(_use, store),
        partial(_refuse, store),
        topic=TOPIC,
        label=label,
    )


def _open(name_or_path: str, job: Job) -> WordVectors:
    from askew.vectors import open_vectors

    return open_vectors(name_or_path, progress=job.report)


def _use(store: Store, vectors: WordVectors) -> None:
    intents.use_vectors(store, vectors)


def _refuse(store: Store, error: Exception) -> None:
    if not isinstance(error, AskewError):
        raise error
    store.fail(error)
