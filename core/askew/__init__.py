"""The maths and the data of Askew; no Qt.

import askew
vectors = askew.open_vectors("glove-6b-50d")
heads = askew.random_heads(8, d_model=vectors.dim, d_k=8, d_v=8, seed=0)
experiment = askew.Experiment(text="the cat sat on the mat", vectors=vectors.ref, heads=heads)
result = askew.evaluate(experiment, vectors)
result.pattern  # (8, 6, 6)
"""

from __future__ import annotations

from askew.errors import AskewError
from askew.experiment import Evaluation, Experiment, VectorsRef, evaluate
from askew.heads import Head
from askew.initializers import random_heads
from askew.session import Session
from askew.vectors import WordVectors, open_vectors

__all__ = [
    "AskewError",
    "Evaluation",
    "Experiment",
    "Head",
    "Session",
    "VectorsRef",
    "WordVectors",
    "evaluate",
    "open_vectors",
    "random_heads",
]
