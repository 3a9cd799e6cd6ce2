"""What goes into the frozen program: the rules by which files, libraries and data of ICU stay or go."""

from __future__ import annotations

import importlib.util
import struct
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "packaging" / "freeze"


def script(name: str) -> Any:  # noqa: ANN401  (a module that is no part of a package)
    """Return a script of the packaging as a module."""
    sys.path.insert(0, str(FOLDER))
    try:
        spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(FOLDER))
    return module


what_ships, trim, icu_data = script("what_ships"), script("trim"), script("icu_data")


@pytest.mark.parametrize(
    "target",
    [
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforms/libqoffscreen.so",
        "PySide6/Qt/plugins/wayland-shell-integration/libxdg-shell.so",
        "PySide6\\plugins\\platforms\\qwindows.dll",
        "libxcb-cursor.so.0",
        "numpy.libs/libgcc_s-1234.so.1",
        "askew_assets/vectors/glove.6B.50d.top50k.f16.safetensors",
        "askew_gui/commit.txt",
    ],
)
def test_what_the_program_needs_ships(target: str) -> None:
    assert what_ships.ships(target)


@pytest.mark.parametrize(
    "target",
    [
        "PySide6/Qt/plugins/platforms/libqvnc.so",
        "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
        "PySide6/Qt/plugins/tls/libqopensslbackend.so",
        "PySide6/Qt/translations/qtbase_de.qm",
        "libstdc++.so.6",
        "libxcb.so.1",
        "libGL.so.1",
        "gensim/models/word2vec_inner.pyx",
    ],
)
def test_what_it_does_not_need_and_what_the_system_has_does_not(target: str) -> None:
    assert not what_ships.ships(target)


def test_only_what_loads_without_its_symbols_is_stripped() -> None:
    assert what_ships.may_be_stripped("libpython3.11.so.1.0")
    assert what_ships.may_be_stripped("gensim/models/word2vec_inner.so")
    assert not what_ships.may_be_stripped("numpy.libs/libscipy_openblas64_.so")
    assert not what_ships.may_be_stripped("PySide6/Qt/lib/libQt6Core.so.6")


def test_nothing_that_the_program_imports_is_left_out() -> None:
    sources = [file.read_text("utf-8") for file in (ROOT / "gui").rglob("*.py")]
    sources += [file.read_text("utf-8") for file in (ROOT / "core").rglob("*.py")]
    for name in what_ships.LEFT_OUT:
        for source in sources:
            assert f"import {name}\n" not in source
            assert f"from {name} import" not in source


def test_no_process_pool_could_open_second_windows() -> None:
    for folder in ("core", "gui"):
        for file in (ROOT / folder).rglob("*.py"):
            source = file.read_text("utf-8")
            for word in ("multiprocessing", "ProcessPoolExecutor", "os.fork"):
                assert word not in source, file


def test_libraries_go_that_only_other_goers_need() -> None:
    needs: Mapping[str, set[str]] = {
        "plugin.so": {"liba.so.1"},
        "liba.so.1": set(),
        "libgtk.so.3": {"libpango.so.1"},
        "libpango.so.1": {"liba.so.1"},
    }
    helping = ["liba.so.1", "libgtk.so.3", "libpango.so.1"]
    assert trim.unneeded(needs, helping) == {"libgtk.so.3", "libpango.so.1"}


def icu(items: Mapping[str, bytes]) -> bytes:
    """Return data in ICU's format, with a header of 32 bytes."""
    header = struct.pack("<H", 32) + bytes(30)
    packed: bytes = icu_data._packed([(name.encode(), body) for name, body in sorted(items.items())])
    return header + packed


def items_of(data: bytes) -> dict[str, bytes]:
    """Read what `icu` wrote, by the format's own description."""
    body = data[32:]
    (count,) = struct.unpack_from("<I", body)
    toc = [struct.unpack_from("<II", body, 4 + 8 * i) for i in range(count)]
    ends = [start for _, start in toc[1:]] + [len(body)]
    return {
        body[name : body.index(b"\0", name)].decode(): body[start:end]
        for (name, start), end in zip(toc, ends, strict=True)
    }


def test_of_icu_single_languages_go_and_the_rest_is_the_same() -> None:
    kept = {
        "icudt73l/uprops.icu": bytes(range(48)),
        "icudt73l/ibm-1252_P100-2000.cnv": b"c" * 16,
        "icudt73l/root.res": b"r" * 32,
        "icudt73l/coll/root.res": b"R" * 16,
        "icudt73l/coll/ucadata.icu": b"u" * 16,
        "icudt73l/timezoneTypes.res": b"t" * 16,
    }
    gone = {
        "icudt73l/de.res": b"d" * 16,
        "icudt73l/zh_Hant_TW.res": b"z" * 16,
        "icudt73l/coll/sv.res": b"s" * 16,
        "icudt73l/lang/en.res": b"l" * 16,
    }
    trimmed = icu_data.trimmed(icu(kept | gone))
    assert items_of(trimmed) == kept
    assert icu_data.trimmed(trimmed) == trimmed
