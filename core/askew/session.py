"""A session: one or more experiments side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from askew.experiment import Experiment


@dataclass(frozen=True, slots=True)
class Session:
    """Variants of an experiment, which of them is shown, and the title."""

    variants: tuple[Experiment, ...]
    active: int = 0
    title: str = ""

    @property
    def experiment(self) -> Experiment:
        """The variant that is shown."""
        return self.variants[self.active]
