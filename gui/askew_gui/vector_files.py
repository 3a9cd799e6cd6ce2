"""Vector files in the window: the one road from a menu, a drop or a command line to words on screen."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from askew.session_vectors import SavedTable
from askew.vectors.bundled import BUNDLED
from askew.vectors.options import Options
from askew_gui import intents
from askew_gui.i18n import tr
from askew_gui.opening import MissingFileError, chosen
from askew_gui.opening_questions import question_of
from askew_gui.panels.vectors_report_texts import has_undecoded, is_harmless, part_text, summary
from askew_gui.preparing import Preparation

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

    from askew.errors import AskewError
    from askew.experiment import Experiment
    from askew.vectors.problems import Problem
    from askew.vectors.table import WordVectors
    from askew_gui.dialogs.train import TrainDialog
    from askew_gui.jobs import Job
    from askew_gui.messages import Level, MessageBar
    from askew_gui.panels.vectors_report import ReportDialog
    from askew_gui.settings import Settings
    from askew_gui.store import Store
    from askew_gui.training import Trainer

LATIN = "latin-1"


class VectorFiles(QObject):
    """Opens files, asks what they leave open, reports on them, has big ones prepared.

    Signals
    -------
    changed()
        The report of the vectors in use, or the state of an import, is another one.
    """

    changed = Signal()

    def __init__(self, store: Store, settings: Settings, messages: MessageBar, window: QWidget) -> None:
        super().__init__(window)
        self._store, self._settings, self._messages, self._window = store, settings, messages, window
        self._job: Job | None = None
        self._question: QDialog | None = None
        self._report: ReportDialog | None = None
        self._opened: WeakKeyDictionary[WordVectors, tuple[str, Options]] = WeakKeyDictionary()
        self._told: tuple[Problem, ...] = ()
        self._trainer: Trainer | None = None
        self._training: TrainDialog | None = None
        self._trained = ""
        self.preparation = Preparation(store, messages, self)
        self.preparation.changed.connect(self.changed)
        self.preparation.prepared.connect(self._on_prepared)
        store.changed.connect(self._on_changed)
        store.jobs.ended.connect(self._on_job_ended)
        self._prepare_later()

    @property
    def vectors(self) -> WordVectors:
        """The table in use."""
        return self._store.vectors

    @property
    def part_in_use(self) -> str:
        """How much of its file is in use, if not all."""
        if isinstance(self.vectors, SavedTable):
            return tr("only the words of the session")
        _, options = self._opened.get(self.vectors, ("", None))
        return part_text(self.vectors, None if options is None else options.limit)

    # Opening

    def ask_for_file(self) -> None:
        """Let a file be chosen, and open it."""
        from askew_gui.dialogs.open_vectors import OpenVectorsDialog

        dialog = OpenVectorsDialog(self._settings, self._window)
        dialog.chosen.connect(self.open)
        dialog.open()

    def open(self, path: str, options: Options | None = None) -> None:
        """Open a file; a question that an earlier one left open goes away."""
        options = options or Options()
        if self._question is not None:
            self._question.reject()
        opened = partial(self._on_opened, path, options)
        refused = partial(self._on_refused, path, options)
        self._job = intents.open_vectors(self._store, path, opened, refused, options)

    def open_recent(self, path: str) -> None:
        """Open a file again as it was opened last."""
        kept = self._settings.reading.get(path, {})
        known = {name: value for name, value in kept.items() if name in Options.__dataclass_fields__}
        self.open(path, Options(**known))

    def adopt(self, vectors: WordVectors, path: str, options: Options) -> None:
        """Use a table in place of those of its words that were known: the experiment stays as it is."""
        self._settings.remember_file(str(Path(path).resolve()), chosen(options))
        self._opened[vectors] = path, options
        self._store.register(vectors)
        if self.vectors is vectors:
            self._store.renew()
            self._tell(vectors)
            self._follow_report()
            self._prepare_later()
        self.changed.emit()

    def places(self) -> dict[str, tuple[Path, Options]]:
        """Return by fingerprint the files that tables were opened from, and how they were read."""
        return {
            vectors.fingerprint: (Path(path).absolute(), options)
            for vectors, (path, options) in self._opened.items()
            if path not in BUNDLED
        }

    def _on_job_ended(self, job: Job) -> None:
        if job is self._job:
            self._job = None

    def _on_opened(self, path: str, options: Options, vectors: WordVectors) -> None:
        self._settings.remember_file(str(Path(path).resolve()), chosen(options))
        self._opened[vectors] = path, options
        self._tell(vectors)
        if path == self._trained:
            self._tell_of_training(vectors)
        self._prepare_later()
        self.changed.emit()

    def _on_refused(self, path: str, options: Options, error: AskewError) -> None:
        question = question_of(error, path, options)
        if question is not None:
            from askew_gui.dialogs.vectors_question import QuestionDialog

            self._question = dialog = QuestionDialog(question, self._window)
            dialog.answered.connect(partial(self._open_as_answered, path))
            dialog.finished.connect(self._on_question_finished)
            dialog.open()
        elif isinstance(error, MissingFileError):
            forget = (tr("Remove from the list"), partial(self._settings.forget_file, path))
            known = path in self._settings.recent
            self._store.offer(error, error.remedy, [forget] if known else [])
        else:
            self._store.fail(error)

    def _open_as_answered(self, path: str, options: Options) -> None:
        self._question = None
        self.open(path, options)

    def _on_question_finished(self, _result: int) -> None:
        self._question = None

    # The report

    def _tell(self, vectors: WordVectors) -> None:
        self._told = vectors.report
        if vectors.report:
            level: Level = "info" if is_harmless(vectors.report) else "warning"
            choices = [(tr("Show report"), self.show_report)]
            if has_undecoded(vectors.report):
                choices.append((tr("Read it as Latin-1"), partial(self.read_as, LATIN)))
            self._messages.offer(summary(vectors), "", tuple(choices), level)

    def read_as(self, encoding: str) -> None:
        """Open the vectors in use again, their text in another encoding."""
        if self.vectors in self._opened:
            path, options = self._opened[self.vectors]
            self.open(path, replace(options, encoding=encoding))

    def show_report(self) -> None:
        """Show all problems of the vectors in use."""
        if self._report is None:
            from askew_gui.panels.vectors_report import ReportDialog

            self._report = ReportDialog(self._window)
            self._report.encoding_chosen.connect(self.read_as)
        self._report.show_vectors(self.vectors)
        self._report.show()
        self._report.raise_()
        self._report.activateWindow()

    @property
    def report(self) -> ReportDialog | None:
        """The report, once it was shown."""
        return self._report

    def _on_changed(self, old: Experiment, new: Experiment) -> None:
        if old.vectors == new.vectors:
            return
        self._follow_report()
        self._prepare_later()
        self.changed.emit()

    def _prepare_later(self) -> None:
        if self._job is None:  # else only the first words of the file are known yet
            self.preparation.begin_later()

    def _follow_report(self) -> None:
        if self._report is not None and self._report.isVisible():
            self._report.show_vectors(self.vectors)

    def _on_prepared(self, vectors: WordVectors) -> None:
        if vectors is self.vectors:
            self._store.renew()
            self._follow_report()
            if vectors.report != self._told:  # reading every number has found more
                self._tell(vectors)
        self.changed.emit()

    # Training

    def show_training(self) -> TrainDialog:
        """Show the dialog that trains vectors on a text; return it."""
        if self._trainer is None or self._training is None:
            from askew_gui.dialogs.train import TrainDialog
            from askew_gui.training import Trainer

            self._trainer = Trainer(self)
            self._trainer.trained.connect(self._on_trained)
            self._training = TrainDialog(self._trainer, self._settings, self._window)
        self._training.show()
        self._training.raise_()
        return self._training

    def _on_trained(self, path: str) -> None:
        self._trained = path
        self.open(path)

    def _tell_of_training(self, vectors: WordVectors) -> None:
        text = tr("{} was trained, {} words of {} numbers, and is kept among Askew's own files")
        said = text.format(vectors.name, f"{len(vectors):,}", vectors.dim)
        self._messages.offer(said, "", ((tr("Save as…"), self.save),), "info")

    def save(self) -> QFileDialog:
        """Ask where to save the vectors in use, and do it; return the question."""
        from askew_gui.dialogs.save_vectors import ask_and_save

        return ask_and_save(self._window, self._store, self._settings)

    def close(self) -> None:
        """End what runs, before the window goes."""
        self.preparation.close()
        if self._trainer is not None:
            self._trainer.close()
