# Ten scenes and their hashes (scenes.golden: MODEL, hash after 1000 steps, hash after 10000 steps); for scripts that run
# them on builds and processors.
golden_scenes=tests/determinism/scenes.golden
failed=0

compare_scenes() {  # NAME STEPS THREADS COMMAND...
  local name=$1 steps=$2 threads=$3 model short long wanted hash differs=
  shift 3
  while read -r model short long; do
    wanted=$long
    [ "$steps" -eq 10000 ] || wanted=$short
    hash=$("$@" "models/$model.xml" "$threads" "$steps")
    [ "$hash" = "$wanted" ] || differs="$differs $model"
  done <"$golden_scenes"
  if [ -z "$differs" ]; then echo "$name, $threads threads, $steps steps: equal"; return; fi
  echo "$name, $threads threads, $steps steps: differs in$differs"
  failed=1
}
