"""Pictures and sessions on bundled vectors, made for tests."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

from askew import carried, session_file
from askew.examples import example
from askew.session import Session
from askew.vectors import open_vectors

if TYPE_CHECKING:
    from pathlib import Path


def session_of_one(text: str) -> bytes:
    """Return a session as a picture carries it."""
    table = open_vectors("glove-6b-50d")
    session = Session((replace(example("glove-random", table), text=text),))
    return session_file.to_bytes(session, {table.fingerprint: table}, limit=session_file.CARRIED_LIMIT)


def white_picture(folder: Path, session: bytes | None) -> Path:
    """Return a PNG that carries a session, or none."""
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFF)
    place = folder / "map.png"
    assert image.save(str(place))
    if session is not None:
        place.write_bytes(carried.embed_png(place.read_bytes(), session))
    return place
