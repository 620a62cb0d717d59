#!/usr/bin/env bash
# Line coverage of src/ by the unit tests, the property tests and those of the C++ face: a table, and the least covered files.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
install_packages "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}" gcovr

build coverage unit_tests property_tests face_tests
find build/coverage -name '*.gcda' -delete
for tests in unit_tests property_tests face_tests; do
  say "running $tests"
  build/coverage/bin/$tests --gtest_brief=1 >/dev/null
done

say "line coverage of src/"
gcovr --root . --filter src/ --object-directory build/coverage --gcov-ignore-parse-errors --sort-percentage --txt build/coverage/coverage.txt
head -40 build/coverage/coverage.txt
tail -3 build/coverage/coverage.txt
