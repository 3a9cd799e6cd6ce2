"""The command line: numbers, errors, exit codes, and what is not loaded."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from click.testing import CliRunner

import askew_assets
from askew_gui.cli import main
from askew_gui.terminal import TerminalProgress

if TYPE_CHECKING:
    from click.testing import Result

    from askew.arrays import Float64

SENTENCE = "the animal did not cross the street because it was too tired"
PROMISED = ("--text", SENTENCE, "--heads", "5", "--d-k", "10", "--d-v", "10", "--seed", "0")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="askew")


def computed(*arguments: str) -> dict[str, Any]:
    result = run("compute", *arguments, "-o", "-")
    assert result.exit_code == 0, result.stderr
    data: dict[str, Any] = json.loads(result.stdout)
    return data


def failure(*arguments: str) -> str:
    """Return the one line said about something the user can mend."""
    result = run(*arguments)
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("askew: error: ")
    return lines[0].removeprefix("askew: error: ")


def softmax(scores: Float64) -> Float64:
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True))


def test_the_promised_numbers_come_out_of_a_process_of_its_own() -> None:
    arguments = [sys.executable, "-m", "askew_gui", "compute", *PROMISED, "-o", "-"]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
    data = json.loads(done.stdout)
    pattern = data["raw"]["pattern"]
    assert pattern[0][0] == pytest.approx(0.16901, abs=2e-4)
    assert pattern[1][1] == pytest.approx(0.37532, abs=2e-4)
    assert pattern[8][1] == pytest.approx(0.03099, abs=2e-4)
    assert data["raw"]["dot"][0][0] == pytest.approx(24.683, abs=2e-3)
    assert data["tokens"] == SENTENCE.split()
    assert [head["d_k"] for head in data["heads"]] == [10] * 5


def test_heads_drawn_with_numpy_alone_give_the_same_patterns() -> None:
    data = computed(*PROMISED)
    x = vectors_of(SENTENCE)
    for h, head in enumerate(data["heads"]):
        g = np.random.default_rng([0, h])
        w_q, w_k, w_v = (
            (g.standard_normal((50, 10)) / np.sqrt(50)).astype(np.float32).astype(np.float64) for _ in "qkv"
        )
        scores = (x @ w_q) @ (x @ w_k).T / np.sqrt(10)
        pattern = softmax(scores)
        np.testing.assert_allclose(head["scores"], scores, atol=1e-5)
        np.testing.assert_allclose(head["pattern"], pattern, atol=1e-6)
        np.testing.assert_allclose(head["outputs"], pattern @ (x @ w_v), atol=1e-5)
        np.testing.assert_allclose(head["difference"], pattern - data["raw"]["pattern"], atol=1e-6)


def vectors_of(text: str) -> Float64:
    """Read the word vectors with numpy and json alone."""
    path = next(Path(askew_assets.__file__).parent.glob("vectors/glove*.safetensors"))
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])

    def tensor(name: str) -> bytes:
        first, last = header[name]["data_offsets"]
        return content[start + first : start + last]

    words = tensor("vocab_utf8").decode().split("\n")
    matrix = np.frombuffer(tensor("vectors"), np.float16).reshape(header["vectors"]["shape"])
    return matrix[[words.index(word) for word in text.split()]].astype(np.float64)


def test_an_identity_head_looks_at_itself_first_in_ten_of_twelve_rows_and_gives_raw_back() -> None:
    data = computed("--text", SENTENCE, "--heads", "1", "--init", "identity")
    head = data["heads"][0]
    assert head["d_k"] == data["d_model"] == 50
    assert head["measures"]["self_first"] == pytest.approx(0.833, abs=5e-4)
    np.testing.assert_allclose(head["pattern"], data["raw"]["pattern"], atol=1e-6)


def test_without_flags_the_defaults_are_those_of_the_manual() -> None:
    assert computed() == computed(
        *PROMISED,
        *("--init", "gaussian", "--gain", "1", "--mask", "none", "--normalize", "none", "--temperature", "1"),
        *("--raw", "scaled", "--compare", "as-is", "--unknown", "drop", "--vectors", "glove-6b-50d"),
        *("--scoring", "scaled-dot"),
    )


def test_width_follows_the_number_of_heads_unless_it_is_given() -> None:
    data = computed("--heads", "12", "--d-v", "3")
    assert [head["d_k"] for head in data["heads"]] == [4] * 12
    assert np.shape(data["heads"][0]["outputs"]) == (12, 3)
    assert computed("--heads", "60")["heads"][0]["d_k"] == 1


def test_a_head_does_not_change_when_heads_are_added() -> None:
    few, many = computed("--heads", "2", "--d-k", "10"), computed("--heads", "4", "--d-k", "10")
    assert few["heads"][1]["scores"] == many["heads"][1]["scores"]


def test_flags_override_an_example() -> None:
    example = computed("--example", "glove-random")
    assert computed("--example", "glove-random", "--normalize", "layer", "--seed", "0") == example
    other = computed("--example", "glove-random", "--seed", "1")
    assert other["raw"] == example["raw"]
    assert other["heads"][0]["d_k"] == example["heads"][0]["d_k"] == 10
    assert other == computed("--normalize", "layer", "--gain", "2", "--seed", "1")
    assert computed("--example", "tied", "--heads", "1")["heads"][0]["measures"]["asymmetry"] < 1e-12


@pytest.mark.parametrize(
    ("flags", "changes_raw"),
    [
        (("--mask", "causal"), True),
        (("--temperature", "2"), True),
        (("--normalize", "unit"), True),
        (("--scoring", "cosine"), False),
        (("--compare", "matched"), False),
        (("--gain", "3"), False),
        (("--init", "low-rank", "--rank", "1"), False),
    ],
)
def test_every_flag_reaches_the_numbers(flags: tuple[str, ...], changes_raw: bool) -> None:
    plain, changed = computed(), computed(*flags)
    assert (plain["raw"]["pattern"] != changed["raw"]["pattern"]) == changes_raw
    assert plain["heads"][0] != changed["heads"][0]


def test_unknown_words_are_named_on_stderr_and_in_the_file() -> None:
    result = run("compute", "--text", "the zzyzxq cat", "-o", "-")
    assert result.stderr == "askew: note: 1 unknown word left out: zzyzxq\n"
    data = json.loads(result.stdout)
    assert (data["tokens"], data["unknown"]) == (["the", "cat"], ["zzyzxq"])
    kept = computed("--text", "the zzyzxq cat", "--unknown", "keep")
    assert kept["tokens"] == ["the", "zzyzxq", "cat"]
    assert kept["heads"][0]["pattern"][1] == [None, None, None]


def test_a_file_is_written_whole_and_replaced(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    target.write_text("old")
    assert run("compute", "-o", str(target)).exit_code == 0
    assert json.loads(target.read_text(encoding="utf-8")) == computed()
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["out.json"]


def test_a_place_that_cannot_be_written_is_named_with_the_reason(tmp_path: Path) -> None:
    target = tmp_path / "nowhere" / "out.json"
    assert failure("compute", "-o", str(target)).startswith(
        f"cannot write {target}: no such file or directory"
    )


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--heads", "0"), "the number of heads is 0"),
        (("--d-k", "0"), "d_k is 0"),
        (("--d-v", "-3"), "d_v is -3"),
        (("--heads", "100000000"), "100,000,000 heads are more than can be shown"),
        (("--d-k", "100000000"), "50,000,002,500 numbers"),
        (("--seed", "-1"), "seed is -1"),
        (("--gain", "nan"), "gain is nan"),
        (("--gain", "inf"), "gain is inf"),
        (("--gain", "1e300"), "not finite"),
        (("--temperature", "0"), "temperature is 0"),
        (("--temperature", "-1"), "temperature is -1"),
        (("--temperature", "nan"), "temperature is nan"),
        (("--temperature", "inf"), "temperature is inf"),
        (("--init", "identity", "--d-k", "51"), "51 columns and only 50 rows"),
        (("--rank", "2"), "rank is for low-rank"),
        (("--init", "low-rank", "--rank", "0"), "rank is 0"),
        (("--init", "low-rank", "--rank", "99999999"), "Choose 1 to 10"),
        (("--text", "zzyzxq"), "no word of the text has a vector in glove-6b-50d: 'zzyzxq'"),
        (("--text", " "), "it is empty"),
        (("--vectors", "none.txt"), "none.txt"),
        (("--vectors", ""), "holds no vectors"),
        (("--weights", "none.npz"), "cannot read none.npz: no such file"),
    ],
)
@pytest.mark.parametrize("command", ["compute", "render"])
def test_what_the_user_can_mend_is_one_line_and_exit_code_one(
    command: str, flags: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    target = tmp_path / ("out.json" if command == "compute" else "out.png")
    assert said in failure(command, *flags, "-o", str(target))
    assert not target.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("compute",),
        ("compute", "-o", "out.npz"),
        ("compute", "-o", ""),
        ("compute", "-o", "-", "--heads", "many"),
        ("compute", "-o", "-", "--mask", "sideways"),
        ("compute", "-o", "-", "--example", "nothing"),
        ("compute", "-o", "-", "--positions", "rope"),
        ("compute", "-o", "-", "surplus"),
        ("vectors",),
        ("vectors", "burn"),
        ("comptue",),
        ("--nonsense",),
    ],
)
def test_wrong_usage_is_exit_code_two(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Usage: askew" in result.stderr
    assert result.stdout == ""


def test_unknown_words_that_nobody_can_see_are_named_by_their_code_points() -> None:
    said = run("compute", "--text", "the \x1b cat \u202e zzyzxq", "--heads", "1", "-o", "-").stderr
    assert said == "askew: note: 3 unknown words left out: U+001B, U+202E, zzyzxq\n"


def test_version_and_list_of_vectors() -> None:
    assert run("--version").stdout == f"askew {version('askew')}\n"
    assert run("vectors", "list").stdout == "glove-6b-50d\t50,000 words\t50 numbers per word\n"


def saved_heads(folder: Path, heads: int = 2, d_model: int = 50, d_k: int = 7, d_v: int = 3) -> str:
    g = np.random.default_rng(5)
    path = folder / "heads.npz"
    np.savez(
        path,
        w_q=g.standard_normal((heads, d_model, d_k)) / 7,
        w_k=g.standard_normal((heads, d_model, d_k)) / 7,
        w_v=g.standard_normal((heads, d_model, d_v)),
        b_q=g.standard_normal((heads, d_k)),
        b_k=g.standard_normal((heads, d_k)),
        b_v=g.standard_normal((heads, d_v)),
    )
    return str(path)


def test_weights_come_from_a_file_and_scoring_from_the_flags(tmp_path: Path) -> None:
    path = saved_heads(tmp_path)
    data = computed("--weights", path, "--text", SENTENCE)
    x = vectors_of(SENTENCE)
    with np.load(path) as file:
        w = {name: file[name].astype(np.float32).astype(np.float64) for name in file.files}
    for h, head in enumerate(data["heads"]):
        scores = (x @ w["w_q"][h] + w["b_q"][h]) @ (x @ w["w_k"][h] + w["b_k"][h]).T / np.sqrt(7)
        np.testing.assert_allclose(head["pattern"], softmax(scores), atol=1e-5)
        np.testing.assert_allclose(
            head["outputs"], softmax(scores) @ (x @ w["w_v"][h]) + w["b_v"][h], atol=1e-4
        )
    dot = computed("--weights", path, "--scoring", "dot")
    np.testing.assert_allclose(
        dot["heads"][0]["scores"], np.sqrt(7) * np.array(data["heads"][0]["scores"]), rtol=1e-4
    )


def test_weights_that_do_not_fit_the_vectors_are_refused_with_both_numbers(tmp_path: Path) -> None:
    path = saved_heads(tmp_path, d_model=384)
    said = failure("compute", "-o", "-", "--weights", path)
    assert "heads.npz" in said
    assert "384" in said
    assert "glove-6b-50d has 50" in said


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--heads", "3"), "heads is 2 in it, and 3 was asked for. Leave out --heads"),
        (("--d-k", "5"), "d_k is 7 in it, and 5 was asked for. Leave out --d-k"),
        (("--gain", "2"), "Leave out --seed, --init, --gain and --rank"),
        (("--seed", "0"), "Leave out --seed, --init, --gain and --rank"),
    ],
)
def test_weights_and_other_wishes_must_agree(tmp_path: Path, flags: tuple[str, str], said: str) -> None:
    path = saved_heads(tmp_path)
    assert said in failure("compute", "-o", "-", "--weights", path, *flags)
    assert computed("--weights", path, "--heads", "2", "--d-k", "7") == computed("--weights", path)


def test_vectors_of_a_file_are_read_and_their_problems_told(tmp_path: Path) -> None:
    path = tmp_path / "toy.txt"
    path.write_text("red 0.5 -0.25 0.125 1\nsky 0 0.75 -0.5 0.25\nred 9 9 9 9\n", encoding="utf-8")
    result = run("compute", "--vectors", str(path), "--text", "red sky", "--heads", "1", "-o", "-")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["raw"]["dot"][0][0] == 1.328125
    assert result.stderr.startswith("askew: note: toy.txt: ")
    assert "red" in result.stderr
    assert "%" not in result.stderr, "progress is for terminals"


@pytest.mark.parametrize("arguments", [("compute", "-o", "-"), ("vectors", "list"), ("--help",)])
def test_commands_of_numbers_load_no_qt_gensim_scipy_or_pyqtgraph(arguments: tuple[str, ...]) -> None:
    script = (
        "import sys, atexit\n"
        "heavy = ('PySide6', 'shiboken6', 'gensim', 'scipy', 'pyqtgraph')\n"
        "loaded = lambda: [name for name in sys.modules if name.split('.')[0] in heavy]\n"
        "atexit.register(lambda: print(*loaded(), file=sys.stderr))\n"
        f"sys.argv = ['askew', *{arguments!r}]\n"
        "from askew_gui.cli import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr.strip() == ""
    assert done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of Unix")
def test_a_reader_that_goes_away_is_no_error_message() -> None:
    script = f"{sys.executable} -m askew_gui compute --heads 60 -o - | head -c 10"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == '{"format":'
    assert done.stderr == ""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a device of Linux")
@pytest.mark.parametrize(
    ("command", "place"),
    [
        ("compute -o -", "/dev/full"),
        ("compute -o -", "&-"),
        ("vectors get glove-6b-50d cat --json", "/dev/full"),
        ("vectors get glove-6b-50d cat --json", "&-"),
        ("--version", "/dev/full"),
    ],
)
def test_a_full_disk_or_nothing_behind_stdout_is_told_in_one_line(command: str, place: str) -> None:
    script = f"{sys.executable} -m askew_gui {command} >{place}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=False)
    why = "no space left on device" if place == "/dev/full" else "it is closed"
    assert done.returncode == 1
    assert done.stderr.lower().startswith("askew: error: ")
    assert done.stderr.lower().endswith(f": {why}.\n")
    assert done.stderr.count("\n") == 1


INTERRUPTED = """
import os, signal, sys
class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupts())
sys.argv = ["askew", *{arguments!r}]
from askew_gui import start
start.main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("numpy", ["compute", "-o", "-"]),
        ("askew_gui.cli", ["vectors", "list"]),
        ("askew.results", ["compute", "-o", "-"]),
        ("askew_gui.rendering", ["render", "-o", "maps.png"]),
        ("askew_gui.window", ["self-test"]),
    ],
)
def test_ctrl_c_is_no_traceback_at_any_time(module: str, arguments: list[str], tmp_path: Path) -> None:
    script = INTERRUPTED.format(module=module, arguments=arguments)
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode in (1, -signal.SIGINT)
    assert done.stderr.strip() in ("", "Aborted!")
    assert done.stdout == ""
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix")
def test_nothing_behind_stderr_and_stdin_is_no_matter() -> None:
    script = f"{sys.executable} -m askew_gui compute --text 'the zzyzxq cat' -o - 2>&- <&-"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(done.stdout)["unknown"] == ["zzyzxq"]


class Terminal(io.StringIO):
    """A stderr that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_is_shown_once_a_percent_on_a_terminal_and_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    progress = TerminalProgress("toy.txt")
    for done in range(0, 1001, 2):
        progress(done, 1000)
    progress.close()
    shown = terminal.getvalue().split("\r")[1:]
    assert shown[:2] == ["Reading toy.txt: 0 %", "Reading toy.txt: 1 %"]
    assert shown[100] == "Reading toy.txt: 100 %"
    assert len(shown) == 102
    assert not shown[-1].strip("\x1b[K")


def test_progress_that_never_was_leaves_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    TerminalProgress("toy.txt").close()
    assert terminal.getvalue() == ""
