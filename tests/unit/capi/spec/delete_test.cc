// Objects that are deleted twice: detected in builds with assertions, where others would read memory that is gone.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <string>

#include "tests/testing/model.h"
#include "tests/unit/capi/error_trap.h"

namespace sinew {
namespace {

TEST(Delete, NothingIsNoError) {
  mj_deleteData(nullptr);
  mj_deleteModel(nullptr);
}

#ifndef NDEBUG
TEST(Delete, TwiceIsAnErrorThatNamesTheArgument) {
  mjModel* m = ModelFromText("<mujoco/>").release();
  mjData* d = mj_makeData(m);
  const ErrorTrap trap;
  mj_deleteData(d);
  EXPECT_EQ(trap.text(), "");
  mj_deleteData(d);
  EXPECT_NE(trap.text().find("mj_deleteData: argument 'd' has been deleted"), std::string::npos) << trap.text();
  mj_deleteModel(m);
  mj_deleteModel(m);
  EXPECT_NE(trap.text().find("mj_deleteModel: argument 'm' has been deleted"), std::string::npos) << trap.text();
}
#endif

}  // namespace
}  // namespace sinew
