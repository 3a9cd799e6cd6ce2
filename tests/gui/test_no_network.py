"""Nothing connects anywhere: not at import, start, help or export, nor for a picture or numbers."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

# Python tells of every socket it makes; what Qt makes is in the process's own list of open files.
WATCHED = """
import os, sys
seen = []
def hook(event, arguments):
    if event.partition(".")[0] in ("socket", "urllib", "http", "ftplib", "smtplib"):
        seen.append(f"{{event}} {{arguments}}")
sys.addaudithook(hook)
def report():
    for number in os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else ():
        try:
            target = os.readlink(f"/proc/self/fd/{{number}}")
        except OSError:
            continue
        if target.startswith("socket:"):
            seen.append(target)
    loaded = {{"ssl", "PySide6.QtNetwork"}} & sys.modules.keys()
    print("watched", seen, *sorted(loaded), flush=True)
{body}
report()
"""

EVERYTHING = """
import importlib, pkgutil
import askew, askew_gui
for package in (askew, askew_gui):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
"""

WINDOW = """
from askew_gui import app, intents
from askew_gui.dialogs.about import about_dialog
from askew_gui.export.picture_file import save_picture
from askew_gui.export.spec import PictureSpec
from askew_gui.settings import Settings
from askew_gui.window import Window
application = app.make_app()
store = app.first_store()
window = Window(store, Settings())
window.show()
window.fill()
application.processEvents()
intents.set_text(store, "the cat sat on the mat")
about = about_dialog(window)
about.show()
application.processEvents()
about.close()
for kind in ("png", "svg", "pdf"):
    save_picture(store.evaluation, PictureSpec(), "maps." + kind)
window.close()
store.jobs.close(timeout=5.0)
"""

COMMAND = """
from click.testing import CliRunner
from askew_gui.cli import main
result = CliRunner().invoke(main, {arguments!r}, prog_name="askew")
assert result.exit_code == 0, result.output
"""


def watched(body: str, folder: Path) -> str:
    """Run code in an interpreter that is watched; return what it was seen to do."""
    done = subprocess.run(
        [sys.executable, "-c", WATCHED.format(body=body)],
        cwd=folder,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.rsplit("watched ", 1)[1].strip()


def test_the_watch_sees_what_connects(tmp_path: Path) -> None:
    body = "import socket\nclient = socket.socket()\nclient.connect_ex(('127.0.0.1', 9))"
    seen = watched(body, tmp_path)
    assert "socket.connect" in seen
    assert "socket:[" in seen
    assert watched("import ssl", tmp_path) == "[] ssl"


def test_no_module_connects_when_it_is_imported(tmp_path: Path) -> None:
    assert watched(EVERYTHING, tmp_path) == "[]"


def test_the_window_its_help_and_its_exports_connect_to_nothing(tmp_path: Path) -> None:
    assert watched(WINDOW, tmp_path) == "[]"
    assert {file.name for file in tmp_path.glob("maps.*")} == {"maps.png", "maps.svg", "maps.pdf"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["vectors", "list"],
        ["compute", "-o", "numbers.json"],
        ["render", "-o", "maps.svg"],
    ],
    ids=" ".join,
)
def test_the_command_line_connects_to_nothing(arguments: list[str], tmp_path: Path) -> None:
    assert watched(COMMAND.format(arguments=arguments), tmp_path) == "[]"
