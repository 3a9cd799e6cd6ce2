"""Word vectors: bundled ones and files of any common format."""

from __future__ import annotations

from askew.vectors.opening import open_vectors
from askew.vectors.table import Problem, WordVectors

__all__ = ["Problem", "WordVectors", "open_vectors"]
