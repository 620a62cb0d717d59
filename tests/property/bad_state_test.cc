// Bad numbers in any input never crash a step. What reaches the state is found within that step: a warning says where,
// and the world starts anew.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>
#include <sinew/batch.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "model/integrator.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

std::string text;
void Keep(const char* message) { text = message; }

// All kinds of joints, an actuator with a state, tendons, a mocap body that is welded to a free one, in contact.
ModelPtr Zoo() {
  return ModelFromText(R"(<mujoco><worldbody><geom type='plane' size='5 5 .1'/>
    <body name='base' pos='0 0 .1'><freejoint name='root'/><geom type='box' size='.1 .1 .1'/>
      <body name='arm' pos='.2 0 0'><joint name='shoulder' type='ball' damping='.1' range='0 60' limited='true'/>
        <geom type='capsule' fromto='0 0 0 .3 0 0' size='.04'/><site name='a' pos='.1 0 .05'/>
        <body name='hand' pos='.3 0 0'><joint name='wrist' axis='0 1 0' range='-40 40' limited='true' stiffness='1'/>
          <geom type='ellipsoid' size='.1 .05 .04'/><site name='b' euler='10 20 30'/></body></body></body>
    <body name='puck' pos='.1 .4 .1'><joint name='slide' type='slide' axis='1 0 0'/><geom type='cylinder' size='.1 .1'/></body>
    <body name='target' mocap='true' pos='0 0 .5'><geom size='.05' pos='.01 0 0' euler='10 20 30'/>
      <geom size='.02' pos='0 0 .1'/></body>
    <camera name='eye' pos='0 -2 1'/><light pos='0 0 3'/></worldbody>
    <tendon><spatial name='cord' stiffness='3'><site site='a'/><site site='b'/></spatial></tendon>
    <equality><weld body1='base' body2='target'/></equality>
    <actuator><general joint='wrist' dyntype='filter' dynprm='.1'/><position joint='slide' kp='2'/></actuator><sensor><user dim='1' needstage='acc'/></sensor></mujoco>)");
}

struct Input {
  const char* name;
  double* (*array)(mjData*);
  mjtSize (*size)(const mjModel*);
  bool detected;  // a value that is not finite becomes a warning
};

const Input kInputs[] = {
    {"qpos", [](mjData* d) { return d->qpos; }, [](const mjModel* m) { return m->nq; }, true},
    {"qvel", [](mjData* d) { return d->qvel; }, [](const mjModel* m) { return m->nv; }, true},
    {"act", [](mjData* d) { return d->act; }, [](const mjModel* m) { return m->na; }, true},
    {"ctrl", [](mjData* d) { return d->ctrl; }, [](const mjModel* m) { return m->nu; }, true},
    {"qfrc_applied", [](mjData* d) { return d->qfrc_applied; }, [](const mjModel* m) { return m->nv; }, true},
    {"xfrc_applied", [](mjData* d) { return d->xfrc_applied + 6; }, [](const mjModel*) { return mjtSize{6}; }, true},
    {"mocap_pos", [](mjData* d) { return d->mocap_pos; }, [](const mjModel*) { return mjtSize{3}; }, true},
    {"mocap_quat", [](mjData* d) { return d->mocap_quat; }, [](const mjModel*) { return mjtSize{4}; }, true},
    {"warmstart", [](mjData* d) { return d->qacc_warmstart; }, [](const mjModel* m) { return m->nv; }, false},
};

int Warnings(const mjData* d) {
  return d->warning[mjWARN_BADQPOS].number + d->warning[mjWARN_BADQVEL].number + d->warning[mjWARN_BADQACC].number +
         d->warning[mjWARN_BADCTRL].number;
}

bool IsFinite(const World& world) {
  const auto finite = [](const double* x, mjtSize n) {
    for (mjtSize i = 0; i < n; ++i) {
      if (!std::isfinite(x[i])) return false;
    }
    return true;
  };
  return finite(world.d->qpos, world.m->nq) && finite(world.d->qvel, world.m->nv);
}

class BadState : public testing::TestWithParam<Input> {
 protected:
  BadState() { mju_user_warning = Keep; }
  ~BadState() override { mju_user_warning = nullptr; }
};

TEST_P(BadState, IsFoundWithinAStep) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();
  World world(Zoo());
  const mjtSize size = GetParam().size(world.m.get());
  ASSERT_GT(size, 0);
  for (const double bad : {kNaN, kInfinite, -kInfinite, 1e300, -1e300}) {
    for (mjtSize i = 0; i < size; ++i) {
      mj_resetData(world.m.get(), world.d.get());
      mj_step(world.m.get(), world.d.get());
      ASSERT_EQ(Warnings(world.d.get()), 0);
      GetParam().array(world.d.get())[i] = bad;
      mj_step(world.m.get(), world.d.get());
      if (GetParam().detected && !std::isfinite(bad)) {
        EXPECT_GT(Warnings(world.d.get()), 0) << bad << " at " << i;
      }
      EXPECT_TRUE(IsFinite(world)) << bad << " at " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Inputs, BadState, testing::ValuesIn(kInputs),
                         [](const auto& input) { return std::string(input.param.name); });

// Contacts of poses that are no numbers are no mistakes of a collision function: whatever shapes touch, the world goes
// on, and its coordinates stay numbers.
TEST(BadPose, OfAnyPairNeverEndsAStep) {
  const char* kFixed[] = {"plane' size='1 1 1",  "sphere' size='.1",      "capsule' size='.1 .1",
                          "box' size='.1 .1 .1", "cylinder' size='.1 .1", "ellipsoid' size='.1 .1 .1",
                          "hfield' hfield='h",   "mesh' mesh='t"};
  const double kNaN = std::nan(""), kInfinite = HUGE_VAL;
  for (const char* fixed : kFixed) {
    for (const char* free : kFixed) {
      if (free[0] == 'p' || free[0] == 'h') continue;  // these cannot move
      World world(
          ModelFromText("<mujoco><asset><hfield name='h' nrow='3' ncol='3' size='1 1 1 1' elevation='0 1 0 1 0 1 0 1 "
                        "0'/><mesh name='t' "
                        "vertex='0 0 0 .1 0 0 0 .1 0 0 0 .1'/></asset><worldbody><geom type='" +
                        std::string(fixed) + "'/><body mocap='true' pos='.05 0 .1'>" +
                        (fixed[0] == 'p' ? "" : "<geom type='" + std::string(fixed) + "'/>") +
                        "</body><body pos='0 0 .1'><freejoint/><geom type='" + free +
                        "'/></body><body pos='0 0 .2'><freejoint/>"
                        "<geom size='.1'/></body></worldbody></mujoco>"));
      mjModel* m = world.m.get();
      mjData* d = world.d.get();
      for (const double bad : {kNaN, kInfinite}) {
        for (double* number : {m->qpos0 + 6, m->geom_quat + 1, m->geom_pos, m->body_quat + 4, m->geom_size}) {
          const double good = *number;
          *number = bad;
          mj_resetData(m, d);
          for (int i = 0; i < 3; ++i) mj_step(m, d);
          *number = good;
        }
        for (double* number : {d->mocap_pos + 1, d->mocap_quat + 1, d->qpos + 2, d->qpos + 4, d->qvel + 1}) {
          mj_resetData(m, d);
          *number = bad;
          for (int i = 0; i < 3; ++i) mj_step(m, d);
          EXPECT_TRUE(IsFinite(world)) << fixed << " and " << free;
        }
      }
    }
  }
}

// A collision function of the program, which says where it sees the normal.
double normal_of_program = 0;
int CollideAsTheProgramSays(const mjModel*, mjData*, mjContact* contact, int, int, mjtNum) {
  *contact = {};
  contact->dist = -0.01;
  contact->frame[0] = normal_of_program;
  return 1;
}
void Throw(const char* message) { throw std::runtime_error(message); }

TEST(BadPose, OfACollisionFunctionOfTheProgram) {
  World world(ModelFromText(
      "<mujoco><worldbody><geom size='.1'/><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"));
  const mjfCollision own = std::exchange(mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE], CollideAsTheProgramSays);
  mju_user_error = Throw;
  mju_user_warning = Keep;
  for (const double normal : {1.0, std::nan(""), HUGE_VAL}) {
    normal_of_program = normal;
    EXPECT_NO_THROW(mj_step(world.m.get(), world.d.get())) << normal;
  }
  normal_of_program = 0;
  EXPECT_THROW(mj_step(world.m.get(), world.d.get()), std::runtime_error) << "a mistake of the function";
  mju_user_error = nullptr;
  mju_user_warning = nullptr;
  mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE] = own;
}

// Worlds of batches that get bad numbers in any component of their state go on, alone and in packs, and their status
// tells what a coordinate or the time shows.
TEST(BadState, OfABatchIsInItsStatus) {
  const World world(Zoo());
  sinewBatchConfig config = {};
  config.threads = 1;
  constexpr int kWorlds = 9;
  char error[200] = "";
  for (const char* name : {"time", "qpos", "qvel", "act", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied",
                           "mocap_pos", "mocap_quat"}) {
    for (const double bad : {std::nan(""), HUGE_VAL}) {
      sinewBatch* batch = sinew_batch_make(world.m.get(), kWorlds, &config, error, sizeof(error));
      ASSERT_NE(batch, nullptr) << error;
      sinewBatchArray array;
      ASSERT_EQ(sinew_batch_state(batch, name, &array, error, sizeof(error)), 0) << error;
      const int element = std::string(name) == "xfrc_applied" ? 6 : 0;
      reinterpret_cast<double*>(static_cast<char*>(array.data) + 4 * array.stride)[element] = bad;
      ASSERT_EQ(sinew_batch_step(batch, nullptr, 3, mjSTAGE_NONE, error, sizeof(error)), 0) << error;
      for (int i = 0; i < kWorlds; ++i) {
        const bool silent = i != 4 || std::string(name) == "qacc_warmstart";
        EXPECT_EQ(sinew_batch_status(batch)[i] == sinewRUNNING, silent) << name << " of world " << i;
      }
      if (std::string(name) == "time") {
        char cause[200] = "";
        EXPECT_EQ(sinew_batch_status(batch)[4], sinewBADTIME);
        sinew_batch_cause(batch, 4, cause, sizeof(cause));
        EXPECT_NE(std::string(cause).find("the time is"), std::string::npos) << cause;
      }
      sinew_batch_delete(batch);
    }
  }
}

TEST(ZeroQuaternion, IsTheIdentity) {
  World world(Zoo());
  for (double* quat : {world.d->qpos + 3, world.d->qpos + 7, world.d->mocap_quat}) {
    mj_resetData(world.m.get(), world.d.get());
    std::fill_n(quat, 4, 0.0);
    mj_step(world.m.get(), world.d.get());
    EXPECT_EQ(Warnings(world.d.get()), 0);
    EXPECT_TRUE(IsFinite(world));
  }
}

TEST(BadCoordinate, IsNamedWithItsBody) {
  World world(Zoo());
  mju_user_warning = Keep;
  world.d->qpos[11] = std::nan("");
  mj_step(world.m.get(), world.d.get());
  EXPECT_NE(text.find("QPOS at DOF 11"), std::string::npos) << text;
  EXPECT_NE(text.find("Joint 'wrist' of body 'hand'."), std::string::npos) << text;
  mj_resetData(world.m.get(), world.d.get());
  world.d->qvel[7] = std::nan("");
  mj_step(world.m.get(), world.d.get());
  EXPECT_NE(text.find("Joint 'shoulder' of body 'arm'."), std::string::npos) << text;
  mju_user_warning = nullptr;
}

// ---- the cause is named, wherever it stands

void ExpectText(const char* part) { EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text; }

class BadModel : public testing::Test {
 protected:
  BadModel() {
    text.clear();
    mju_user_warning = Keep;
  }
  ~BadModel() override { mju_user_warning = nullptr; }
  void Step() { mj_step(world.m.get(), world.d.get()); }

  World world{Zoo()};
  mjModel& m = *world.m;
  mjData& d = *world.d;
};

TEST_F(BadModel, IsTheCauseOfABadAcceleration) {
  Step();
  m.body_mass[2] = std::nan("");
  Step();
  EXPECT_EQ(d.warning[mjWARN_BADQACC].number, 1);
  ExpectText("Cause: body_mass[2] of body 'arm' is nan in the model");
}

TEST_F(BadModel, IsFoundBeforeAnEpisodeWithoutATraceInTheState) {
  m.geom_size[3 * 5] = std::nan("");
  Step();
  ExpectText("geom_size[15] of geom 5 is nan");
  EXPECT_EQ(Warnings(&d), 0);
  text.clear();
  Step();
  EXPECT_EQ(text, "") << "once an episode";
}

TEST_F(BadModel, IsFoundWhileAnEpisodeRuns) {
  Step();
  m.jnt_range[2 * 2] = std::nan("");
  constexpr int kArrays = 400;  // more than a model has, one of which is looked at in each step
  for (int i = 0; i < kArrays && text.empty(); ++i) Step();
  ExpectText("jnt_range[4] of joint 'wrist' is nan");
}

// Neither reaches the coordinates, and both are finite where they are written.
TEST_F(BadModel, IsFoundInTheStepInWhichAPoseIsSpoiled) {
  const std::pair<mjtNum*, const char*> places[] = {{m.cam_pos, "cam_pos[0] of camera 'eye' is nan"},
                                                    {m.light_pos, "light_pos[0] of light 0 is nan"},
                                                    {m.geom_pos + 3 * 5, "geom_pos[15] of geom 5 is nan"},
                                                    {m.site_quat + 4, "site_quat[4] of site 'b' is nan"},
                                                    {m.jnt_pos + 3 * 3, "jnt_pos[9] of joint 'slide' is nan"}};
  for (const auto& [number, expected] : places) {
    mj_resetData(&m, &d);
    Step();
    const mjtNum good = std::exchange(*number, std::nan(""));
    text.clear();
    Step();
    ExpectText(expected);
    *number = good;
  }
  mj_resetData(&m, &d);
  Step();
  text.clear();
  m.geom_quat[4 * 5 + 1] = 1e300;  // its square is not finite
  Step();
  ExpectText("geom_quat[21] of geom 5 is 1e+300");
}

// A sensor of the program's own, which is bad for no reason that the engine can know. The search for it sees all of the
// model, and is not repeated: what is written afterwards and leaves no trace waits for its turn.
TEST_F(BadModel, IsSearchedForOnceForEachResult) {
  mjcb_sensor = [](const mjModel*, mjData* data, int stage) {
    if (stage == mjSTAGE_ACC) data->sensordata[0] = std::nan("");
  };
  Step();
  Step();
  EXPECT_EQ(text, "");
  m.sensor_noise[0] = std::nan("");  // its turn is far away
  Step();
  EXPECT_EQ(text, "") << "has searched again";
  mj_resetData(&m, &d);
  m.sensor_noise[0] = 0;
  Step();
  m.sensor_noise[0] = std::nan("");
  mj_resetData(&m, &d);
  Step();
  ExpectText("sensor_noise[0]");
  mjcb_sensor = nullptr;
}

// A thread steps worlds by turns: what is known of one does not make it report the other again.
TEST_F(BadModel, IsReportedOnceForEachWorld) {
  static int reports;
  reports = 0;
  mju_user_warning = [](const char*) { ++reports; };
  World other(Zoo());
  Step();
  mj_step(other.m.get(), other.d.get());
  m.cam_pos[0] = other.m->cam_pos[1] = std::nan("");
  for (int i = 0; i < 5; ++i) {
    Step();
    mj_step(other.m.get(), other.d.get());
  }
  EXPECT_EQ(reports, 2);
}

TEST_F(BadModel, MayHaveInfiniteLimits) {
  for (int i = 0; i < m.njnt; ++i) {
    m.jnt_range[2 * i] = -std::numeric_limits<double>::infinity();
    m.jnt_range[2 * i + 1] = std::numeric_limits<double>::infinity();
  }
  Step();
  EXPECT_EQ(text, "");
}

TEST_F(BadModel, RestsWhereNoResetHelps) {
  for (const int integrator : {+mjINT_EULER, +mjINT_RK4, +mjINT_IMPLICIT, +mjINT_IMPLICITFAST, kDiscrete}) {
    m.opt.integrator = integrator;
    const double mass = std::exchange(m.body_mass[1], std::nan(""));
    for (int i = 0; i < 3; ++i) {
      Step();
      EXPECT_TRUE(IsFinite(world));
      EXPECT_EQ(d.warning[mjWARN_BADQACC].number, 1);
      EXPECT_EQ(d.time, m.opt.timestep) << "each step resets the world";
    }
    m.body_mass[1] = mass;
    Step();
    EXPECT_EQ(d.time, 2 * m.opt.timestep) << "it goes on when the model is mended";
  }
}

TEST_F(BadModel, IsNotSteppedWithoutATimestep) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), 1e300}) {
    m.opt.timestep = bad;
    text.clear();
    mj_resetData(&m, &d);
    Step();
    EXPECT_TRUE(IsFinite(world)) << bad;
    EXPECT_GT(Warnings(&d), 0) << bad;
    ExpectText("opt.timestep[0]");
  }
}

}  // namespace
}  // namespace sinew
