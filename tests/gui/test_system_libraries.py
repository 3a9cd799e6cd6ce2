"""A library of the system that is missing: one line that names it and the package that brings it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from askew.errors import AskewError
from askew_gui import preflight
from askew_gui.system_libraries import PICTURES_NEED, SCREENS_NEED, lacking

if TYPE_CHECKING:
    from pathlib import Path

MISSING = "{}: cannot open shared object file: No such file or directory"
# An interpreter in which a module does not find what it needs.
WITHOUT = """
import sys
class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise ImportError({message!r})
sys.meta_path.insert(0, Lacking())
from askew_gui.start import main
sys.argv = ["askew", *{arguments!r}]
main()
"""


@pytest.mark.parametrize("library", [*PICTURES_NEED, *SCREENS_NEED])
def test_every_library_that_is_needed_is_known_with_its_package(library: str) -> None:
    what, remedy = lacking(ImportError(MISSING.format(library))) or ("", "")
    package = (PICTURES_NEED | SCREENS_NEED)[library]
    assert what == f"Askew needs {library}, which this system lacks"
    assert remedy == f"On Debian and Ubuntu: sudo apt-get install {package}"


def test_one_nobody_thought_of_is_named_without_a_package() -> None:
    what, remedy = lacking(ImportError(f"Original error was: {MISSING.format('libodd-2.so.7')}\n")) or (
        "",
        "",
    )
    assert "libodd-2.so.7" in what
    assert "apt-get" not in remedy


def test_a_module_that_is_not_there_is_a_defect_and_no_library() -> None:
    assert lacking(ModuleNotFoundError("No module named 'askew.nothing'")) is None


@pytest.mark.parametrize(
    ("module", "library", "arguments"),
    [
        ("PySide6.QtGui", "libEGL.so.1", ["render", "-o", "maps.png"]),
        ("PySide6.QtWidgets", "libGL.so.1", ["self-test"]),
        ("PySide6.QtWidgets", "libGL.so.1", []),
        ("numpy", "libstdc++.so.6", ["compute", "-o", "-"]),
        ("numpy", "libstdc++.so.6", []),
    ],
)
def test_the_command_says_one_line_and_ends_with_1(
    module: str, library: str, arguments: list[str], tmp_path: Path
) -> None:
    code = WITHOUT.format(module=module, message=MISSING.format(library), arguments=arguments)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith(f"askew: error: Askew needs {library}, ")
    assert done.stdout == ""


def test_a_wayland_display_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with pytest.raises(AskewError, match="wayland-7 cannot be reached"):
        preflight.check_screen()
    (tmp_path / "wayland-7").touch()
    preflight.check_screen()
