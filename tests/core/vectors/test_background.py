from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from askew.errors import Cancelled, VectorsError
from askew.vectors import files, open_vectors
from askew.vectors.background import build_store, import_arguments
from askew.vectors.cache import cache_folder
from askew.vectors.options import Options

IMPORT = """
import sys
from pathlib import Path
from askew.vectors.importing import import_vectors
from askew.vectors.options import Options
import_vectors(Path(sys.argv[3]), Options(skip_damaged="--skip-damaged" in sys.argv))
"""


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(files, "SMALL", 0)
    path = tmp_path / "table.txt"
    path.write_text("red 1 0\nsky 1 1\nsky 5 5\nbad nan 1\ntree 0 1\n")
    return path


def no_wish() -> None:
    """Ask for nothing."""


def test_a_store_is_built_by_another_process_and_taken_over(table: Path) -> None:
    vectors = open_vectors(table)
    assert vectors.source is not None
    assert not vectors.searchable
    store = build_store(*vectors.source, [sys.executable, "-c", IMPORT], no_wish)
    vectors.adopt(store)
    assert list(vectors) == ["red", "sky", "tree"]
    assert vectors.neighbours("red", 1)[0][0] == "sky"
    assert {problem.kind for problem in vectors.report} == {"repeated", "not-finite"}
    assert vectors.source is None


def test_a_failed_import_says_what_the_process_said(table: Path) -> None:
    fails = "import sys; sys.exit('askew: error: no more space on the disk.')"
    with pytest.raises(VectorsError, match=r"no more space on the disk\.$"):
        build_store(table, Options(), [sys.executable, "-c", fails], no_wish)


def test_an_import_that_is_no_longer_wanted_is_ended_at_once(table: Path) -> None:
    begun = time.monotonic()

    def stop() -> None:
        if time.monotonic() - begun > 0.2:
            raise Cancelled

    with pytest.raises(Cancelled):
        build_store(table, Options(), [sys.executable, "-c", "import time; time.sleep(60)"], stop)
    assert time.monotonic() - begun < 30
    assert not cache_folder().exists()


def test_all_choices_are_handed_on() -> None:
    options = Options(True, 5, "latin-1", "a.txt", "w.txt", "en")
    assert import_arguments(Path("/v.txt").resolve(), options)[2:] == [
        str(Path("/v.txt").resolve()),
        "--skip-damaged",
        *("--limit", "5"),
        *("--encoding", "latin-1"),
        *("--member", "a.txt"),
        *("--words", "w.txt"),
        *("--language", "en"),
    ]
