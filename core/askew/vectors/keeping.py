"""Whether a store is still that of its file: asked of every byte, before a store is built or relied on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askew.vectors.cache import read_meta, remove, siblings
from askew.vectors.companions import companions
from askew.vectors.content import content_of
from askew.vectors.fingerprint import fingerprint_of
from askew.vectors.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

    from askew.vectors.options import Options
    from askew.vectors.streams import Progress


def keep_store(folder: Path, path: Path, options: Options, progress: Progress | None = None) -> bool:
    """Whether `folder` is a whole store of the very bytes of a file; if it is not, it is removed.

    A store that was made before the time of the file changed, but nothing else, is taken over. Only where a
    store may be the right one is the file read, about a second a GB.

    Raises
    ------
    VectorsError
        If the file cannot be read.
    Cancelled
        If `progress` raised it.
    """
    if options.limit is not None and open_store(folder) is not None:
        return True  # of a beginning that is read again in less time than all bytes are hashed
    wanted = fingerprint_of(path, options), companions(path)
    content: str | None = None
    made = siblings(folder)
    for kept in made:
        meta = read_meta(kept) or {}
        if (meta.get("fingerprint"), meta.get("companions")) != wanted or open_store(kept) is None:
            continue
        if meta.get("content") is None:
            continue
        content = content or content_of(path, progress)
        if meta["content"] == content:
            return kept == folder or _taken_over(kept, folder)
    if folder in made:  # not one that another process has finished since
        remove(folder)
    return False


def _taken_over(kept: Path, folder: Path) -> bool:
    remove(folder)
    try:
        kept.rename(folder)
    except OSError:  # in use, where the system forbids it; or another process was faster
        return read_meta(folder) is not None
    return True
