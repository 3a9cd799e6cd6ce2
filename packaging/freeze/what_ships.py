"""What goes into the frozen program and what does not: plain rules on names, used by askew.spec."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# Modules that something could import and nothing does when Askew runs. numpy.f2py, numpy.testing and unittest
# must stay: scipy clones all of numpy. Without ssl, hashlib uses what is built in; nothing connects.
LEFT_OUT = (
    "_hashlib",
    "_ssl",
    "ssl",
    "tkinter",
    "_tkinter",
    "sqlite3",
    "readline",
    "curses",
    "_curses",
    "IPython",
    "matplotlib",
    "pandas",
    "pyqtgraph",
    "setuptools",
    "pip",
    "gensim.scripts",
    "gensim.test",
    "scipy.cluster",
    "scipy.datasets",
    "scipy.differentiate",
    "scipy.fftpack",
    "scipy.io",
    "scipy.misc",
    "scipy.odr",
    "scipy.signal",
    "PySide6.QtDBus",
    "PySide6.QtNetwork",
    "PySide6.QtOpenGL",
    "PySide6.QtOpenGLWidgets",
    "PySide6.QtPrintSupport",
    "PySide6.QtQml",
    "PySide6.QtSql",
    "PySide6.QtTest",
)

# A bundled old copy of these can break the graphics drivers of a newer system; every desktop has them.
FROM_THE_SYSTEM = (
    "libstdc++.so.*",
    "libgcc_s.so.*",
    "libX11.so.*",
    "libX11-xcb.so.*",
    "libxcb.so.*",
    "libXau.so.*",
    "libXdmcp.so.*",
    "libbsd.so.*",
    "libmd.so.*",
    "libfontconfig.so.*",
    "libfreetype.so.*",
    "libexpat.so.*",
    "libpng16.so.*",
    "libbrotli*.so.*",
    "libdbus-1.so.*",
    "libsystemd.so.*",
    "libcap.so.*",
    "libgcrypt.so.*",
    "libgpg-error.so.*",
    "liblz4.so.*",
    "libzstd.so.*",
    "libglib-2.0.so.*",
    "libgthread-2.0.so.*",
    "libpcre2-8.so.*",
    "libuuid.so.*",
    "libz.so.*",
    "libEGL.so.*",
    "libGL.so.*",
    "libGLX.so.*",
    "libGLdispatch.so.*",
    "libOpenGL.so.*",
    "libdrm.so.*",
    "libgbm.so.*",
    "libwayland-*.so.*",
)

PLUGINS = {
    "platforms": ("qxcb", "qoffscreen", "qwayland*", "qwindows", "qcocoa"),
    "platformthemes": ("qxdgdesktopportal",),
    "imageformats": ("qsvg", "qjpeg", "qico"),
    "iconengines": ("qsvgicon",),
    "platforminputcontexts": ("*",),
    "styles": ("*",),
    "wayland-*": ("*",),
    "xcbglintegrations": ("*",),
}

# Symbols of these may be stripped. OpenBLAS, which numpy and scipy bring, no longer loads when it is.
STRIPPED = ("libpython3*", "*/lib-dynload/*", "csimdjson*", "gensim/*", "msgspec/*", "regex/*", "wrapt/*")


def ships(target: str) -> bool:
    """Tell whether a file goes along, by its place in the bundle."""
    path = PurePosixPath(target.replace("\\", "/"))
    if any(fnmatchcase(path.name, pattern) for pattern in FROM_THE_SYSTEM):
        return path.parent.name.endswith(".libs")  # what a wheel brings for itself stays with it
    if "translations" in path.parts and "PySide6" in path.parts:
        return False
    if path.suffix in (".pyi", ".pxd", ".c", ".cpp", ".h", ".pyx"):
        return False
    if "plugins" in path.parts:
        return _is_used_plugin(path)
    return not {"gensim/test", "numpy/tests", "scipy/tests"} & {
        str(parent) for parent in path.parents if len(parent.parts) == 2
    }


def _is_used_plugin(path: PurePosixPath) -> bool:
    """Tell whether a plugin of Qt is one that Askew needs."""
    kind, name = path.parent.name, path.name.removeprefix("lib").partition(".")[0]
    return any(
        fnmatchcase(kind, wanted) and any(fnmatchcase(name, pattern) for pattern in names)
        for wanted, names in PLUGINS.items()
    )


def may_be_stripped(target: str) -> bool:
    """Tell whether the symbols of a file may go, by its place in the bundle."""
    return any(fnmatchcase(target, pattern) for pattern in STRIPPED)


def those_that_ship(entries: Iterable[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Return the (target, source, kind) entries of PyInstaller that go along."""
    return [entry for entry in entries if ships(entry[0])]
