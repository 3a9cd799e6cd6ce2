"""Paints heat maps with any QPainter: window, picture and file go through here.

`paint_strip` paints everything. The window paints in two steps: `paint_labels` into a pixmap that it keeps,
and `paint_values` for what changes with every edit.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath, QPen

from askew.heatmap import BETWEEN_NOTES
from askew_gui.i18n import tr
from askew_gui.maps import colours
from askew_gui.maps.cells import number_size, paint_hatching, paint_numbers
from askew_gui.maps.labels import elided, text_width, text_widths
from askew_gui.maps.layout import LINE, TITLE, Box, Request, StripLayout, strip_layout
from askew_gui.maps.numbers import limit_texts
from askew_gui.maps.rectangles import draw_cells, framed_box, paint_scale
from askew_gui.maps.style import LABEL_PX, SMALL_PX, TITLE_PX, MapStyle, bundled_font, colour

if TYPE_CHECKING:
    from collections.abc import Sequence

    import askew_assets
    from askew.heatmap import Heatmap
    from askew_gui.maps.canvas import Canvas
    from askew_gui.maps.layout import MapLayout

ALIGN = Qt.AlignmentFlag
LEFT = int(ALIGN.AlignLeft | ALIGN.AlignAbsolute | ALIGN.AlignVCenter) | int(Qt.TextFlag.TextSingleLine)
RIGHT = int(ALIGN.AlignRight | ALIGN.AlignAbsolute | ALIGN.AlignVCenter) | int(Qt.TextFlag.TextSingleLine)
CENTRE = int(ALIGN.AlignHCenter | ALIGN.AlignVCenter) | int(Qt.TextFlag.TextSingleLine)
SMALLEST_RULED = 12  # pixels a cell needs for a line between cells


def lay_out(
    heatmaps: Sequence[Heatmap],
    width: float,
    height: float | None = None,
    style: MapStyle | None = None,
    *,
    scale: float = 1.0,
    square: bool = True,
) -> StripLayout:
    """Lay out maps that share their labels, in a picture of that size; without a height, as high as needed.

    Parameters
    ----------
    scale
        Device pixels per logical pixel: cells are whole device pixels.
    square
        False lets cells fill the height.
    """
    style = style or MapStyle()
    first = heatmaps[0]
    rows, columns = first.values.shape
    request = Request(
        rows=rows,
        columns=columns,
        row_texts=text_widths(first.row_labels, round(LABEL_PX * style.unit)),
        column_texts=text_widths(first.column_labels, round(LABEL_PX * style.unit)),
        count=len(heatmaps),
        words=any(one.low or one.high for one in heatmaps),
        note=any(one.note for one in heatmaps),
        square=square,
        unit=style.unit,
        scale=scale,
    )
    layout = strip_layout(request, width, height)
    if not request.note and thinning_text(layout):
        request = replace(request, note=True)
        layout = strip_layout(request, width, height)
    if height is None and not _formulas_fit(heatmaps, layout, style):
        layout = strip_layout(replace(request, formulas=True), width)
    return layout


def _formulas_fit(heatmaps: Sequence[Heatmap], layout: StripLayout, style: MapStyle) -> bool:
    """Return whether every formula has room beside its title."""
    title, small = style.font(TITLE_PX, bold=True).pixelSize(), style.font(SMALL_PX).pixelSize()
    return all(
        text_width(one.title, title, bold=True) + 9 * style.unit + text_width(one.subtitle, small)
        <= place.title.w
        for one, place in zip(heatmaps, layout.maps, strict=True)
    )


def paint_heatmap(painter: QPainter, heatmap: Heatmap, layout: StripLayout, style: MapStyle) -> None:
    """Paint one heat map with all that belongs to it."""
    paint_strip(painter, (heatmap,), layout, style)


def paint_strip(painter: QPainter, heatmaps: Sequence[Heatmap], layout: StripLayout, style: MapStyle) -> None:
    """Paint maps side by side: labels, cells, colour bars and notes."""
    paint_labels(painter, heatmaps, layout, style)
    paint_values(painter, heatmaps, layout, style)


def paint_labels(
    painter: QPainter, heatmaps: Sequence[Heatmap], layout: StripLayout, style: MapStyle
) -> None:
    """Paint what stays while the values change: background, titles, labels of rows and columns, words."""
    painter.fillRect(QRectF(0, 0, layout.width, layout.height), colour(style.background))
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    for heatmap, one in zip(heatmaps, layout.maps, strict=True):
        paint_title(painter, heatmap, one, style)
        _paint_column_labels(painter, heatmap, one, style)
        if one.rows.w:
            _paint_row_labels(painter, heatmap, one, style)
        if one.words.h:
            _paint_words(painter, heatmap, one, style)
    _paint_corner(painter, heatmaps[0], layout, style)
    _paint_note(painter, heatmaps, layout, style)


def paint_values(
    painter: QPainter, heatmaps: Sequence[Heatmap], layout: StripLayout, style: MapStyle
) -> None:
    """Paint what changes with every edit: cells, numbers in them, colour bars."""
    size = number_size(heatmaps, layout.maps[0], style)
    for heatmap, one in zip(heatmaps, layout.maps, strict=True):
        paint_cells(painter, heatmap, one, style, size)
        paint_bar(painter, heatmap, one, style)


def paint_cells(
    painter: QPainter,
    heatmap: Heatmap,
    layout: MapLayout,
    style: MapStyle,
    numbers: int | None,
    canvas: Canvas | None = None,
    framed: bool = True,
) -> bool:
    """Paint the cells of one map with frame, hatching and numbers; return whether cells lack a value.

    Parameters
    ----------
    numbers
        Size in pixels of the numbers in the cells, None for none.
    canvas
        Pixels of the image that is painted on, where there are any: quicker.
    framed
        False if the frame is on the canvas already.
    """
    frame, scale = layout.frame, layout.scale
    drawn = style.cells != "pixels"
    picture = colours.pictures((heatmap,), style.blanks, (round(frame.h * scale), round(frame.w * scale)))[0]
    lines = style.blanks if min(layout.cell) >= SMALLEST_RULED * style.unit and not drawn else None
    block = canvas.block(frame, picture.pixels.shape, scale) if canvas else None
    if block is not None:
        colours.enlarge(picture.pixels, block, lines)
    elif drawn:
        draw_cells(painter, [(picture.pixels, frame)], style)
    else:
        if lines is not None:
            width, height = (max(1, round(side * scale)) for side in layout.cell)
            picture = colours.ruled(picture, width, height, lines)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.drawImage(QRectF(*frame), picture.image)
    if picture.gaps:
        paint_hatching(painter, heatmap, layout, style)
    if framed or block is None or picture.gaps:
        _paint_frame(painter, layout, style)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if numbers is not None:
        paint_numbers(painter, heatmap, layout, numbers)
    return picture.gaps


def _paint_frame(painter: QPainter, layout: MapLayout, style: MapStyle) -> None:
    """Paint a thin line around the cells, outside of them."""
    frame, line = layout.frame, style.line(layout.scale)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(_pen(style.tokens.border, 255, line))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    x, y, w, h = framed_box(frame, line, style)
    painter.drawRect(QRectF(x, y, w, h))


def paint_title(painter: QPainter, heatmap: Heatmap, layout: MapLayout, style: MapStyle) -> None:
    """Paint title and formula on one line, or the formula under it where the box has room for that."""
    box, u = layout.title, style.unit
    font = style.font(TITLE_PX, bold=True)
    title = elided(heatmap.title, font.pixelSize(), int(box.w), bold=True)
    painter.setFont(font)
    painter.setPen(colour(style.tokens.text))
    baseline = box.y + 15 * u
    painter.drawText(QPointF(box.x, baseline), title)
    used = text_width(title, font.pixelSize(), bold=True) + 9 * u if title else 0.0
    if box.h > 1.5 * TITLE * u:
        used, baseline = 0.0, baseline + LINE * u
    if box.w - used < 24 * u:
        return
    small = style.font(SMALL_PX)
    painter.setFont(small)
    painter.setPen(colour(style.tokens.muted))
    text = elided(heatmap.subtitle, small.pixelSize(), int(box.w - used))
    painter.drawText(QPointF(box.x + used, baseline), text)


def _paint_row_labels(painter: QPainter, heatmap: Heatmap, layout: MapLayout, style: MapStyle) -> None:
    px = max(1, round(layout.row_px))
    painter.setFont(bundled_font(px))
    painter.setPen(colour(style.tokens.text))
    height = px * 2.0
    for row in range(0, layout.shape[0], layout.row_step):
        middle = layout.frame.y + (row + 0.5) * layout.cell[1]
        box = QRectF(layout.rows.x, middle - height / 2, layout.rows.w, height)
        painter.drawText(box, RIGHT, elided(heatmap.row_labels[row], px, int(layout.rows.w)))


def _paint_column_labels(painter: QPainter, heatmap: Heatmap, layout: MapLayout, style: MapStyle) -> None:
    px = max(1, round(layout.column_px))
    painter.setFont(bundled_font(px))
    painter.setPen(colour(style.tokens.text))
    height = px * 2.0
    for column in range(0, layout.shape[1], layout.column_step):
        label = heatmap.column_labels[column]
        middle = layout.frame.x + (column + 0.5) * layout.cell[0]
        if not layout.slanted:
            box = QRectF(layout.column_edge(column), layout.frame.y - height - 1, layout.cell[0], height)
            painter.drawText(box, CENTRE, elided(label, px, int(layout.cell[0])))
            continue
        room = slanted_room(layout, style.unit)
        painter.save()
        painter.translate(middle + px * 0.1, layout.frame.y - 5 * style.unit)
        painter.rotate(-layout.slant)
        painter.drawText(QRectF(0, -height / 2, room + 2, height), LEFT, elided(label, px, room))
        painter.restore()


def slanted_room(layout: MapLayout, unit: float) -> int:
    """Return how long a slanted label may be."""
    return int((layout.columns.h - 8 * unit) / math.sin(math.radians(layout.slant)))


def _paint_corner(painter: QPainter, heatmap: Heatmap, layout: StripLayout, style: MapStyle) -> None:
    """Say which axis is which, where the labels of rows and columns meet."""
    box = layout.corner
    painter.setFont(style.font(SMALL_PX - 1))
    painter.setPen(colour(style.tokens.muted))
    half = box.h / 2
    painter.drawText(QRectF(box.x, box.y, box.w, half), RIGHT, f"{heatmap.column_axis} →")
    painter.drawText(QRectF(box.x, box.y + half, box.w, half), RIGHT, f"{heatmap.row_axis} ↓")


def _paint_words(painter: QPainter, heatmap: Heatmap, layout: MapLayout, style: MapStyle) -> None:
    box, px = layout.words, round((SMALL_PX - 1) * style.unit)
    painter.setFont(bundled_font(px))
    painter.setPen(colour(style.tokens.muted))
    room = int(box.w)
    ends = (heatmap.low, heatmap.high)
    if sum(text_widths(ends, px)) + 6 * style.unit > box.w:
        ends, room = heatmap.short_ends, int(box.w / 2 - 2)
    painter.drawText(QRectF(*box), LEFT, elided(ends[0], px, room))
    painter.drawText(QRectF(*box), RIGHT, elided(ends[1], px, room))


def note_text(heatmaps: Sequence[Heatmap], layout: StripLayout) -> str:
    """Return what is said under the maps: what their notes say, each once, and which labels are left out."""
    notes = [part for one in heatmaps for part in one.note.split(BETWEEN_NOTES)] + [thinning_text(layout)]
    return BETWEEN_NOTES.join(dict.fromkeys(filter(None, notes)))


def thinning_text(layout: StripLayout) -> str:
    """Return how labels and cells are thinned, or nothing."""
    first = layout.maps[0]
    said = []
    step = max(first.row_step, first.column_step)
    if step > 1:
        said.append(tr("one label in {} is shown").format(step))
    if min(first.cell) * first.scale < 1 and min(first.shape):
        said.append(tr("a pixel shows the strongest of its cells"))
    return ", ".join(said)


def _paint_note(painter: QPainter, heatmaps: Sequence[Heatmap], layout: StripLayout, style: MapStyle) -> None:
    if not layout.note.h:
        return
    small = style.font(SMALL_PX)
    painter.setFont(small)
    painter.setPen(colour(style.tokens.muted))
    text = elided(note_text(heatmaps, layout), small.pixelSize(), int(layout.note.w))
    painter.drawText(QRectF(*layout.note), LEFT, text)


def paint_bar(
    painter: QPainter, heatmap: Heatmap, layout: MapLayout, style: MapStyle, *, body: bool = True
) -> None:
    """Paint the colour bar between the two ends of the range, ticks at the values that occur.

    Without its `body` only the numbers and the ticks, where the colours stand already.
    """
    box, u = layout.bar, style.unit
    low, high = limit_texts(heatmap)
    bar = QRectF(*bar_body(heatmap, layout, style))
    painter.setFont(style.font(SMALL_PX))
    painter.setPen(colour(style.tokens.muted))
    line = QRectF(box.x, box.y - 4 * u, box.w, box.h + 8 * u)
    painter.drawText(line, LEFT, low)
    painter.drawText(line, RIGHT, high)
    if body and style.cells != "pixels":
        paint_scale(painter, heatmap.palette, bar_body(heatmap, layout, style), 2 * u)
    elif body:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        path = QPainterPath()
        path.addRoundedRect(bar, 2 * u, 2 * u)
        painter.save()
        painter.setClipPath(path)
        painter.drawImage(bar, _gradient(heatmap.palette))
        painter.restore()
    if heatmap.colours == "diverging":
        _paint_extremes(painter, heatmap, bar, style)


def bar_body(heatmap: Heatmap, layout: MapLayout, style: MapStyle) -> Box:
    """Return where the colours of the bar stand, between the numbers at its ends."""
    box, u, px = layout.bar, style.unit, style.px(SMALL_PX)
    low, high = limit_texts(heatmap)
    left, right = text_width(low, px) + 7 * u, text_width(high, px) + 7 * u
    return Box(box.x + left, box.y, max(box.w - left - right, 0.0), box.h)


def _paint_extremes(painter: QPainter, heatmap: Heatmap, bar: QRectF, style: MapStyle) -> None:
    """Mark the smallest and the largest value under a bar that reaches as far to both sides of zero."""
    low, high = heatmap.limits
    if not heatmap.values.size or bar.width() <= 0:
        return
    ends = [float(extreme.reduce(heatmap.values, axis=None)) for extreme in (np.fmin, np.fmax)]
    if not (math.isfinite(ends[0]) and math.isfinite(ends[1]) and high > low):
        return
    painter.setPen(_pen(style.tokens.muted, 255, style.unit))
    lines = []
    for value in ends:
        share = min(max((value - low) / (high - low), 0.0), 1.0)
        x = bar.x() + share * bar.width()
        lines.append(QLineF(x, bar.bottom() + 1, x, bar.bottom() + 1 + 3 * style.unit))
    painter.drawLines(lines)


@lru_cache(maxsize=4)
def _gradient(name: askew_assets.ColourTable) -> QImage:
    """Return a colour table as an image one pixel high."""
    picture = colours.Picture(colours.colour_table(name)[None])
    return picture.image.copy(QRect(0, 0, 256, 1))


@lru_cache(maxsize=64)
def _pen(name: str, alpha: int, width: float) -> QPen:
    """Return a line of so many pixels."""
    pen = QPen(colour(name, alpha), width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    return pen
