from __future__ import annotations

import errno
import os
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.core.sessions.built import TABLES, same, simple

from askew.files import WriteError, remove_leftovers
from askew.session_file import load, save

KILLS = int(os.environ.get("ASKEW_KILLS", "5"))
ROOT = Path(__file__).parents[3]
OLD, NEW = simple("red sky"), simple("sky red tree", count=200)

SAVING = """
import sys
from askew.session_file import save
from tests.core.sessions.built import TABLES, simple
session = simple("sky red tree", count=200)
print("ready", flush=True)
while True:
    save(sys.argv[1], session, TABLES)
"""


def beside(path: Path) -> list[str]:
    return sorted(each.name for each in path.parent.iterdir())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A folder of its own with a session in it."""
    folder = tmp_path / "sessions"
    folder.mkdir()
    save(folder / "s.askew", OLD, TABLES)
    return folder / "s.askew"


@pytest.mark.timeout(900)
def test_a_killed_save_leaves_the_old_or_the_new_session_whole(path: Path) -> None:
    dice = random.Random("askew")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    for _ in range(KILLS):
        save(path, OLD, TABLES)
        command = [sys.executable, "-c", SAVING, str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, cwd=ROOT) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(dice.uniform(0, 0.15))
            process.kill()
        session = load(path).session
        assert same(session, OLD) or same(session, NEW)
    for left in path.parent.glob(".*.part"):
        os.utime(left, (0, 0))
    save(path, OLD, TABLES)
    assert beside(path) == ["s.askew"]


@pytest.mark.parametrize("step", ["write", "flush", "replace"])
def test_a_kill_at_each_step_of_a_save_leaves_a_whole_session(path: Path, step: str) -> None:
    stops = {
        "write": "files._claim = lambda file: (file.write(b'PK half'), file.flush(), die())\n",
        "flush": "files.os.fsync = lambda *_: die()\n",
        "replace": "Path.replace = lambda *_: die()\n",
    }
    code = "import os, signal, sys\nfrom pathlib import Path\nfrom askew import files\n"
    code += "def die():\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    code += "from askew.session_file import save\nfrom tests.core.sessions.built import TABLES, simple\n"
    code += stops[step] + "save(sys.argv[1], simple('sky red tree', count=200), TABLES)\n"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False, env=environment, timeout=60)
    assert done.returncode == -9
    assert same(load(path).session, OLD)
    assert len(list(path.parent.glob(".s.askew.*.part"))) == 1


def test_a_full_disk_leaves_the_old_session_and_nothing_beside_it(path: Path) -> None:
    before = path.read_bytes()
    room = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, room[1]))
    try:
        with pytest.raises(WriteError, match="cannot write"):
            save(path, NEW, TABLES)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, room)
    assert path.read_bytes() == before
    assert beside(path) == ["s.askew"]


def test_a_disk_that_is_full_when_all_is_flushed_says_to_make_room(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WriteError, match=r"no space left on device\. Make room, or choose another place"):
        save(path, NEW, TABLES)
    assert path.read_bytes() == before
    assert beside(path) == ["s.askew"]


def test_what_another_process_is_writing_now_is_left_alone(path: Path) -> None:
    target = path.with_name("s.askew")
    held = target.with_name(".s.askew.0123abcd.part")
    code = "import sys, time\nfrom pathlib import Path\nfrom askew.files import _claim\n"
    code += (
        "file = Path(sys.argv[1]).open('xb'); assert _claim(file); print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(held)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        os.utime(held, (0, 0))
        remove_leftovers(target)
        assert held.exists()
        process.kill()
    remove_leftovers(target)
    assert not held.exists()


def test_only_what_saves_leave_behind_is_removed(path: Path) -> None:
    others = [
        ".s.askew.0123abcd.part2",
        ".s.askew.0123abc.part",
        "s.askew.0123abcd.part",
        ".t.askew.0123abcd.part",
    ]
    for name in (*others, ".s.askew.01234567.part", ".s.askew.aaaaaaaa.part"):
        (path.parent / name).write_bytes(b"")
        os.utime(path.parent / name, (0, 0))
    os.utime(path.parent / ".s.askew.aaaaaaaa.part")  # written to a moment ago
    remove_leftovers(path)
    assert beside(path) == sorted([*others, ".s.askew.aaaaaaaa.part", "s.askew"])


def test_a_folder_that_cannot_be_written_to_is_an_error_in_words(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="cannot write"):
        save(tmp_path / "nowhere" / "s.askew", OLD, TABLES)
    (tmp_path / "folder.askew").mkdir()
    with pytest.raises(WriteError, match="it is a folder"):
        save(tmp_path / "folder.askew", OLD, TABLES)


def test_long_and_foreign_names_are_saved_and_loaded(tmp_path: Path) -> None:
    folder = tmp_path / "Usuário" / ("ordner " * 28)
    folder.mkdir(parents=True)
    for name in ("Ünï 文件 (1).askew", "x" * 249 + ".askew"):
        save(folder / name, OLD, TABLES)
        assert same(load(folder / name).session, OLD)
