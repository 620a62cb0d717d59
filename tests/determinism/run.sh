#!/usr/bin/env bash
# The same trajectory, bit for bit, from g++ and clang at several levels of optimization, one thread and four, equal to the
# golden hash, and those of ten scenes (release and levels); and 10,000 steps of a crowd for any number of threads, also
# when its state moves to new data every 999 steps.
# usage: run.sh [levels]     default: the release build (g++ -O3) and those of the sanitizers (g++ -O1, clang -O1), which
#                            other tests need as well; levels: g++ -O0, -O2 and clang -O0, -O2, -O3, built for this alone
set -euo pipefail
cd "$(dirname "$0")/../.."
source tests/determinism/scenes.sh
golden=$(cat tests/determinism/humanoid.golden)

build_preset() {  # PRESET
  cmake --preset "$1" -DSINEW_DETERMINISM=ON >/dev/null
  cmake --build --preset "$1" --target trajectory_hash >&2
}

build_variant() {  # BUILD_DIR COMPILER OPTIMIZATION
  cmake -S . -B "$1" -G Ninja -DCMAKE_CXX_COMPILER="$2" -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="$3" \
    -DSINEW_TESTS=OFF -DSINEW_APPS=OFF -DSINEW_DETERMINISM=ON >/dev/null
  cmake --build "$1" --target trajectory_hash >&2
}

compare() {  # BUILD_DIR
  local threads hash
  for threads in 1 4; do
    hash=$("$1/bin/trajectory_hash" models/humanoid.xml "$threads")
    echo "$1, $threads threads: $hash"
    [ "$hash" = "$golden" ] || failed=1
  done
}

compare_crowds() {
  local run threads move hash first=
  for run in 0 1 2 3 8 "0 999" "3 999"; do
    read -r threads move <<<"$run"
    hash=$(build/release/bin/trajectory_hash models/humanoids22.xml "$threads" 10000 "${move:-10000}")
    echo "crowd, $threads threads${move:+, moved every $move steps}: $hash"
    [ "$hash" = "${first:=$hash}" ] || failed=1
  done
}

if [ "${1:-}" = levels ]; then
  for variant in "g++ -O0" "g++ -O2" "clang++ -O0" "clang++ -O2" "clang++ -O3"; do
    read -r compiler level <<<"$variant"
    dir=build/determinism/$compiler$level
    build_variant "$dir" "$compiler" "$level"
    compare "$dir"
    compare_scenes "$dir" 1000 0 "$dir/bin/trajectory_hash"
  done
else
  build_preset release
  compare_crowds
  compare_scenes release 10000 0 build/release/bin/trajectory_hash
  for preset in release asan fuzz; do
    build_preset "$preset"
    compare build/"$preset"
  done
fi
[ $failed -eq 0 ] || { echo "expected $golden: results depend on the compiler, threads or history, or the physics changed on purpose" >&2; exit 1; }
