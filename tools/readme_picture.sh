#!/usr/bin/env bash
# Draws docs/images: humanoid.png, the picture at the top of the README, those of the gallery, and viewer.png, with the
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
picture humanoids22 crowd --time 1.5 --azimuth 150 --elevation -12 --distance 9
picture muscle/legs18 legs --azimuth 120 --elevation -12
picture muscle/walker18 walker --time 0.3 --azimuth 90 --elevation -8
picture muscle/wrapping condyle --keyframe swing --time 1.5 --azimuth 90 --elevation -12
picture flex/cloth_on_sphere cloth --time 1.2 --azimuth 60 --elevation -20 --distance 1.8
picture flex/jelly_on_stairs jelly --time 0.3 --azimuth 120 --elevation -18 --distance 1.6
picture flex/soft_gripper gripper --azimuth 110 --elevation -12 --distance 0.8
picture flex/pinched_cloth pinched --time 0.5 --azimuth 60 --elevation -20
picture flex/rope_on_pulley rope --time 0.35 --azimuth 70 --elevation -15 --distance 1.8
picture compliant/hop hop --time 0.1 --azimuth 90 --elevation -8
picture compliant/arm arm --keyframe push --time 1 --camera above
picture sdf/nut_bolt nut --azimuth 60 --elevation -20
