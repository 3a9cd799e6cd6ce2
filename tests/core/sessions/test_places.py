from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.core.sessions.built import TABLE, TABLES, members, simple, with_document

from askew.evaluation import evaluate
from askew.examples import default_experiment
from askew.session import Session
from askew.session_file import SessionError, from_bytes, load, save, to_bytes
from askew.session_vectors import VectorsPlace, find_all, find_vectors, is_way, way_from
from askew.vectors import WordVectors, open_vectors
from askew.vectors.opening import open_with
from askew.vectors.options import Options

COLOURS = "red 1 2 3 4\nsky 4 3 2 1\ntree 0 1 0 1\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with a session and the file of its vectors in a folder beside it."""
    (tmp_path / "home/vectors").mkdir(parents=True)
    (tmp_path / "home/papers").mkdir()
    (tmp_path / "home/vectors/Ünï 文件 (1).vec").write_text(COLOURS, "utf-8")
    save_with(tmp_path / "home/papers/s.askew", tmp_path / "home/vectors/Ünï 文件 (1).vec")
    return tmp_path / "home"


def save_with(session: Path, file: Path, options: Options | None = None) -> WordVectors:
    """Save a session on the vectors of a file."""
    options = options or Options()
    vectors = open_with(file, options)
    experiment = default_experiment(vectors, "red sky")
    tables = {vectors.fingerprint: vectors}
    save(session, Session((experiment,)), tables, places={vectors.fingerprint: (file, options)})
    return vectors


def found(session: Path, also: tuple[Path, ...] = ()) -> VectorsPlace:
    (place,) = find_all(load(session).vectors, session, also).values()
    return place


def test_the_file_is_found_where_it_was(home: Path) -> None:
    place = found(home / "papers/s.askew")
    assert place.source == home / "vectors/Ünï 文件 (1).vec"
    assert place.reason == ""


def test_a_file_that_moved_together_with_the_session_is_found(home: Path, tmp_path: Path) -> None:
    shutil.move(home, tmp_path / "elsewhere")
    place = found(tmp_path / "elsewhere/papers/s.askew")
    assert place.source == tmp_path / "elsewhere/vectors/Ünï 文件 (1).vec"


def test_a_file_that_lies_beside_the_session_now_is_found(home: Path) -> None:
    shutil.move(home / "vectors/Ünï 文件 (1).vec", home / "papers")
    assert found(home / "papers/s.askew").source == home / "papers/Ünï 文件 (1).vec"


def test_a_file_opened_lately_under_that_name_is_found(home: Path, tmp_path: Path) -> None:
    shutil.move(home / "vectors/Ünï 文件 (1).vec", tmp_path)
    known = (tmp_path / "other.vec", tmp_path / "Ünï 文件 (1).vec")
    assert found(home / "papers/s.askew", known).source == known[1]


def test_another_file_under_the_old_name_is_not_taken_for_it(home: Path) -> None:
    file = home / "vectors/Ünï 文件 (1).vec"
    file.write_text(COLOURS.replace("1 2 3 4", "1 2 3 5"), "utf-8")
    place = found(home / "papers/s.askew")
    assert place.source is None
    assert place.other == file
    assert place.reason == "'Ünï 文件 (1).vec' is not the file this session was made with"


def test_a_file_that_is_gone_is_asked_for_and_the_maps_are_there_meanwhile(home: Path) -> None:
    vectors = open_vectors(home / "vectors/Ünï 文件 (1).vec")
    shutil.rmtree(home / "vectors")
    loaded = load(home / "papers/s.askew")
    place = find_all(loaded.vectors, home / "papers/s.askew")[vectors.fingerprint]
    assert (place.source, place.other) == (None, None)
    assert "'Ünï 文件 (1).vec' of this session was not found" in place.reason
    experiment = loaded.session.experiment
    rows = loaded.vectors[vectors.fingerprint].table
    np.testing.assert_array_equal(evaluate(experiment, rows).pattern, evaluate(experiment, vectors).pattern)


def test_a_session_saved_without_its_file_still_knows_where_it_was(home: Path) -> None:
    shutil.move(home / "vectors", home / "away")
    loaded = load(home / "papers/s.askew")
    (saved,) = loaded.vectors.values()
    (home / "papers/deeper").mkdir()
    for again in ("papers/again.askew", "papers/deeper/s.askew"):
        save(home / again, loaded.session, {saved.fingerprint: saved.table})
    shutil.move(home / "away", home / "vectors")
    assert found(home / "papers/again.askew").source == home / "vectors/Ünï 文件 (1).vec"
    (deeper,) = load(home / "papers/deeper/s.askew").vectors.values()
    assert (deeper.relative, deeper.file_name, deeper.size) == (None, saved.file_name, saved.size)


def test_how_the_file_was_read_is_kept(tmp_path: Path) -> None:
    matrix = np.arange(8, dtype=np.float32).reshape(2, 4)
    np.save(tmp_path / "bare.npy", matrix)
    (tmp_path / "list.txt").write_text("red\nsky\n")
    options = Options(words=str(tmp_path / "list.txt"))
    vectors = save_with(tmp_path / "s.askew", tmp_path / "bare.npy", options)
    (saved,) = load(tmp_path / "s.askew").vectors.values()
    assert saved.options == Options(words="list.txt")
    place = find_vectors(saved, tmp_path / "s.askew")
    assert place.source == tmp_path / "bare.npy"
    again = open_with(place.source, place.options)
    assert again.ref == vectors.ref
    limited = save_with(tmp_path / "l.askew", tmp_path / "bare.npy", Options(words="list.txt", limit=1))
    assert limited.fingerprint != vectors.fingerprint
    assert found(tmp_path / "l.askew").options.limit == 1


def test_bundled_vectors_are_found_by_name() -> None:
    vectors = open_vectors("glove-6b-50d")
    experiment = default_experiment(vectors)
    data = to_bytes(Session((experiment,)), {vectors.fingerprint: vectors})
    (saved,) = from_bytes(data, "s.askew").vectors.values()
    assert saved.bundled == "glove-6b-50d"
    assert find_vectors(saved, None).source == "glove-6b-50d"
    other = with_document(data, lambda d: d["vectors"][0].update(fingerprint="00"))
    (changed,) = from_bytes(other, "s.askew").vectors.values()
    assert "not those this session was made with" in find_vectors(changed, None).reason


def test_vectors_that_were_in_no_file_are_not_looked_for(tmp_path: Path) -> None:
    save(tmp_path / "s.askew", simple(), TABLES)
    place = found(tmp_path / "s.askew")
    assert place.source is None
    assert "in no file" in place.reason


def test_pipes_and_folders_of_the_old_name_are_passed_over(home: Path) -> None:
    file = home / "vectors/Ünï 文件 (1).vec"
    file.unlink()
    os.mkfifo(file)
    (home / "papers" / file.name).mkdir()
    assert "was not found" in found(home / "papers/s.askew").reason


@pytest.mark.parametrize("name", ["..", ".", "x" * 999, "a:b", "\udcff"])
def test_a_name_that_cannot_be_is_not_found(home: Path, name: str) -> None:
    data = with_document((home / "papers/s.askew").read_bytes(), lambda d: d["vectors"][0].update(file=name))
    (home / "papers/s.askew").write_bytes(data)
    shutil.rmtree(home / "vectors")
    assert "was not found" in found(home / "papers/s.askew").reason


def test_a_file_far_away_goes_in_by_its_name_alone(home: Path, tmp_path: Path) -> None:
    deep = home / "papers/a/b/s.askew"
    deep.parent.mkdir(parents=True)
    save_with(deep, home / "vectors/Ünï 文件 (1).vec")
    (saved,) = load(deep).vectors.values()
    assert (saved.file_name, saved.relative) == ("Ünï 文件 (1).vec", None)
    assert str(tmp_path).encode() not in members(deep.read_bytes())["session.json"]


def test_what_a_picture_carries_names_no_folder(home: Path) -> None:
    file = home / "vectors/Ünï 文件 (1).vec"
    vectors = open_vectors(file)
    session = Session((default_experiment(vectors, "red sky"),))
    data = to_bytes(session, {vectors.fingerprint: vectors}, places={vectors.fingerprint: file}, limit=10_000)
    document = members(data)["session.json"]
    for part in (b"vectors/", b"home", b"papers", os.fsencode(home)):
        assert part not in document
    (saved,) = from_bytes(data, "p.png").vectors.values()
    assert (saved.file_name, saved.relative, saved.size) == (file.name, None, file.stat().st_size)


@pytest.mark.parametrize(
    ("way", "trusted"),
    [
        ("a.vec", True),
        ("sub/a.vec", True),
        ("../a.vec", True),
        ("../other/a.vec", True),
        ("../../a.vec", False),
        ("sub/../../../a.vec", False),
        ("/etc/passwd", False),
        ("..", False),
        ("", False),
        ("a//b", False),
        ("C:\\a.vec", False),
        ("\\\\host\\a.vec", False),
        ("a\0b", False),
    ],
)
def test_ways_lead_to_the_folders_beside_the_session_at_most(way: str, trusted: bool) -> None:
    assert is_way(way) == trusted
    data = with_document(to_bytes(simple(), TABLES), lambda d: d["vectors"][0].update(relative=way))
    if trusted:
        assert from_bytes(data, "s.askew").vectors[TABLE.fingerprint].relative == way
    else:
        with pytest.raises(
            SessionError, match=r"s.askew, session.json \$.vectors\[0\].relative: the way leads"
        ):
            from_bytes(data, "s.askew")


def test_the_way_to_a_file_is_told_only_inside_and_beside() -> None:
    assert way_from(Path("/a/b"), Path("/a/b/c/x.vec")) == "c/x.vec"
    assert way_from(Path("/a/b"), Path("/a/c/x.vec")) == "../c/x.vec"
    assert way_from(Path("/a/b"), Path("/x.vec")) is None
