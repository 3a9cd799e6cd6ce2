"""The style sheet on top of Fusion: round fields and buttons, thin borders, much air."""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING

import askew_assets

if TYPE_CHECKING:
    from askew_gui.theme import Tokens

POINTS = {"small": 8, "brand": 11, "large": 12}
"""Sizes of text other than the usual one, at scale 1."""

# Properties a widget may set: primary (the one filled button), flat (no border until hovered),
# chip (round), muted (quiet text), heading (small capitals of a section), surface (panel or canvas).
_RULES = Template("""
QToolTip { background: $panel; color: $text; border: 1px solid $field_border; padding: 4px 6px; }

QPushButton, QToolButton {
  background: $field; color: $text; border: 1px solid $field_border; border-radius: 5px; padding: 3px 10px;
}
QPushButton:hover, QToolButton:hover { background: $hover; }
QPushButton:pressed, QToolButton:pressed { background: $selection; }
QPushButton:focus, QToolButton:focus { border-color: $accent; }
QPushButton:checked, QToolButton:checked { background: $accent; color: $on_accent; border-color: $accent; }
QPushButton:disabled, QToolButton:disabled { color: $disabled; border-color: $border; }
QToolButton { padding: 3px 6px; }
QToolButton[popupMode="1"] { padding-right: 18px; }
QToolButton[popupMode="2"] { padding-right: 18px; }
QToolButton::menu-indicator, QPushButton::menu-indicator {
  image: url("$chevron_down"); width: 10px; height: 10px; subcontrol-position: right center;
  subcontrol-origin: padding; right: 5px;
}
QPushButton[menu="true"] { padding-left: 6px; padding-right: 16px; }
QToolButton::menu-button { border: none; border-left: 1px solid $field_border; width: 15px; }
QToolButton::menu-arrow { image: url("$chevron_down"); width: 10px; height: 10px; }
QPushButton[primary="true"], QToolButton[primary="true"] {
  background: $accent; color: $on_accent; border-color: $accent;
}
QPushButton[primary="true"]:hover, QToolButton[primary="true"]:hover { background: $accent_hover; }
QPushButton[primary="true"]:disabled, QToolButton[primary="true"]:disabled {
  background: $border; color: $disabled; border-color: $border;
}
QPushButton[flat="true"], QToolButton[flat="true"], QToolButton[autoRaise="true"] {
  background: transparent; border-color: transparent;
}
QPushButton[flat="true"]:hover, QToolButton[flat="true"]:hover, QToolButton[autoRaise="true"]:hover {
  background: $hover;
}
QPushButton[flat="true"]:focus, QToolButton[flat="true"]:focus, QToolButton[autoRaise="true"]:focus {
  border-color: $accent;
}
QPushButton[chip="true"], QToolButton[chip="true"] { border-radius: 10px; padding: 1px 8px; }

QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox, QComboBox {
  background: $field; color: $text; border: 1px solid $field_border; border-radius: 5px; padding: 2px 6px;
  selection-background-color: $accent; selection-color: $on_accent;
}
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QAbstractSpinBox:focus, QComboBox:focus {
  border-color: $accent;
}
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled { color: $disabled; background: $panel; }
QLineEdit[sentence="true"] { font-size: ${large}pt; }
QLineEdit[invalid="true"] { border-color: $error; }
QAbstractSpinBox { padding-right: 18px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {
  subcontrol-origin: border; width: 17px; border: none; background: transparent;
}
QAbstractSpinBox::up-button { subcontrol-position: top right; margin-top: 1px; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; margin-bottom: 1px; }
QAbstractSpinBox::up-arrow { image: url("$chevron_up"); width: 9px; height: 9px; }
QAbstractSpinBox::down-arrow { image: url("$chevron_down"); width: 9px; height: 9px; }
QComboBox { padding-right: 20px; }
QComboBox::drop-down { subcontrol-position: right center; width: 18px; border: none; }
QComboBox::down-arrow { image: url("$chevron_down"); width: 10px; height: 10px; }
QComboBox QAbstractItemView {
  background: $field; color: $text; border: 1px solid $field_border; outline: none;
  selection-background-color: $selection; selection-color: $text;
}

QCheckBox::indicator, QRadioButton::indicator, QMenu::indicator {
  width: 13px; height: 13px; background: $field; border: 1px solid $crosshair; border-radius: 3px;
}
QCheckBox::indicator:hover, QRadioButton::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked, QMenu::indicator:checked {
  background: $accent; border-color: $accent; image: url("$check");
}
QCheckBox::indicator:indeterminate { background: $selection; border-color: $accent; }
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { border-color: $border; }
QCheckBox::indicator:checked:disabled { background: $border; }
QRadioButton::indicator, QMenu::indicator:exclusive { border-radius: 7px; }
QRadioButton::indicator:checked, QMenu::indicator:exclusive:checked {
  width: 7px; height: 7px; border: 4px solid $accent; background: $on_accent; image: none;
}
QMenu::indicator { margin-left: 5px; }
QCheckBox, QRadioButton { spacing: 6px; }

QMenuBar { background: $window; }
QMenuBar::item { background: transparent; padding: 5px 9px; border-radius: 4px; }
QMenuBar::item:selected { background: $hover; }
QMenu { background: $field; border: 1px solid $field_border; padding: 4px; }
QMenu::item { padding: 4px 24px 4px 22px; border-radius: 4px; }
QMenu::item:selected { background: $selection; color: $text; }
QMenu::item:disabled { color: $disabled; }
QMenu::separator { height: 1px; background: $border; margin: 4px 6px; }
QToolBar {
  background: $window; border: none; border-bottom: 1px solid $border; spacing: 6px; padding: 4px 8px;
}
QStatusBar { background: $window; color: $muted; }

QTabWidget::pane { border: none; border-top: 1px solid $border; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab { padding: 6px 14px; border: none; border-bottom: 2px solid transparent; color: $muted; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $accent_text; border-bottom-color: $accent; font-weight: bold; }
QTabBar::tab:focus { color: $text; }

QSplitter::handle { background: $border; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QHeaderView { background: $window; border: none; }
QHeaderView::section { background: $window; color: $muted; border: none; padding: 2px 6px; }
QTableView, QListView, QTreeView {
  background: $field; border: 1px solid $border; gridline-color: $border; outline: none;
  selection-background-color: $selection; selection-color: $text;
}
QTableView QTableCornerButton::section { background: $window; border: none; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QTableView QLineEdit { border-radius: 0; padding: 0 2px; }
QScrollArea { border: none; background: transparent; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QGroupBox { border: 1px solid $border; border-radius: 5px; margin-top: 10px; padding-top: 8px; }
QGroupBox::title { subcontrol-origin: margin; left: 8px; padding: 0 4px; color: $muted; }

QScrollBar { background: transparent; border: none; }
QScrollBar:vertical { width: 10px; }
QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: $field_border; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QProgressBar { background: $hover; border: none; border-radius: 4px; height: 8px; color: $text; }
QProgressBar::chunk { background: $accent; border-radius: 4px; }

*[rule="true"] { background: $border; border: none; }
QLabel[brand="true"] { font-size: ${brand}pt; font-weight: bold; }
QLabel[muted="true"] { color: $muted; }
QLabel[heading="true"] { color: $muted; font-weight: bold; font-size: ${small}pt; letter-spacing: 0.8px; }
*[surface="panel"] { background: $panel; }
*[surface="canvas"] { background: $canvas; }
""")


def stylesheet(colours: Tokens, scale: float = 1.0) -> str:
    """Return the style sheet in these colours; `scale` is the person's text size."""
    values = {name: getattr(colours, name) for name in colours.__dataclass_fields__}
    images = {
        key: askew_assets.path(f"icons/controls/{key.replace('_', '-')}.svg").as_posix()
        for key in ("chevron_up", "chevron_down", "check")
    }
    sizes = {name: f"{points * scale:.2f}" for name, points in POINTS.items()}
    return _RULES.substitute(values | images | sizes)
