"""A file is written whole, or the old one stays."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING

import pytest

from askew.files import WriteError, replacing, write_bytes

if TYPE_CHECKING:
    from pathlib import Path


def write_half(target: Path, failure: BaseException) -> None:
    with replacing(target) as file:
        file.write(b"half")
        raise failure


def test_a_file_is_replaced_whole_and_keeps_its_permissions(tmp_path: Path) -> None:
    target = tmp_path / "map.png"
    target.write_bytes(b"old")
    target.chmod(0o640)
    write_bytes(target, b"new")
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["map.png"]


@pytest.mark.parametrize(
    "failure", [RuntimeError("bug"), KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left")]
)
def test_the_old_file_stays_when_writing_fails_half_way(tmp_path: Path, failure: BaseException) -> None:
    target = tmp_path / "map.png"
    target.write_bytes(b"old")
    with pytest.raises((type(failure), WriteError)):
        write_half(target, failure)
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["map.png"]


def test_a_folder_that_is_not_there_is_named_with_the_reason(tmp_path: Path) -> None:
    target = tmp_path / "nowhere" / "map.png"
    with pytest.raises(
        WriteError, match=r"cannot write .*nowhere.map.png: no such file or directory"
    ) as caught:
        write_bytes(target, b"new")
    assert caught.value.remedy


def test_a_folder_is_not_overwritten(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="it is a folder"):
        write_bytes(tmp_path, b"new")
    assert tmp_path.is_dir()


def test_a_read_only_file_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "map.png"
    target.write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everything
    with pytest.raises(WriteError, match="it is read-only"):
        write_bytes(target, b"new")
    assert target.read_bytes() == b"old"


def test_a_file_that_another_program_holds_is_told_apart(tmp_path: Path) -> None:
    held = PermissionError(errno.EACCES, "Permission denied")
    vars(held)["winerror"] = 32  # what Windows says
    with pytest.raises(WriteError, match=r"open in another program\. Close it there, or choose another name"):
        write_half(tmp_path / "map.png", held)


def test_a_name_as_long_as_the_system_allows_is_written(tmp_path: Path) -> None:
    target = tmp_path / ("é" * 127)
    write_bytes(target, b"new")
    assert target.read_bytes() == b"new"


@pytest.mark.skipif(sys.platform == "win32", reason="links and devices of Unix")
class TestOnUnix:
    def test_a_link_stays_a_link(self, tmp_path: Path) -> None:
        target, link = tmp_path / "map.png", tmp_path / "link.png"
        target.write_bytes(b"old")
        link.symlink_to(target)
        write_bytes(link, b"new")
        assert link.is_symlink()
        assert target.read_bytes() == b"new"

    def test_a_pipe_is_written_to_and_not_replaced(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        write_bytes(pipe, b"new")
        assert os.read(reader, 10) == b"new"
        os.close(reader)
        assert pipe.is_fifo()

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
    def test_a_full_disk_is_named(self) -> None:
        with pytest.raises(WriteError, match="cannot write /dev/full: no space left"):
            write_bytes("/dev/full", b"new")
