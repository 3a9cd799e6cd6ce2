"""Other programs that look at what was exported: Debian's Chromium, and poppler's tools."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QImage

if TYPE_CHECKING:
    from pathlib import Path

QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--hide-scrollbars",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def _cannot_be_had(program: str) -> bool:
    """Return whether a program is missing and nobody here can install it; else its tests fail without it."""
    may_install = shutil.which("apt-get") is not None and hasattr(os, "geteuid") and os.geteuid() == 0
    return shutil.which(program) is None and not may_install


NEEDS_BROWSER = pytest.mark.skipif(
    _cannot_be_had("chromium"), reason="chromium is not installed; packaging/setup.sh tests names its package"
)
NEEDS_POPPLER = pytest.mark.skipif(
    _cannot_be_had("pdftotext"), reason="poppler-utils is missing; packaging/setup.sh tests installs it"
)


def seen_in_browser(file: Path, size: tuple[int, int], zoom: float = 1.0) -> QImage:
    """Return what a browser shows of a file in a window of so many CSS pixels."""
    shot = file.with_suffix(".seen.png")
    profile = file.with_suffix(".profile")
    flags = [f"--user-data-dir={profile}", f"--screenshot={shot}", f"--force-device-scale-factor={zoom}"]
    window = f"--window-size={size[0]},{size[1]}"
    _run(["chromium", *QUIET, *flags, window, file.as_uri()])
    return QImage(str(shot))


def seen_as_page(file: Path, dots: int, program: str = "pdftoppm") -> QImage:
    """Return a page of PDF as poppler paints it, so many pixels an inch, or as `pdftocairo` does."""
    _run([program, "-r", str(dots), "-png", "-singlefile", str(file), str(file.with_suffix(""))])
    return QImage(str(file.with_suffix(".png")))


def words_of(file: Path) -> str:
    """Return the text that can be copied out of a PDF."""
    return _run(["pdftotext", str(file), "-"])


def fonts_of(file: Path) -> list[list[str]]:
    """Return a line of words for every font of a PDF: name, kind of two words, encoding, embedded, ..."""
    return [line.split() for line in _run(["pdffonts", str(file)]).splitlines()[2:]]


def _run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout
