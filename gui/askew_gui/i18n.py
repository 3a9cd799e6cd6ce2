"""Translation of what a person reads."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication


def tr(text: str) -> str:
    """Return `text` in the language of the program."""
    return QCoreApplication.translate("askew", text)
