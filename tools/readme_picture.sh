#!/usr/bin/env bash
# Draws docs/images: humanoid.png, the picture at the top of the README, two of pages on algorithms, and viewer.png, with the
# program of the release build; the viewer on a display in memory.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
build release mujoco sinew
mkdir -p docs/images
build/release/bin/sinew render models/humanoid.xml docs/images/humanoid.png --keyframe squat --size 800x450 --samples 4 \
  --azimuth 230 --elevation -16 --distance 2.8
command -v xvfb-run >/dev/null || install_packages xvfb xauth
xvfb-run -a -s "-screen 0 1280x800x24" build/release/bin/sinew view models/humanoid.xml --keyframe squat --size 1120x700 \
  --paused --time 2 --screenshot docs/images/viewer.png

picture() {  # MODEL NAME [OPTION...]
  local model=$1 name=$2
  shift 2
  build/release/bin/sinew render "models/$model.xml" "docs/images/$name.png" --size 480x320 --samples 4 "$@"
}
picture muscle/wrapping condyle --keyframe swing --time 1.5 --azimuth 90 --elevation -12
picture compliant/arm arm --keyframe push --time 1 --camera above
