"""Files written beside the window; a failure offers another try."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from askew.files import write_bytes
from askew_gui.i18n import tr
from askew_gui.retrying import ask_elsewhere, offer_retry

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from askew_gui.jobs import Job
    from askew_gui.store import Store

    Content = Callable[[], bytes]
    """Makes what is written; it is called by another thread and touches no widget."""


def write_in_background(
    parent: QWidget | None,
    store: Store,
    content: Content,
    path: str,
    said: str = "",
    write: Callable[[str], object] | None = None,
) -> None:
    """Make a file and write it, then say so, or say why not and offer to try again, or elsewhere.

    It goes beside what is saved: what is read may take minutes.

    Parameters
    ----------
    parent
        The window that asks where else to write.
    said
        What is said in the end, where {} is the name of the file; else only that it was written.
    write
        Writes it to a path after a failure, else the same content is written, which is kept until then.
    """
    name = Path(path).name
    write = write or partial(_write_again, parent, store, content, said)
    again, elsewhere = partial(write, path), partial(ask_elsewhere, parent, path, write)
    store.jobs.submit(
        "saving",
        partial(_write, content, path),
        partial(_done, store, (said or tr("Wrote {}")).format(name)),  # a name in front would get a capital
        partial(offer_retry, store, again, elsewhere),
        topic=f"export {path}",
        label=tr("Writing {}").format(name),
    )


def _write(content: Content, path: str, job: Job) -> None:
    made = content()
    job.check()
    write_bytes(path, made)


def _done(store: Store, said: str, _nothing: None) -> None:
    store.say("info", said)


def _write_again(parent: QWidget | None, store: Store, content: Content, said: str, path: str) -> None:
    write_in_background(parent, store, content, path, said)
