from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from askew.errors import Cancelled, VectorsError
from askew.vectors.training import Progress, Training, train

if TYPE_CHECKING:
    from pathlib import Path

SMALL = Training(dim=8, window=2, least=2, epochs=4, seed=3)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "animals.txt"
    dice = np.random.default_rng(0)
    groups = [["cat", "dog", "mouse"], ["red", "blue", "green"]]
    lines = [" ".join(dice.choice(groups[number % 2], 6)) + "." for number in range(600)]
    path.write_text(
        "Once, it\u2019s l\u2019\u00e9t\u00e9!\n" * 3 + "\n".join(lines) + "\nonly-once\n", "utf-8"
    )
    return path


def test_words_that_are_used_alike_come_near(text: Path) -> None:
    vectors = train(text, SMALL)
    assert vectors.name == "animals"
    assert vectors.dim == 8
    assert "only-once" not in vectors
    assert {".", ",", "it\u2019s", "l\u2019\u00e9t\u00e9", "once"} <= set(vectors)
    near = dict(train(text, Training(dim=8, window=2, least=2, epochs=30)).neighbours("cat", 20))
    assert min(near["dog"], near["mouse"]) > max(near["red"], near["blue"], near["green"]) + 0.3


def test_the_same_seed_gives_the_same_vectors(text: Path) -> None:
    first, second = train(text, SMALL), train(text, SMALL)
    assert first.fingerprint == second.fingerprint
    assert train(text, Training(dim=8, window=2, least=2, epochs=4, seed=4)).fingerprint != first.fingerprint


def test_progress_grows_to_the_end_and_tells_a_loss_each_epoch(text: Path) -> None:
    seen: list[Progress] = []
    train(text, Training(dim=8, window=2, least=2, epochs=20), seen.append)
    assert [each.done for each in seen] == sorted(each.done for each in seen)
    assert seen[-1].done == seen[-1].total == text.stat().st_size * 21
    assert seen[-1].epoch == len(seen[-1].losses) == 20
    assert all(math.isfinite(loss) and loss > 0 for loss in seen[-1].losses)
    assert sum(seen[-1].losses[-5:]) < sum(seen[-1].losses[:5])


@pytest.mark.parametrize("share", [0.05, 0.5, 0.95])
def test_training_can_be_cancelled_at_any_time(text: Path, share: float) -> None:
    def cancel(progress: Progress) -> None:
        if progress.done > share * progress.total:
            raise Cancelled

    with pytest.raises(Cancelled):
        train(text, SMALL, cancel)


def test_a_text_of_rare_words_says_so(text: Path) -> None:
    with pytest.raises(VectorsError, match="no word is there 5000 times"):
        train(text, Training(least=5000))


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(VectorsError, match=r"gone\.txt"):
        train(tmp_path / "gone.txt")


def test_a_text_without_ends_of_lines_is_trained_on_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "one_line.txt"
    path.write_text("cat dog " * 20_000)
    assert set(train(path, Training(dim=4, epochs=1))) == {"cat", "dog"}
