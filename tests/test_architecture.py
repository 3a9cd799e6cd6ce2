"""What the code must look like: who may import whom, sizes, and things that are never written."""

from __future__ import annotations

import ast
import logging
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted(
    file
    for folder in ("core/askew", "gui/askew_gui", "assets/askew_assets")
    for file in (ROOT / folder).rglob("*.py")
)
TESTS = sorted((ROOT / "tests").rglob("*.py"))
EVERY_SOURCE = pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))

IMPORT_ALL_OF = """
import importlib, pkgutil, sys, {package}
for module in pkgutil.walk_packages({package}.__path__, "{package}."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""


def modules_after(code: str) -> set[str]:
    """Run `code` in a fresh interpreter and return the top names of what it has imported."""
    report = "\nimport sys\nprint(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", code + report], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def functions(file: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(file.read_text("utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


@cache
def names_to_override() -> frozenset[str]:
    from PySide6 import QtCore, QtGui, QtWidgets

    kinds = (getattr(module, name) for module in (QtCore, QtGui, QtWidgets) for name in dir(module))
    names = {name for kind in kinds if isinstance(kind, type) for name in dir(kind)}
    return frozenset(names | set(dir(logging.Handler)))


def size(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its docstring."""
    lines = (function.end_lineno or 0) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        lines -= (first.end_lineno or 0) - first.lineno + 1
    return lines


@pytest.mark.parametrize("package", ["askew", "askew_assets"])
def test_the_core_imports_neither_qt_nor_what_is_slow_to_import(package: str) -> None:
    loaded = modules_after(IMPORT_ALL_OF.format(package=package))
    assert package in loaded
    assert not loaded & {"PySide6", "shiboken6", "pyqtgraph", "gensim", "scipy", "askew_gui"}


def test_the_command_line_imports_no_qt_before_it_needs_it() -> None:
    loaded = modules_after("import askew_gui.cli")
    assert "askew_gui" in loaded
    assert not loaded & {"PySide6", "shiboken6", "pyqtgraph", "gensim", "scipy"}


def test_the_window_imports_nothing_that_is_slow_to_import() -> None:
    loaded = modules_after(IMPORT_ALL_OF.format(package="askew_gui"))
    assert "PySide6" in loaded
    assert not loaded & {"pyqtgraph", "gensim", "scipy", "hypothesis", "pytest"}


@pytest.mark.parametrize("file", SOURCES + TESTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_files_have_under_400_lines(file: Path) -> None:
    assert len(file.read_text("utf-8").splitlines()) < 400


@EVERY_SOURCE
def test_functions_have_under_40_lines(file: Path) -> None:
    long = {function.name: size(function) for function in functions(file) if size(function) >= 40}
    assert not long


@EVERY_SOURCE
def test_nothing_is_left_to_do_and_nothing_is_unpickled(file: Path) -> None:
    text = file.read_text("utf-8")
    for word in ("TODO", "FIXME", "raise NotImplementedError", "allow_pickle=True", "pickle.load"):
        assert word not in text


@EVERY_SOURCE
def test_no_lambda_keeps_a_widget_alive(file: Path) -> None:
    nodes = list(ast.walk(ast.parse(file.read_text("utf-8"))))
    sorts = {id(node.value) for node in nodes if isinstance(node, ast.keyword) and node.arg == "key"}
    lines = [
        node.lineno
        for node in nodes
        if isinstance(node, ast.Lambda)
        and id(node) not in sorts
        and any(isinstance(name, ast.Name) and name.id == "self" for name in ast.walk(node.body))
    ]
    assert not lines


@EVERY_SOURCE
def test_names_are_snake_case_unless_they_override_a_library(file: Path) -> None:
    odd = {function.name for function in functions(file) if function.name != function.name.lower()}
    assert not odd or not odd - names_to_override()


@pytest.mark.parametrize("package", ["core/askew", "gui/askew_gui", "assets/askew_assets"])
def test_packages_say_that_they_are_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").exists()


def test_the_folder_packaging_does_not_hide_the_package_of_that_name() -> None:
    assert not (ROOT / "packaging" / "__init__.py").exists()


def test_pinned_versions_are_exact_and_name_no_host() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert len(pins) > 20
    for pin in pins:
        requirement, _, marker = pin.partition(";")
        name, _, version = requirement.strip().partition("==")
        assert name, pin
        assert version[:1].isdigit(), pin
        assert not marker or "python_version" in marker, pin
        assert "://" not in pin, pin


@pytest.mark.parametrize("file", TESTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_test_file_has_a_name_that_pytest_finds(file: Path) -> None:
    defines_tests = any(function.name.startswith("test_") for function in functions(file))
    assert not defines_tests or file.name.startswith("test_")


def libraries() -> set[str]:
    """Names of all that pyproject.toml asks for, in lower case."""
    file = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project = file["project"]
    wanted = (
        project["dependencies"] + project["optional-dependencies"]["dev"] + file["build-system"]["requires"]
    )
    return {re.split(r"[<>=!~;\[ ]", requirement)[0].lower() for requirement in wanted}


def test_everything_that_is_asked_for_has_a_pinned_version() -> None:
    pins = (ROOT / "constraints.txt").read_text("utf-8").lower().replace("_", "-")
    assert not {name for name in libraries() if f"\n{name.replace('_', '-')}==" not in pins}


def test_every_library_and_every_bundled_font_is_named_in_the_notices() -> None:
    notices = (ROOT / "THIRD-PARTY.md").read_text("utf-8").lower()
    names = libraries()
    names |= {file.name.lower() for file in (ROOT / "assets/askew_assets/fonts").glob("*.?tf")}
    names |= {file.name.lower() for file in (ROOT / "assets/askew_assets/vectors").glob("*.safetensors")}
    assert len(names) > 15
    assert not {name for name in names if name not in notices}


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "THIRD-PARTY.md"])
def test_what_the_pages_point_at_is_there(page: str) -> None:
    targets = re.findall(r"\]\(([^)]+)\)", (ROOT / page).read_text("utf-8"))
    local = [target for target in targets if "://" not in target]
    assert local or page != "README.md"
    assert not [target for target in local if not (ROOT / target).exists()]


def test_the_command_of_every_target_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    scripts = re.findall(r"(?:packaging|docs)/[a-z_]+\.(?:sh|py)", makefile)
    assert len(scripts) >= 3
    assert not [script for script in scripts if not (ROOT / script).exists()]
