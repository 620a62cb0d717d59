#include "core/load_limits.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>
#include <sinew/extensions.h>

#include "core/error.h"
#include "core/parallel.h"

namespace sinew {
namespace {

// Limits for as long as a guard lives.
class Limits {
 public:
  Limits(double bytes, double seconds) { sinew_setLoadLimits(bytes, seconds); }
  ~Limits() { sinew_setLoadLimits(0, 0); }
  Limits(const Limits&) = delete;
};

// The error of a load: "file:line: element: problem; remedy".
std::string ErrorOf(const std::string& xml) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "model.xml", xml.data(), static_cast<int>(xml.size()));
  char error[8000] = "";
  mjModel* m = mj_loadXML("model.xml", &vfs, error, sizeof(error));
  EXPECT_EQ(m, nullptr);
  mj_deleteModel(m);
  mj_deleteVFS(&vfs);
  return error;
}

void ExpectPart(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(LoadLimits, DefaultsAreThoseOfTheMachine) {
  EXPECT_GT(DefaultLoadLimits().bytes, 1e8);
  EXPECT_TRUE(std::isfinite(DefaultLoadLimits().bytes));
  EXPECT_EQ(CurrentLoadLimits().bytes, DefaultLoadLimits().bytes);
  EXPECT_EQ(CurrentLoadLimits().seconds, DefaultLoadLimits().seconds);
  const Limits none(-1, -1);
  EXPECT_TRUE(std::isinf(CurrentLoadLimits().bytes));
  EXPECT_TRUE(std::isinf(CurrentLoadLimits().seconds));
}

TEST(LoadLimits, BytesAreReadable) {
  EXPECT_EQ(BytesText(0), "0 bytes");
  EXPECT_EQ(BytesText(999), "999 bytes");
  EXPECT_EQ(BytesText(14.4e9), "14.4 GB");
  EXPECT_EQ(BytesText(3e15), "3e+03 TB");
}

// A clock that has run out stays so: no test waits.
TEST(LoadLimits, TimeIsThatOfTheOutermostLoad) {
  CheckLoadTime("nothing");  // no load, no limit
  const Limits limits(0, 1e-12);
  const LoadClock outer;
  {
    const LoadClock inner;
    EXPECT_THROW(CheckLoadTime("a test"), Error);
  }
  EXPECT_THROW(CheckLoadTime("a test"), Error);
}

TEST(LoadLimits, TimeOfALoad) {
  const Limits limits(0, 1e-12);
  const std::string error = ErrorOf("<mujoco/>");
  ExpectPart(error, "model.xml:1: ");
  ExpectPart(error, "takes too long");
}

TEST(LoadLimits, TextureThatDoesNotFit) {
  const Limits limits(1e6, 0);
  const std::string texture = "' type='2d' builtin='flat' width='400' height='400'/>\n";
  const std::string error = ErrorOf("<mujoco><asset>\n<texture name='a" + texture + "<texture name='b" + texture +
                                    "<texture name='c" + texture + "</asset></mujoco>");
  ExpectPart(error, "model.xml:4: asset / texture 'c': ");
  ExpectPart(error, "480 kB of memory, beside 960 kB that the load holds");
}

// What a load holds counts with what is asked for, in all of its threads, until it is given back.
TEST(LoadLimits, MemoryOfALoadIsSummed) {
  const Limits limits(1e6, 0);
  const LoadClock load;
  LoadMemory held = HoldLoadMemory(6e5, "a");
  EXPECT_NO_THROW(CheckLoadMemory(4e5, "b"));
  EXPECT_THROW(CheckLoadMemory(5e5, "b"), Error);
  EXPECT_THROW(HoldLoadMemory(5e5, "b"), Error);
  ParallelFor(8, [](size_t) { EXPECT_THROW(CheckLoadMemory(5e5, "b"), Error); });
  EXPECT_NO_THROW(HoldLoadMemory(4e5, "b")) << "what was refused is not held, nor what is gone";
  held.reset();
  EXPECT_NO_THROW(CheckLoadMemory(1e6, "b"));
  KeepLoadMemory(HoldLoadMemory(6e5, "c"));
  EXPECT_THROW(CheckLoadMemory(5e5, "b"), Error);
}

TEST(LoadLimits, TimeHoldsForThreadsOfALoad) {
  const Limits limits(0, 1e-12);
  const LoadClock load;
  ParallelFor(8, [](size_t) { EXPECT_THROW(CheckLoadTime("a test"), Error); });
}

// A chain of n dofs has matrices of n^2 entries, which the body at its end is blamed for.
TEST(LoadLimits, MatricesOfAChain) {
  const Limits limits(1e6, 0);
  std::string chain;
  for (int i = 0; i < 200; ++i) chain += "<body name='b" + std::to_string(i) + "'><joint/><geom size='.1'/>\n";
  for (int i = 0; i < 200; ++i) chain += "</body>";
  const std::string error = ErrorOf("<mujoco><size memory='10K'/><worldbody>" + chain + "</worldbody></mujoco>");
  ExpectPart(error, "model.xml:200: ");
  ExpectPart(error, "body 'b0' / body 'b1' / ");
}

// 3000 dofs one behind the other: 3000^3 / 3 operations, nine seconds at a billion a second.
TEST(LoadLimits, FactorizationOfACable) {
  const Limits limits(0, 5);
  const std::string error = ErrorOf(
      "<mujoco><worldbody>\n<composite type='cable' curve='s' count='1001 1 1' size='50'>"
      "<geom type='capsule' size='.002'/></composite></worldbody></mujoco>");
  ExpectPart(error, "model.xml:2: composite");
  ExpectPart(error, "9e+09 operations");
}

// Classes are found without looking at all others.
TEST(LoadLimits, ManyClasses) {
  std::string classes;
  constexpr int kClasses = 20000;
  for (int i = 0; i < kClasses; ++i) {
    classes += "<default class='c" + std::to_string(i) + "'><geom size='.5'/></default>\n";
  }
  const std::string xml = "<mujoco><default>" + classes + "</default><worldbody><geom class='c" +
                          std::to_string(kClasses - 1) + "'/></worldbody></mujoco>";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "model.xml", xml.data(), static_cast<int>(xml.size()));
  char error[1000] = "";
  mjModel* m = mj_loadXML("model.xml", &vfs, error, sizeof(error));
  ASSERT_NE(m, nullptr) << error;
  EXPECT_EQ(m->geom_size[0], .5);
  mj_deleteModel(m);
  mj_deleteVFS(&vfs);
  ExpectPart(ErrorOf("<mujoco><default>\n<default class='a'/>\n<default class='a'/></default></mujoco>"),
             "model.xml:3: ");
}

TEST(LoadLimits, Settings) {
  const Limits limits(1e8, 0);
  const std::string world = "<worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
  ExpectPart(ErrorOf("<mujoco>\n<size memory='1G'/>" + world), "model.xml:2: size");
  ExpectPart(ErrorOf("<mujoco>\n<size nuser_body='50000000'/>" + world), "model.xml:2: size");
  ExpectPart(ErrorOf("<mujoco>\n<size nkey='1000000'/>" + world), "model.xml:2: size");
  ExpectPart(ErrorOf("<mujoco>\n<size nkey='2000000000'/>" + world), "model.xml:2: size");
}

TEST(LoadLimits, LengthRangeHasBoundedSteps) {
  const auto error = [](const std::string& settings) {
    return ErrorOf("<mujoco><compiler>\n<lengthrange " + settings + R"(/></compiler>
      <worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
      <actuator>
      <muscle name="pull" joint="j"/></actuator></mujoco>)");
  };
  for (const char* settings : {"inttotal='1e6' timestep='1e-6'", "inttotal='inf'", "timestep='1e-300'"}) {
    ExpectPart(error(settings), "model.xml:5: actuator / muscle 'pull': ");
    ExpectPart(error(settings), "steps");
  }
}

}  // namespace
}  // namespace sinew
