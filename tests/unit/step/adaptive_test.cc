// Steps of bounded error of models.
#include <gtest/gtest.h>
#include <sinew/extensions.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "batch/lane_pack.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

std::string Pendulum(const std::string& option) {
  return "<mujoco><option timestep=\"0.05\" " + option + R"(><flag energy="enable"/></option>
    <worldbody><body><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.5" size=".02" contype="0" conaffinity="0"/>
      <body pos="0 0 -.5"><joint type="ball"/><geom type="box" size=".1 .2 .05" pos="0 0 -.2" contype="0" conaffinity="0"/></body>
    </body></worldbody></mujoco>)";
}

sinewErrorControl Counters(const World& w) {
  sinewErrorControl c;
  std::memcpy(&c, w.d->history + w.m->nhistory - 4, sizeof(c));
  return c;
}

void Swing(World& w, double time) {
  w.d->qpos[0] = 1;
  w.d->qvel[1] = 2;
  w.d->qvel[3] = -3;
  while (w.d->time < time - 1e-9) mj_step(w.m.get(), w.d.get());
  mj_forward(w.m.get(), w.d.get());
}

double EnergyChange(const std::string& option) {
  World w(ModelFromText(Pendulum(option)));
  w.d->qpos[0] = 1;
  w.d->qvel[1] = 2;
  w.d->qvel[3] = -3;
  mj_forward(w.m.get(), w.d.get());
  const double before = w.d->energy[0] + w.d->energy[1];
  Swing(w, 2);
  return std::fabs(w.d->energy[0] + w.d->energy[1] - before);
}

TEST(AdaptiveTest, EnergyFollowsTheAccuracy) {
  double last = 1e9;
  for (const char* accuracy : {"1e-2", "1e-4", "1e-6", "1e-8"}) {
    const double change = EnergyChange(std::string("integrator=\"merson\" accuracy=\"") + accuracy + "\"");
    // energies are tens of joules, and a swing of two seconds adds up the errors of a hundred steps
    EXPECT_LT(change, 300 * std::stod(accuracy)) << accuracy;
    EXPECT_LT(change, last);
    last = change;
  }
}

TEST(AdaptiveTest, MethodsAgreeAndCount) {
  World merson(ModelFromText(Pendulum(R"(integrator="merson" accuracy="1e-9")")));
  Swing(merson, 1);
  for (const char* method : {"rk3", "euler2"}) {
    World w(ModelFromText(Pendulum(std::string("integrator=\"") + method + "\" accuracy=\"1e-7\" errornorm=\"max\"")));
    Swing(w, 1);
    for (int i = 0; i < w.m->nq; ++i) EXPECT_NEAR(w.d->qpos[i], merson.d->qpos[i], 5e-3) << method;
    EXPECT_GT(Counters(w).accepted, Counters(merson).accepted) << method;
  }
  EXPECT_GT(Counters(merson).accepted, 20);
  EXPECT_EQ(Counters(merson).forced, 0);
  EXPECT_DOUBLE_EQ(merson.d->time, 1);
}

// Orders by Richardson's ratio: steps of fixed length, since any error is accurate enough.
TEST(AdaptiveTest, OrdersOfConvergence) {
  const auto end = [](const std::string& method, double h) {
    World w(ModelFromText(
        Pendulum("integrator=\"" + method + "\" accuracy=\"1e9\" maxstep=\"" + std::to_string(h) + "\"")));
    Counters(w);
    reinterpret_cast<sinewErrorControl*>(w.d->history)->step = h;
    Swing(w, 0.5);
    return std::vector<double>(w.d->qpos, w.d->qpos + w.m->nq);
  };
  const auto distance = [](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum);
  };
  for (const auto& [method, order] : {std::pair<std::string, int>("merson", 4), {"rk3", 3}, {"euler2", 1}}) {
    const auto a = end(method, 0.0125), b = end(method, 0.00625), c = end(method, 0.003125);
    EXPECT_NEAR(std::log2(distance(a, b) / distance(b, c)), order, 0.4) << method;
  }
}

TEST(AdaptiveTest, AStateContinuesBitForBit) {
  World a(ModelFromText(Pendulum(R"(integrator="merson")")));
  Swing(a, 0.3);
  const int size = mj_stateSize(a.m.get(), mjSTATE_INTEGRATION);
  std::vector<double> state(static_cast<size_t>(size));
  mj_getState(a.m.get(), a.d.get(), state.data(), mjSTATE_INTEGRATION);
  World b(ModelFromText(Pendulum(R"(integrator="merson")")));
  mj_setState(b.m.get(), b.d.get(), state.data(), mjSTATE_INTEGRATION);
  for (World* w : {&a, &b}) {
    for (int k = 0; k < 10; ++k) mj_step(w->m.get(), w->d.get());
  }
  for (int i = 0; i < a.m->nq; ++i) EXPECT_EQ(a.d->qpos[i], b.d->qpos[i]);
}

// The reserve of a world has room for an internal step, however small the memory that the model asks for.
TEST(AdaptiveTest, StepsDoNotNeedMemoryOfTheArena) {
  const std::string roomy = Pendulum(R"(integrator="merson")");
  const std::string root = "<mujoco>";
  World a(ModelFromText(roomy)), b(ModelFromText(root + R"(<size memory="1K"/>)" + roomy.substr(root.size())));
  Swing(a, 0.5);
  Swing(b, 0.5);
  for (int i = 0; i < a.m->nq; ++i) EXPECT_EQ(a.d->qpos[i], b.d->qpos[i]);
}

// Packs of worlds say why they do not take the model.
TEST(AdaptiveTest, PacksOfWorldsRefuseIt) {
  const ModelPtr m = ModelFromText(Pendulum(R"(integrator="merson")"));
  EXPECT_STREQ(ObstacleToLanes(*m), "a step of bounded error");
}

TEST(AdaptiveTest, StepsThatCannotShrinkAreForcedAndSaid) {
  static std::string warning;
  warning.clear();
  mju_user_warning = [](const char* text) { warning = text; };
  World w(ModelFromText(Pendulum(R"(integrator="merson" accuracy="1e-12" minstep="0.02")")));
  Swing(w, 0.5);
  mju_user_warning = nullptr;
  EXPECT_GT(Counters(w).forced, 0);
  EXPECT_NE(warning.find("minstep"), std::string::npos) << warning;
  for (int i = 0; i < w.m->nq; ++i) EXPECT_TRUE(std::isfinite(w.d->qpos[i]));
}

TEST(AdaptiveTest, WrongNumbersAreErrors) {
  for (const char* wrong :
       {R"(accuracy="0")", R"(accuracy="-1")", R"(minstep="-1")", R"(minstep="0.2" maxstep="0.1")"}) {
    EXPECT_THROW(ModelFromText(Pendulum(std::string("integrator=\"rk3\" ") + wrong)), std::runtime_error) << wrong;
  }
}

TEST(AdaptiveTest, FilesCarryIt) {
  const ModelPtr m = ModelFromText(Pendulum(R"(integrator="rk3" accuracy="1e-5" errornorm="max" maxstep="0.02")"));
  std::vector<char> bytes(static_cast<size_t>(mj_sizeModel(m.get())));
  mj_saveModel(m.get(), nullptr, bytes.data(), static_cast<int>(bytes.size()));
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.mjb", bytes.data(), static_cast<int>(bytes.size()));
  const ModelPtr again(mj_loadModel("m.mjb", &vfs));
  mj_deleteVFS(&vfs);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->opt.integrator, sinewINT_RK3);
  EXPECT_EQ(again->numeric_data[0], 1e-5);

  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(Pendulum(R"(integrator="rk3" accuracy="1e-5" errornorm="max")").c_str(), nullptr,
                                   error, sizeof(error));
  ASSERT_TRUE(spec) << error;
  mj_deleteModel(mj_compile(spec, nullptr));
  std::string written(100000, '\0');
  ASSERT_EQ(mj_saveXMLString(spec, written.data(), static_cast<int>(written.size()), error, sizeof(error)), 0) << error;
  mj_deleteSpec(spec);
  EXPECT_NE(written.find("integrator=\"rk3\""), std::string::npos);
  EXPECT_NE(written.find("accuracy=\"1e-05\" errornorm=\"max\""), std::string::npos);
  EXPECT_EQ(written.find("numeric"), std::string::npos);
}

}  // namespace
}  // namespace sinew
