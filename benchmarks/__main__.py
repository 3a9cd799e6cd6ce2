"""Print the table of speeds: `python -m benchmarks`."""

from __future__ import annotations

import os
import sys
from importlib import metadata

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def main() -> int:
    """Measure everything; the exit code is 1 if a bar is missed."""
    import tempfile

    with tempfile.TemporaryDirectory() as home:
        os.environ |= dict.fromkeys(("XDG_CONFIG_HOME", "XDG_STATE_HOME"), home)
        from benchmarks import compute, painting, pictures, start
        from benchmarks.table import print_table

        print(_circumstances(), "\n")
        rows = [*compute.rows(), *painting.rows(), *pictures.rows(), *start.rows()]
    print_table(rows)
    return 1 if any(row.holds is False for row in rows) else 0


def _circumstances() -> str:
    """Return what the figures depend on."""
    import numpy  # noqa: F401  (so that its BLAS is loaded and listed)
    from threadpoolctl import threadpool_info

    blas = "; ".join(
        f"{pool['version']} {pool.get('architecture', '')}, {pool['num_threads']} threads"
        for pool in threadpool_info()
        if pool["user_api"] == "blas"
    )
    names = ("numpy", "PySide6-Essentials", "pyqtgraph", "gensim")
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in names)
    settings = {key: value for key, value in os.environ.items() if key.startswith("OPENBLAS")}
    return (
        f"Python {sys.version.split()[0]}, {versions}; {os.cpu_count()} cores; OpenBLAS {blas}; "
        f"environment: {settings or 'none'}; platform {os.environ['QT_QPA_PLATFORM']}. "
        "Medians of interleaved pairs, CPU time but for the start. Askew computes with 1 BLAS thread."
    )


if __name__ == "__main__":
    sys.exit(main())
