"""The real program, which prints the time of its first painted maps and leaves; frozen too."""

from __future__ import annotations

import sys
import time
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject

from askew_gui import app


class Watch(QObject):
    """Waits for the maps to be painted."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.User))  # comes before timers
        return False

    def customEvent(self, event: QEvent) -> None:
        print(time.time(), flush=True)
        QCoreApplication.quit()


first_store = app.first_store


def watched_store(*given: Any) -> Any:  # noqa: ANN401
    from askew_gui.window import Window

    show = Window.show

    def shown(window: Window) -> None:
        watch = Watch(window)
        window.maps.installEventFilter(watch)
        show(window)

    Window.show = shown  # type: ignore[method-assign,assignment]
    return first_store(*given)


if __name__ == "__main__":
    app.first_store = watched_store  # type: ignore[assignment]
    from askew_gui.start import main

    sys.argv = ["askew"]
    main()
