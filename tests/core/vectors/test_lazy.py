from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askew.errors import AskewError, Cancelled, VectorsError
from askew.vectors import WordVectors, files, index, lazy, open_vectors, scan

FORMATS = Path(__file__).parents[2] / "data/cases/formats"
CASES = Path(__file__).parents[2] / "data/cases"


@pytest.fixture(autouse=True)
def _every_file_counts_as_big(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SMALL", 0)
    monkeypatch.setattr(scan, "_BLOCK", 64)


PLAIN = sorted([*CASES.glob("A0[1-5]*"), *CASES.glob("A1[45]*"), *CASES.glob("A2[3-6]*")])


@pytest.mark.parametrize("path", PLAIN, ids=[path.name for path in PLAIN])
def test_an_indexed_file_gives_what_a_whole_reading_gives(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexed = open_vectors(path)
    monkeypatch.setattr(files, "SMALL", 1 << 20)
    whole = open_vectors(path)
    assert indexed.dim == whole.dim
    at_once = [problem for problem in whole.report if problem.kind in ("header", "first-line", "encoding")]
    assert list(indexed.report) == at_once
    for word in whole:
        np.testing.assert_array_equal(indexed.get(word), whole.get(word))
    for problem in whole.report:
        if problem.kind == "not-finite" and problem.word:
            assert indexed.find(problem.word) is None


@pytest.mark.parametrize("name", ["A07_short_line_mid_file.txt", "A16a_bin_cut_short.bin"])
def test_damage_stops_the_indexing_or_is_skipped_as_in_a_whole_reading(name: str) -> None:
    with pytest.raises(AskewError) as indexed:
        open_vectors(CASES / name)
    files.SMALL = 1 << 20  # put back by the fixture
    with pytest.raises(AskewError) as whole:
        open_vectors(CASES / name)
    assert str(indexed.value) == str(whole.value)
    files.SMALL = 0
    assert len(open_vectors(CASES / name, skip_damaged=True)) == 2


WORD = st.text(st.characters(exclude_characters=" \t\n\r", exclude_categories=["Cs"]), min_size=1, max_size=8)
NUMBER = st.floats(width=32, allow_nan=False, allow_infinity=False)
ROWS = [st.tuples(WORD, st.lists(NUMBER, min_size=dim, max_size=dim)) for dim in range(1, 5)]
TABLES = st.one_of([st.lists(row, min_size=1, max_size=30) for row in ROWS])
ANY_CASE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@ANY_CASE
@given(TABLES, st.sampled_from(["\n", "\r\n", " \n"]))
def test_any_table_written_as_text_is_found_again(
    tmp_path: Path, table: list[tuple[str, list[float]]], end: str
) -> None:
    path = tmp_path / "table.txt"
    lines = [f"{len(table)} {len(table[0][1])}", *(f"{w} {' '.join(map(repr, v))}" for w, v in table)]
    path.write_bytes("".join(line + end for line in lines).encode())
    _check(path, table)


@ANY_CASE
@given(TABLES, st.sampled_from([b"", b"\n"]))
def test_any_table_written_as_word2vec_binary_is_found_again(
    tmp_path: Path, table: list[tuple[str, list[float]]], end: bytes
) -> None:
    path = tmp_path / "table.bin"
    rows = [word.encode() + b" " + np.array(values, "<f4").tobytes() + end for word, values in table]
    path.write_bytes(b"%d %d\n" % (len(table), len(table[0][1])) + b"".join(rows))
    _check(path, table)


def _check(path: Path, table: list[tuple[str, list[float]]]) -> None:
    first: dict[str, list[float]] = {}
    for word, values in table:
        first.setdefault(word, values)
    vectors = open_vectors(path)
    for word, values in first.items():
        np.testing.assert_array_equal(vectors.get(word), np.array(values, dtype=np.float32))
    assert vectors.find("not there") is None


def test_the_first_part_is_there_before_the_rest_and_grows_into_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lazy, "FIRST_PART", 200)
    path = tmp_path / "words.txt"
    path.write_text("".join(f"w{number} {number} 1\n" for number in range(100)))
    seen: list[tuple[WordVectors, int, bool, bool]] = []

    def early(part: WordVectors) -> None:
        seen.append((part, len(part), "w3" in part, "w99" in part))

    vectors = open_vectors(path, first_part=early)
    ((part, count, first, last),) = seen
    assert part is vectors
    assert 3 < count < 100
    assert (first, last) == (True, False)
    assert len(vectors) == 100
    assert vectors.vectors(["w99", "w3"])[:, 0].tolist() == [99, 3]


def test_a_file_that_changed_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("red 1 2 3\nsky 4 5 6\n")
    vectors = open_vectors(path)
    path.write_text("sky 4 5 6\nred 1 2 3\n")
    assert vectors.find("red") is None


def test_a_binary_file_that_changed_gives_no_number_of_another_word(tmp_path: Path) -> None:
    path = tmp_path / "words.bin"
    numbers = np.array([1, 2], "<f4").tobytes(), np.array([3, 4], "<f4").tobytes()
    path.write_bytes(b"2 2\nred " + numbers[0] + b"sky " + numbers[1])
    vectors = open_vectors(path)
    before = path.stat()
    path.write_bytes(b"2 2\nred " + numbers[1] + b"sky " + numbers[0])
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1_000_000))
    assert vectors.find("red") is None
    with pytest.raises(VectorsError, match="no vector"):
        vectors.vectors(["sky"])


def test_indexing_can_be_cancelled() -> None:
    def cancel(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        open_vectors(FORMATS / "w2v_text.txt", progress=cancel)


def test_progress_ends_at_the_size_of_the_file() -> None:
    seen: list[tuple[int, int]] = []
    path = FORMATS / "w2v_text.txt"
    open_vectors(path, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1][1] == path.stat().st_size
    assert all(done <= total for done, total in seen)


BYTES = st.binary(max_size=6).filter(lambda word: b"\n" not in word) | st.just(b"x" * 40)


@given(st.lists(BYTES, max_size=40))
def test_the_order_is_that_of_the_words_bytes_and_repeats_keep_their_rows_order(words: list[bytes]) -> None:
    joiner = index.WordJoiner()
    joiner.add(words)
    joined = joiner.joined()
    shown = [joined.word(row) for row in range(len(words))]
    order = index.sorted_order(joined).tolist()
    assert order == sorted(range(len(words)), key=lambda row: (shown[row], row))
    firsts: dict[bytes, int] = {}
    expected = [(firsts[w], row) for row, w in enumerate(shown) if firsts.setdefault(w, row) != row]
    assert index.repeated_rows(joined, index.sorted_order(joined)) == expected


ANY_WORD = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=5)


@given(st.lists(ANY_WORD, unique=True))
def test_all_kinds_of_index_find_the_same_rows(words: list[str]) -> None:
    words = [*words, "?"] if "?" not in words else words
    joined = index.joined(words)
    joiner = index.WordJoiner()
    joiner.add([word.encode() for word in words])
    hashed = index.HashIndex(joiner.joined(), joiner.hashes())
    order = index.sorted_order(joined)
    bisected = index.SortedIndex(memoryview(joined.text), joined.starts.data, order.data)
    for row, word in enumerate(words):
        assert hashed.row(word) == bisected.row(word) == row
        assert hashed.word(row) == bisected.word(row) == word
        assert row in list(bisected.starting_with(word[:2]))
    assert hashed.row("\ud800") is bisected.row("\ud800") is None
    for prefix in ("", "a", "\u00e9"):
        assert list(hashed.starting_with(prefix)) == list(bisected.starting_with(prefix))


def _both_ways(path: Path, monkeypatch: pytest.MonkeyPatch, *, skip_damaged: bool = False) -> WordVectors:
    """Open a file by its index and whole, see that both know the same words and numbers, return the whole."""
    indexed = open_vectors(path, skip_damaged=skip_damaged)
    monkeypatch.setattr(files, "SMALL", 1 << 20)
    whole = open_vectors(path, skip_damaged=skip_damaged)
    for word in {*whole, *indexed}:
        np.testing.assert_array_equal(indexed.get(word), whole.get(word))
    return whole


def test_a_line_broken_in_the_middle_stops_the_indexing_of_a_file_of_equal_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "broken.txt"
    row = " ".join(["0.25"] * 20)
    lines = [f"word{number:03} {row}" for number in range(300)]
    lines[150] = lines[150].replace(" 0.25" * 10, "\n" + " ".join(["0.25"] * 10), 1)
    path.write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(scan, "_BLOCK", 1 << 12)
    with pytest.raises(VectorsError, match="line 151"):
        open_vectors(path)


def test_a_word_whose_first_row_is_not_finite_has_its_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "again.txt"
    path.write_bytes(b"cat nan 1\ncat 2 3\ndog 4 5\ncat 6 7\n")
    np.testing.assert_array_equal(_both_ways(path, monkeypatch).get("cat"), [2, 3])


def test_a_lone_carriage_return_ends_a_line_but_counts_for_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mixed.txt"
    path.write_bytes(b"5 2\nred 1 2\rsky 3 4\ntree 5 6\r\nsea 7 8\rred 9 9\ncat 0 nan\n")
    whole = _both_ways(path, monkeypatch)
    assert list(whole) == ["red", "sky", "tree", "sea"]
    assert [problem.line for problem in whole.report if problem.word] == [4, 5]


@pytest.mark.parametrize("with_newline", [{0, 1}, {0}, {0, 2, 4}, {1, 3}])
def test_rows_of_which_only_some_end_in_a_newline_keep_the_first_letters_of_their_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_newline: set[int]
) -> None:
    path = tmp_path / "some.bin"
    rows = [
        b"word%d " % row + np.array([row, -row], "<f4").tobytes() + b"\n" * (row in with_newline)
        for row in range(5)
    ]
    path.write_bytes(b"5 2\n" + b"".join(rows))
    whole = _both_ways(path, monkeypatch)
    assert list(whole) == [f"word{row}" for row in range(5)]
