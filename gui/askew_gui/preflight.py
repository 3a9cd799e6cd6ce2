"""What must be there before Qt is loaded, which ends the process where a screen or library is missing."""

from __future__ import annotations

import ctypes
import os
import sys

from askew.errors import AskewError
from askew_gui.system_libraries import SCREENS_NEED


def check_screen() -> None:
    """Raise AskewError where no window can open: no display, or a library that X windows need is missing.

    A platform chosen with QT_QPA_PLATFORM is taken as it is, but X must be there for xcb.
    """
    if not _is_unix_desktop():
        return
    chosen = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
    x, wayland = os.environ.get("DISPLAY"), os.environ.get("WAYLAND_DISPLAY")
    if not (chosen or x or wayland):
        raise _no_window("there is no display here (DISPLAY and WAYLAND_DISPLAY are empty)")
    if wayland and not chosen and not x and not _reaches_wayland(wayland):
        raise _no_window(f"the display {wayland} cannot be reached")
    if chosen == "xcb" or not (chosen or wayland):
        check_libraries()
        if not _reaches_x():
            raise _no_window(f"the display {x} cannot be reached" if x else "DISPLAY is empty")


def check_libraries() -> None:
    """Raise AskewError that names the packages of missing system libraries."""
    missing = [library for library in SCREENS_NEED if not _loads(library)]
    if missing:
        packages = " ".join(SCREENS_NEED[library] for library in missing)
        raise AskewError(
            f"the window needs {', '.join(missing)}, which this system lacks",
            remedy=f"On Debian and Ubuntu: sudo apt-get install {packages}",
        )


def paint_without_screen() -> None:
    """Make Qt paint in memory, whatever screen there is."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"


def _no_window(why: str) -> AskewError:
    """Return the error of a missing display."""
    return AskewError(
        f"{why}, so no window can open",
        remedy="Start it from a desktop session, or paint a picture: askew render -o maps.png",
    )


def _reaches_x() -> bool:
    """Tell whether the X server of DISPLAY answers."""
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    failed = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not failed


def _reaches_wayland(display: str) -> bool:
    """Tell whether the socket of WAYLAND_DISPLAY is there."""
    return os.path.exists(os.path.join(os.environ.get("XDG_RUNTIME_DIR", ""), display))


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
