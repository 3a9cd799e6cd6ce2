"""Writes SVG: the part of QPainter that the painters of maps use, as text.

QSvgGenerator sets every text at its left end, in one font, and draws on a grid of its own. Here a text keeps
its anchor and its length, so that it stands right in whatever font the viewer has, and names fonts to take.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, NamedTuple, cast

from PySide6.QtCore import QBuffer, QIODevice, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from askew_gui.fonts import FONT_FAMILY, HAN_FAMILY, SYMBOL_FAMILY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtCore import QLineF
    from PySide6.QtGui import QImage, QLinearGradient

FAMILIES = (
    FONT_FAMILY,
    "Open Sans",
    HAN_FAMILY,
    SYMBOL_FAMILY,
    "Noto Sans CJK SC",
    "Noto Sans Hebrew",
    "Noto Sans Arabic",
    "Segoe UI",
    "Helvetica Neue",
    "Arial",
)
# Latin, Greek, Cyrillic, Hebrew, Arabic; raised and accented Latin, punctuation, arrows, mathematics.
EVERYWHERE = (
    (0x20, 0x24F),
    (0x300, 0x52F),
    (0x590, 0x6FF),
    (0x1D2C, 0x1D6A),
    (0x1E00, 0x1FFF),
    (0x2000, 0x22FF),
)
SMOOTH = ' shape-rendering="auto"'
_ALIGN = Qt.AlignmentFlag
_ANCHORS = {"start": "", "middle": ' text-anchor="middle"', "end": ' text-anchor="end"'}
_BEFORE = {"start": 0.0, "middle": 0.5, "end": 1.0}  # share of a text that stands before its anchor
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
        self._names = 0
        self._font = QFont()
        self._pen: QPen | None = QPen()
        self._brush: str = "none"
        self._metrics: dict[str, QFontMetricsF] = {}

    def document(self, width: float, height: float, size: tuple[float, float], title: str) -> str:
        """Return the file: `width` × `height` units shown as `size` millimetres."""
        families = ", ".join([f"'{name}'" for name in FAMILIES])
        head = (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            'version="1.1" '
            f'width="{_short(size[0])}mm" height="{_short(size[1])}mm" '
            f'viewBox="0 0 {_short(width)} {_short(height)}" font-family="{families}, sans-serif" '
            'shape-rendering="crispEdges">\n'
        )
        return f"{head}<title>{escaped(title)}</title>\n{''.join(self._parts)}</svg>\n"

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
        name = self._name("clip")
        outline = _outline(path, self._state.x, self._state.y)
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
        if isinstance(brush, QColor):
            self._brush = brush.name()
        elif isinstance(brush, QBrush) and brush.gradient() is not None:
            self._brush = self._gradient(brush)
        else:
            self._brush = "none"

    def fillRect(self, rect: QRectF, colour: QColor) -> None:
        x, y = rect.x() + self._state.x, rect.y() + self._state.y
        self._parts.append(
            f'<rect x="{_short(x)}" y="{_short(y)}" width="{_short(rect.width())}" '
            f'height="{_short(rect.height())}" fill="{colour.name()}"/>\n'
        )

    def fill_cells(
        self,
        runs: Iterable[tuple[int, int, int, int]],
        lefts: Sequence[float],
        rights: Sequence[float],
        tops: Sequence[float],
        heights: Sequence[float],
    ) -> None:
        """Fill a rectangle for every run of equal cells (row, first column, column after the last, pixel)."""
        dx, dy = self._state.x, self._state.y
        starts = [f'<rect x="{_short(left + dx)}" y="' for left in lefts]
        rows = [
            (f'{_short(top + dy)}" width="', f'" height="{_short(high)}" fill="#')
            for top, high in zip(tops, heights, strict=True)
        ]
        # All cells are as wide: a run's width is that of as many cells, at the right edge or before it.
        inner = [_short(right - lefts[0]) for right in rights]
        last, outer = len(rights) - 1, [_short(rights[-1] - left) for left in lefts]
        for row, start, stop, pixel in runs:
            before, after = rows[row]
            width = outer[start] if stop == last else inner[stop - start]
            self._parts.append(f'{starts[start]}{before}{width}{after}{pixel & 0xFFFFFF:06x}"/>\n')

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
        state, font, turn = self._state, self._font, ""
        if state.angle:
            turn = (
                f' transform="translate({_short(state.x)} {_short(state.y)}) rotate({_short(state.angle)})"'
            )
        else:
            x, y = x + state.x, y + state.y
        length = self._measure().horizontalAdvance(text)
        colour = "" if self._pen is None else f' fill="{self._pen.color().name()}"'
        if not all(map(_everywhere, text)):
            drawn = self._draw_letters(text, x - _BEFORE[anchor] * length, y, turn + colour)
            colour = ' fill-opacity="0"' if drawn else colour
        direction = ""
        if _runs_left(text):
            direction, anchor = ' direction="rtl"', _TURNED[anchor]
        weight = ' font-weight="bold"' if font.bold() else ""
        self._parts.append(
            f'<text x="{_short(x)}" y="{_short(y)}"{turn} font-size="{font.pixelSize()}"{weight}'
            f'{_ANCHORS[anchor]}{direction}{colour} textLength="{_short(length)}" '
            f'lengthAdjust="spacingAndGlyphs" xml:space="preserve">{escaped(text)}</text>\n'
        )

    def _draw_letters(self, text: str, x: float, y: float, attributes: str) -> bool:
        """Draw the outlines of letters that a viewer may lack; return whether there are any."""
        path = QPainterPath()
        path.addText(QPointF(x, y), self._font, text)
        if path.isEmpty():
            return False
        self._parts.append(f'<path d="{_outline(path)}"{attributes}{SMOOTH}/>\n')
        return True

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

    def _name(self, kind: str) -> str:
        self._names += 1
        return f"{self._prefix}{kind}{self._names}"

    def _gradient(self, brush: QBrush) -> str:
        """Write a gradient from left to right and return how it is named as a colour."""
        gradient, name = cast("QLinearGradient", brush.gradient()), self._name("scale")
        left, right = (x + self._state.x for x in (gradient.start().x(), gradient.finalStop().x()))
        stops = [
            f'<stop offset="{_short(place)}" stop-color="{colour.name()}"/>'
            for place, colour in gradient.stops()
        ]
        self._parts.append(
            f'<linearGradient id="{name}" gradientUnits="userSpaceOnUse" x1="{_short(left)}" '
            f'x2="{_short(right)}" y1="0" y2="0">{"".join(stops)}</linearGradient>\n'
        )
        return f"url(#{name})"

    def _fill(self) -> str:
        return f' fill="{self._brush}"'

    def _stroke(self) -> str:
        if self._pen is None:
            return ""
        return f' stroke="{self._pen.color().name()}" stroke-width="{_short(self._pen.widthF())}"'


def _outline(path: QPainterPath, dx: float = 0.0, dy: float = 0.0) -> str:
    """Return a path, moved, as the steps of an SVG path."""
    kinds = QPainterPath.ElementType
    letters = {kinds.MoveToElement: "M", kinds.LineToElement: "L", kinds.CurveToElement: "C"}
    steps = []
    for index in range(path.elementCount()):
        element = path.elementAt(index)
        kind = element.type
        x, y = element.x + dx, element.y + dy
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


def _everywhere(letter: str) -> bool:
    """Return whether the fonts of every system have a letter."""
    code = ord(letter)
    return any(first <= code <= last for first, last in EVERYWHERE)


def _short(value: float) -> str:
    """Return a length with at most three decimals."""
    return f"{round(value, 3):.10g}"
