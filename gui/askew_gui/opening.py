"""Opening word vectors in the background, with progress; the latest file asked for wins."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askew.errors import AskewError
from askew.vectors.problems import ChoiceNeededError, DamagedError
from askew_gui import intents
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from askew.vectors.table import WordVectors
    from askew_gui.jobs import Job
    from askew_gui.store import Store

TOPIC = "vectors"


def open_vectors(
    store: Store,
    name_or_path: str,
    opened: Callable[[], None] | None = None,
    **options: Any,  # noqa: ANN401
) -> Job:
    """Open a bundled table or a file, then use it; the experiment stays as it is if that fails.

    What the file leaves open, or is damaged in, is asked in the message that says so; the answer opens it
    again with `options` of `askew.open_vectors`.
    """
    label = tr("Opening {}").format(Path(name_or_path).name)
    return store.jobs.submit(
        "files",
        partial(_open, name_or_path, options),
        partial(_use, store, opened),
        partial(_refuse, store, partial(open_vectors, store, name_or_path, opened, **options)),
        topic=TOPIC,
        label=label,
    )


def _open(name_or_path: str, options: dict[str, Any], job: Job) -> WordVectors:
    from askew.vectors import open_vectors

    return open_vectors(name_or_path, progress=job.report, **options)


def _use(store: Store, opened: Callable[[], None] | None, vectors: WordVectors) -> None:
    intents.use_vectors(store, vectors)
    if opened is not None:
        opened()
    if vectors.report:
        store.say("warning", report_text(vectors))


def report_text(vectors: WordVectors) -> str:
    """Return what was found wrong in a file that could be opened all the same."""
    first = vectors.report[0].message.rstrip(".")
    where = tr("line {}: ").format(vectors.report[0].line) if vectors.report[0].line is not None else ""
    more = len(vectors.report) - 1
    also = tr(" (and {} more)").format(more) if more else ""
    return f"{vectors.name}: {where}{first}{also}"


def _refuse(store: Store, again: Callable[..., Job], error: Exception) -> None:
    if isinstance(error, ChoiceNeededError):
        option = error.flag.lstrip("-").replace("-", "_")
        choices = [(name, partial(again, **{option: name})) for name in error.choices]
        store.offer(error, tr("Choose one of {}").format(len(choices)), choices)
    elif isinstance(error, DamagedError):
        skip = (tr("Open without it"), partial(again, skip_damaged=True))
        store.offer(error, tr("Open it without what is damaged, or get the whole file again"), [skip])
    elif isinstance(error, AskewError):
        store.fail(error)
    else:
        raise error
