#!/bin/sh
# Builds dist/askew-VERSION-MACHINE.dmg on macOS, with Python 3.11. NOT TRIED.
#
# IDENTITY names the identity of a registered developer in the keychain, NOTARY_PROFILE a profile stored with
# `xcrun notarytool store-credentials`; without them the program is neither signed nor notarized.
set -eu

cd "$(dirname "$0")/../.."
PYTHON=${PYTHON:-python3} sh packaging/freeze.sh
version=$(build/freeze-venv/bin/python -c 'from importlib.metadata import version; print(version("askew"))')

app=build/Askew.app
rm -rf "$app"
mkdir -p "$app/Contents/MacOS" "$app/Contents/Resources"
cp -R build/frozen/askew/ "$app/Contents/MacOS/"
sed "s/@VERSION@/$version/" packaging/macos/Info.plist >"$app/Contents/Info.plist"
[ "$("$app/Contents/MacOS/askew" self-test)" = OK ]

if [ -n "${IDENTITY:-}" ]; then
    find "$app" -type f \( -name '*.so' -o -name '*.dylib' \) -exec \
        codesign --force --timestamp --options runtime --sign "$IDENTITY" {} +
    codesign --force --timestamp --options runtime --sign "$IDENTITY" "$app"
fi

mkdir -p dist build/dmg
rm -rf build/dmg/*
cp -R "$app" build/dmg/
ln -s /Applications build/dmg/Applications
image=dist/askew-$version-$(uname -m).dmg
hdiutil create -volname Askew -srcfolder build/dmg -format ULMO -ov "$image"
if [ -n "${IDENTITY:-}" ] && [ -n "${NOTARY_PROFILE:-}" ]; then
    codesign --timestamp --sign "$IDENTITY" "$image"
    xcrun notarytool submit "$image" --keychain-profile "$NOTARY_PROFILE" --wait
    xcrun stapler staple "$image"
fi
