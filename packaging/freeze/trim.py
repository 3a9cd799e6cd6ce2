"""Make the frozen folder small: `trim.py FOLDER` removes libraries that nothing needs, and strips symbols."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from what_ships import may_be_stripped

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


def unneeded(needs: Mapping[str, Collection[str]], libraries: Collection[str]) -> set[str]:
    """Return those of the libraries that nothing needs which stays.

    Parameters
    ----------
    needs
        Which libraries each file needs, both by name.
    libraries
        Those that are there only because something needs, or needed, them.
    """
    gone: set[str] = set()
    while True:
        wanted = {name for file, names in needs.items() if file not in gone for name in names}
        found = {library for library in libraries if library not in wanted} - gone
        if not found:
            return gone
        gone |= found


def needed_by(file: Path) -> set[str]:
    """Return the names of the libraries that a file needs."""
    told = subprocess.run(["objdump", "-p", file], capture_output=True, text=True, check=True).stdout
    return {line.split()[1] for line in told.splitlines() if line.split()[:1] == ["NEEDED"]}


def main(folder: Path) -> None:
    """Trim a folder, and set the rights that packages want."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    libraries = [file for file in files if ".so" in file.name]
    helping = [
        file.name
        for file in libraries
        if file.parent in (folder, folder / "PySide6" / "Qt" / "lib")
        and not file.name.startswith("libpython")
        and ".abi3.so" not in file.name
        and ".cpython-" not in file.name
    ]
    gone = unneeded({file.name: needed_by(file) for file in libraries}, helping)
    for file in files:
        if file.name in gone:
            file.unlink()
            continue
        if file in libraries and may_be_stripped(file.relative_to(folder).as_posix()):
            subprocess.run(["strip", "--strip-unneeded", file], check=True)
        file.chmod(0o644)
    for link in [path for path in folder.rglob("*") if path.is_symlink() and not path.exists()]:
        link.unlink()
    print(f"askew: removed {len(gone)} libraries that nothing needs")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
