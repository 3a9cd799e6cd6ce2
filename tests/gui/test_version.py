"""Which Askew this is: read from files, in a checkout and in an installation, without running git."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from typing import TYPE_CHECKING

import pytest
from tests.gui.command_line import run

from askew_gui.version import commit

if TYPE_CHECKING:
    from pathlib import Path

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def test_the_version_names_program_commit_qt_numpy_and_blas_one_a_line() -> None:
    result = run("--version")
    assert result.exit_code == 0
    names, values = zip(*(line.split(" ", 1) for line in result.stdout.splitlines()), strict=True)
    assert names == ("askew", "commit", "Python", "Qt", "numpy", "BLAS")
    assert values[0] == metadata.version("askew")
    assert values[3] == metadata.version("PySide6-Essentials")
    assert values[4] == metadata.version("numpy")
    assert "openblas" in values[5].lower()


def test_it_loads_no_widgets() -> None:
    code = "import sys; from askew_gui.version import version_text; version_text(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & {"PySide6.QtGui", "PySide6.QtWidgets", "gensim", "scipy"}


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    """Return the file of the commit as it is in a checkout."""
    file = tmp_path / "commit.txt"
    file.write_text("$Format:%H$\n")
    return file


def test_an_installation_knows_the_commit_that_was_written_down(tmp_path: Path) -> None:
    file = tmp_path / "commit.txt"
    file.write_text(f"{COMMIT}\n")
    assert commit(file, tmp_path / "none") == COMMIT


@pytest.mark.parametrize("packed", [False, True])
def test_a_checkout_knows_its_commit_by_its_branch(tmp_path: Path, unpacked: Path, packed: bool) -> None:
    (tmp_path / "HEAD").write_text("ref: refs/heads/main\n")
    if packed:
        (tmp_path / "packed-refs").write_text(f"# pack-refs\n{COMMIT} refs/heads/main\n")
    else:
        (tmp_path / "refs" / "heads").mkdir(parents=True)
        (tmp_path / "refs" / "heads" / "main").write_text(f"{COMMIT}\n")
    assert commit(unpacked, tmp_path) == COMMIT


def test_a_checkout_without_a_branch_knows_it_too(tmp_path: Path, unpacked: Path) -> None:
    (tmp_path / "HEAD").write_text(f"{COMMIT}\n")
    assert commit(unpacked, tmp_path) == COMMIT


def test_without_a_repository_it_is_unknown(tmp_path: Path, unpacked: Path) -> None:
    assert commit(unpacked, tmp_path / "none") == "unknown"
    assert commit(tmp_path / "nothing.txt", tmp_path / "none") == "unknown"
