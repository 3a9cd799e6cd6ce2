from __future__ import annotations

import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askew.errors import Cancelled, VectorsError
from askew.vectors import WordVectors, cache, files, importing, open_vectors, rows
from askew.vectors.cache import cache_folder, cache_size, clear_cache
from askew.vectors.fast import QuickParser
from askew.vectors.importing import import_vectors
from askew.vectors.options import Options
from askew.vectors.sidecar import open_index
from askew.vectors.store import open_store

CASES = Path(__file__).parents[2] / "data/cases"
STORED = ["A02", "A04", "A05", "A09", "A14a", "A14b", "A15", "A23", "A24", "A25a", "A26b"]


def imported(path: Path, options: Options | None = None) -> WordVectors:
    vectors = open_store(import_vectors(path, options))
    assert vectors is not None
    return vectors


@pytest.mark.parametrize("name", STORED)
def test_a_store_holds_what_a_whole_reading_gives(name: str) -> None:
    (path,) = CASES.glob(f"{name}_*")
    whole, stored = open_vectors(path), imported(path)
    assert list(stored) == list(whole)
    assert stored.dim == whole.dim
    assert stored.fingerprint == whole.fingerprint
    assert stored.origin == whole.origin
    for word in whole:
        np.testing.assert_array_equal(stored.get(word), whole.get(word))
        assert stored.neighbours(word) == whole.neighbours(word)
    assert set(stored.report) == set(whole.report)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.txt"
    numbers = np.random.default_rng(3).standard_normal((3000, 20)).astype("f4")
    with path.open("w") as file:
        file.writelines(f"w{i % 2900} {' '.join(map(str, row))}\n" for i, row in enumerate(numbers.tolist()))
    return path


def test_a_big_file_is_opened_from_its_store_once_it_is_there(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "SMALL", 0)
    assert not open_vectors(table).searchable
    stored = imported(table)
    opened = open_vectors(table)
    assert opened.searchable
    assert len(opened) == len(stored) == 2900
    assert opened.ref == stored.ref
    assert len([each for each in opened.report if each.kind == "repeated"]) == 100


def test_vectors_in_use_take_over_the_store_when_it_is_ready(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "SMALL", 0)
    vectors = open_vectors(table)
    before = vectors.get("w7")
    with pytest.raises(VectorsError, match="not ready"):
        vectors.neighbours("w7")
    vectors.adopt(imported(table))
    np.testing.assert_array_equal(vectors.get("w7"), before)
    assert len(vectors.neighbours("w7", 5)) == 5


def test_a_big_compressed_file_is_read_into_a_store(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = table.with_suffix(".gz")
    packed.write_bytes(gzip.compress(table.read_bytes()))
    monkeypatch.setattr(files, "SMALL", 0)
    vectors = open_vectors(packed)
    assert vectors.origin.container == ("gz",)
    assert list(vectors) == list(imported(table))


def test_a_changed_file_gets_a_new_store_and_the_old_one_goes(table: Path) -> None:
    first = import_vectors(table)
    table.write_text(table.read_text().replace("w5 ", "changed "))
    second = import_vectors(table)
    assert first != second
    assert not first.exists()
    assert "changed" in (open_store(second) or ())


def test_a_cancelled_import_leaves_nothing_behind(table: Path) -> None:
    packed = table.with_suffix(".gz")
    packed.write_bytes(gzip.compress(table.read_bytes()))

    def cancel(done: int, total: int) -> None:
        if done == total:
            raise Cancelled

    with pytest.raises(Cancelled):
        import_vectors(packed, progress=cancel)
    assert list(cache_folder().glob("*")) == []


def test_another_process_that_was_faster_keeps_its_store(table: Path) -> None:
    folder = import_vectors(table)
    with cache.written_whole(folder, {"mark": "slower"}):
        pass
    assert open_store(folder) is not None


@pytest.mark.parametrize("file", ["words.txt", "starts.u8", "order.u4", "vectors.f4", "meta.json"])
@pytest.mark.parametrize("size", [0, 10])
def test_a_store_with_a_short_file_is_not_opened(table: Path, file: str, size: int) -> None:
    folder = import_vectors(table)
    whole = (folder / file).read_bytes()
    (folder / file).write_bytes(whole[:size])
    assert open_store(folder) is None


def test_a_cache_that_cannot_be_written_is_said(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocker = table.with_name("blocker")
    blocker.write_text("")
    monkeypatch.setenv("ASKEW_HOME", str(blocker))
    with pytest.raises(VectorsError, match="cache"):
        import_vectors(table)


def test_without_a_cache_the_vectors_are_held_in_memory_and_that_is_said(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = table.with_suffix(".gz")
    packed.write_bytes(gzip.compress(table.read_bytes()))
    blocker = table.with_name("blocker")
    blocker.write_text("")
    monkeypatch.setenv("ASKEW_HOME", str(blocker))
    monkeypatch.setattr(files, "SMALL", 0)
    vectors = open_vectors(packed)
    assert len(vectors) == 2900
    assert vectors.report[-1].kind == "cache"


def test_a_small_file_that_unpacks_to_much_goes_to_the_store_and_not_to_memory(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "IN_MEMORY", 1000)
    expected = imported(table)
    packed = table.with_suffix(".gz")
    packed.write_bytes(gzip.compress(table.read_bytes()))
    vectors = open_vectors(packed)
    assert list(vectors) == list(expected)
    assert open_store(cache.place_of(packed, str(Options()))) is not None


@pytest.mark.parametrize("small", [0, 1 << 24])
def test_a_line_without_end_is_refused_before_it_fills_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: int
) -> None:
    path = tmp_path / "endless.txt.gz"
    path.write_bytes(gzip.compress(b"red 1 2\n" + b"1 " * (3 << 19)))
    monkeypatch.setattr(files, "SMALL", small)
    monkeypatch.setattr(rows, "LONGEST_LINE", 1 << 20)
    monkeypatch.setattr(rows, "BLOCK", 1 << 16)
    with pytest.raises(VectorsError, match="longer than 1 MB"):
        open_vectors(path)


@pytest.mark.parametrize("small", [0, 1 << 24])
def test_a_line_that_is_too_long_for_its_numbers_is_damage_and_never_taken_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: int
) -> None:
    path = tmp_path / "long.txt"
    path.write_bytes(b"red 1 2\nsky 3 4\n" + b"1 " * (1 << 20) + b"x\n")
    monkeypatch.setattr(files, "SMALL", small)
    tracemalloc.start()
    with pytest.raises(VectorsError, match="line 3: the line has 2097153 bytes, far more than a word and 2"):
        open_vectors(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 40 << 20
    assert list(open_vectors(path, skip_damaged=True)) == ["red", "sky"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_pipes_and_devices_are_refused_before_they_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path(os.devnull)):
        with pytest.raises(VectorsError, match=f"{path.name}: this is a pipe or a device"):
            open_vectors(path)


@pytest.mark.parametrize("small", [0, 1 << 24])
def test_the_listing_of_a_tar_can_be_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: int
) -> None:
    monkeypatch.setattr(files, "SMALL", small)
    path = tmp_path / "two.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name in ("one.txt", "two.txt"):
            entry = tarfile.TarInfo(name)
            entry.size = 1 << 22
            archive.addfile(entry, io.BytesIO(bytes(entry.size)))

    calls: list[int] = []

    def stopped(done: int, total: int) -> None:
        calls.append(done)
        if len(calls) == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        open_vectors(path, progress=stopped)


@pytest.mark.parametrize("header", [b"3 99999999999\n", b"99999999999 4294967295\n", b"1 1048577\n"])
@pytest.mark.parametrize("packed", [False, True])
def test_an_absurd_header_is_refused_by_arithmetic(tmp_path: Path, header: bytes, packed: bool) -> None:
    path = tmp_path / "absurd.bin"
    content = header + b"red \x00\x00\x80\x3f"
    path.write_bytes(gzip.compress(content) if packed else content)
    with pytest.raises(VectorsError, match="line 1 says"):
        open_vectors(path)


def test_a_file_that_may_not_be_read_is_said(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path) -> str:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(cache, "edges_of_file", refused)
    with pytest.raises(VectorsError, match=r"table\.txt: the file cannot be read: permission denied"):
        open_vectors(table)


def test_the_cache_tells_its_size_and_can_be_cleared(table: Path) -> None:
    assert cache_size() == 0
    import_vectors(table)
    assert cache_size() > 2900 * 20 * 4
    clear_cache()
    assert cache_size() == 0


IMPORT = "import sys; from pathlib import Path; from askew.vectors.importing import import_vectors; "
IMPORT += "print('ready', flush=True); import_vectors(Path(sys.argv[1]))"


KILLS = int(os.environ.get("ASKEW_KILLS", "8"))


@pytest.mark.timeout(900)
def test_a_killed_import_leaves_nothing_or_what_is_whole(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = open_vectors(table)
    monkeypatch.setattr(files, "SMALL", 0)
    for delay in np.linspace(0, 0.15, KILLS):
        shutil.rmtree(cache_folder(), ignore_errors=True)
        process = subprocess.Popen([sys.executable, "-c", IMPORT, str(table)], stdout=subprocess.PIPE)
        with process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(delay)
            process.kill()
        vectors = open_vectors(table)
        np.testing.assert_array_equal(vectors.vectors(list(expected)), expected.vectors(list(expected)))
        assert vectors.find("w2900") is None
        assert not vectors.searchable or list(vectors) == list(expected)


def test_two_imports_of_one_file_do_not_hurt_each_other(table: Path) -> None:
    command = [sys.executable, "-c", IMPORT, str(table)]
    both = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    vectors, expected = imported(table), open_vectors(table)
    assert list(vectors) == list(expected)
    np.testing.assert_array_equal(vectors.vectors(list(expected)), expected.vectors(list(expected)))
    assert len(list(cache_folder().iterdir())) == 1


class NoSpaceLeft(Exception):
    """What happens when the matrix is written."""


def full_disk(*_: object) -> None:
    raise NoSpaceLeft


def test_until_the_store_is_there_the_index_serves(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = open_vectors(table)
    monkeypatch.setattr(importing, "write_store", full_disk)
    with pytest.raises(NoSpaceLeft):
        import_vectors(table)
    monkeypatch.setattr(files, "SMALL", 0)
    monkeypatch.setattr(files, "unpack", full_disk)  # so the file is not gone through again
    indexed = open_vectors(table)
    assert not indexed.searchable
    assert indexed.source == (table, Options())
    np.testing.assert_array_equal(indexed.vectors(list(expected)), expected.vectors(list(expected)))
    assert indexed.find("w2900") is None
    assert indexed.ref == expected.ref
    assert indexed.completions("w10", 2) == ["w10", "w100"]


def test_the_store_takes_the_place_of_the_index(table: Path) -> None:
    folder = import_vectors(table)
    assert list(cache_folder().iterdir()) == [folder]


@pytest.mark.parametrize("file", ["words.txt", "starts.u8", "order.u4", "offsets.i8", "meta.json"])
def test_an_index_with_a_short_file_is_not_opened(
    table: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    monkeypatch.setattr(importing, "write_store", lambda *_: None)
    folder = cache.index_beside(import_vectors(table))
    (folder / file).write_bytes((folder / file).read_bytes()[:10])
    assert open_index(folder, table, Options()) is None


NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=32).map(repr) | st.from_regex(
    r"-?(0|[1-9][0-9]{0,5})(\.[0-9]{1,9})?(e-?[0-9]{1,2})?", fullmatch=True
)
LINES = st.lists(st.tuples(st.sampled_from(["a", "b_c", "\u0085", '"', "1,5", "]"]), NUMBERS, NUMBERS))


@given(LINES, st.sampled_from([b"\n", b" \n"]))
def test_the_quick_parser_reads_what_float_reads(lines: list[tuple[str, str, str]], end: bytes) -> None:
    text = b"".join(" ".join(line).encode() + end for line in lines)
    parsed = QuickParser(2).rows(text)
    if not lines:
        assert parsed is None
        return
    assert parsed is not None
    words, matrix = parsed
    assert words == [line[0].encode() for line in lines]
    with np.errstate(over="ignore"):
        expected = np.array([[float(x) for x in line[1:]] for line in lines]).astype(np.float32)
    np.testing.assert_array_equal(matrix, expected)


@pytest.mark.parametrize(
    "text",
    [
        b"a 1 2\nb 1\n",
        b"a 1\nb 1 2 3\n",
        b"a b 1 2\n",
        b"a\t1 2\n",
        b"a 1 .5\n",
        b"a 1 +5\n",
        b"a 1 nan\n",
        b"a 1 2",
        b"a  1\n",
        b"a 1 2\r\n",
        b"a 1,2 3\n",
        b"\n\n\n",
        b"a [1] 2\n",
        b"a [1 2]\n",
        b"a 1,2 []\n",
    ],
)
def test_the_quick_parser_refuses_what_is_not_plain(text: bytes) -> None:
    assert QuickParser(2).rows(text) is None
