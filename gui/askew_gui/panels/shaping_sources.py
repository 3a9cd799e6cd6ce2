"""The two sources of a blend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askew import edits
from askew.heads import Recipe
from askew.initializers import draw_head
from askew_gui import intents
from askew_gui.i18n import tr
from askew_gui.widgets.fields import Choice

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from askew.experiment import Experiment
    from askew.heads import Head

NOW, RANDOM, IDENTITY, TRAINED, OTHER = "now", "random", "identity", "trained", "head:"


def sources_of(experiment: Experiment) -> list[str]:
    """Return the names of what the selected heads can be blended from."""
    first = experiment.heads[0]
    names = [NOW, RANDOM]
    if max(first.d_k, first.d_v) <= first.d_model:
        names.append(IDENTITY)
    if all(edits.trained_head(experiment, h) is not None for h in experiment.selected):
        names.append(TRAINED)
    if len(experiment.heads) > 1:
        names += [f"{OTHER}{h}" for h in range(len(experiment.heads))]
    return names


def source_head(experiment: Experiment, h: int, name: str, seed: int) -> Head:
    """Return what the source gives for head `h`."""
    head = experiment.heads[h]
    if name == RANDOM:
        return edits.randomized(experiment, seed, heads=(h,), over_locks=True).heads[h]
    if name == IDENTITY:
        return draw_head(Recipe("identity", 0, h), head.d_model, head.d_k, head.d_v)
    if name == TRAINED:
        return edits.trained_head(experiment, h) or head
    if name.startswith(OTHER):
        return experiment.heads[int(name.removeprefix(OTHER))]
    return head


class SourceChoice(Choice):
    """A choice of source; choosing `random` again draws another seed."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__([], parent)
        self.seed = intents.new_seed()
        self._preferred = name
        self._names: list[str] = []
        self.activated.connect(self._chosen)

    def refresh(self, experiment: Experiment) -> None:
        """Offer what fits the experiment now."""
        names = sources_of(experiment)
        if names == self._names:
            return
        chosen = self.name or self._preferred
        self._names = names
        self.clear()
        for name in names:
            self.addItem(self._text(name), name)
        self.show_name(chosen if chosen in names else self._preferred)

    @staticmethod
    def _text(name: str) -> str:
        if name.startswith(OTHER):
            return tr("head {}").format(name.removeprefix(OTHER))
        texts = {
            NOW: tr("as it is now"),
            RANDOM: tr("random"),
            IDENTITY: tr("identity"),
            TRAINED: tr("trained"),
        }
        return texts[name]

    def _chosen(self) -> None:
        if self.name == RANDOM:
            self.seed = intents.new_seed()
