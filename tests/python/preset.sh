#!/usr/bin/env bash
# Runs tests of the package on an extension module and an engine that were built with a preset: the release build that
# ./test has anyway, one under the sanitizers, or by an interpreter that the wheel is not made for.
set -euo pipefail

usage() {
  cat <<'END'
usage: tests/python/preset.sh [--preset NAME] [PYTEST-ARGUMENT...]

  --preset NAME   of CMakePresets.json (asan)

PYTHON is the interpreter (python3). Without arguments for pytest, those tests run that need no large packages, and with another
preset than asan those with JAX and Gymnasium, too. The environment is made once, and again when what it holds has changed.
END
}

preset=asan
case ${1:-} in
  --preset) preset=$2; shift 2 ;;
  -h | --help) usage; exit 0 ;;
esac
packages=("nanobind>=2.2" numpy pytest websockets python-xlib)
tests=(package_test.py spec_test.py batch_test.py beyond_test.py biomech_test.py biomech_files_test.py biomech_scaling_test.py hfd_test.py memory_test.py threads_test.py warnings_test.py picture_test.py view_test.py module_test.py sharing_test.py misuse_test.py)
if [ "$preset" != asan ]; then
  packages+=(jax gymnasium imageio glfw moviepy)
  tests+=(arrays_test.py gradients_test.py stub_test.py gym_test.py gym_clients_test.py hand_tasks_test.py)
fi
[ $# -gt 0 ] || set -- "${tests[@]}"

cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
work=$PWD/build/python-$preset-$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("SOABI"))')
mkdir -p "$work"
wanted="$("$python" -VV) ${packages[*]}"
if [ "$(cat "$work/venv/holds" 2>/dev/null)" != "$wanted" ]; then
  "$python" -m venv --clear "$work/venv"
  "$work/venv/bin/python" -m pip install --quiet "${packages[@]}"
  echo "$wanted" > "$work/venv/holds"
fi
python=$work/venv/bin/python

settings=()
[ "$preset" != asan ] || settings=(-DSINEW_SANITIZE=address,undefined -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1")
[ "$preset" = asan ] || settings=(-DCMAKE_BUILD_TYPE=Release)
cmake -S python -B "$work" -G Ninja -DSINEW_ENGINE_PRESET="$preset" -DPython_EXECUTABLE="$python" -DPython_ROOT_DIR="$work/venv" \
  -Dnanobind_DIR="$("$python" -m nanobind --cmake_dir)" "${settings[@]}" > "$work/configure.log"
cmake --build "$work" --target _sinew _core > "$work/build.log" || { tail -n 40 "$work/build.log"; exit 1; }

# the package: what is written in Python is copied, so that it finds the rest beside it
rm -rf "$work/package"
mkdir -p "$work/package"
cp -R "$PWD/python/sinew" "$work/package/sinew"
for file in "$PWD/models" "$PWD/include" "$PWD/build/$preset/lib" "$work"/lib/_sinew*.so; do
  ln -s "$file" "$work/package/sinew/"
done

# The program, where it has been built: it opens windows and writes pages for sinew.view.
if [ -x "build/$preset/bin/sinew" ]; then
  mkdir -p "$work/package/sinew/bin"
  ln -s "$PWD/build/$preset/bin/sinew" "$work/package/sinew/bin/"
fi

mkdir -p "$work/package/sinew/as_mujoco"
cp -R "$PWD/python/mujoco" "$work/package/sinew/as_mujoco/mujoco"
ln -s "$work"/module/python/mujoco/_*.so "$PWD/build/$preset/lib/libmujoco.so.3.8.0" "$work/package/sinew/as_mujoco/mujoco/"

preload=
if [ "$preset" = asan ]; then
  # the interpreter has no sanitizer, so that its library comes first; what the interpreter never frees is not ours
  preload="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libubsan.so) $(g++ -print-file-name=libstdc++.so)"
  # a short quarantine: tests of growth count pages
  export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:quarantine_size_mb=16:log_path=$work/report UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:log_path=$work/report
fi
export PYTHONDONTWRITEBYTECODE=1  # nothing is left beside the tests
export SINEW_CYCLES=${SINEW_CYCLES:-300}  # run.sh has more of them
cd tests/python
rm -f "$work"/report.*
if ! LD_PRELOAD=$preload PYTHONMALLOC=${preload:+malloc} PYTHONPATH=$work/package "$python" -m pytest -q -p no:cacheprovider "$@"; then
  # pytest keeps what the dying process said
  cat "$work"/report.* 2>/dev/null || true
  exit 1
fi
