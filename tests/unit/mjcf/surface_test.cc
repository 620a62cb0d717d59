// Velocity and adhesion of surfaces in files, specifications and models.
#include <gtest/gtest.h>
#include <sinew/elements_beyond.h>
#include <sinew/extensions.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/testing/binary_model.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

constexpr const char* kText = R"(<mujoco>
  <default>
    <default class="belt"><geom surfacevel="1 0 0 0 0 2" adhesion="3"/></default>
    <default class="glue"><pair adhesion="7"/></default>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="b" pos="0 0 1"><freejoint/><geom name="x" class="belt" size=".1"/><geom name="y" class="belt" size=".1" surfacevel="4 5" adhesion="0"/></body>
    <body name="c" pos="0 0 2"><freejoint/><geom name="z" size=".1"/></body>
  </worldbody>
  <contact><pair geom1="floor" geom2="x" class="glue"/><pair geom1="floor" geom2="y" adhesion="9"/><pair geom1="floor" geom2="z"/></contact>
</mujoco>)";

// By geom: floor, x, y, z; then by pair.
const std::vector<double> kNumbers = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 3, 4, 5,
                                      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 9, 0};

std::vector<double> NumbersOf(const mjModel* m) {
  const int array = mj_name2id(m, mjOBJ_NUMERIC, sinewSURFACES);
  if (array < 0) return {};
  const mjtNum* first = m->numeric_data + m->numeric_adr[array];
  return {first, first + m->numeric_size[array]};
}

SpecPtr Parse(const std::string& text) {
  char error[1000] = "";
  SpecPtr spec(mj_parseXMLString(text.c_str(), nullptr, error, sizeof error));
  EXPECT_TRUE(spec) << error;
  return spec;
}

std::string ErrorOf(const std::string& text) {
  try {
    ModelFromText(text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

TEST(SurfaceFilesTest, ModelsHaveTheirNumbers) { EXPECT_EQ(NumbersOf(ModelFromText(kText).get()), kNumbers); }

TEST(SurfaceFilesTest, WrittenFilesHaveThemToo) {
  const SpecPtr spec = Parse(kText);
  const ModelPtr m(mj_compile(spec.get(), nullptr));
  char error[1000] = "";
  std::string written(20000, '\0');
  ASSERT_EQ(mj_saveXMLString(spec.get(), written.data(), static_cast<int>(written.size()), error, sizeof error), 0)
      << error;
  EXPECT_EQ(NumbersOf(ModelFromText(written.c_str()).get()), kNumbers);
  EXPECT_EQ(written.find("numeric"), std::string::npos);
}

TEST(SurfaceFilesTest, BinaryFilesAndCopiesHaveThem) {
  const ModelPtr m = ModelFromText(kText), copy(mj_copyModel(nullptr, m.get()));
  EXPECT_EQ(NumbersOf(copy.get()), kNumbers);
  const ModelPtr again = ThroughBinary(m.get());
  ASSERT_TRUE(again);
  EXPECT_EQ(NumbersOf(again.get()), kNumbers);
}

TEST(SurfaceFilesTest, ModelsThatSayNothingHaveNoArray) {
  EXPECT_TRUE(NumbersOf(ModelFromText("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>").get()).empty());
  // a program may set numbers in their place
  const ModelPtr zero = ModelFromText("<mujoco><worldbody><geom size='.1' adhesion='0'/></worldbody></mujoco>");
  EXPECT_EQ(NumbersOf(zero.get()), std::vector<double>(7));
}

TEST(SurfaceFilesTest, AttachedAndCopiedElementsKeepThem) {
  const SpecPtr child = Parse(kText), parent(mj_makeSpec());
  mjs_setDeepCopy(parent.get(), 1);
  mjsFrame* frame = mjs_addFrame(mjs_findBody(parent.get(), "world"), nullptr);
  ASSERT_TRUE(mjs_attach(frame->element, mjs_findBody(child.get(), "b")->element, "one_", ""));
  const SpecPtr copy(mj_copySpec(parent.get()));
  const ModelPtr m(mj_compile(copy.get(), nullptr));
  ASSERT_TRUE(m) << mjs_getError(copy.get());
  EXPECT_EQ(NumbersOf(m.get()), std::vector<double>(kNumbers.begin() + 7, kNumbers.begin() + 21));
}

TEST(SurfaceFilesTest, ProgramsSetThem) {
  const SpecPtr spec(mj_makeSpec());
  mjsGeom* geom = mjs_addGeom(mjs_findBody(spec.get(), "world"), nullptr);
  geom->size[0] = 0.1;
  double* surface = sinew_geomSurface(geom);
  ASSERT_TRUE(surface);
  for (int i = 0; i < sinewNSURFACE; ++i) EXPECT_TRUE(std::isnan(surface[i]));
  surface[sinewSURFACE_VELOCITY + 1] = 2;
  const ModelPtr m(mj_compile(spec.get(), nullptr));
  ASSERT_TRUE(m);
  EXPECT_EQ(NumbersOf(m.get()), (std::vector<double>{0, 2, 0, 0, 0, 0, 0}));
  EXPECT_EQ(sinew_geomSurface(nullptr), nullptr);
  EXPECT_EQ(sinew_pairAdhesion(nullptr), nullptr);
}

TEST(SurfaceFilesTest, WrongNumbersAreErrors) {
  const auto geom = [](const std::string& attributes) {
    return "<mujoco><worldbody><geom name='belt' size='.1' " + attributes + "/></worldbody></mujoco>";
  };
  for (const char* wrong :
       {"adhesion='-1'", "adhesion='inf'", "surfacevel='inf 0 0'", "surfacevel='1 2 3 4 5 6 7'", "adhesion='much'"}) {
    const std::string error = ErrorOf(geom(wrong));
    EXPECT_NE(error.find(std::string(wrong).substr(0, 8)), std::string::npos) << wrong << ": " << error;
  }
  EXPECT_NE(ErrorOf(geom("adhesion='-1'")).find("belt"), std::string::npos);
}

// Whatever a program writes, worlds stay finite, or are reset with a warning.
TEST(SurfaceFilesTest, BadNumbersAreSafe) {
  World w(
      ModelFromText("<mujoco><worldbody><geom type='plane' size='1 1 1' surfacevel='1'/><body pos='0 0 .09'>"
                    "<freejoint/><geom size='.1' condim='4'/></body></worldbody></mujoco>"));
  const int array = mj_name2id(w.m.get(), mjOBJ_NUMERIC, sinewSURFACES);
  ASSERT_GE(array, 0);
  mjtNum* numbers = w.m->numeric_data + w.m->numeric_adr[array];
  for (int k = 0; k < w.m->numeric_size[array]; ++k) {
    for (const double bad : {1e300, -5.0, double(NAN)}) {
      const double kept = numbers[k];
      numbers[k] = bad;
      mj_resetData(w.m.get(), w.d.get());
      for (int i = 0; i < 3; ++i) mj_step(w.m.get(), w.d.get());
      for (int i = 0; i < 7; ++i) EXPECT_TRUE(std::isfinite(w.d->qpos[i])) << k << " " << bad;
      numbers[k] = kept;
    }
  }
}

// A child whose compiler fits boxes of equal inertia, in a document that fits bounding boxes: its geom is saved with
// the place that it got, and its surface moves as before.
TEST(Surface, AFittedGeomOfAnAttachedModelIsSavedWithItsVelocity) {
  const SpecPtr parent = Parse("<mujoco><compiler fitaabb='true'/><worldbody><frame name='f'/></worldbody></mujoco>");
  const SpecPtr child = Parse(
      "<mujoco><asset><mesh name='m' vertex='0 0 0 .3 0 0 0 .2 .1 0 0 .1 .1 .1 .4'/></asset><worldbody>"
      "<body name='b'><geom type='box' mesh='m' surfacevel='1 2 3 .4 .5 .6'/></body></worldbody></mujoco>");
  mjsElement* frame = mjs_findFrame(parent.get(), "f")->element;
  ASSERT_TRUE(mjs_attach(frame, mjs_findBody(child.get(), "b")->element, "", "_"));
  const ModelPtr m(mj_compile(parent.get(), nullptr));
  ASSERT_TRUE(m) << mjs_getError(parent.get());
  const std::vector<double> numbers = NumbersOf(m.get());
  EXPECT_GT(std::fabs(numbers.at(0) - 1), 0.01);  // the box stands elsewhere, turned

  char error[1000] = "";
  std::string text(100000, '\0');
  ASSERT_EQ(mj_saveXMLString(parent.get(), text.data(), static_cast<int>(text.size()), error, sizeof error), 0)
      << error;
  const ModelPtr again = ModelFromText(text.c_str());
  const std::vector<double> saved = NumbersOf(again.get());
  ASSERT_EQ(saved.size(), numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) EXPECT_NEAR(saved[i], numbers[i], 1e-5) << i;  // six digits
}

}  // namespace
}  // namespace sinew
