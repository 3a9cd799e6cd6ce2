"""What the program remembers of its interface: one typed table over an INI file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

from PySide6.QtCore import QByteArray, QObject, QSettings

from askew_gui import paths

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from askew_gui.theme import ThemeName

T = TypeVar("T")

FILE_NAME = "settings.ini"


class Setting(Generic[T]):
    """One remembered value. It is kept as JSON text, so that its type is the same on every system.

    What cannot be read, or fails `check`, counts as never set.
    """

    def __init__(self, key: str, default: T, check: Callable[[T], bool] | None = None) -> None:
        self.key = key
        self.default = default
        self._check = check

    @overload
    def __get__(self, owner: None, kind: type) -> Setting[T]: ...
    @overload
    def __get__(self, owner: Settings, kind: type) -> T: ...
    def __get__(self, owner: Settings | None, kind: type) -> T | Setting[T]:
        if owner is None:
            return self
        text = owner.file.value(self.key)
        try:
            value = cast("T", json.loads(str(text))) if text is not None else self.default
        except ValueError:
            return self.default
        return value if self._accepts(value) else self.default

    def __set__(self, owner: Settings, value: T) -> None:
        owner.file.setValue(self.key, json.dumps(value))

    def _accepts(self, value: T) -> bool:
        if type(value) is not type(self.default):
            return False
        return self._check is None or self._check(value)


class Settings(QObject):
    """The remembered values; how the experiment is set up is not among them."""

    theme = Setting("window/theme", "system", {"system", "light", "dark"}.__contains__)
    text_scale = Setting("window/text_scale", 1.0, lambda value: 0.6 <= value <= 2.5)
    geometry = Setting("window/geometry", "")
    columns = Setting[list[int]]("window/columns", [])
    rows = Setting[list[int]]("window/rows", [])
    tab = Setting("window/tab", "weights")
    bottom_folded = Setting("window/bottom_folded", False)
    folder = Setting("files/folder", "")
    export_folder = Setting("files/export_folder", "")
    export_picture = Setting[dict[str, Any]]("files/export_picture", {})
    reading = Setting[dict[str, dict[str, Any]]](
        "files/reading", {}, lambda kept: all(isinstance(each, dict) for each in kept.values())
    )
    recent = Setting[list[str]]("files/recent", [], lambda names: all(isinstance(n, str) for n in names))

    def __init__(self, file: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        where = file or paths.config_dir() / FILE_NAME
        self.file = QSettings(str(where), QSettings.Format.IniFormat)

    @property
    def theme_name(self) -> ThemeName:
        """The theme, typed."""
        return cast("ThemeName", self.theme)

    def remember_file(self, name: str, reading: dict[str, Any] | None = None, limit: int = 8) -> None:
        """Put a file at the head of the recent ones; `reading` is what was chosen to read it."""
        self.recent = [name, *(other for other in self.recent if other != name)][:limit]
        known = {**self.reading, name: reading or {}}
        self.reading = {each: known[each] for each in self.recent if known.get(each)}

    def forget_file(self, name: str) -> None:
        """Take a file off the recent ones."""
        self.recent = [other for other in self.recent if other != name]

    def forget_layout(self) -> None:
        """Go back to the window as it was on the first day; theme, text size and files stay."""
        kinds = (Settings.geometry, Settings.columns, Settings.rows, Settings.tab, Settings.bottom_folded)
        for kind in kinds:
            self.file.remove(kind.key)

    def close(self) -> None:
        """Write what is not on disk yet."""
        self.file.sync()


def to_text(state: QByteArray) -> str:
    """Return binary state of Qt as text."""
    return bytes(state.toBase64().data()).decode("ascii")


def from_text(text: str) -> QByteArray:
    """Return what `to_text` was given."""
    return QByteArray.fromBase64(text.encode("ascii"))
