#!/usr/bin/env bash
# Draws docs/images/guide from the models of the guide (docs/examples/models), with the program of the release build; the
# plots are tools/guide_plots.py's.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
build release mujoco sinew
mkdir -p docs/images/guide
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

# The models of the guide hold what they explain; a bright sky and light from the camera are added for the picture.
picture() {  # MODEL [OPTION...]
  local model=$1 sky='<texture type="skybox" builtin="gradient" rgb1="1 1 1" rgb2=".65 .78 .9" width="64" height="64"/>'
  shift
  grep -q skybox "docs/examples/models/$model.xml" && sky=
  cat > "$stage/$model.xml" <<END
<mujoco><include file="$PWD/docs/examples/models/$model.xml"/><asset>$sky</asset>
  <visual><headlight ambient=".35 .35 .35" diffuse=".55 .55 .55" specular=".1 .1 .1"/></visual></mujoco>
END
  build/release/bin/sinew render "$stage/$model.xml" "docs/images/guide/${model%_guide}.png" --size 560x320 --samples 4 "$@"
}
picture joints --azimuth 75 --elevation -14 --distance 2.6
picture geoms --azimuth 70 --elevation -20 --distance 2.6
picture terrain --azimuth 110 --elevation -25 --distance 3
picture materials --azimuth 110 --elevation -20 --distance 2
picture spatial_tendon --azimuth 90 --elevation -8 --distance 1.3
picture fourbar --azimuth 90 --elevation -8 --distance 1
picture replicate --azimuth 90 --elevation -30 --distance 2.6
picture flexes_guide --time 0.5 --azimuth 90 --elevation -18 --distance 3
