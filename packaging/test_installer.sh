#!/bin/sh
# Installs the .deb of dist into a bare Debian under build/bare, cuts the network off, and tries the program there:
# self-test, pictures, numbers, the window on a screen; then removes it. As root; needs debootstrap, xvfb, imagemagick.
#
#   sh packaging/test_installer.sh [SUITE]         bookworm, if not said
set -eu

cd "$(dirname "$0")/.."
suite=${1:-bookworm}
work=$(pwd)/build/installer-test
bare=$(pwd)/build/bare-$suite.tar
bare_root=$work/root
display=:47

say() { printf 'askew: %s\n' "$*"; }
fail() { printf 'askew: error: %s\n' "$*" >&2; exit 1; }
seconds() { date +%s.%N; }
since() { echo "$(seconds) $1" | awk '{ printf "%.1f", $1 - $2 }'; }

[ "$(id -u)" = 0 ] || fail "this needs root, for a Debian of its own: sudo make test-installer"
for tool in debootstrap:debootstrap Xvfb:xvfb compare:imagemagick xdotool:xdotool; do
    command -v "${tool%%:*}" >/dev/null 2>&1 ||
        fail "${tool%%:*} is missing. On Debian and Ubuntu: sudo apt-get install ${tool##*:}"
done
set -- dist/askew_*_amd64.deb
[ -f "$1" ] || fail "there is no dist/askew_*_amd64.deb. Run:  make installer"
package=$1

screen=
cleanup() {
    [ -z "$screen" ] || kill "$screen" 2>/dev/null || true
    for place in tmp/.X11-unix proc; do
        ! mountpoint -q "$bare_root/$place" || umount "$bare_root/$place"
    done
    if mount | grep -q " $bare_root/"; then
        say "something is still mounted below $bare_root; it is left as it is"
    else
        rm -rf "$work"
    fi
}
trap cleanup EXIT
trap 'exit 1' INT TERM
rm -rf "$work"
mkdir -p "$bare_root"

if [ ! -f "$bare" ]; then
    say "making a bare Debian, $suite"
    debootstrap --variant=minbase "$suite" "$bare_root" >"$work/debootstrap.log" 2>&1 ||
        fail "debootstrap did not succeed: $(tail -1 "$work/debootstrap.log")"
    tar -C "$bare_root" -cf "$bare.part" . && mv "$bare.part" "$bare"
else
    tar -C "$bare_root" -xf "$bare"
fi

# ---- install -------------------------------------------------------------------------------------------------

inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"; }
offline() { inside unshare -n chroot "$bare_root" "$@"; }

mount -t proc proc "$bare_root/proc"
started=$(seconds)
cp "$package" "$bare_root/tmp/askew.deb"
inside chroot "$bare_root" apt-get -q -y update >"$work/apt.log" 2>&1 || fail "apt-get update: see $work/apt.log"
inside DEBIAN_FRONTEND=noninteractive chroot "$bare_root" apt-get -q -y --no-install-recommends install \
    /tmp/askew.deb >"$work/apt.log" 2>&1 || { tail -5 "$work/apt.log"; fail "apt-get could not install it"; }
say "installed in $(since "$started") s with what it needs"
size=$(du -sm --apparent-size "$bare_root/usr/lib/askew" | cut -f1)
[ "$size" -le 250 ] || fail "it takes $size MB, more than 250"

# ---- without a network ---------------------------------------------------------------------------------------

offline askew --version
[ "$(offline askew self-test)" = OK ] || fail "the self-test did not say OK"
started=$(seconds)
offline askew self-test >/dev/null
self_test=$(since "$started")
for kind in png svg pdf; do
    offline askew render --text "the cat sat on the mat" -o "/tmp/maps.$kind"
    [ -s "$bare_root/tmp/maps.$kind" ] || fail "no picture: maps.$kind"
done
offline askew compute --text "the cat sat on the mat" -o /tmp/maps.json
grep -q '"tokens"' "$bare_root/tmp/maps.json" || fail "no numbers"
# A big enough text file goes through a process of the program's own.
awk 'BEGIN { srand(1); for (i = 0; i < 20000; i++) { printf "w%d", i; for (j = 0; j < 50; j++) printf " %.4f", rand(); print "" } }' \
    >"$bare_root/tmp/words.txt"
offline askew vectors import /tmp/words.txt >/dev/null
offline askew vectors get /tmp/words.txt w19999 --json | grep -q w19999 || fail "no vectors from a file"
awk 'BEGIN { for (i = 0; i < 400; i++) print "the cat sat on the mat and the dog lay by the door" }' \
    >"$bare_root/tmp/text.txt"
mkfifo "$work/open"  # what trains ends when its input does
offline askew vectors train /tmp/text.txt /tmp/trained.safetensors --dim 10 0<>"$work/open" >/dev/null ||
    fail "vectors could not be trained"

# ---- nothing to show a window on -----------------------------------------------------------------------------

says_one_line() {  # PATTERN COMMAND...: it ends with 1 and one line, as what a person can mend
    pattern=$1
    shift
    code=0
    offline "$@" >"$work/said" 2>&1 || code=$?
    [ "$code" = 1 ] && [ "$(wc -l <"$work/said")" = 1 ] && grep -q "^askew: error: .*$pattern" "$work/said" ||
        fail "$* ended with $code and said: $(cat "$work/said")"
}

says_one_line 'no display' askew
says_one_line 'display :99 cannot be reached' env DISPLAY=:99 askew
without() {  # LIBRARY PACKAGE COMMAND...: the line names the package
    file=$bare_root/usr/lib/x86_64-linux-gnu/$1
    package_named="apt-get install $2"
    shift 2
    mv "$file" "$file.away"
    says_one_line "$package_named" "$@"
    mv "$file.away" "$file"
}
without libEGL.so.1 libegl1 askew render -o /tmp/none.png
without libfontconfig.so.1 libfontconfig1 askew self-test
without libX11-xcb.so.1 libx11-xcb1 env DISPLAY=:99 askew

# ---- the window ----------------------------------------------------------------------------------------------

Xvfb $display -screen 0 1440x900x24 -nolisten tcp >/dev/null 2>&1 &
screen=$!
mkdir -p "$bare_root/tmp/.X11-unix"
mount --bind /tmp/.X11-unix "$bare_root/tmp/.X11-unix"
shot() {  # FILE COMMAND...: the screen once the window has been there for a while
    target=$1
    shift
    "$@" >"$work/window.log" 2>&1 &
    pid=$!
    DISPLAY=$display timeout 30 xdotool search --sync --onlyvisible --name Askew >/dev/null 2>&1 ||
        fail "no window came up: $(tail -3 "$work/window.log")"
    sleep 3
    windows=$(DISPLAY=$display xdotool search --onlyvisible --name Askew | wc -l)
    [ "$windows" = 1 ] || fail "there are $windows windows, not one"
    DISPLAY=$display import -window root "$target"
    kill -TERM $pid
    wait $pid || fail "the window ended with $?: $(tail -3 "$work/window.log")"
}
sleep 1
within="env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DISPLAY=$display unshare -n chroot $bare_root"
# shellcheck disable=SC2086  # several words
shot "$work/installed.png" $within askew
colours=$(identify -format '%k' "$work/installed.png")
[ "$colours" -gt 100 ] || fail "the window shows $colours colours only"
if [ -x .venv/bin/askew ]; then
    mkdir -p "$work/home"
    shot "$work/source.png" env DISPLAY=$display HOME="$work/home" ASKEW_HOME="$work/home" .venv/bin/askew
    differing=$(compare -metric AE -fuzz 5% "$work/installed.png" "$work/source.png" null: 2>&1) || true
    say "pixels that differ from the window of the sources: $differing of 1296000"
    [ "${differing%%.*}" -le 12960 ] 2>/dev/null || {
        cp "$work/installed.png" "$work/source.png" build/
        fail "the windows differ: look at build/installed.png and build/source.png"
    }
fi
cp "$work/installed.png" build/installed-window.png

# ---- remove --------------------------------------------------------------------------------------------------

inside chroot "$bare_root" dpkg --purge askew >/dev/null
left=$(find "$bare_root/usr" "$bare_root/etc" -iname '*askew*' | head -5)
[ -z "$left" ] || fail "left after removing it: $left"

say "package $(wc -c <"$package" | awk '{ printf "%.1f", $1 / 1e6 }') MB, installed $size MB, self-test $self_test s"
say "the installer is sound on $suite"
