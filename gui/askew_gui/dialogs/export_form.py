"""The choices for a picture: what, how large, how it looks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from askew_gui.dialogs import export_names as names
from askew_gui.export.spec import (
    LARGEST_FONT,
    PRESETS,
    SCALES,
    SMALLEST_FONT,
    WIDEST,
    PictureSpec,
)
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askew_gui.export.spec import Format, Preset

Name = TypeVar("Name", bound=str)


class ExportForm(QWidget):
    """Holds the choices; `changed` is emitted after each.

    Signals
    -------
    changed()
        Another picture is asked for.
    """

    changed = Signal()

    def __init__(self, spec: PictureSpec, file_format: Format, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._filling = True
        self._aspect = spec.aspect
        self.view = _combo(names.view_names(), spec.view, self)
        self.all_heads = QCheckBox(tr("Ever&y head, on one scale"), self)
        self.all_heads.setChecked(spec.all_heads)
        self.format = _combo(names.format_names(), file_format, self)
        self.preset = _combo(names.preset_names(), "", self)
        self.width_field = QDoubleSpinBox(self)
        self.width_field.setRange(1, WIDEST)
        self.width_field.setValue(spec.width)
        self.unit = _combo(names.unit_names(), spec.unit, self)
        self.dpi = QSpinBox(self)
        self.dpi.setRange(10, 2400)
        self.dpi.setValue(spec.resolution)
        self.dpi.setSuffix(tr(" dpi"))
        self.scale = QSpinBox(self)
        self.scale.setRange(SCALES[0], SCALES[-1])
        self.scale.setValue(spec.scale)
        self.scale.setSuffix("×")
        self.font_size = QDoubleSpinBox(self)
        self.font_size.setRange(SMALLEST_FONT - 0.5, LARGEST_FONT)
        self.font_size.setSingleStep(0.5)
        self.font_size.setDecimals(1)
        self.font_size.setSuffix(tr(" pt"))
        self.font_size.setSpecialValueText(tr("grows with the picture"))
        self.font_size.setValue(spec.font_size or self.font_size.minimum())
        self.theme = _combo(names.theme_names(), spec.theme, self)
        self.colours = _combo(names.colour_names(), spec.colours, self)
        self.range = _combo(names.range_names(), spec.range, self)
        self.numbers = _combo(names.number_names(), spec.numbers, self)
        self.title = QLineEdit(spec.title, self)
        self.title.setPlaceholderText(tr("none"))
        self._lay_out()
        self._follow_unit()
        self._filling = False
        self._settle()
        self._connect()

    def _lay_out(self) -> None:
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(7)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(tr("&Picture"), self.view)
        form.addRow("", self.all_heads)
        form.addRow(tr("&Format"), self.format)
        form.addRow(tr("Si&ze"), self.preset)
        form.addRow(self._label(tr("&Width"), self.width_field), _beside(self.width_field, self.unit))
        form.addRow(self._label(tr("Pi&xels"), self.dpi), _beside(self.dpi, self.scale))
        form.addRow(tr("&Letters"), self.font_size)
        form.addRow(tr("&Ground"), self.theme)
        form.addRow(tr("&Colours"), self.colours)
        form.addRow(tr("&Range"), self.range)
        form.addRow(tr("&Numbers"), self.numbers)
        form.addRow(tr("&Title"), self.title)
        self.unit.setAccessibleName(tr("Unit of the width"))
        self.scale.setAccessibleName(tr("Times more pixels"))
        self.scale.setToolTip(tr("Times more pixels"))

    def _label(self, text: str, field: QWidget) -> QLabel:
        """Return a label whose key goes to the first of several fields."""
        label = QLabel(text, self)
        label.setBuddy(field)
        return label

    def _connect(self) -> None:
        self.preset.activated.connect(self._use_preset)
        self.unit.currentIndexChanged.connect(self._follow_unit)
        for combo in (self.view, self.format, self.unit, self.theme, self.colours, self.range, self.numbers):
            combo.currentIndexChanged.connect(self._settle)
        for field in (self.width_field, self.dpi, self.scale, self.font_size):
            field.valueChanged.connect(self._settle)
        self.all_heads.toggled.connect(self._settle)
        self.title.textChanged.connect(self._settle)

    @property
    def file_format(self) -> Format:
        """The format chosen."""
        return self.format.currentData()  # type: ignore[no-any-return]

    def spec(self) -> PictureSpec:
        """Return the picture asked for, without its caption."""
        automatic = self.font_size.value() < SMALLEST_FONT
        return PictureSpec(
            view=self.view.currentData(),
            all_heads=self.all_heads.isChecked() and self.all_heads.isEnabled(),
            theme=self.theme.currentData(),
            width=self.width_field.value(),
            unit=self.unit.currentData(),
            dpi=self.dpi.value(),
            scale=self.scale.value() if self.scale.isEnabled() else 1,
            aspect=self._aspect,
            font_size=None if automatic else self.font_size.value(),
            colours=self.colours.currentData(),
            range=self.range.currentData(),
            numbers=self.numbers.currentData(),
            title=self.title.text(),
        )

    def use_format(self, file_format: Format) -> None:
        """Choose a format."""
        self.format.setCurrentIndex(self.format.findData(file_format))

    def _use_preset(self, _index: int = 0) -> None:
        chosen = next((one for one in PRESETS if one.key == self.preset.currentData()), None)
        if chosen is None:
            self._aspect = None
            self._settle()
            return
        self._filling = True
        self.unit.setCurrentIndex(self.unit.findData(chosen.unit))
        self.width_field.setValue(chosen.width)
        self.dpi.setValue(chosen.dpi)
        self.font_size.setValue(chosen.font_size or self.font_size.minimum())
        self._aspect = chosen.aspect
        self._filling = False
        self._settle()

    def _follow_unit(self, _index: int = 0) -> None:
        """Give the width the steps of its unit."""
        unit = self.unit.currentData()
        self.width_field.setDecimals({"px": 0, "mm": 1, "in": 2}[unit])
        self.width_field.setSingleStep({"px": 50, "mm": 1, "in": 0.1}[unit])

    def _settle(self, _what: object = None) -> None:
        """Enable what the choices leave open, name the size if it has a name, and tell."""
        if self._filling:
            return
        view, pixels = self.view.currentData(), self.file_format == "png"
        self.all_heads.setEnabled(view not in ("grid", "raw"))
        self.scale.setEnabled(pixels)
        self.dpi.setEnabled(pixels or self.unit.currentData() == "px")
        grid = view == "grid" or (self.all_heads.isChecked() and view != "raw")
        self.numbers.setEnabled(not grid)
        name = next((one.key for one in PRESETS if self._is(one)), "")
        self.preset.setCurrentIndex(self.preset.findData(name))
        self.changed.emit()

    def _is(self, preset: Preset) -> bool:
        here = self.spec()
        size = {name: getattr(preset, name) for name in ("width", "unit", "dpi", "font_size", "aspect")}
        return here == replace(here, **size)


def _combo(choices: Mapping[Name, str], chosen: Name, parent: QWidget) -> QComboBox:
    box = QComboBox(parent)
    for name, text in choices.items():
        box.addItem(text, name)
    box.setCurrentIndex(max(box.findData(chosen), 0))
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(6)
    return box


def _beside(first: QWidget, second: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(6)
    for field, share in ((first, 5), (second, 4)):
        field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        row.addWidget(field, share)
    return row
