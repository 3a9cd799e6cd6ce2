"""Libraries of the system that the program stands on; this imports nothing that may itself lack one."""

from __future__ import annotations

import re

# What numpy and Qt need whatever they are to do; who brings it on Debian and Ubuntu.
PICTURES_NEED = {
    "libstdc++.so.6": "libstdc++6",
    "libgcc_s.so.1": "libgcc-s1",
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libX11.so.6": "libx11-6",
    "libzstd.so.1": "libzstd1",
    "libz.so.1": "zlib1g",
}
# What a window on X needs beside.
SCREENS_NEED = {
    "libxcb.so.1": "libxcb1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
_WANTING = re.compile(r"(lib[^\s:/]+\.so[.\d]*): cannot open shared object file")


def lacking(error: ImportError) -> tuple[str, str] | None:
    """Return what happened and what to do where a module lacks a library of the system, else None."""
    found = _WANTING.search(str(error))
    if found is None:
        return None
    library = found[1]
    package = (PICTURES_NEED | SCREENS_NEED).get(library)
    remedy = "Install the package of your system that brings it"
    if package:
        remedy = f"On Debian and Ubuntu: sudo apt-get install {package}"
    return f"Askew needs {library}, which this system lacks", remedy
