"""Opening a file: small ones whole and checked at once, big ones by their index or their store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askew.errors import VectorsError
from askew.vectors.cache import CacheError, index_beside, place_of
from askew.vectors.choices import refuse_idle
from askew.vectors.cleaning import TooBigError
from askew.vectors.containers import unpack
from askew.vectors.detect import HEAD
from askew.vectors.formats import IN_PLACE
from askew.vectors.formats.in_place import open_in_place
from askew.vectors.formats.spacy_folder import matrix_of_folder
from askew.vectors.importing import contents_of, import_vectors, is_plain, look_at, read_into_memory
from askew.vectors.lazy import open_lazily
from askew.vectors.problems import Problems
from askew.vectors.rows import Reading
from askew.vectors.sidecar import open_index
from askew.vectors.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

    from askew.vectors.lazy import FirstPart
    from askew.vectors.options import Options
    from askew.vectors.streams import Progress
    from askew.vectors.table import WordVectors

SMALL = 1 << 24  # bytes up to which a file is read whole and checked in full at once
IN_MEMORY = 1 << 26  # bytes of numbers up to which a small file, which may be packed, stays in memory
KEPT = 1 << 28  # bytes of words and numbers that may stay in memory where there is no cache to lie in


def open_file(
    path: Path,
    options: Options,
    progress: Progress | None = None,
    *,
    in_full: bool = False,
    first_part: FirstPart | None = None,
) -> WordVectors:
    """Open a vector file as `open_vectors` says.

    Raises
    ------
    VectorsError
        If it cannot be read.
    Cancelled
        If `progress` raised it.
    """
    if path.is_dir():
        model = _model_words(path, options)
        if model is not None:
            return model
        path = matrix_of_folder(path)
    status = path.stat()
    place = place_of(path, str(options))
    stored = None if in_full else open_store(place) or open_index(index_beside(place), path, options)
    if stored is not None:
        return stored
    if status.st_size < SMALL or options.limit is not None:
        try:
            return _into_memory(path, options, progress, IN_MEMORY if options.limit is None else KEPT)
        except TooBigError:
            return _into_store(path, options, progress)
    problems = Problems()
    with unpack(path, progress, options.member) as unpacked:
        detected, stream = look_at(unpacked, options, problems)
        reading = Reading(path.name, problems, options.skip_damaged)
        if not in_full and detected.format in IN_PLACE and not unpacked.containers:
            contents = contents_of(path, unpacked, (detected, stream), reading, options)
            if contents.table is not None:
                return open_in_place(path, contents, *contents.table, reading, options)
        if in_full or not is_plain(unpacked, detected):
            return _into_store(path, options, progress)
        sample = unpacked.stream.peek(HEAD)
    return open_lazily(path, detected, reading, sample, options, progress, first_part, status)


def _model_words(folder: Path, options: Options) -> WordVectors | None:
    """Return the words of a transformer's folder; None for any other folder."""
    from askew.weights.model_words import files_of, has_words, open_words  # seldom needed

    if not has_words(folder):
        return None
    refuse_idle(options, "model", folder.name)
    return open_words(files_of(folder))


def _into_memory(path: Path, options: Options, progress: Progress | None, at_most: int) -> WordVectors:
    problems = Problems()
    with unpack(path, progress, options.member) as unpacked:
        looked = look_at(unpacked, options, problems)
        reading = Reading(path.name, problems, options.skip_damaged)
        contents = contents_of(path, unpacked, looked, reading, options, progress)
        return read_into_memory(path, unpacked, contents, reading, options, at_most)


def _into_store(path: Path, options: Options, progress: Progress | None) -> WordVectors:
    try:
        stored = open_store(import_vectors(path, options, progress))
    except CacheError as error:
        why, problem = error.what, error.problem()
    else:
        if stored is None:
            raise VectorsError("the store that was just written cannot be read", where=path.name)
        return stored
    # Only here, where the error is gone, is what was collected for the store out of memory.
    try:
        vectors = _into_memory(path, options, progress, KEPT)
    except TooBigError:
        raise VectorsError(
            f"the vectors are too large to keep in memory (more than {KEPT >> 20} MB), and {why}",
            where=path.name,
            remedy="Free some space, or unpack the file if it is packed, or read only its first N words",
        ) from None
    vectors.report = (*vectors.report, problem)
    return vectors
