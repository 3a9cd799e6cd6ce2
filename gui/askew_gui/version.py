"""Which Askew this is, and what it runs on."""

from __future__ import annotations

import platform
from importlib import metadata
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_UNKNOWN = "unknown"


def version_text() -> str:
    """Return version, commit, Python, Qt, numpy and BLAS, one a line."""
    return "\n".join(
        [
            f"askew {askew_version()}",
            f"commit {commit()}",
            f"Python {platform.python_version()}",
            f"Qt {_qt()}",
            *_numpy(),
        ]
    )


def askew_version() -> str:
    """Return the version of the installed program, or "unknown" where it was not installed."""
    try:
        return metadata.version("askew")
    except metadata.PackageNotFoundError:
        return _UNKNOWN


def commit(packed: Path = _HERE / "commit.txt", repository: Path = _HERE.parent.parent / ".git") -> str:
    """Return the commit that this was made from: as `git archive` wrote it down, or as it is checked out."""
    try:
        written = packed.read_text(encoding="ascii").strip()
        return _checked_out(repository) if written.startswith("$") else written or _UNKNOWN
    except (OSError, ValueError):
        return _UNKNOWN


def _checked_out(repository: Path) -> str:
    """Return the commit of a repository, read from its files."""
    head = (repository / "HEAD").read_text(encoding="ascii").strip()
    reference = head.removeprefix("ref: ")
    if reference == head:
        return head
    loose = repository / reference
    if loose.is_file():
        return loose.read_text(encoding="ascii").strip()
    for line in (repository / "packed-refs").read_text(encoding="ascii").splitlines():
        found, _, name = line.partition(" ")
        if name == reference:
            return found
    return _UNKNOWN


def _qt() -> str:
    """Return the version of Qt, or why it cannot be loaded."""
    try:
        from PySide6.QtCore import qVersion
    except ImportError as error:
        return f"cannot be loaded: {error}"
    return qVersion()


def _numpy() -> tuple[str, str]:
    """Return the lines of numpy and its BLAS, or why numpy cannot be loaded."""
    try:
        import numpy as np
    except ImportError as error:
        return f"numpy cannot be loaded: {' '.join(str(error).split())}", f"BLAS {_UNKNOWN}"
    found = np.show_config(mode="dicts") or {}
    blas = found.get("Build Dependencies", {}).get("blas", {})
    name = f"{blas.get('name', _UNKNOWN)} {blas.get('version', '')}".strip()
    return f"numpy {np.__version__}", f"BLAS {name}"
