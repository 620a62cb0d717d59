#!/usr/bin/env bash
# What users do to install: from a build folder that did not exist before, into a prefix, which is then moved; as a Debian
# package; as a part of their own CMake project. Each time a program outside the tree is built and run against the result,
# found as users find it: by CMAKE_PREFIX_PATH and PKG_CONFIG_PATH, no other variable.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD work=$PWD/build/install
fresh=$PWD/build/fresh fetch=$PWD/build/fetch  # as deep as other build folders, so that the compiler cache knows their files
rm -rf "$work" "$fresh" "$fetch"
mkdir -p "$work"
step() { echo "-- $*" >&2; }

version=$(build/release/bin/sinew --version)
step "built: $version"
interface=${version##* } version=${version#sinew } version=${version%%,*}
[ "$version" != "$interface" ] || { echo "the version of the project is that of the interface" >&2; exit 1; }

step "a fresh configure of nothing but the defaults, without tests"
cmake -S . -B "$fresh" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSINEW_TESTS=OFF >/dev/null
cmake --build "$fresh" -j "${JOBS:-$(nproc)}" >/dev/null
cmake --install "$fresh" --prefix "$work/first" >/dev/null
"$work/first/bin/sinew" info models/humanoid.xml >/dev/null
mv "$work/first" "$work/prefix"
"$work/prefix/bin/sinew" info models/humanoid.xml >/dev/null

step "a CMake project by find_package"
cmake -S tests/install/client -B "$work/client" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" -DEXAMPLES="$root/docs/examples" >/dev/null
cmake --build "$work/client" >/dev/null
"$work/client/example_c" models/humanoid.xml
"$work/client/example_cpp" models/humanoid.xml

# use_pkg_config PREFIX NAME: a program by pkg-config; the prefix is where the package lies, not where it was made.
use_pkg_config() {
  local prefix=$1 program=$work/$2 flags libdir
  PKG_CONFIG_PATH=$(find "$prefix" -type d -name pkgconfig)
  export PKG_CONFIG_PATH
  [ "$(pkg-config --modversion sinew)" = "$version" ] && [ "$(pkg-config --modversion mujoco)" = "$interface" ]
  flags=$(pkg-config --cflags --libs sinew)
  case $flags in *"$prefix"*) ;; *) echo "pkg-config says '$flags', and the package is in $prefix" >&2; exit 1 ;; esac
  libdir=$(pkg-config --variable=libdir mujoco)
  # shellcheck disable=SC2086
  g++ -std=c++20 docs/examples/example.cc $flags -Wl,-rpath,"$libdir" -o "$program"
  "$program" models/humanoid.xml
}
step "pkg-config"
use_pkg_config "$work/prefix" example_pkgconfig

step "a Debian package"
(cd "$work" && cpack --config ../fresh/CPackConfig.cmake -B "$work/package" >"$work/cpack.log" 2>&1) || { cat "$work/cpack.log"; exit 1; }
package=$(ls "$work"/package/sinew_*.deb)
dpkg-deb --field "$package" Package Version Depends Description
[ "$(dpkg-deb --field "$package" Version)" = "$version" ]
dpkg-deb --extract "$package" "$work/root"
"$work/root/usr/bin/sinew" info models/humanoid.xml >/dev/null
use_pkg_config "$work/root/usr" example_deb

step "a part of another project, by FetchContent"
cmake -S tests/install/fetch -B "$fetch" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DSINEW_WARNINGS_ARE_ERRORS=ON -DFETCHCONTENT_SOURCE_DIR_SINEW="$root" >/dev/null  # flags that the compiler cache knows
cmake --build "$fetch" -j "${JOBS:-$(nproc)}" >/dev/null
"$fetch/example" models/humanoid.xml
