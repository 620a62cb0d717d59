#!/usr/bin/env bash
# The same trajectories of ten scenes, bit for bit, on one machine after the other: the release build with none to eight
# threads, the same library on processors without AVX-512 and without AVX (emulated by qemu, so that the loader and the
# batches pick other code), the build for Python wheels, and a build for 64-bit ARM under qemu.
# usage: machines.sh [--steps N] [--no-arm] [--update]
#   --steps N   of the emulated runs, 1000 or 10000 [1000]; the others always take 10000
#   --no-arm    without the build for ARM, which takes long
#   --update    writes the hashes of the release build into scenes.golden: after a change of the physics on purpose
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/common.sh
source tests/determinism/scenes.sh
emulated=1000 arm=yes update=
while [ $# -gt 0 ]; do
  case $1 in
    --steps) emulated=$2; shift ;;
    --no-arm) arm= ;;
    --update) update=yes ;;
    *) sed -n '2,8s/^# //p' "$0"; [ "$1" = --help ] && exit 0 || exit 2 ;;
  esac
  shift
done

build_hash() {  # PRESET
  cmake --preset "$1" -DSINEW_DETERMINISM=ON >/dev/null
  cmake --build "build/$1" -j "$JOBS" --target trajectory_hash >&2
}

build_hash release
native=build/release/bin/trajectory_hash
if [ -n "$update" ]; then
  cut -d' ' -f1 "$golden_scenes" | while read -r model; do
    echo "$model $($native "models/$model.xml" 0 1000) $($native "models/$model.xml" 0 10000)"
  done >"$golden_scenes.new"
  mv "$golden_scenes.new" "$golden_scenes"
fi
for threads in 0 1 2 3 8; do compare_scenes "release" 10000 "$threads" "$native"; done
install_packages "${AARCH64_PACKAGES[@]}"
compare_scenes "release without AVX-512" "$emulated" 0 qemu-x86_64-static -cpu Haswell,-rtm,-hle "$native"
compare_scenes "release without AVX" "$emulated" 0 qemu-x86_64-static -cpu Nehalem "$native"
build_hash wheel
compare_scenes "wheel" 10000 0 build/wheel/bin/trajectory_hash
if [ -n "$arm" ]; then
  tools/fetch_aarch64.sh
  build_hash aarch64
  libraries=$PWD/build/aarch64-packages
  compare_scenes "aarch64" "$emulated" 0 qemu-aarch64-static -L /usr/aarch64-linux-gnu \
    -E "LD_LIBRARY_PATH=$libraries/usr/lib/aarch64-linux-gnu:$libraries/lib/aarch64-linux-gnu" build/aarch64/bin/trajectory_hash
fi
[ $failed -eq 0 ] || { echo "expected the hashes of $golden_scenes: results depend on the machine, or the physics changed on purpose" >&2; exit 1; }
