"""What a file may ask of memory: each more than that is one message, before it is given."""

from __future__ import annotations

import gzip
import io
import lzma
import tarfile
import zlib
from functools import partial
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askew.errors import VectorsError
from askew.vectors import cache, containers, detect, files, open_vectors
from askew.vectors.problems import ChoiceNeededError
from askew.vectors.streams import UnpackedXz

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import BinaryIO

    from askew.vectors.streams import Progress


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


NUMBERS = detect.MOST_NUMBERS + 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"1 %d\nred" % NUMBERS + b" 1" * NUMBERS + b"\n", f"line 2 has {NUMBERS} numbers"),
        (b"1 %d\nred " % NUMBERS + b"\0\0\x80?" * NUMBERS, f"line 1 says {NUMBERS} numbers per word"),
        (b"red" + b" 1" * NUMBERS + b"\n", f"line 1 has {NUMBERS} numbers"),
        (b"\n\nred" + b" 1" * NUMBERS + b"\nsky" + b" 1" * NUMBERS, f"line 3 has {NUMBERS} numbers"),
        (b"red" + b" 1" * (1 << 20), "line 1 has at least 524286 numbers"),
    ],
    ids=["text with header", "binary", "text", "text after blank lines", "a line longer than is looked at"],
)
@pytest.mark.parametrize("packed", [False, True])
def test_rows_wider_than_any_vectors_are_refused_with_line_and_count(
    tmp_path: Path, content: bytes, said: str, packed: bool
) -> None:
    path = tmp_path / "wide.bin"
    path.write_bytes(gzip.compress(content) if packed else content)
    with pytest.raises(VectorsError) as caught:
        open_vectors(path)
    assert caught.value.what == f"{said}, more than any vectors have (65536 at most)"


@pytest.mark.parametrize("header", [b"", b"1 60000\n"])
@pytest.mark.parametrize("skip", [False, True])
def test_a_line_longer_than_is_looked_at_is_refused_and_not_taken_for_a_shorter_one(
    tmp_path: Path, header: bytes, skip: bool
) -> None:
    path = tmp_path / "long.txt"
    path.write_bytes(header + b"red" + b" 0.1234567890123456789" * 60000 + b"\n")
    with pytest.raises(VectorsError, match="the first line of words is longer than 1 MB"):
        open_vectors(path, skip_damaged=skip)


def test_a_matrix_wider_than_any_vectors_is_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "m.npy", np.zeros((2, NUMBERS), dtype=np.float32))
    (tmp_path / "m_vocab.txt").write_text("red\nsky\n")
    with pytest.raises(VectorsError, match=f"the file says {NUMBERS} numbers per word"):
        open_vectors(tmp_path / "m.npy")


def test_rows_of_the_most_numbers_are_read(tmp_path: Path) -> None:
    path = tmp_path / "wide.txt"
    path.write_bytes(b"red" + b" 1" * detect.MOST_NUMBERS + b"\n")
    assert open_vectors(path).dim == detect.MOST_NUMBERS


TEXT = b"red 1 2\nsky 3 4\n"


def xz_frame(log: int) -> bytes:
    """Return a small xz stream whose header asks for a dictionary of two to the `log` bytes."""
    data = bytearray(lzma.compress(TEXT, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 20}]))
    assert data[14:16] == b"\x21\x01"
    data[16] = 2 * (log - 12)
    end = 12 + 4 * data[12]  # what the size of the header does not count is its checksum
    data[end : end + 4] = zlib.crc32(data[12:end]).to_bytes(4, "little")
    return bytes(data)


def zstd_frame(log: int) -> bytes:
    """Return a frame of one stored block that asks for a window of two to the `log` bytes."""
    block = (len(TEXT) << 3 | 1).to_bytes(3, "little")
    return b"\x28\xb5\x2f\xfd\0" + bytes([(log - 10) << 3]) + block + TEXT


@pytest.mark.parametrize("frame", [xz_frame, zstd_frame])
@pytest.mark.parametrize("small", [0, files.SMALL])
def test_a_packed_file_that_asks_for_much_memory_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, frame: Callable[[int], bytes], small: int
) -> None:
    monkeypatch.setattr(files, "SMALL", small)
    path = tmp_path / "packed"
    path.write_bytes(frame(26))
    assert list(open_vectors(path)) == ["red", "sky"]
    path.write_bytes(frame(29))
    with pytest.raises(VectorsError) as caught:
        open_vectors(path)
    assert caught.value.what == (
        "the file asks for more memory to be unpacked than the 128 MB that it may have"
    )
    assert caught.value.remedy


@given(
    parts=st.lists(st.binary(max_size=300), min_size=1, max_size=4),
    zeros=st.integers(0, 3),
    size=st.sampled_from([1, 7, 1 << 16, -1]),
)
def test_all_streams_of_an_xz_file_are_unpacked_whatever_lies_between(
    parts: list[bytes], zeros: int, size: int
) -> None:
    packed = (bytes(4 * zeros)).join(map(lzma.compress, parts)) + bytes(4 * zeros)
    stream = UnpackedXz(cast("BinaryIO", io.BytesIO(packed)), 1 << 27)
    assert b"".join(iter(partial(stream.read, size), b"")) == b"".join(parts)


@pytest.mark.parametrize("size", [1, 1 << 16, -1])
def test_an_xz_file_that_ends_too_early_is_incomplete(size: int) -> None:
    stream = UnpackedXz(cast("BinaryIO", io.BytesIO(lzma.compress(TEXT)[:-5])), 1 << 27)
    read = partial(stream.read, size)
    with pytest.raises(EOFError):
        list(iter(read, b""))


def packed_tar(path: Path, members: dict[str, bytes]) -> None:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))


def test_the_listing_of_a_packed_tar_is_read_once_and_again_when_the_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed: list[Path] = []

    def counted(path: Path, outer: containers.Unpacked, progress: Progress | None) -> list[str]:
        listed.append(path)
        return read(path, outer, progress)

    read = containers._read_names
    monkeypatch.setattr(containers, "_read_names", counted)
    monkeypatch.setattr(files, "IN_MEMORY", 0)
    one, other = tmp_path / "one.tar.gz", tmp_path / "other.tar.gz"
    packed_tar(one, {"one.txt": TEXT})
    packed_tar(other, {"other.txt": TEXT})
    assert open_vectors(one).origin.member == "one.txt"  # first for memory, then for the store
    assert open_vectors(one, in_full=True).origin.member == "one.txt"
    assert listed == [one]
    assert open_vectors(other).origin.member == "other.txt"
    assert listed == [one, other]
    packed_tar(other, {"a.txt": TEXT, "b.txt": TEXT})
    for _ in range(2):
        with pytest.raises(ChoiceNeededError, match=r"a\.txt, b\.txt"):
            open_vectors(other)
    assert listed == [one, other, other]
