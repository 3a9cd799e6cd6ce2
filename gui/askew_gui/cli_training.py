"""The command with which the window trains vectors in a process of its own."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("train", hidden=True)
@click.argument("text", type=click.Path(path_type=Path))
@click.argument("output", type=click.Path(path_type=Path))
@click.option("--dim", type=click.IntRange(1, 4096), default=100)
@click.option("--window", type=click.IntRange(1, 1000), default=5)
@click.option("--least", type=click.IntRange(min=1), default=5)
@click.option("--epochs", type=click.IntRange(1, 1000), default=5)
@click.option("--skip-gram/--cbow", default=True)
@click.option("--lower/--keep-capitals", default=True)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0)
def train_text(
    text: Path,
    output: Path,
    dim: int,
    window: int,
    least: int,
    epochs: int,
    skip_gram: bool,
    lower: bool,
    seed: int,
) -> None:
    """Train on TEXT and write safetensors to OUTPUT, as the helper of a window."""
    from askew.vectors.training import Recipe, train
    from askew.vectors.writing import write_vectors
    from askew_gui.background import helping_a_window, say

    def tell_loss(epoch: int, loss: float) -> None:
        say(epoch=epoch, loss=loss)

    with helping_a_window() as told:
        recipe = Recipe(dim, window, least, epochs, skip_gram, lower, seed)
        write_vectors(train(text, recipe, told, tell_loss), output, "safetensors")
