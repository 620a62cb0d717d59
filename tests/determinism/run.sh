#!/usr/bin/env bash
# The same trajectory, bit for bit, from g++ and clang, -O0 and -O2, one thread and four, equal to the golden hash.
set -euo pipefail
cd "$(dirname "$0")/../.."
golden=$(cat tests/determinism/humanoid.golden)
failed=0

hash_of() {  # BUILD_DIR COMPILER OPTIMIZATION
  cmake -S . -B "$1" -G Ninja -DCMAKE_CXX_COMPILER="$2" -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="$3" \
    -DSINEW_TESTS=OFF -DSINEW_APPS=OFF -DSINEW_DETERMINISM=ON >/dev/null
  cmake --build "$1" --target trajectory_hash >&2
}

for variant in "g++ -O0" "g++ -O2" "clang++ -O0" "clang++ -O2"; do
  read -r compiler level <<<"$variant"
  dir=build/determinism/$compiler$level
  hash_of "$dir" "$compiler" "$level"
  for threads in 1 4; do
    hash=$("$dir/bin/trajectory_hash" models/humanoid.xml "$threads")
    echo "$variant, $threads threads: $hash"
    [ "$hash" = "$golden" ] || failed=1
  done
done
[ $failed -eq 0 ] || { echo "expected $golden: results depend on the compiler, or the physics changed on purpose" >&2; exit 1; }
