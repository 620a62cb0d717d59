#!/usr/bin/env bash
# Runs every fuzz target for a while, from its seeds and from what earlier runs have kept (keep.sh); fails on the first
# finding, whose input it leaves in build/fuzz/findings.
# usage: run.sh [SECONDS [TARGET...]]     default: 60 seconds each, all targets
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=${1:-60}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- mjcf urdf osim hfd mjb stl obj msh ply off gltf dae skn hfield texture

build=build/fuzz
mkdir -p $build/findings
python3 tests/fuzz/make_seeds.py $build/seeds

# As many targets at once as there are cores.
fuzz() {
  local target=$1
  mkdir -p $build/corpus/"$target" $build/seeds/"$target"
  [ ! -e tests/fuzz/corpus/"$target".tar.xz ] || tar -xJf tests/fuzz/corpus/"$target".tar.xz --skip-old-files -C $build/corpus
  # The seed is fixed: a change is blamed for what it broke, not for what chance found.
  # An input may take 2 s and 1 GB; sanitizers cost about five times the time and twice the memory.
  "$build/bin/${target}_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=1024 \
    -seed=1 -max_len=100000 -artifact_prefix=$build/findings/"$target"- -print_final_stats=1 \
    $build/corpus/"$target" $build/seeds/"$target" >$build/"$target".log 2>&1 ||
    { tail -40 $build/"$target".log; return 1; }
  echo "$target, $seconds s: $(grep -E 'number_of_executed_units|peak_rss' $build/"$target".log | tr -s ' \n' ' ')"
}
export -f fuzz
export build seconds
printf '%s\n' "$@" | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'fuzz {}'
