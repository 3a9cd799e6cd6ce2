"""Paint the icon of the program in the sizes of menus: `make_icons.py ICON.svg HICOLOR_FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

SIZES = (16, 24, 32, 48, 64, 128, 256)


def main(drawing: str, folder: Path) -> None:
    """Write one PNG a size."""
    renderer = QSvgRenderer(drawing)
    for size in SIZES:
        image = QImage(size, size, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        target = folder / f"{size}x{size}" / "apps" / "askew.png"
        target.parent.mkdir(parents=True, exist_ok=True)
        if not image.save(str(target)):
            sys.exit(f"cannot write {target}")


if __name__ == "__main__":
    application = QGuiApplication(sys.argv[:1])
    main(sys.argv[1], Path(sys.argv[2]))
