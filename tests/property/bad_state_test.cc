// Bad numbers in any input never crash a step. What reaches the state is found within that step: a warning says where,
// and the world starts anew.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

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
          <geom type='ellipsoid' size='.1 .05 .04'/><site name='b'/></body></body></body>
    <body name='puck' pos='.1 .4 .1'><joint name='slide' type='slide' axis='1 0 0'/><geom type='cylinder' size='.1 .1'/></body>
    <body name='target' mocap='true' pos='0 0 .5'><geom size='.05'/></body></worldbody>
    <tendon><spatial name='cord' stiffness='3'><site site='a'/><site site='b'/></spatial></tendon>
    <equality><weld body1='base' body2='target'/></equality>
    <actuator><general joint='wrist' dyntype='filter' dynprm='.1'/><position joint='slide' kp='2'/></actuator></mujoco>)");
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

}  // namespace
}  // namespace sinew
