"""Weights of heads in files and pasted tables: looked at, planned, then read; nothing in a file is ever run.

file = look("model.safetensors")
what = plan(file, Choice(layer=0, heads=12), d_model=768)   # roles, notes, questions: nothing was read yet
imported = load(file, what)                                 # only the tensors that are needed
"""

from __future__ import annotations

from askew.weights.loading import load
from askew.weights.looking import look, look_text
from askew.weights.model import (
    Choice,
    Imported,
    Needs,
    Plan,
    Question,
    Role,
    Stack,
    Tensor,
    WeightsFile,
)
from askew.weights.planning import plan

__all__ = [
    "Choice",
    "Imported",
    "Needs",
    "Plan",
    "Question",
    "Role",
    "Stack",
    "Tensor",
    "WeightsFile",
    "load",
    "look",
    "look_text",
    "plan",
]
