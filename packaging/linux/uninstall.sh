#!/bin/sh
# Removes what install.sh brought: the program, its entry in the menu, its icon and its page of the manual.
# What Askew wrote for you stays; docs/installing.md says where that is.
set -eu

folder=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$folder/../.." && pwd)
[ -f "$folder/installed-files" ] && [ -x "$folder/askew" ] || {
    printf 'askew: error: %s is not an installed Askew\n' "$folder" >&2
    exit 1
}

while read -r file; do
    rm -f "$prefix/$file"
    (cd "$prefix" && rmdir -p "$(dirname "$file")" 2>/dev/null) || true
done <"$folder/installed-files"
[ "$(readlink "$prefix/bin/askew" 2>/dev/null)" != ../lib/askew/askew ] || rm -f "$prefix/bin/askew"
rm -rf "$folder"
# Without its folder of packages the index of types is not made anew, and would still name ours.
[ ! -d "$prefix/share/mime" ] || mkdir -p "$prefix/share/mime/packages"
for tool in update-desktop-database:applications update-mime-database:mime; do
    if command -v "${tool%%:*}" >/dev/null 2>&1 && [ -d "$prefix/share/${tool##*:}" ]; then
        "${tool%%:*}" "$prefix/share/${tool##*:}" >/dev/null 2>&1 || true
    fi
done
(cd "$prefix" && rmdir share/mime/packages 2>/dev/null) || true
printf 'askew: removed from %s\n' "$prefix"
