#!/usr/bin/env bash
# Draws docs/images/humanoid.png, the picture at the top of the README, with the program of the release build.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
build release mujoco sinew
mkdir -p docs/images
build/release/bin/sinew render models/humanoid.xml docs/images/humanoid.png --keyframe squat --size 800x450 --samples 4 \
  --azimuth 230 --elevation -16 --distance 2.8
