"""Files written beside the window; a failure offers another try."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from askew.errors import AskewError
from askew.files import write_bytes
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from askew_gui.jobs import Job
    from askew_gui.store import Store

    Content = Callable[[], bytes]
    """Makes what is written; it is called by another thread and touches no widget."""


def write_in_background(
    store: Store, content: Content, path: str, said: str = "", again: Callable[[], object] | None = None
) -> None:
    """Make a file and write it, then say so, or say why not and offer to try again.

    It goes beside what is saved: what is read may take minutes.

    Parameters
    ----------
    said
        What is said in the end, else only that it was written.
    again
        What trying again does, else the same with the same content, which is kept until then.
    """
    name = Path(path).name
    again = again or partial(write_in_background, store, content, path, said)
    store.jobs.submit(
        "saving",
        partial(_write, content, path),
        partial(_done, store, said or tr("Wrote {}").format(name)),  # a name in front would get a capital
        partial(_fail, store, again),
        topic=f"export {path}",
        label=tr("Writing {}").format(name),
    )


def _write(content: Content, path: str, job: Job) -> None:
    made = content()
    job.check()
    write_bytes(path, made)


def _done(store: Store, said: str, _nothing: None) -> None:
    store.say("info", said)


def _fail(store: Store, again: Callable[[], object], error: Exception) -> None:
    if not isinstance(error, AskewError):
        raise error
    store.offer(error, error.remedy, ((tr("Retry"), again),))
