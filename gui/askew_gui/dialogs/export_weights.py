"""Exporting weights: which heads or which matrix, as what, and where to."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from askew.errors import ExperimentError
from askew_gui.dialogs.where import ask_where
from askew_gui.i18n import tr
from askew_gui.retrying import ask_elsewhere, offer_retry
from askew_gui.widgets.fields import Choice
from askew_gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QFileDialog

    from askew.evaluation import Evaluation
    from askew.heads import Head, Part
    from askew.weights.writing import Kind
    from askew_gui.jobs import Job
    from askew_gui.settings import Settings
    from askew_gui.store import Store

    Make = Callable[[str, Job], Path | None]

TOPIC = "export weights"
SUFFIXES = {"npz": ".npz", "safetensors": ".safetensors", "csv": ".zip", "script": ".py", "matrix": ".csv"}


def kinds() -> dict[str, tuple[str, str]]:
    """Return the kinds of files by name: in a word or two, and what is in one."""
    return {
        "npz": (
            tr("NumPy (.npz)"),
            tr("w_q, w_k (heads, d_model, d_k), w_v (heads, d_model, d_v), and biases; float32."),
        ),
        "safetensors": (tr("Safetensors (.safetensors)"), tr("The same arrays as in .npz; float32.")),
        "csv": (tr("Tables (.csv in a .zip)"), tr("A table for each matrix and bias, a row a line.")),
        "script": (
            tr("Python program (.py)"),
            tr(
                "A short program of numpy alone that computes the patterns shown from X and W, and stops "
                "where they differ; its numbers go beside it as an .npz."
            ),
        ),
        "matrix": (tr("Table (.csv)"), tr("A row of the matrix a line, without names.")),
    }


class ExportWeightsDialog(QDialog):
    """What, as what, and then where; the file is written in the background."""

    def __init__(self, store: Store, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store, self._settings = store, settings
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Export weights"))
        self.setMinimumWidth(420)
        self.what = Choice(self._whats(), self)
        self.kind = Choice((), self)
        self.text = PlainLabel("", self, tone="muted")
        self.text.setWordWrap(True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.text.setMinimumHeight(3 * self.text.fontMetrics().lineSpacing() + 2)
        self.save = QPushButton(tr("Save as…"), self)
        self._lay_out()
        self.what.activated.connect(self._on_what)
        self.kind.activated.connect(self._on_kind)
        self._on_what()

    def _whats(self) -> list[tuple[str, str]]:
        experiment = self._store.experiment
        count, chosen = len(experiment.heads), experiment.selected
        whats = [("all", tr("All {} heads").format(count) if count > 1 else tr("The head"))]
        if count > 1:
            named = ", ".join(map(str, chosen))
            text = tr("Head {}") if len(chosen) == 1 else tr("The heads shown: {}")
            whats.append(("selected", text.format(named)))
        return [*whats, *((part, tr("W_{} of head {}").format(part, chosen[-1])) for part in ("q", "k", "v"))]

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow(tr("&What"), self.what)
        form.addRow(tr("&Format"), self.kind)
        self.save.setProperty("primary", True)
        self.save.setDefault(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        buttons.addButton(self.save, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.ask_where)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(12)
        layout.addLayout(form)
        layout.addWidget(self.text)
        layout.addStretch(1)
        layout.addWidget(buttons)

    def _on_what(self, _index: int = 0) -> None:
        names = ["matrix"] if self.what.name in ("q", "k", "v") else ["npz", "safetensors", "csv", "script"]
        before = self.kind.name
        with QSignalBlocker(self.kind):
            self.kind.clear()
            for name in names:
                self.kind.addItem(kinds()[name][0], name)
        self.kind.show_name(before if before in names else names[0])
        self.kind.setEnabled(len(names) > 1)
        self._on_kind()

    def _on_kind(self, _index: int = 0) -> None:
        self.text.setText(kinds()[self.kind.name][1])

    def ask_where(self) -> QFileDialog:
        """Ask where, then write; return the question."""
        suffix = SUFFIXES[self.kind.name]
        start = Path(self._settings.export_folder) / f"{self._suggestion()}{suffix}"
        filters = [f"{kinds()[self.kind.name][0].partition(' (')[0]} (*{suffix})"]
        return ask_where(self, tr("Export weights"), start, filters, suffix, self.write)

    def _suggestion(self) -> str:
        experiment, what = self._store.experiment, self.what.name
        if what in ("q", "k", "v"):
            return f"head-{experiment.selected[-1]}-w_{what}"
        if self.kind.name == "script":
            return "attention"
        heads = self._heads()
        return f"head-{heads[0]}" if len(heads) == 1 else "heads"

    def _heads(self) -> tuple[int, ...]:
        experiment = self._store.experiment
        return experiment.selected if self.what.name == "selected" else tuple(range(len(experiment.heads)))

    def write(self, path: str) -> None:
        """Write what was chosen in the background, and say so."""
        self._settings.export_folder = str(Path(path).parent)
        store = self._store
        kind, what = self.kind.name, self.what.name
        if kind == "script" and store.stale:
            what_is, remedy = tr("the maps are still being computed"), tr("Wait until they are shown")
            store.fail(ExperimentError(what_is, remedy=remedy))
            return
        heads = (store.experiment.selected[-1],) if kind == "matrix" else self._heads()
        make = partial(_write, store.experiment.heads, store.evaluation, heads, kind, what)
        _write_in_background(self.parentWidget(), store, make, path)
        self.accept()


def ask_and_export(parent: QWidget, store: Store, settings: Settings) -> ExportWeightsDialog:
    """Ask what, as what and where, then write; return the question."""
    dialog = ExportWeightsDialog(store, settings, parent)
    dialog.open()
    return dialog


def _write_in_background(parent: QWidget | None, store: Store, make: Make, path: str) -> None:
    write = partial(_write_in_background, parent, store, make)
    store.jobs.submit(
        "files",
        partial(make, path),
        partial(_done, store, path),
        partial(offer_retry, store, partial(write, path), partial(ask_elsewhere, parent, path, write)),
        topic=TOPIC,
        label=tr("Writing {}").format(Path(path).name),
    )


def _write(
    weights: Sequence[Head],
    evaluation: Evaluation,
    heads: tuple[int, ...],
    kind: str,
    what: str,
    path: str,
    _job: Job,
) -> Path | None:
    """Write the file; return the one that was written beside it."""
    from askew.weights.script import write_script
    from askew.weights.writing import write_heads, write_matrix

    if kind == "script":
        return write_script(evaluation, path, heads)
    if kind == "matrix":
        write_matrix(weights[heads[0]], cast("Part", what), path)
    else:
        write_heads([weights[h] for h in heads], path, cast("Kind", kind), heads)
    return None


def _done(store: Store, path: str, beside: Path | None) -> None:
    name = Path(path).name
    if beside is None:
        store.say("info", tr("Wrote {}").format(name))
    else:
        store.say("info", tr("Wrote {}, and its numbers as {}").format(name, beside.name))
