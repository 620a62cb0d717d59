// Steps of bounded error of models.
#include <gtest/gtest.h>
#include <sinew/dense_output.h>
#include <sinew/extensions.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "batch/pack/lane_pack.h"
#include "core/error.h"
#include "model/storage/error_control.h"
#include "step/inverse.h"
#include "step/step.h"
#include "tests/testing/binary_model.h"
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

// The pendulum's states at `times` of one step of `timestep` (0.05 s), taken in internal steps of `internal` s.
std::vector<double> DenseStates(const char* method, double internal, const std::vector<double>& times) {
  char option[200];
  std::snprintf(option, sizeof(option), "integrator=\"%s\" accuracy=\"1e3\" maxstep=\"%.17g\"", method, internal);
  World w(ModelFromText(Pendulum(option)));
  w.d->qpos[0] = 1;
  w.d->qvel[1] = 2;
  w.d->qvel[3] = -3;
  FindErrorControlState(w.m.get(), w.d.get())->step = internal;
  std::vector<double> states(times.size() * static_cast<size_t>(w.m->nq + w.m->nv));
  sinew_stepDense(w.m.get(), w.d.get(), times.data(), static_cast<int>(times.size()), states.data());
  return states;
}

double Distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(a[i] - b[i]));
  return largest;
}

TEST(DenseOutputTest, HasTheOrderOfTheMethod) {
  // times that no internal step meets, but always at the same places between their ends
  const auto places = [](double internal) {
    std::vector<double> times;
    for (double t = 0; t < 0.05 - 1e-9; t += internal)
      times.insert(times.end(), {t + 0.3 * internal, t + 0.7 * internal});
    return times;
  };
  struct Case {
    const char* method;
    double order, internal;  // steps short enough that the first term of the error leads
  };
  for (const Case& c : {Case{"merson", 4, 0.025}, Case{"rk3", 3, 0.005}, Case{"euler2", 1, 0.025}}) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      const double internal = c.internal / (1 << k);
      const std::vector<double> times = places(internal);
      error[k] = Distance(DenseStates(c.method, internal, times), DenseStates("merson", 1e-4, times));
    }
    // Richardson: halving the steps divides the error by 2^order; next orders of the series account for 0.4
    EXPECT_NEAR(std::log2(error[0] / error[1]), c.order, 0.4) << c.method;
  }
}

TEST(DenseOutputTest, LeavesTheStepAsItIs) {
  const char* option = "integrator=\"merson\" accuracy=\"1e-6\"";
  World plain(ModelFromText(Pendulum(option))), dense(ModelFromText(Pendulum(option)));
  const int nstate = static_cast<int>(plain.m->nq + plain.m->nv);
  for (World* w : {&plain, &dense}) w->d->qvel[3] = -3;
  for (int k = 0; k < 20; ++k) {
    mj_step(plain.m.get(), plain.d.get());
    const double start = dense.d->time;
    const double times[] = {start, start + 0.017, start + 0.017, start + 0.05};
    std::vector<double> before(nstate), states(4 * nstate), after(nstate), expected(nstate);
    mj_getState(dense.m.get(), dense.d.get(), before.data(), mjSTATE_QPOS | mjSTATE_QVEL | mjSTATE_ACT);
    sinew_stepDense(dense.m.get(), dense.d.get(), times, 4, states.data());
    mj_getState(dense.m.get(), dense.d.get(), after.data(), mjSTATE_QPOS | mjSTATE_QVEL | mjSTATE_ACT);
    mj_getState(plain.m.get(), plain.d.get(), expected.data(), mjSTATE_QPOS | mjSTATE_QVEL | mjSTATE_ACT);
    EXPECT_EQ(after, expected);
    EXPECT_EQ(Counters(plain).accepted, Counters(dense).accepted);
    for (int i = 0; i < nstate; ++i) {
      // at both ends the polynomial is the state, but for the rounding of two sums and of normalized quaternions
      EXPECT_NEAR(states[i], before[i], 1e-14);
      EXPECT_EQ(states[nstate + i], states[2 * nstate + i]);
      EXPECT_NEAR(states[3 * nstate + i], after[i], 1e-14);
    }
  }
}

std::string ErrorOf(World& w, const std::vector<double>& times, double* states) {
  try {
    StepWithDenseOutput(w.m.get(), w.d.get(), times.data(), static_cast<int>(times.size()), states);
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

TEST(DenseOutputTest, OtherTimesAndIntegratorsAreErrors) {
  World w(ModelFromText(Pendulum("integrator=\"rk3\"")));
  double states[100];
  const auto error = [&](std::vector<double> times) { return ErrorOf(w, times, states); };
  EXPECT_NE(error({0.06}).find("time 0"), std::string::npos);
  EXPECT_NE(error({0.02, 0.01}).find("time 1"), std::string::npos);
  EXPECT_NE(error({double(NAN)}).find("time 0"), std::string::npos);
  EXPECT_EQ(w.d->time, 0);
  EXPECT_EQ(error({}), "");
  EXPECT_DOUBLE_EQ(w.d->time, 0.05);
  World euler(ModelFromText(Pendulum("")));
  EXPECT_NE(ErrorOf(euler, {}, nullptr).find("merson"), std::string::npos);
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

// A model that has an accuracy has the state of these integrators, beside those of delays, whichever integrator it is
// read with and set to.
TEST(AdaptiveTest, ProgramsMaySwitchTheIntegrator) {
  const std::string delays = R"(<actuator><motor joint="a" delay=".1" nsample="8"/></actuator>)";
  const auto model = [&](const std::string& option) {
    std::string text = Pendulum(option);
    text.insert(text.find("<joint ") + 7, "name=\"a\" ");
    return ModelFromText(text.insert(text.rfind("</mujoco>"), delays));
  };
  World control(model(R"(integrator="merson" accuracy="1e-4")")), later(model(R"(accuracy="1e-4")"));
  later.m->opt.integrator = sinewINT_MERSON;
  for (World* w : {&control, &later}) {
    w->d->ctrl[0] = 1;
    Swing(*w, 0.5);
  }
  for (int i = 0; i < control.m->nq; ++i) EXPECT_EQ(control.d->qpos[i], later.d->qpos[i]);
  EXPECT_GT(Counters(later).accepted, 0);

  control.m->opt.integrator = mjINT_EULER;
  std::vector<char> bytes(static_cast<size_t>(mj_sizeModel(control.m.get())));
  mj_saveModel(control.m.get(), nullptr, bytes.data(), static_cast<int>(bytes.size()));
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.mjb", bytes.data(), static_cast<int>(bytes.size()));
  const ModelPtr again(mj_loadModel("m.mjb", &vfs));
  mj_deleteVFS(&vfs);
  EXPECT_TRUE(again);
}

// Bodies that have come to rest on one another fall asleep together at the end of a step, and wake when they are
// pushed.
TEST(AdaptiveTest, BodiesFallAsleep) {
  for (const char* integrator : {"merson", "rk3", "euler2"}) {
    World w(
        ModelFromText(std::string("<mujoco><option timestep='.005' slipspeed='.05' integrator='") + integrator + R"('>
      <flag sleep="enable"/></option><default><geom contactmodel="hertz" modulus="1e6" dissipation="2"/></default>
      <worldbody><geom type="plane" size="2 2 1"/><body pos="0 0 .0475"><freejoint/><geom size=".05" mass="1"/></body>
        <body pos="0 0 .145"><freejoint/><geom type="box" size=".05 .05 .05" mass="1"/></body>
        <body pos="1 0 1"><joint axis="0 1 0"/><geom size=".05" pos=".3 0 0"/></body></worldbody></mujoco>)"));
    for (int k = 0; k < 800; ++k) mj_step(w.m.get(), w.d.get());
    ASSERT_EQ(w.d->tree_asleep[0], 1) << integrator;
    ASSERT_EQ(w.d->tree_asleep[1], 0) << integrator;
    EXPECT_LT(w.d->tree_asleep[2], 0) << integrator;
    const double height = w.d->qpos[2];
    for (int k = 0; k < 100; ++k) mj_step(w.m.get(), w.d.get());
    EXPECT_EQ(w.d->qpos[2], height) << integrator;
    EXPECT_EQ(w.d->tree_asleep[0], 1) << integrator;
    w.d->xfrc_applied[6 + 2] = 40;
    for (int k = 0; k < 20; ++k) mj_step(w.m.get(), w.d.get());
    EXPECT_LT(w.d->tree_asleep[0], 0) << integrator;
    EXPECT_GT(w.d->qpos[2], height) << integrator;
  }
}

TEST(AdaptiveTest, DiscreteInverseDynamicsRefuseIt) {
  World w(ModelFromText(Pendulum(R"(integrator="rk3")")));
  w.m->opt.enableflags |= mjENBL_INVDISCRETE;
  EXPECT_THROW(Inverse(w.m.get(), w.d.get()), Error);
  w.m->opt.enableflags = 0;
  Inverse(w.m.get(), w.d.get());
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
  const ModelPtr again = ThroughBinary(m.get());
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
