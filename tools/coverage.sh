#!/usr/bin/env bash
# Line coverage of src/, and of the readers of files in it, by unit and property tests, and by programs that use the library from outside (docs/how/testing.md).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
install_packages "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}"

build coverage unit_tests property_tests face_tests spec_functions batch_functions extension_functions
find build/coverage -name '*.gcda' -delete
for tests in unit_tests property_tests face_tests spec_functions batch_functions extension_functions; do
  say "running $tests"
  build/coverage/bin/$tests >/dev/null || say "$tests: FAILED"
done
# Tests against MuJoCo 3.8.0 need an interpreter that has it, and are left out where there is none; those of speed and
# of crowds would take too long without optimization.
python=${PYTHON:-python3}
scripts=(tests/capi/misuse_test.py)
if "$python" -c "import mujoco" 2>/dev/null; then
  for name in carrier files first_party functions opengl print round_trip scene sleep specification textures utilities; do
    scripts+=("tests/oracle/${name}_test.py")
  done
else
  say "no MuJoCo 3.8.0 for $python: what only comparisons execute is not counted"
fi
for script in "${scripts[@]}"; do
  say "running $script"
  SINEW_LIBRARY=$PWD/build/coverage/lib/libmujoco.so.3.8.0 "$python" "$script" || say "$script: FAILED"
done
python3 tools/coverage.py
