"""Buttons that change one matrix of the selected heads as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QWidget

from askew.circuit_edits import PRODUCTS_ONLY
from askew.weight_edits import matrix_of
from askew_gui import intents_weights
from askew_gui.i18n import tr
from askew_gui.widgets.fields import DecimalSpin

if TYPE_CHECKING:
    from askew.experiment import Experiment
    from askew.heads import Part
    from askew_gui.store import Store

FACTOR = 2.0
LARGEST_FACTOR = 1e6


class ShapingActions(QWidget):
    """Scale, negate, transpose, orthogonalize, balance, exchange."""

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self.part: Part = "q"
        self.factor = DecimalSpin(-LARGEST_FACTOR, LARGEST_FACTOR, 0.5, 2, self)
        self.factor.show_value(FACTOR)
        self.factor.setAccessibleName(tr("Factor"))
        self.multiply = self._button("×", self._multiply)
        self.divide = self._button("÷", self._divide)
        self.negate = self._button(tr("Negate"), self._negate)
        self.transpose = self._button(tr("Transpose"), self._transpose)
        self.orthogonalize = self._button(tr("Orthogonalize"), self._orthogonalize)
        self.balance = self._button(tr("Balance q, k"), self._balance)
        self.exchange = self._button(tr("Exchange q, k"), self._exchange)
        self._lay_out()
        self.factor.valueChanged.connect(self.refresh)
        store.changed.connect(self._follow)
        self.refresh()

    def _button(self, text: str, act: object) -> QPushButton:
        button = QPushButton(text, self)
        button.clicked.connect(act)
        return button

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(5)
        line = QHBoxLayout()
        line.setSpacing(5)
        for field in (self.factor, self.multiply, self.divide):
            line.addWidget(field, 2 if field is self.factor else 1)
            if field is not self.factor:
                field.setMinimumWidth(30)
        grid.addLayout(line, 0, 0, 1, 2)
        grid.addWidget(self.negate, 1, 0)
        grid.addWidget(self.transpose, 1, 1)
        grid.addWidget(self.orthogonalize, 2, 0, 1, 2)
        grid.addWidget(self.balance, 3, 0)
        grid.addWidget(self.exchange, 3, 1)

    def show_part(self, part: Part) -> None:
        """Act on W_q, W_k or W_v from now on."""
        self.part = part
        self.refresh()

    @Slot(object, object)
    def _follow(self, old: Experiment, new: Experiment) -> None:
        if old.heads is not new.heads or old.selected != new.selected or old.positions != new.positions:
            self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Enable what can be done, and say on hover what it does or why it cannot."""
        matrix, unbalanced = f"W_{self.part}", self._no_balance()
        head = self._store.experiment.heads[self._store.experiment.selected[-1]]
        rows, columns = matrix_of(head, self.part).shape
        self.divide.setEnabled(self.factor.value() != 0.0)
        self.transpose.setEnabled(rows == columns)
        self.balance.setEnabled(not unbalanced)
        tips = self._tips(matrix)
        if rows != columns:
            no_square = tr("{} is {} × {} (d_model × d), and only a square matrix can be transposed")
            tips[self.transpose] = no_square.format(matrix, rows, columns)
        if unbalanced:
            tips[self.balance] = unbalanced
        for button, tip in tips.items():
            button.setToolTip(tip)
            button.setAccessibleDescription(tip)
        self.multiply.setAccessibleName(tr("Multiply {} by the factor").format(matrix))
        self.divide.setAccessibleName(tr("Divide {} by the factor").format(matrix))

    def _tips(self, matrix: str) -> dict[QWidget, str]:
        """Return what each button does to a matrix."""
        tips: dict[QWidget, str] = {
            self.factor: tr("What × and ÷ use"),
            self.multiply: tr("{} and its bias times the factor"),
            self.divide: tr("{} and its bias divided by the factor"),
            self.negate: tr("{} and its bias times −1"),
            self.transpose: tr("Rows of {} become columns"),
            self.orthogonalize: tr(
                "The nearest matrix whose columns stand at right angles and are equally long, "
                "U·Vᵀ of {} = U·Σ·Vᵀ; its rms stays"
            ),
            self.balance: tr(
                "W_q = U√Σ and W_k = V√Σ of W_q·W_kᵀ = U·Σ·Vᵀ, biases along: "
                "the most important direction first, and every pattern stays"
            ),
            self.exchange: tr("W_q with W_k, b_q with b_k: scores are transposed"),
        }
        return {button: tip.format(matrix) for button, tip in tips.items()}

    def _no_balance(self) -> str:
        """Say why balancing would change patterns; empty if it would not."""
        now = self._store.experiment
        scorings = {now.heads[h].scoring for h in now.selected} - set(PRODUCTS_ONLY)
        if scorings:
            return tr("The scoring {} sees more than W_q·W_kᵀ: balancing would change the pattern").format(
                ", ".join(sorted(scorings))
            )
        if now.positions == "rope":
            return tr("The positions rope turn q and k by their columns: balancing would change the pattern")
        return ""

    @property
    def _heads(self) -> tuple[int, ...]:
        return self._store.experiment.selected

    @Slot()
    def _multiply(self) -> None:
        intents_weights.scale(self._store, self._heads, self.part, self.factor.value())

    @Slot()
    def _divide(self) -> None:
        intents_weights.scale(self._store, self._heads, self.part, 1.0 / self.factor.value())

    @Slot()
    def _negate(self) -> None:
        intents_weights.negate(self._store, self._heads, self.part)

    @Slot()
    def _transpose(self) -> None:
        intents_weights.transpose(self._store, self._heads, self.part)

    @Slot()
    def _orthogonalize(self) -> None:
        intents_weights.orthogonalize(self._store, self._heads, self.part)

    @Slot()
    def _balance(self) -> None:
        intents_weights.balance(self._store, self._heads)

    @Slot()
    def _exchange(self) -> None:
        intents_weights.exchange(self._store, self._heads)
