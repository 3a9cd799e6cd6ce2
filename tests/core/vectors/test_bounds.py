"""What a file may ask of memory: each more than that is one message, before it is given."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from askew.errors import VectorsError
from askew.vectors import cache, files, open_vectors

if TYPE_CHECKING:
    from pathlib import Path


def full_disk(*_: object) -> None:
    raise OSError(28, "No space left on device")


def packed_table(folder: Path, count: int) -> Path:
    path = folder / "table.txt.gz"
    path.write_bytes(gzip.compress(b"".join(b"word%d 1 2 3 4\n" % row for row in range(count))))
    return path


@pytest.mark.parametrize("small", [0, files.SMALL])
def test_without_a_cache_what_is_too_large_for_memory_is_refused_in_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: int
) -> None:
    monkeypatch.setattr(files, "SMALL", small)
    monkeypatch.setattr(files, "IN_MEMORY", 1 << 16)
    monkeypatch.setattr(files, "KEPT", 1 << 20)
    monkeypatch.setattr(cache, "_flush", full_disk)
    assert len(open_vectors(packed_table(tmp_path, 3000))) == 3000
    with pytest.raises(VectorsError) as caught:
        open_vectors(packed_table(tmp_path, 5000))
    assert caught.value.what == (
        "the vectors are too large to keep in memory (more than 1 MB), "
        "and the cache of word vectors cannot be written: no space left on device"
    )
    assert caught.value.where == "table.txt.gz"
    assert "first N words" in caught.value.remedy
    assert len(open_vectors(packed_table(tmp_path, 5000), limit=3000)) == 3000


def test_the_first_words_go_to_the_cache_where_they_are_too_many_for_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "KEPT", 1 << 20)
    path = packed_table(tmp_path, 5000)
    assert len(open_vectors(path, limit=3000)) == 3000
    assert not cache.cache_size()
    assert len(open_vectors(path, limit=4500)) == 4500
    assert cache.cache_size()
