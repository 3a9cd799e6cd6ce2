"""Settings keep their types, and nonsense on disk counts as never set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QByteArray, QSettings

from askew_gui import paths
from askew_gui.settings import Settings, from_text, to_text

if TYPE_CHECKING:
    from pathlib import Path


def test_everything_has_a_default(settings: Settings) -> None:
    assert settings.theme == "system"
    assert settings.text_scale == 1.0
    assert settings.columns == []
    assert settings.bottom_folded is False


def test_values_come_back_with_their_types_after_a_restart(settings: Settings) -> None:
    settings.theme = "dark"
    settings.text_scale = 1.21
    settings.columns = [232, 900, 276]
    settings.bottom_folded = True
    settings.folder = "/home/Usuário/Ünï 文件 (1)"
    settings.close()
    again = Settings()
    assert again.theme == "dark"
    assert again.text_scale == 1.21
    assert again.columns == [232, 900, 276]
    assert again.bottom_folded is True
    assert again.folder == "/home/Usuário/Ünï 文件 (1)"


def test_settings_lie_in_the_folder_of_the_user(settings: Settings, askew_home: Path) -> None:
    settings.theme = "dark"
    settings.close()
    assert (paths.config_dir() / "settings.ini").is_file()
    assert askew_home in (paths.config_dir() / "settings.ini").parents


@pytest.mark.parametrize("text", ["", "{", "null", "7", '"purple"', "[1]"])
def test_nonsense_counts_as_never_set(settings: Settings, text: str) -> None:
    settings.file.setValue("window/theme", text)
    assert settings.theme == "system"


@pytest.mark.parametrize("text", ["0.1", "99", "true", '"1.5"', "NaN"])
def test_a_size_of_text_that_nobody_could_read_is_not_used(settings: Settings, text: str) -> None:
    settings.file.setValue("window/text_scale", text)
    assert settings.text_scale == 1.0


def test_a_file_that_is_no_settings_file_is_as_none(tmp_path: Path) -> None:
    file = tmp_path / "broken.ini"
    file.write_bytes(b"\x00\xff\xfe[[[garbage")
    assert Settings(file).theme == "system"


def test_recent_files_are_few_and_the_latest_is_first(settings: Settings) -> None:
    for number in range(12):
        settings.remember_file(f"file {number}")
    settings.remember_file("file 7")
    assert settings.recent[0] == "file 7"
    assert len(settings.recent) == 8
    assert len(set(settings.recent)) == 8


def test_forgetting_the_layout_keeps_theme_and_files(settings: Settings) -> None:
    settings.theme = "dark"
    settings.columns = [1, 2, 3]
    settings.remember_file("a")
    settings.forget_layout()
    assert settings.columns == []
    assert settings.theme == "dark"
    assert settings.recent == ["a"]


def test_no_two_settings_share_a_key() -> None:
    from askew_gui.settings import Setting

    keys = [value.key for value in vars(Settings).values() if isinstance(value, Setting)]
    assert len(keys) == len(set(keys)) >= 10


def test_binary_state_survives_as_text(tmp_path: Path) -> None:
    state = QByteArray(bytes(range(256)))
    assert from_text(to_text(state)) == state
    file = QSettings(str(tmp_path / "x.ini"), QSettings.Format.IniFormat)
    assert file.status() == QSettings.Status.NoError
