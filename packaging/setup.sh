#!/bin/sh
# Builds the environment in .venv, if it is missing or out of date, and sees that the system libraries are there.
#
#   sh packaging/setup.sh           what pictures and most tests need
#   sh packaging/setup.sh screen    also what a window on a screen needs
#   sh packaging/setup.sh tests     also the programs with which tests look at exported drawings
#
# As root, or where sudo works, missing packages of Debian and Ubuntu are installed; else they are named.
# PYTHON=/path/to/python chooses the interpreter.
set -eu

cd "$(dirname "$0")/.."
root=$(pwd)
venv=$root/.venv
stamp=$venv/askew-stamp
oldest=11
newest=13
say_where='Install one and say where it is:  PYTHON=/path/to/python3.12 make run'

say() { printf 'askew: %s\n' "$*"; }
fail() { printf 'askew: error: %s\n' "$*" >&2; exit 1; }

# ---- packages of the system --------------------------------------------------------------------------------

lists_are_fresh=no

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@"
    fi
}

may_install() {
    command -v apt-get >/dev/null 2>&1 || return 1
    [ "$(id -u)" = 0 ] && return 0
    command -v sudo >/dev/null 2>&1 || return 1
    [ -t 0 ] || sudo -n true 2>/dev/null
}

refresh_lists() {
    [ "$lists_are_fresh" = yes ] && return 0
    say "asking the system for its list of packages"
    as_root apt-get -q update </dev/null >/dev/null || say "the list could not be refreshed; going on with the old one"
    lists_are_fresh=yes
}

install() {
    may_install || fail "packages of the system are missing. Run:  sudo apt-get install $*"
    refresh_lists
    say "installing with apt-get: $*"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install "$@" \
        </dev/null >/dev/null || fail "apt-get could not install them. Run:  sudo apt-get install $*"
}

# ---- the interpreter ---------------------------------------------------------------------------------------

is_right() {
    "$1" -c "import sys; sys.exit(not (3, $oldest) <= sys.version_info[:2] <= (3, $newest))" >/dev/null 2>&1
}

makes_environments() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1; }

# Prints the first interpreter that fits; one that can make environments goes before one that cannot.
find_python() {
    if [ -n "${PYTHON:-}" ]; then
        is_right "$PYTHON" || fail "PYTHON=$PYTHON is not a Python 3.$oldest to 3.$newest"
        printf '%s\n' "$PYTHON"
        return
    fi
    spare=
    for name in python3 python3.13 python3.12 python3.11 /usr/bin/python3; do
        is_right "$name" || continue
        if makes_environments "$name"; then
            printf '%s\n' "$name"
            return
        fi
        spare=${spare:-$name}
    done
    printf '%s\n' "$spare"
}

minor_of() { "$1" -c 'import sys; print(sys.version_info[1])'; }

# Prints the packages that bring a fitting Python.
python_packages() {
    candidate=$(apt-cache policy python3 2>/dev/null | sed -n 's/^ *Candidate: 3\.\([0-9]*\)\..*/\1/p')
    if [ -n "$candidate" ] && [ "$candidate" -ge $oldest ] && [ "$candidate" -le $newest ]; then
        printf 'python3 python3-venv\n'
        return
    fi
    for minor in 13 12 11; do
        if apt-cache show "python3.$minor-venv" >/dev/null 2>&1; then
            printf 'python3.%s python3.%s-venv\n' $minor $minor
            return
        fi
    done
    [ -n "$candidate" ] || printf 'python3 python3-venv\n'
}

# Prints the packages that are missing before an environment can be made.
packages_for_python() {
    python=$(find_python)
    if [ -n "$python" ]; then
        makes_environments "$python" || printf 'python3.%s-venv\n' "$(minor_of "$python")"
        return
    fi
    command -v apt-get >/dev/null 2>&1 || fail "no Python 3.$oldest to 3.$newest found. $say_where"
    packages=$(python_packages)
    [ -n "$packages" ] || fail "this system has no Python 3.$oldest to 3.$newest. $say_where"
    printf '%s\n' "$packages"
}

choose_python() {
    python=$(find_python)
    [ -n "$python" ] || fail "still no Python 3.$oldest to 3.$newest found. $say_where"
    makes_environments "$python" || fail "$python lacks the modules venv and ensurepip"
}

# ---- the environment ---------------------------------------------------------------------------------------

mark_of() { printf '%s %s\n' "$(cat pyproject.toml constraints.txt packaging/setup.sh | cksum)" "$root"; }

is_up_to_date() {
    [ -x "$venv/bin/python" ] && [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(mark_of)" ] &&
        "$venv/bin/python" -c '' 2>/dev/null
}

is_sound() { is_right "$venv/bin/python" && "$venv/bin/python" -m pip --version >/dev/null 2>&1; }

build_environment() {
    if [ -e "$venv" ] && ! is_sound; then
        say "removing .venv, which no longer works"
        rm -rf "$venv"
    fi
    if [ ! -e "$venv" ]; then
        choose_python
        say "making the environment .venv with $("$python" -V)"
        "$python" -m venv "$venv" || { rm -rf "$venv"; fail "the environment could not be made"; }
    fi
    rm -f "$stamp"
    say "installing the pinned packages into .venv (about 600 MB; some minutes the first time)"
    pip="$venv/bin/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt"
    { $pip hatchling && $pip --no-build-isolation --editable '.[dev]'; } </dev/null ||
        fail "pip could not install the packages; see its message above. Run the same command again to go on"
    mark_of >"$stamp"
}

# ---- libraries of the system -------------------------------------------------------------------------------

# File and the package of Debian and Ubuntu that brings it.
pictures_need='
libglib-2.0.so.0 libglib2.0-0
libGL.so.1 libgl1
libEGL.so.1 libegl1
libfontconfig.so.1 libfontconfig1
libxkbcommon.so.0 libxkbcommon0
libdbus-1.so.3 libdbus-1-3'
screens_need='
libxcb-cursor.so.0 libxcb-cursor0
libxcb-icccm.so.4 libxcb-icccm4
libxcb-image.so.0 libxcb-image0
libxcb-keysyms.so.1 libxcb-keysyms1
libxcb-render-util.so.0 libxcb-render-util0
libxcb-xkb.so.1 libxcb-xkb1
libxkbcommon-x11.so.0 libxkbcommon-x11-0
libxcb-shape.so.0 libxcb-shape0'

# Program and the package of Debian that brings it.
viewers='
chromium chromium
pdftotext poppler-utils'

# Prints those of the given libraries that are missing, as "file package" lines.
missing_of() {
    known=$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null) || return 0
    printf '%s\n' "$1" | while read -r file package; do
        [ -n "$file" ] || continue
        case $known in
            *"$file "*) ;;
            *) printf '%s %s\n' "$file" "$package" ;;
        esac
    done
}

# Prints the missing libraries, for a screen too if so asked.
missing_libraries() {
    [ "$(uname -s)" = Linux ] || return 0
    needed=$pictures_need
    [ "${1:-}" = screen ] && needed="$needed$screens_need"
    missing_of "$needed"
}

# ---- all of it ---------------------------------------------------------------------------------------------

names_of() { printf '%s\n' "$1" | cut -d' ' -f1 | tr '\n' ' '; }

see_to_packages() {
    libraries=$(missing_libraries "${1:-}")
    packages=
    if [ -n "$libraries" ]; then
        say "missing system libraries: $(names_of "$libraries")"
        command -v apt-get >/dev/null 2>&1 || fail "install the packages of your system that bring these libraries"
        packages=$(printf '%s\n' "$libraries" | cut -d' ' -f2)
    fi
    if ! is_up_to_date && ! is_sound; then
        [ -n "$(find_python)" ] || ! may_install || refresh_lists
        packages="$packages $(packages_for_python)"
    fi
    packages=$(printf '%s' "$packages" | tr -s '\n ' '  ' | sed 's/^ //; s/ $//')
    [ -n "$packages" ] || return 0
    # shellcheck disable=SC2086  # several packages
    install $packages
    libraries=$(missing_libraries "${1:-}")
    [ -z "$libraries" ] || fail "still missing after apt-get: $(names_of "$libraries")"
}

# Installs the programs that look at drawings where that can be done; tests say which of them they miss.
see_to_viewers() {
    packages=$(printf '%s\n' "$viewers" | while read -r program package; do
        [ -z "$program" ] || command -v "$program" >/dev/null 2>&1 || printf '%s ' "$package"
    done)
    [ -n "$packages" ] || return 0
    if may_install; then
        refresh_lists
        say "installing with apt-get, for tests of exported drawings: $packages"
        # shellcheck disable=SC2086  # several packages
        as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $packages \
            </dev/null >/dev/null || say "they could not be installed; some tests of drawings will not run"
    else
        say "some tests look at exported drawings with other programs. To have them:  sudo apt-get install $packages"
    fi
}

see_to_packages "${1:-}"
[ "${1:-}" != tests ] || see_to_viewers
is_up_to_date || { build_environment; say "the environment is ready"; }
