"""Writes SVG: the part of QPainter that the painters of maps use, as text.

QSvgGenerator sets every text at its left end, in one font, and draws on a grid of its own. Here a text keeps
its anchor, so that it stands right in whatever font the viewer has, and names the fonts to take instead.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QBuffer, QIODevice, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from askew_gui.fonts import FONT_FAMILY, HAN_FAMILY, SYMBOL_FAMILY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtCore import QLineF
    from PySide6.QtGui import QBrush, QImage

FAMILIES = (
    FONT_FAMILY,
    HAN_FAMILY,
    SYMBOL_FAMILY,
    "Noto Sans CJK SC",
    "Noto Sans Hebrew",
    "Noto Sans Arabic",
    "Segoe UI",
    "Helvetica Neue",
    "DejaVu Sans",
    "Arial",
)
SMOOTH = ' shape-rendering="auto"'
_ALIGN = Qt.AlignmentFlag
_ANCHORS = {"start": "", "middle": ' text-anchor="middle"', "end": ' text-anchor="end"'}
_TURNED = {"start": "end", "middle": "middle", "end": "start"}
_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


class _State(NamedTuple):
    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0
    groups: int = 0


class SvgPainter:
    """Takes what is painted and returns it as the text of an SVG file.

    Parameters
    ----------
    prefix
        Put before the names of clipping paths, for files that hold several pictures.
    """

    RenderHint = QPainter.RenderHint

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self._parts: list[str] = []
        self._state = _State()
        self._saved: list[_State] = []
        self._clips = 0
        self._font = QFont()
        self._pen: QPen | None = QPen()
        self._brush: QColor | None = None
        self._metrics: dict[str, QFontMetricsF] = {}

    def document(
        self, width: float, height: float, size: tuple[float, float], title: str, metadata: str = ""
    ) -> str:
        """Return the file: `width` × `height` units shown as `size` millimetres.

        `metadata` is put in as it is.
        """
        families = ", ".join([f"'{name}'" for name in FAMILIES])
        head = (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            'version="1.1" '
            f'width="{_short(size[0])}mm" height="{_short(size[1])}mm" '
            f'viewBox="0 0 {_short(width)} {_short(height)}" font-family="{families}, sans-serif" '
            'shape-rendering="crispEdges">\n'
        )
        return f"{head}<title>{escaped(title)}</title>\n{metadata}{''.join(self._parts)}</svg>\n"

    def save(self) -> None:
        self._saved.append(self._state)
        self._state = self._state._replace(groups=0)

    def restore(self) -> None:
        self._parts.append("</g>\n" * self._state.groups)
        self._state = self._saved.pop()

    def translate(self, x: float, y: float) -> None:
        self._state = self._state._replace(x=self._state.x + x, y=self._state.y + y)

    def rotate(self, angle: float) -> None:
        """Turn what is painted until `restore`; translate before, not after."""
        self._state = self._state._replace(angle=self._state.angle + angle)

    def setClipPath(self, path: QPainterPath) -> None:
        self._clips += 1
        name = f"{self._prefix}clip{self._clips}"
        outline = self._outline(path)
        self._parts.append(f'<clipPath id="{name}"><path d="{outline}"/></clipPath>\n')
        self._parts.append(f'<g clip-path="url(#{name})">\n')
        self._state = self._state._replace(groups=self._state.groups + 1)

    def setRenderHint(self, hint: QPainter.RenderHint, on: bool = True) -> None:
        pass  # cells and lines are crisp, letters and slanted lines smooth

    def setRenderHints(self, hints: QPainter.RenderHint, on: bool = True) -> None:
        pass

    def setFont(self, font: QFont) -> None:
        self._font = font

    def setPen(self, pen: QPen | QColor | Qt.PenStyle) -> None:
        self._pen = None if isinstance(pen, Qt.PenStyle) else QPen(pen)

    def setBrush(self, brush: QColor | QBrush | Qt.BrushStyle) -> None:
        self._brush = brush if isinstance(brush, QColor) else None

    def fillRect(self, rect: QRectF, colour: QColor) -> None:
        x, y = rect.x() + self._state.x, rect.y() + self._state.y
        self._parts.append(
            f'<rect x="{_short(x)}" y="{_short(y)}" width="{_short(rect.width())}" '
            f'height="{_short(rect.height())}" fill="{colour.name()}"/>\n'
        )

    def drawRect(self, rect: QRectF) -> None:
        self.drawRects([rect])

    def drawRects(self, rects: Iterable[QRectF]) -> None:
        for rect in rects:
            self._parts.append(f"<rect {self._box(rect)}{self._fill()}{self._stroke()}/>\n")

    def drawRoundedRect(self, rect: QRectF, rx: float, ry: float) -> None:
        corners = f' rx="{_short(rx)}" ry="{_short(ry)}"'
        self._parts.append(f"<rect {self._box(rect)}{corners}{self._fill()}{self._stroke()}{SMOOTH}/>\n")

    def drawLines(self, lines: Iterable[QLineF]) -> None:
        state = self._state
        steps = [
            f"M{_short(one.x1() + state.x)} {_short(one.y1() + state.y)}"
            f"L{_short(one.x2() + state.x)} {_short(one.y2() + state.y)}"
            for one in lines
        ]
        self._parts.append(f'<path d="{"".join(steps)}"{self._stroke()}{SMOOTH}/>\n')

    def drawImage(self, target: QRectF, image: QImage) -> None:
        """Embed an image as PNG; a viewer is asked not to blur it."""
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        image.save(buffer, "PNG", 0)  # type: ignore[call-overload]
        data = bytes(buffer.data().toBase64().data()).decode("ascii")
        self._parts.append(
            f'<image {self._box(target)} preserveAspectRatio="none" image-rendering="optimizeSpeed" '
            f'style="image-rendering:pixelated" xlink:href="data:image/png;base64,{data}"/>\n'
        )

    def boundingRect(self, rect: QRectF, flags: int, text: str) -> QRectF:
        return self._measure().boundingRect(rect, flags, text)

    def drawText(self, place: QPointF | QRectF, *rest: int | str) -> None:
        """Write one line: at the start of its baseline, or in a box with flags."""
        text = str(rest[-1])
        if not text:
            return
        if isinstance(place, QPointF):
            self._write(text, place.x(), place.y(), "start")
            return
        flags, metrics = int(rest[0]), self._measure()
        y = place.y() + (place.height() - metrics.height()) / 2 + metrics.ascent()
        if flags & _ALIGN.AlignRight.value:
            self._write(text, place.right(), y, "end")
        elif flags & _ALIGN.AlignHCenter.value:
            self._write(text, place.x() + place.width() / 2, y, "middle")
        else:
            self._write(text, place.x(), y, "start")

    def _write(self, text: str, x: float, y: float, anchor: str) -> None:
        state, font = self._state, self._font
        if state.angle:
            where = (
                f'transform="translate({_short(state.x)} {_short(state.y)}) rotate({_short(state.angle)})" '
            )
            where += f'x="{_short(x)}" y="{_short(y)}"'
        else:
            where = f'x="{_short(x + state.x)}" y="{_short(y + state.y)}"'
        direction = ""
        if _runs_left(text):
            direction, anchor = ' direction="rtl"', _TURNED[anchor]
        weight = ' font-weight="bold"' if font.bold() else ""
        colour = "" if self._pen is None else f' fill="{self._pen.color().name()}"'
        self._parts.append(
            f'<text {where} font-size="{font.pixelSize()}"{weight}{_ANCHORS[anchor]}{direction}{colour} '
            f'xml:space="preserve">{escaped(text)}</text>\n'
        )

    def _measure(self) -> QFontMetricsF:
        key = self._font.key()
        if key not in self._metrics:
            self._metrics[key] = QFontMetricsF(self._font)
        return self._metrics[key]

    def _box(self, rect: QRectF) -> str:
        x, y = rect.x() + self._state.x, rect.y() + self._state.y
        return (
            f'x="{_short(x)}" y="{_short(y)}" width="{_short(rect.width())}" height="{_short(rect.height())}"'
        )

    def _fill(self) -> str:
        return ' fill="none"' if self._brush is None else f' fill="{self._brush.name()}"'

    def _stroke(self) -> str:
        if self._pen is None:
            return ""
        return f' stroke="{self._pen.color().name()}" stroke-width="{_short(self._pen.widthF())}"'

    def _outline(self, path: QPainterPath) -> str:
        letters = {QPainterPath.ElementType.MoveToElement: "M", QPainterPath.ElementType.LineToElement: "L"}
        letters |= {QPainterPath.ElementType.CurveToElement: "C"}
        steps = []
        for index in range(path.elementCount()):
            element = path.elementAt(index)
            x, y = element.x + self._state.x, element.y + self._state.y
            kind: QPainterPath.ElementType = element.type
            steps.append(f"{letters.get(kind, ' ')}{_short(x)} {_short(y)}")
        return "".join(steps)


def escaped(text: str) -> str:
    """Return a text that is no markup, whatever it looks like."""
    return text.translate(_MARKUP)


def _runs_left(text: str) -> bool:
    """Return whether the first letter with a direction runs from right to left."""
    for letter in text:
        kind = unicodedata.bidirectional(letter)
        if kind in ("L", "R", "AL"):
            return kind != "L"
    return False


def _short(value: float) -> str:
    """Return a length with at most three decimals."""
    return f"{round(value, 3):.10g}"
