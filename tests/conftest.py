"""What every test gets: no display, one BLAS thread, places on disk of its own."""

from __future__ import annotations

import os

# Before numpy and Qt are imported: they read these once.
os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["QT_SCALE_FACTOR"] = "1"
os.environ["QT_FONT_DPI"] = "96"
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from pathlib import Path

# A machine judges every change by the same examples; people look for new ones each time.
settings.register_profile("askew", deadline=None, print_blob=True, derandomize=bool(os.environ.get("CI")))
settings.load_profile("askew")


@pytest.fixture(autouse=True)
def askew_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep settings, caches and sessions of a test in its own temporary folder, which is returned."""
    home = tmp_path / "askew-home"
    monkeypatch.setenv("ASKEW_HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(home / name.lower()))
    return home
