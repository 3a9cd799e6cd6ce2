#!/bin/sh
# Freezes the program into one folder, build/frozen/askew: from the commit that is checked out, by way of the wheel,
# in an environment of its own with pinned versions.
#
#   sh packaging/freeze.sh
#
# PYTHON=/path/to/python chooses the interpreter, 3.11 to 3.13, built with a shared libpython.
set -eu

cd "$(dirname "$0")/.."
root=$(pwd)
build=$root/build
python=${PYTHON:-python3}

say() { printf 'askew: %s\n' "$*"; }
fail() { printf 'askew: error: %s\n' "$*" >&2; exit 1; }

need() { command -v "$1" >/dev/null 2>&1 || fail "$1 is missing. On Debian and Ubuntu: sudo apt-get install $2"; }

need objdump binutils
need git git
"$python" -c 'import ensurepip, venv' 2>/dev/null ||
    fail "$python lacks venv. On Debian and Ubuntu: sudo apt-get install python3-venv"

# The same sources and versions give the same files.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
PYTHONHASHSEED=1
export SOURCE_DATE_EPOCH PYTHONHASHSEED
umask 022

[ -z "$(git status --porcelain --untracked-files=no)" ] ||
    say "what is not committed is left out: this builds $(git rev-parse --short HEAD)"

say "taking the sources of $(git rev-parse --short HEAD)"
rm -rf "$build/source" "$build/wheel" "$build/frozen" "$build/pyinstaller"
mkdir -p "$build/source" "$build/wheel"
git archive HEAD | tar -x -C "$build/source"

say "making the environment of the build"
venv=$build/freeze-venv
pip="$venv/bin/python -m pip --disable-pip-version-check install --quiet"
pins="--constraint constraints.txt --constraint packaging/build-tools.txt"
mark=$(cat constraints.txt packaging/build-tools.txt pyproject.toml | cksum)
if [ "$(cat "$venv/askew-stamp" 2>/dev/null)" != "$mark" ]; then
    rm -rf "$venv"
    "$python" -m venv "$venv"
    # shellcheck disable=SC2086  # several words
    $pip $pins hatchling && $pip $pins --requirement packaging/build-tools.txt
    printf '%s\n' "$mark" >"$venv/askew-stamp"
fi

say "building the wheel"
(cd "$build/source" && "$venv/bin/python" -m hatchling build -t wheel -d "$build/wheel" >/dev/null)
# shellcheck disable=SC2086  # several words
$pip $pins --force-reinstall --no-deps "$build"/wheel/askew-*.whl && $pip $pins "$build"/wheel/askew-*.whl

say "freezing"
"$venv/bin/python" -m PyInstaller --noconfirm --log-level WARN \
    --distpath "$build/frozen" --workpath "$build/pyinstaller" "$build/source/packaging/freeze/askew.spec"

[ "$(uname -s)" = Linux ] || exit 0
say "trimming"
"$venv/bin/python" "$build/source/packaging/freeze/trim.py" "$build/frozen/askew/_internal"
for library in "$build"/frozen/askew/_internal/PySide6/Qt/lib/libicudata.so.*; do
    "$venv/bin/python" "$build/source/packaging/freeze/icu_data.py" "$library"
done
say "build/frozen/askew: $(du -sm --apparent-size "$build/frozen/askew" | cut -f1) MB"
