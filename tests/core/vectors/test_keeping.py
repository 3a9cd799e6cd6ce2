"""A store is kept as long as it is of the very bytes of its file, and no longer."""

from __future__ import annotations

import gzip
import hashlib
import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askew.errors import Cancelled, VectorsError
from askew.vectors import WordVectors, cache, files, fingerprint, importing, keeping, open_vectors, store
from askew.vectors.cache import cache_folder, clear_cache, place_of
from askew.vectors.content import ContentHash, content_of
from askew.vectors.importing import import_vectors
from askew.vectors.options import Options
from askew.vectors.store import open_store


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that counts as big, with a middle that is neither head nor tail."""
    monkeypatch.setattr(files, "SMALL", 0)
    monkeypatch.setattr(fingerprint, "_SMALL", 0)
    path = tmp_path / "table.txt"
    numbers = np.random.default_rng(3).standard_normal((3000, 20)).astype("f4")
    with path.open("w") as file:
        file.writelines(f"w{i} {' '.join(map(str, row))}\n" for i, row in enumerate(numbers.tolist()))
    return path


def imported(path: Path, options: Options | None = None) -> WordVectors:
    vectors = open_store(import_vectors(path, options))
    assert vectors is not None
    return vectors


def hash_of(*parts: bytes) -> str:
    return hashlib.blake2b(b"".join(parts), digest_size=16).hexdigest()


def change_middle(path: Path, digit: int = 7) -> None:
    """Change a number of w1500 and leave size and time as they were."""
    before = path.stat()
    data = bytearray(path.read_bytes())
    place = data.index(b"\nw1500 ") + len(b"\nw1500 ")
    place += data[place] == ord("-")
    data[place] = ord(str(digit))
    path.write_bytes(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size


def numbers(vectors: WordVectors) -> list[float]:
    return [float(value) for value in vectors.vectors(["w1500"]).reshape(-1)]


def never(*_: object) -> None:
    raise AssertionError("built again")


def test_the_import_takes_the_hash_of_every_byte(table: Path, tmp_path: Path) -> None:
    assert imported(table).content == hash_of(table.read_bytes())
    packed = tmp_path / "packed.gz"
    packed.write_bytes(gzip.compress(table.read_bytes()) + b"\0" * 70_000)
    assert imported(packed).content == hash_of(packed.read_bytes())
    with zipfile.ZipFile(tmp_path / "packed.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(table, "inside.txt")
    assert imported(tmp_path / "packed.zip").content == hash_of((tmp_path / "packed.zip").read_bytes())


def test_the_fingerprint_is_the_same_before_and_after_the_import(table: Path) -> None:
    vectors = open_vectors(table)
    assert vectors.content is None
    stored = imported(table)
    assert stored.fingerprint == vectors.fingerprint
    vectors.adopt(stored)
    assert vectors.content == stored.content == hash_of(table.read_bytes())


def test_the_fingerprint_of_a_small_file_covers_every_byte(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fingerprint, "_SMALL", 1 << 24)
    before = open_vectors(table)
    assert before.fingerprint == imported(table).fingerprint == hash_of(table.read_bytes())
    change_middle(table)
    os.utime(table, ns=(1, 1))
    assert open_vectors(table).fingerprint != before.fingerprint


def test_where_only_the_time_changed_the_store_is_kept(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = imported(table)
    os.utime(table, ns=(1, 1))
    assert not open_vectors(table).searchable
    monkeypatch.setattr(importing, "write_store", never)
    after = imported(table)
    assert after.content == before.content
    assert open_vectors(table).searchable
    assert len(list(cache_folder().iterdir())) == 1


def test_a_change_in_the_middle_is_noticed_by_its_time(table: Path) -> None:
    before = imported(table)
    change_middle(table)
    os.utime(table, ns=(1, 1))
    after = imported(table)
    assert after.fingerprint == before.fingerprint
    assert after.content == hash_of(table.read_bytes()) != before.content
    assert numbers(after) != numbers(before)
    assert len(list(cache_folder().iterdir())) == 1


def test_a_change_in_the_middle_with_the_time_put_back_is_noticed_by_a_full_check(table: Path) -> None:
    before = imported(table)
    change_middle(table)
    assert numbers(open_vectors(table)) == numbers(before)  # not every byte is read each time
    checked = numbers(open_vectors(table, in_full=True))
    assert checked != numbers(before)
    assert numbers(open_vectors(table)) == checked
    change_middle(table)
    assert import_vectors(table) == place_of(table, str(Options()))


def test_a_full_check_keeps_a_store_that_is_right(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imported(table)
    monkeypatch.setattr(importing, "write_store", never)
    assert open_vectors(table, in_full=True).searchable


def test_a_store_that_another_process_finishes_meanwhile_is_left(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = place_of(table, str(Options()))

    with monkeypatch.context() as patch:
        patch.setattr(keeping, "siblings", lambda _: [])  # as it was before the other process was done
        import_vectors(table)
        assert not keeping.keep_store(folder, table, Options())
    assert open_store(folder) is not None


IMPORT = "import sys; from pathlib import Path; from askew.vectors.importing import import_vectors; "
IMPORT += "print('ready', flush=True); import_vectors(Path(sys.argv[1]))"
KILLS = int(os.environ.get("ASKEW_KILLS", "8")) // 2


@pytest.mark.timeout(900)
def test_a_killed_import_of_a_file_that_changed_leaves_what_can_be_replaced(table: Path) -> None:
    import_vectors(table)
    for turn, delay in enumerate(np.linspace(0, 0.15, KILLS)):
        change_middle(table, digit=7 + turn % 2)
        command = [sys.executable, "-c", IMPORT, str(table)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(delay)
            process.kill()
        there = table.read_text().partition("\nw1500 ")[2].partition("\n")[0]
        expected = np.array(there.split(), dtype=np.float32).tolist()
        assert numbers(open_vectors(table, in_full=True)) == expected
        assert numbers(open_vectors(table)) == expected


def test_a_full_check_tells_how_far_it_is_and_can_be_cancelled(table: Path) -> None:
    folder = import_vectors(table)
    seen: list[tuple[int, int]] = []
    import_vectors(table, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (table.stat().st_size, table.stat().st_size)

    def cancel(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        import_vectors(table, progress=cancel)
    assert open_store(folder) is not None


def test_where_a_list_of_words_beside_changed_the_store_is_built_again(table: Path) -> None:
    matrix = np.random.default_rng(0).standard_normal((3, 2)).astype("f4")
    path = table.with_name("matrix.npy")
    np.save(path, matrix)
    path.with_name("matrix.words.txt").write_text("the\ncat\nsat\n")
    assert list(imported(path)) == ["the", "cat", "sat"]
    path.with_name("matrix.words.txt").write_text("the\ndog\nran\n")
    os.utime(path.with_name("matrix.words.txt"), ns=(1, 1))
    assert list(imported(path)) == ["the", "dog", "ran"]


def test_arrays_beside_a_file_belong_to_its_fingerprint_and_hash(table: Path) -> None:
    path = table.with_name("model.kv")
    path.write_bytes(b"words")
    alone = content_of(path)
    assert alone == hash_of(b"words")
    table.with_name("model.kv.vectors.npy").write_bytes(b"numbers")
    with_numbers = content_of(path)
    table.with_name("model.kv.vectors.npy").write_bytes(b"NUMBERS")
    assert len({alone, with_numbers, content_of(path)}) == 3


@pytest.mark.parametrize("file", ["vectors.f4", "words.txt", "meta.json"])
def test_what_is_left_of_a_store_is_replaced(table: Path, file: str) -> None:
    folder = import_vectors(table)
    (folder / file).unlink()
    assert open_store(folder) is None
    assert open_vectors(table, in_full=True).searchable


def test_what_is_left_of_a_store_while_another_is_built_is_replaced(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = place_of(table, str(Options()))

    def interfered(*args: object) -> bool:
        folder.mkdir(parents=True)
        (folder / "words.txt").write_bytes(b"half")
        return False

    monkeypatch.setattr(importing, "keep_store", interfered)
    assert len(imported(table)) == 3000


def test_an_index_written_late_leaves_the_store_of_the_same_file(table: Path) -> None:
    folder = import_vectors(table)
    with cache.written_whole(cache.index_beside(folder), {}):
        pass
    assert open_store(folder) is not None
    with cache.written_whole(folder, {}):
        pass
    assert not cache.index_beside(folder).exists()


def test_a_file_that_changes_while_it_is_imported_gives_an_error_and_no_store(table: Path) -> None:
    packed = table.with_name("packed.gz")
    packed.write_bytes(gzip.compress(table.read_bytes()))

    def touch(done: int, total: int) -> None:
        os.utime(packed, ns=(1, 1))

    with pytest.raises(VectorsError, match="changed while it was read"):
        import_vectors(packed, progress=touch)
    assert list(cache_folder().iterdir()) == []


def test_a_file_that_is_replaced_while_it_is_indexed_gives_no_number_of_another_word(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = table.with_name("words.bin")
    rows = {word: np.array(values, "<f4").tobytes() for word, values in (("red", [1, 2]), ("sky", [3, 4]))}
    path.write_bytes(b"2 2\nred " + rows["red"] + b"sky " + rows["sky"])

    def replace(done: int, total: int) -> None:
        other = path.with_name("other")
        other.write_bytes(b"2 2\nsky " + rows["sky"] + b"red " + rows["red"])
        os.utime(other, ns=(1, 1))
        other.replace(path)

    assert open_vectors(path, progress=replace).find("red") is None


def test_a_store_that_the_system_keeps_because_it_is_in_use_stays_whole(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = import_vectors(table)

    def refused(path: Path, target: Path) -> None:
        raise PermissionError(13, "in use", str(path))

    monkeypatch.setattr(Path, "rename", refused)
    assert clear_cache() == 1
    monkeypatch.undo()
    monkeypatch.setenv("ASKEW_HOME", str(folder.parents[2]))
    assert open_store(folder) is not None


@pytest.mark.parametrize("limit", [1, 7, 5000])
def test_an_import_of_the_first_words_holds_no_more(table: Path, limit: int) -> None:
    table.write_text("w0 1 2 nan\nw0 1 2 3\nw0 3 2 1\n" + "".join(f"w{i} 1 2 {i}\n" for i in range(1, 9)))
    options = Options(limit=limit)
    whole = open_vectors(table, limit=limit)
    stored = imported(table, options)
    assert list(stored) == list(whole) == [f"w{i}" for i in range(min(limit, 9))]
    assert stored.content is None
    assert list(imported(table, options)) == list(whole)


def test_a_file_without_a_usable_word_is_said_where_it_is_imported(table: Path) -> None:
    table.write_bytes(bytes.fromhex("fffe350020003400 0a00740068fffe35 0020003400 0a00740068000000650020 00"))
    with pytest.raises(VectorsError, match="no usable word"):
        open_vectors(table, skip_damaged=True)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=50), st.lists(st.tuples(st.integers(0, 50), st.integers(0, 20))))
def test_the_hash_is_that_of_the_file_however_it_was_read(
    tmp_path: Path, data: bytes, reads: list[tuple[int, int]]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    with ContentHash() as content:
        for place, size in reads:
            content.take(place, data[place : place + size])
        assert content.of_file(path) == hash_of(data)


def test_the_matrix_is_written_in_whole_pieces(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = imported(table)
    before = expected.vectors(list(expected))
    clear_cache()
    monkeypatch.setattr(store, "_PIECE", 1000)
    again = imported(table)
    np.testing.assert_array_equal(again.vectors(list(again)), before)
