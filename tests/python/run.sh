#!/usr/bin/env bash
# Builds the wheel from this tree, installs it into an environment that did not exist before, and runs the tests there:
# first with numpy alone, then beside Gymnasium and the reference.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$PWD/build/python
rm -rf "$work/wheel" "$work/venv"
mkdir -p "$work"
step() { echo "-- $*" >&2; }

step "the wheel"
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip wheel --quiet --no-deps -w "$work/wheel" .

step "installed, it needs numpy alone"
"$work/venv/bin/python" -m pip install --quiet "$work"/wheel/sinew-*.whl pytest
cd tests/python
"$work/venv/bin/python" -m pytest -q -p no:cacheprovider package_test.py batch_test.py examples_test.py

step "beside Gymnasium and mujoco"
"$work/venv/bin/python" -m pip install --quiet mujoco==3.8.0 gymnasium imageio packaging
MUJOCO_GL=${MUJOCO_GL:-egl} "$work/venv/bin/python" -m pytest -q -p no:cacheprovider gym_test.py install_test.py
