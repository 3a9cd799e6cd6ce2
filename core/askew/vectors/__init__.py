"""Word vectors: bundled ones and files of any common format."""

from __future__ import annotations

from askew.vectors.opening import open_vectors
from askew.vectors.problems import ChoiceNeededError, DamagedError, Problem
from askew.vectors.table import WordVectors

__all__ = ["ChoiceNeededError", "DamagedError", "Problem", "WordVectors", "open_vectors"]
