#!/bin/sh
# Opens the program from the environment in .venv; arguments go on to it.
# Without a display it paints the built-in example with the same code and says where the picture is.
set -eu

cd "$(dirname "$0")/.."

if [ "$(uname -s)" = Linux ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    sh packaging/setup.sh
    picture=build/askew-example.png
    mkdir -p build
    printf 'askew: there is no display here (DISPLAY and WAYLAND_DISPLAY are empty), so no window can open.\n'
    .venv/bin/askew render --example trained -o "$picture" </dev/null
    printf 'askew: painted the built-in example with the same code instead: %s\n' "$picture"
else
    sh packaging/setup.sh screen
    exec .venv/bin/askew "$@"
fi
