#!/usr/bin/env bash
# Line coverage of src/, and of the readers of files in it, by unit and property tests, and by programs that use the library from outside (docs/how/testing.md).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
install_packages "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}"

build coverage unit_tests property_tests face_tests spec_functions
find build/coverage -name '*.gcda' -delete
for tests in unit_tests property_tests face_tests spec_functions; do
  say "running $tests"
  build/coverage/bin/$tests >/dev/null || say "$tests: FAILED"
done
for script in tests/capi/misuse_test.py tests/oracle/scene_test.py tests/oracle/print_test.py; do
  say "running $script"
  SINEW_LIBRARY=build/coverage/lib/libmujoco.so.3.8.0 "${PYTHON:-python3}" $script || say "$script: FAILED"
done
python3 tools/coverage.py
