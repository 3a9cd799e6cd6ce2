"""Paint the pictures of README and docs: the real window, driven as a person would, off screen."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

IMAGES = Path(__file__).parent / "images"
SIZES = ((1440, 900), (1100, 700))
THEMES = ("light", "dark")
IT, ANIMAL = 9, 2  # [CLS] is the first token
HEAD = 6
SECONDS_TO_SETTLE = 1.5  # nearest words come a moment after the last move


def main() -> int:
    """Write one picture a size and theme; say which."""
    with tempfile.TemporaryDirectory() as home:
        for folder in ("CONFIG", "CACHE", "STATE", "DATA"):
            os.environ[f"XDG_{folder}_HOME"] = home
        for theme in THEMES:
            for size in SIZES:
                path = IMAGES / f"window-{size[0]}x{size[1]}-{theme}.png"
                take(path, size, theme)
                print(path.relative_to(IMAGES.parent.parent))
    return 0


def take(path: Path, size: tuple[int, int], theme_name: str) -> None:
    """Save the window in `size` with "it → animal" locked and a head shown."""
    from askew_gui import intents, theme
    from askew_gui.app import FIRST_EXAMPLE, first_store, make_app
    from askew_gui.fonts import ui_font
    from askew_gui.settings import Settings
    from askew_gui.window import Window

    app = make_app()
    app.setFont(ui_font(1.0))
    theme.apply_theme(app, theme_name)
    store = first_store()
    window = Window(store, Settings())
    window.example_strip.begin(FIRST_EXAMPLE)
    window.resize(*size)
    window.show()
    window.fill()
    intents.select_head(store, HEAD)
    window.focus.lock((IT, ANIMAL))
    window.maps.setFocus()
    settled = time.monotonic() + SECONDS_TO_SETTLE
    while time.monotonic() < settled:
        app.processEvents()
        time.sleep(0.01)
    window.grab().save(str(path))
    window.close()


if __name__ == "__main__":
    sys.exit(main())
