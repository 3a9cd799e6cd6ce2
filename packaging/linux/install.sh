#!/bin/sh
# Installs Askew from this folder for one person, without root: into ~/.local, or where --prefix says.
#
#   ./install.sh [--prefix FOLDER]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
prefix=$HOME/.local
case ${1:-} in
    '') ;;
    --prefix) prefix=${2:?--prefix needs a folder} ;;
    *) printf 'Usage: ./install.sh [--prefix FOLDER]\n' >&2; exit 2 ;;
esac

say() { printf 'askew: %s\n' "$*"; }
fail() { printf 'askew: error: %s\n' "$*" >&2; exit 1; }

# File and the package of Debian and Ubuntu that brings it.
needed='
libstdc++.so.6 libstdc++6
libgcc_s.so.1 libgcc-s1
libdbus-1.so.3 libdbus-1-3
libEGL.so.1 libegl1
libfontconfig.so.1 libfontconfig1
libfreetype.so.6 libfreetype6
libGL.so.1 libgl1
libglib-2.0.so.0 libglib2.0-0
libuuid.so.1 libuuid1
libX11.so.6 libx11-6
libX11-xcb.so.1 libx11-xcb1
libxcb.so.1 libxcb1
libzstd.so.1 libzstd1
libz.so.1 zlib1g'

known=$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null) || known=
missing=
packages=
if [ -n "$known" ]; then
    for word in $needed; do
        case $word in
            *.so.*)
                library=$word
                continue ;;
        esac
        case $known in
            *"$library "*) ;;
            *)
                missing="$missing $library"
                packages="$packages $word" ;;
        esac
    done
fi

mkdir -p "$prefix/lib" "$prefix/bin" "$prefix/share" || fail "$prefix cannot be written"
rm -rf "$prefix/lib/askew.new"
cp -R "$here/lib/askew" "$prefix/lib/askew.new"
rm -rf "$prefix/lib/askew"
mv "$prefix/lib/askew.new" "$prefix/lib/askew"
ln -sf ../lib/askew/askew "$prefix/bin/askew"
(cd "$here/share" && find . -type f) | while read -r file; do
    mkdir -p "$prefix/share/$(dirname "$file")"
    cp "$here/share/$file" "$prefix/share/$file"
done
# The desktop need not have the folder in its path.
sed "s|^Exec=askew|Exec=\"$prefix/bin/askew\"|" "$here/share/applications/askew.desktop" \
    >"$prefix/share/applications/askew.desktop"
(cd "$here/share" && find . -type f) | sed 's|^\./|share/|' >"$prefix/lib/askew/installed-files"
cp "$here/uninstall.sh" "$prefix/lib/askew/uninstall.sh"

for tool in update-desktop-database:applications update-mime-database:mime; do
    if command -v "${tool%%:*}" >/dev/null 2>&1; then
        "${tool%%:*}" "$prefix/share/${tool##*:}" >/dev/null 2>&1 || say "${tool%%:*} did not succeed; log in again"
    fi
done

if [ -n "$missing" ]; then
    say "this system lacks:$missing"
    say "On Debian and Ubuntu:  sudo apt-get install$packages"
    say "Elsewhere, install the packages that bring these libraries; Askew cannot start without them."
fi
say "installed. Start it with  $prefix/bin/askew ; remove it with  $prefix/lib/askew/uninstall.sh"
case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) say "$prefix/bin is not in your PATH" ;;
esac
