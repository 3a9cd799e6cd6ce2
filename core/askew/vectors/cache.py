"""The user's cache: one folder a vector file, there whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askew.errors import VectorsError
from askew.vectors.companions import companions
from askew.vectors.fingerprint import edges_of_file
from askew.vectors.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

VERSION = 1
_META = "meta.json"
_UNFINISHED = ".unfinished-"
_DAY = 86_400


class CacheError(VectorsError):
    """The cache cannot be written; vectors can be used without it."""

    def problem(self) -> Problem:
        """Return what to report where the work went on without the cache."""
        return Problem("cache", None, None, f"{self.what}; the vectors are held in memory instead")


def cache_folder() -> Path:
    """Return the folder of stores; it need not exist. All lies under $ASKEW_HOME if that is set."""
    home = os.environ.get("ASKEW_HOME")
    if home:
        return Path(home) / "cache" / "vectors"
    import platformdirs

    return platformdirs.user_cache_path("askew", appauthor=False) / "vectors"


def place_of(path: Path, options: str = "") -> Path:
    """Return the folder for a file as it is now: another size, time, head or tail gives another folder.

    Raises
    ------
    VectorsError
        If the file cannot be read.
    """
    try:
        status, edges = path.stat(), edges_of_file(path)
    except OSError as error:
        what = f"the file cannot be read: {(error.strerror or str(error)).lower()}"
        raise VectorsError(
            what, where=path.name, remedy="Look at its permissions, or copy it elsewhere"
        ) from error
    where = hashlib.blake2b(f"{path.resolve()}\0{options}".encode("utf-8", "surrogateescape"), digest_size=8)
    what = f"{VERSION} {status.st_size} {status.st_mtime_ns} {edges} {companions(path)}"
    content = hashlib.blake2b(what.encode("utf-8", "surrogateescape"), digest_size=8)
    return cache_folder() / f"{where.hexdigest()}-{content.hexdigest()}"


def index_beside(place: Path) -> Path:
    """Return the folder for the index alone, which serves until the store is built."""
    return place.with_name(f"{place.name}i")


def read_meta(folder: Path) -> dict[str, Any] | None:
    """Return what a finished folder says of itself, or None."""
    try:
        meta = json.loads((folder / _META).read_bytes())
    except (OSError, ValueError):
        return None
    return meta if isinstance(meta, dict) and meta.get("version") == VERSION else None


@contextmanager
def written_whole(folder: Path, meta: dict[str, Any]) -> Iterator[Path]:
    """Give a folder to write to, which becomes `folder` when all is written.

    `meta` may be filled until the end. If another process was faster, its folder stays.

    Raises
    ------
    CacheError
        If the cache cannot be written.
    """
    import tempfile  # not needed to read the cache, as most starts do

    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        clean_up(folder.parent)
        beside = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=folder.parent))
    except OSError as error:
        raise _not_written(error) from error
    try:
        yield beside
        (beside / _META).write_text(json.dumps({**meta, "version": VERSION}), "utf-8")
        for file in beside.iterdir():
            _flush(file)
        _remove_older(folder)
        _put(beside, folder)
    except OSError as error:
        if read_meta(folder) is None:
            raise _not_written(error) from error
    finally:
        _remove_now(beside)


def _put(beside: Path, folder: Path) -> None:
    """Give a finished folder its name, unless one is there that is whole."""
    if folder.exists() and read_meta(folder) is None:
        remove(folder)  # the rest of one that was being removed when the process was killed
    with suppress(FileExistsError):
        beside.rename(folder)


def _flush(file: Path) -> None:
    with file.open("rb+") as opened:
        os.fsync(opened.fileno())


def _not_written(error: OSError) -> CacheError:
    return CacheError(
        f"the cache of word vectors cannot be written: {(error.strerror or str(error)).lower()}",
        remedy="Free some space, or clear the cache",
    )


def remove(folder: Path) -> None:
    """Remove a store at one blow, so that nobody opens half of it; on some systems not while it is in use."""
    doomed = folder.with_name(f"{_UNFINISHED}{os.getpid()}-{folder.name}")
    try:
        folder.rename(doomed)
    except OSError:
        return
    _remove_now(doomed)


def _remove_now(folder: Path) -> None:
    import shutil  # slow to import

    shutil.rmtree(folder, ignore_errors=True)


def siblings(folder: Path) -> list[Path]:
    """Return all that was made of the same file by the same choices, `folder` first if it is there."""
    made = folder.parent.glob(f"{folder.name.split('-')[0]}-*")
    return sorted(made, key=lambda other: (other != folder, other.name))


def _remove_older(folder: Path) -> None:
    """Remove what was made of the same file before it changed, and the index once the store is there."""
    for other in siblings(folder):
        if other != folder and index_beside(other) != folder:
            remove(other)


def clean_up(parent: Path) -> None:
    """Remove what killed processes left behind more than a day ago."""
    for left in parent.glob(f"{_UNFINISHED}*"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > _DAY:
                _remove_now(left)


def cache_size() -> int:
    """Return how many bytes the cache takes."""
    total = 0
    for file in cache_folder().rglob("*"):
        with suppress(OSError):
            total += file.stat().st_size if file.is_file() else 0
    return total


def clear_cache(in_use: Collection[str] = ()) -> int:
    """Remove all stores but those of tables with these fingerprints; return how many stay.

    Stores that another process uses stay until it closes them, where the system keeps them; those that are
    being written are left alone.
    """
    kept = 0
    clean_up(cache_folder())
    for folder in cache_folder().glob("[!.]*"):
        meta = read_meta(folder)
        if meta is not None and meta.get("fingerprint") in in_use:
            kept += 1
        else:
            remove(folder)
            kept += folder.exists()
    return kept
