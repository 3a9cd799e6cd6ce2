"""Strip the symbols of those libraries that still load afterwards: `strip_symbols.py FOLDER`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from what_ships import may_be_stripped


def main(folder: Path) -> None:
    """Strip what may be stripped, and set the rights that packages want."""
    for file in sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()):
        is_library = ".so" in file.suffixes
        if is_library and may_be_stripped(file.relative_to(folder).as_posix()):
            subprocess.run(["strip", "--strip-unneeded", file], check=True)
        file.chmod(0o644)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
