"""Places on disk where the program keeps what it writes for itself."""

from __future__ import annotations

import os
from pathlib import Path

HOME_VARIABLE = "ASKEW_HOME"


def config_dir() -> Path:
    """Folder of the interface settings."""
    return _folder("config")


def data_dir() -> Path:
    """Folder of what a person would miss: the last session, the history."""
    return _folder("data")


def cache_dir() -> Path:
    """Folder of what can be made again."""
    return _folder("cache")


def _folder(kind: str) -> Path:
    """Return a folder, made if missing; all lie under $ASKEW_HOME if that is set."""
    home = os.environ.get(HOME_VARIABLE)
    folder = Path(home) / kind if home else _system_folder(kind)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _system_folder(kind: str) -> Path:
    import platformdirs

    places = platformdirs.PlatformDirs("askew", appauthor=False)
    folders = {
        "config": places.user_config_path,
        "data": places.user_data_path,
        "cache": places.user_cache_path,
    }
    return folders[kind]
