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


def write_in_background(store: Store, content: Content, path: str) -> None:
    """Make a file and write it, then say so, or say why not and offer to try again."""
    name = Path(path).name
    store.jobs.submit(
        "files",
        partial(_write, content, path),
        partial(_done, store, name),
        partial(_fail, store, content, path),
        topic=f"export {path}",
        label=tr("Writing {}").format(name),
    )


def _write(content: Content, path: str, job: Job) -> None:
    made = content()
    job.check()
    write_bytes(path, made)


def _done(store: Store, name: str, _nothing: None) -> None:
    store.say("info", tr("Wrote {}").format(name))  # a name at the beginning would get a capital


def _fail(store: Store, content: Content, path: str, error: Exception) -> None:
    if not isinstance(error, AskewError):
        raise error
    again = partial(write_in_background, store, content, path)
    store.offer(error, error.remedy, ((tr("Retry"), again),))
