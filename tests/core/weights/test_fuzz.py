"""Whatever a file holds, it gives weights or a message: never another error, never much memory or time."""

from __future__ import annotations

import contextlib
import json
import os
import random
import time
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.vectors.test_fuzz import mutated
from tests.core.weights.written import safetensors

from askew.errors import AskewError
from askew.initializers import random_heads
from askew.weights import Choice, load, look, look_text, plan

if TYPE_CHECKING:
    from collections.abc import Callable

    from askew.weights import WeightsFile

DATA = Path(__file__).parents[2] / "data"
ROUNDS = int(os.environ.get("ASKEW_FUZZ", "1500"))
(LIKE,) = random_heads(1, d_model=4, d_k=2, d_v=2, seed=0)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
NAMES = """
q_proj.weight q_proj.bias k_proj.weight in_proj_weight in_proj_bias w_q w_k b_q weight bias m bias_k
h.0.attn.c_attn.weight h.1.attn.c_attn.weight layers.0.self_attn.q_proj.weight __metadata__
"""
names = st.sampled_from(NAMES.split())
entries = st.fixed_dictionaries(
    {
        "dtype": st.sampled_from(["F32", "F16", "BF16", "I8", "BOOL", "F8_E4M3", "F64"]) | json_values,
        "shape": st.lists(st.integers(-1, 16) | st.integers(), max_size=4) | json_values,
        "data_offsets": st.tuples(st.integers(0, 64), st.integers(0, 1024)) | json_values,
    }
)


def use(file: WeightsFile, dice: random.Random) -> None:
    """Do with a file what the window and the command line do, with choices of all kinds."""
    for d_model in (None, 4):
        choice = Choice(
            heads=dice.choice((None, 1, 2, 4)),
            orientation=dice.choice((None, "in-out", "out-in")),
            layer=dice.choice((None, 0, 1)),
            d_k=dice.choice((None, 2)),
            part=dice.choice((None, "k")),
        )
        try:
            what = plan(file, choice, d_model, dice.choice((None, LIKE)))
            imported = load(file, what)
        except AskewError:
            continue
        for part, arrays in imported.parts.items():
            assert len(arrays) == what.heads
            assert all(np.isfinite(array).all() for array in arrays)
            assert part[0] == "b" or {array.shape[0] for array in arrays} == {what.d_model}


@pytest.fixture(scope="module")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("seeds")
    made = [safetensors(folder / "mha.safetensors", {"in_proj_weight": np.ones((12, 4), np.float32)})]
    ones = np.ones((4, 4), np.float32)
    layers = {f"layers.{n}.self_attn.{part}_proj.weight": ones for n in (0, 1) for part in "qkv"}
    made.append(safetensors(folder / "llama.safetensors", layers, {"num_attention_heads": "2"}))
    heads = np.ones((2, 4, 2), np.float32)
    np.savez(folder / "plain.npz", w_q=heads, w_k=heads, w_v=heads)
    np.savez_compressed(folder / "packed.npz", w_q=heads, w_k=heads, w_v=heads)
    made += [folder / "plain.npz", folder / "packed.npz"]
    return made + sorted((DATA / "cases").glob("C*"))


@pytest.mark.timeout(3600)
def test_no_broken_file_gives_more_than_a_message(
    tmp_path: Path, seeds: list[Path], record_property: Callable[[str, object], None]
) -> None:
    longest = largest = 0.0
    opened = 0
    dice = random.Random(os.environ.get("ASKEW_FUZZ_SEED", "askew"))
    for number in range(ROUNDS):
        seed = dice.choice(seeds)
        path = tmp_path / f"mutated{seed.suffix}"
        path.write_bytes(kept := mutated(seed.read_bytes(), dice))
        if number % 10 == 0:  # it makes everything slow
            tracemalloc.start()
        begun = time.process_time()
        try:
            use(look(path), dice)
            opened += 1
        except AskewError:
            pass
        except Exception as error:
            raise AssertionError(f"{seed.name} changed to {kept!r}") from error
        peak = tracemalloc.get_traced_memory()[1]  # 0 where it was not started
        tracemalloc.stop()
        assert peak < 50e6, f"{seed.name} changed to {kept!r}"
        taken = time.process_time() - begun
        assert taken < 5, f"{seed.name} changed to {kept!r}"
        longest, largest = max(longest, taken), max(largest, peak)
    assert opened > ROUNDS // 20
    record_property("longest, seconds", round(longest, 3))
    record_property("largest, MB", round(largest / 1e6, 1))


@given(st.dictionaries(names | st.text(max_size=6), entries | json_values, max_size=6), st.randoms())
def test_no_header_of_safetensors_gives_more_than_a_message(
    header: dict[str, object], dice: random.Random
) -> None:
    path = Path(os.environ["ASKEW_HOME"]).with_name("fuzzed.safetensors")
    head = json.dumps(header).encode()
    path.write_bytes(len(head).to_bytes(8, "little") + head + bytes(1024))
    with contextlib.suppress(AskewError):
        use(look(path), dice)


@given(st.text(alphabet="0123456789.,;-+eE \t\r\n\"'#naif\ufeff", max_size=80), st.randoms())
def test_no_pasted_text_gives_more_than_a_message(text: str, dice: random.Random) -> None:
    with contextlib.suppress(AskewError):
        file = look_text(text)
        assert len(file.tensors[0].shape) == 2
        use(file, dice)
