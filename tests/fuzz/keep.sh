#!/usr/bin/env bash
# Keeps what fuzzing has found: the fewest inputs of build/fuzz/corpus that go through as much code as all, in
# tests/fuzz/corpus/TARGET.tar.xz, from where run.sh begins the next time. Run it after a long run.sh.
# usage: keep.sh [TARGET...]     default: all targets
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
[ "${1:-}" != --help ] || { sed -n '2,4s/^# //p' "$0"; exit 0; }
[ $# -gt 0 ] || set -- mjcf urdf osim hfd mjb stl obj msh ply off gltf dae skn hfield texture

build=build/fuzz
mkdir -p tests/fuzz/corpus
for target in "$@"; do
  rm -rf "$build/kept/$target"
  mkdir -p "$build/kept/$target"
  "$build/bin/${target}_fuzz" -merge=1 -timeout=10 -rss_limit_mb=2048 -max_len=100000 \
    "$build/kept/$target" "$build/corpus/$target" >"$build/$target-keep.log" 2>&1 || { tail -20 "$build/$target-keep.log"; exit 1; }
  # The same inputs give the same archive.
  tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$build/kept" -cJf "tests/fuzz/corpus/$target.tar.xz" "$target"
  echo "$target: $(ls "$build/kept/$target" | wc -l) inputs, $(stat -c %s "tests/fuzz/corpus/$target.tar.xz") bytes"
done
