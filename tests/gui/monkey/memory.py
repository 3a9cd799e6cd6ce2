"""What a test that counts memory needs."""

from __future__ import annotations

import ctypes
import gc
import os
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent

STATM = Path("/proc/self/statm")


def memory() -> float:
    """Return what the process has in memory, in MB, after all that can be given back was."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    pages = int(STATM.read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
