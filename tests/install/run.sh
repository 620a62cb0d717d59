#!/usr/bin/env bash
# Installs the release build below build/install, moves it, and builds and runs a project outside the tree against it: with
# CMake and with pkg-config.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD work=$PWD/build/install
rm -rf "$work"
cmake --install build/release --prefix "$work/prefix" >/dev/null

cmake -S tests/install/client -B "$work/client" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" -DEXAMPLES="$root/docs/examples" >/dev/null
cmake --build "$work/client"
"$work/client/example_c" models/humanoid.xml
"$work/client/example_cpp" models/humanoid.xml

export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig:$(echo "$work"/prefix/lib/*/pkgconfig)
flags=$(pkg-config --define-variable=prefix="$work/prefix" --cflags --libs sinew)
libdir=$(dirname "$(find "$work/prefix" -name 'libmujoco.so')")
# shellcheck disable=SC2086
g++ -std=c++20 docs/examples/example.cc $flags -Wl,-rpath,"$libdir" -o "$work/example_pkgconfig"
"$work/example_pkgconfig" models/humanoid.xml
"$work/prefix/bin/sinew" info models/humanoid.xml >/dev/null
