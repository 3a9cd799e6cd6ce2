"""The packages for Linux: their texts agree with the program."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from askew.session_file import SUFFIX
from askew_gui.cli import main
from askew_gui.system_libraries import PICTURES_NEED

ROOT = Path(__file__).resolve().parent.parent.parent
LINUX = ROOT / "packaging" / "linux"
SCRIPTS = sorted([*(ROOT / "packaging").glob("*.sh"), *LINUX.glob("*.sh")])


def test_a_double_click_on_a_session_opens_the_program() -> None:
    desktop = configparser.ConfigParser(interpolation=None)
    desktop.optionxform = str  # type: ignore[assignment,method-assign]
    desktop.read(LINUX / "askew.desktop", encoding="utf-8")
    entry = desktop["Desktop Entry"]
    tree = ElementTree.parse(LINUX / "askew-mime.xml").getroot()
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    kind = tree.find(f"{space}mime-type")
    assert kind is not None
    assert entry["MimeType"] == f"{kind.get('type')};"
    glob = kind.find(f"{space}glob")
    assert glob is not None
    assert glob.get("pattern") == f"*{SUFFIX}"
    assert entry["Exec"] == "askew %f"


def test_the_package_asks_for_every_library_that_is_left_to_the_system() -> None:
    recipe = (LINUX / "nfpm.yaml").read_text("utf-8")
    install = (LINUX / "install.sh").read_text("utf-8")
    bundled = {"libxkbcommon.so.0", "libgthread-2.0.so.0"}  # the second comes with libglib-2.0
    for library, package in PICTURES_NEED.items():
        if library in bundled:
            continue
        assert re.search(rf"- {re.escape(package)}\b", recipe), package
        assert f"{library}()(64bit)" in recipe, library
        assert f"\n{library} {package}" in install, library


def test_the_page_of_the_manual_names_every_command(tmp_path: Path) -> None:
    page = tmp_path / "askew.1"
    subprocess.run([sys.executable, LINUX / "make_man.py", page, "2026-01-01"], check=True)
    text = page.read_text("utf-8")
    assert text.startswith('.TH ASKEW 1 "2026-01-01"')
    for name in main.commands:
        assert f'.SS "askew {name}'.replace("-", "\\-") in text
    if shutil.which("man"):
        command = ["man", "--warnings", "-l", str(page)]
        told = subprocess.run(
            command, capture_output=True, text=True, env=os.environ | {"LC_ALL": "C.UTF-8"}, check=True
        )
        assert told.stderr == ""


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.name)
def test_the_scripts_are_sound(file: Path) -> None:
    subprocess.run(["sh", "-n", file], check=True)
    assert len(file.read_text("utf-8").splitlines()) < 400
