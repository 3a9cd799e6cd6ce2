"""What must be there before Qt is loaded, which ends the process where a screen or library is missing."""

from __future__ import annotations

import ctypes
import os
import sys

from askew.errors import AskewError

_LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}


def check_screen() -> None:
    """Raise AskewError where no window can open: no display, or a library that X windows need is missing.

    A platform chosen with QT_QPA_PLATFORM is taken as it is.
    """
    if os.environ.get("QT_QPA_PLATFORM") or not _is_unix_desktop():
        return
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise AskewError(
            "there is no display here (DISPLAY and WAYLAND_DISPLAY are empty), so no window can open",
            remedy="Start it from a desktop session, or paint a picture: askew render -o maps.png",
        )
    if not os.environ.get("WAYLAND_DISPLAY"):
        check_libraries()


def check_libraries() -> None:
    """Raise AskewError that names the packages of missing system libraries."""
    missing = [library for library in _LIBRARIES if not _loads(library)]
    if missing:
        packages = " ".join(_LIBRARIES[library] for library in missing)
        raise AskewError(
            f"the window needs {', '.join(missing)}, which this system lacks",
            remedy=f"On Debian and Ubuntu: sudo apt-get install {packages}",
        )


def paint_without_screen() -> None:
    """Make Qt paint in memory, whatever screen there is."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"


def _is_unix_desktop() -> bool:
    """Tell whether windows come from an X or Wayland server."""
    return sys.platform not in ("win32", "darwin")


def _loads(library: str) -> bool:
    """Tell whether the system has a library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
