"""Places on disk where the program keeps what it writes for itself."""

from __future__ import annotations

import os
import sys
from pathlib import Path

HOME_VARIABLE = "ASKEW_HOME"

_XDG = {
    "config": ("XDG_CONFIG_HOME", ".config"),
    "data": ("XDG_DATA_HOME", ".local/share"),
    "cache": ("XDG_CACHE_HOME", ".cache"),
    "state": ("XDG_STATE_HOME", ".local/state"),
}


def config_dir() -> Path:
    """Folder of the interface settings."""
    return _folder("config")


def data_dir() -> Path:
    """Folder of what a person would miss."""
    return _folder("data")


def cache_dir() -> Path:
    """Folder of what can be made again."""
    return _folder("cache")


def state_dir() -> Path:
    """Folder of what lets the program go on where it ended: sessions as they were last."""
    return _folder("state")


def _folder(kind: str) -> Path:
    """Return a folder, made if missing; all lie under $ASKEW_HOME if that is set."""
    home = os.environ.get(HOME_VARIABLE)
    folder = Path(home) / kind if home else _system_folder(kind)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _system_folder(kind: str) -> Path:
    if sys.platform == "linux":  # the same, and the program opens sooner
        return _xdg_folder(*_XDG[kind])
    import platformdirs

    places = platformdirs.PlatformDirs("askew", appauthor=False)
    folders = {
        "config": places.user_config_path,
        "data": places.user_data_path,
        "cache": places.user_cache_path,
        "state": places.user_state_path,
    }
    return folders[kind]


def _xdg_folder(variable: str, usual: str) -> Path:
    """Return a folder by the XDG Base Directory Specification."""
    root = os.environ.get(variable, "").strip()
    return Path(root or Path("~", usual).expanduser()) / "askew"
