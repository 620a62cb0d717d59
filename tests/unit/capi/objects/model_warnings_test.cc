// What a model is warned of while it is compiled is a text beside the model, and reaches the program's handler, each
// warning once; a handler may leave by longjmp.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <csetjmp>
#include <string>
#include <vector>

#include "model/storage/data.h"
#include "model/storage/model.h"

namespace sinew {
namespace {

// A contact too stiff for Euler's method at this time step.
constexpr char kStiff[] = R"(
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <geom type="plane" size="5 5 .1" contactmodel="hertz" modulus="1e11" dissipation="1"/>
    <body pos="0 0 .1"><freejoint/>
      <geom name="ball" size=".05" mass="1" contactmodel="hertz" modulus="1e11" dissipation="1"/>
    </body>
  </worldbody>
</mujoco>)";
constexpr char kPlain[] = "<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>";
constexpr char kWrong[] = "<mujoco><worldbody><geom size='-1'/></worldbody></mujoco>";

std::vector<std::string> told;
void Tell(const char* text) { told.emplace_back(text); }

jmp_buf back;
void Leave(const char*) { longjmp(back, 1); }

class ModelWarnings : public testing::Test {
 protected:
  ModelWarnings() {
    told.clear();
    mju_user_warning = Tell;
  }
  ~ModelWarnings() override { mju_user_warning = nullptr; }
};

ModelPtr Load(const char* xml, std::string* text) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.xml", xml, static_cast<int>(std::char_traits<char>::length(xml)));
  char error[1000] = "";
  ModelPtr m(mj_loadXML("m.xml", &vfs, error, sizeof(error)));
  mj_deleteVFS(&vfs);
  *text = error;
  return m;
}

TEST_F(ModelWarnings, LoadingTellsTheHandlerWhatStandsBesideTheModel) {
  std::string text;
  EXPECT_NE(Load(kStiff, &text).get(), nullptr);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0], text);
  EXPECT_NE(text.find("reduce the timestep"), std::string::npos) << text;
  EXPECT_NE(Load(kPlain, &text).get(), nullptr);
  EXPECT_EQ(Load(kWrong, &text).get(), nullptr);
  EXPECT_EQ(told.size(), 1u);
}

TEST_F(ModelWarnings, CompilingSpecificationsTellsTheSame) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(kStiff, nullptr, error, sizeof(error));
  ASSERT_NE(spec, nullptr) << error;
  const ModelPtr m(mj_compile(spec, nullptr));
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0], mjs_getError(spec));
  EXPECT_EQ(mjs_isWarning(spec), 1);
  const DataPtr d(mj_makeData(m.get()));
  EXPECT_EQ(mj_recompile(spec, nullptr, m.get(), d.get()), 0);
  EXPECT_EQ(told.size(), 2u);
  mj_deleteSpec(spec);
}

TEST_F(ModelWarnings, WithoutAHandlerTheTextIsAll) {
  mju_user_warning = nullptr;
  std::string text;
  testing::internal::CaptureStdout();
  EXPECT_NE(Load(kStiff, &text).get(), nullptr);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_NE(text, "");
}

TEST_F(ModelWarnings, AHandlerMayLeave) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(kStiff, nullptr, error, sizeof(error));
  mju_user_warning = Leave;
  bool left = false;
  if (setjmp(back) == 0) {
    mj_deleteModel(mj_compile(spec, nullptr));
  } else {
    left = true;
  }
  EXPECT_TRUE(left);
  // what it was told is not told again by another compilation
  mju_user_warning = Tell;
  std::string text;
  EXPECT_NE(Load(kPlain, &text).get(), nullptr);
  EXPECT_EQ(told.size(), 0u);
  mj_deleteSpec(spec);
}

}  // namespace
}  // namespace sinew
