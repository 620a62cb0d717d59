#include "tests/support/lane_steps.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numeric>

namespace sinew::testing {
namespace {

// Option, dimension of contacts, and what follows.
constexpr char kWalker[] = R"(
<option timestep="0.004" %s/>
<default><geom type="capsule" friction="0.8" condim="%s"/><joint damping="0.3" armature="0.01"/></default>
<worldbody><geom name="floor" type="plane" size="5 5 .1"/><geom type="box" size=".1 .1 .05" pos=".3 0 .05"/>
 <body pos="0 0 .55"><freejoint/><geom type="box" size=".15 .1 .05"/><site name="imu"/>
  <body pos=".1 .08 0"><joint name="h1" axis="0 1 0" range="-60 60" limited="true"/><joint axis="1 0 0" frictionloss=".2"/>
   <geom fromto="0 0 0 0 0 -.25" size=".04"/><body pos="0 0 -.25"><joint name="k1" axis="0 1 0" range="-120 5" limited="true"/>
    <geom fromto="0 0 0 0 0 -.25" size=".03"/></body></body>
  <body pos=".1 -.08 0"><joint name="h2" axis="0 1 0" range="-60 60" limited="true"/>
   <geom fromto="0 0 0 0 0 -.25" size=".04"/><body pos="0 0 -.25"><joint name="k2" axis="0 1 0" range="-120 5" limited="true"/>
    <geom fromto="0 0 0 0 0 -.25" size=".03"/></body></body>
  <body pos="-.12 0 0"><joint type="ball" range="0 40" limited="true"/><geom fromto="0 0 0 -.2 0 -.3" size=".03"/></body>
 </body></worldbody>
<tendon><fixed name="t" limited="true" range="-.8 .8" frictionloss=".05"><joint joint="h1" coef="1"/><joint joint="h2" coef="-1"/></fixed></tendon>
<actuator><motor joint="h1" gear="5"/><motor joint="k1" gear="5"/><motor joint="h2" gear="5"/><position joint="k2" kp="5"/></actuator>
%s
<sensor><gyro site="imu"/><accelerometer site="imu"/><touch site="imu"/><jointlimitfrc joint="h1"/><subtreecom body="world"/></sensor>
)";

}  // namespace

std::string Walker(const char* option, const char* condim, const char* more) {
  std::vector<char> text(sizeof(kWalker) + std::strlen(option) + std::strlen(more) + 10);
  std::snprintf(text.data(), text.size(), kWalker, option, condim, more);
  return std::string("<mujoco>") + text.data() + "</mujoco>";
}

ModelPtr ReadModel(const std::string& xml) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "walker.xml", xml.data(), static_cast<int>(xml.size()));
  char error[500] = "";
  mjModel* m = mj_loadXML("walker.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  EXPECT_NE(m, nullptr) << error;
  return ModelPtr(m);
}

bool SameBits(const double* a, const double* b, mjtSize n) {
  return n == 0 || std::memcmp(a, b, static_cast<size_t>(n) * sizeof(double)) == 0;
}

void ExpectStepsEqualAlone(const mjModel& m, const LaneOps& ops) {
  constexpr int kWorlds = 8, kSteps = 300;
  Runs alone(m, kWorlds);
  LanePack pack(m, ops);
  std::vector<std::vector<double>> states;
  for (int i = 0; i < kWorlds; ++i) states.push_back(alone.State(i));
  const size_t ctrl = static_cast<size_t>(mj_stateSize(&m, mjSTATE_CTRL - 1));
  const auto first_active = static_cast<ptrdiff_t>(mj_stateSize(&m, mjSTATE_EQ_ACTIVE - 1));
  std::vector<mjtByte> active(static_cast<size_t>(m.neq));
  DataPtr packed(MakeData(m));
  std::mt19937 random(3);
  int contacts = 0;
  for (int step = 0; step < kSteps; ++step) {
    std::vector<int> order(kWorlds);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    alone.Step(step);
    for (int first = 0; first < kWorlds; first += ops.width) {
      for (int lane = 0; lane < ops.width; ++lane) {
        const int world = order[static_cast<size_t>(first + lane)];
        std::vector<double>& state = states[static_cast<size_t>(world)];
        alone.Control(world, step, state.data() + ctrl);
        alone.Activate(world, step, active.data());
        std::copy(active.begin(), active.end(), state.begin() + first_active);
        pack.LoadState(lane, state.data());
      }
      pack.Step();
      for (int lane = 0; lane < ops.width; ++lane) {
        const int world = order[static_cast<size_t>(first + lane)];
        std::vector<double>& state = states[static_cast<size_t>(world)];
        pack.SaveState(lane, state.data());
        const mjData& expected = alone.world(world);
        ASSERT_EQ(pack.status(lane).contacts, expected.ncon);
        ASSERT_EQ(pack.status(lane).rows, expected.nefc);
        ASSERT_EQ(pack.status(lane).iterations, expected.solver_niter[0]) << "step " << step << ", world " << world;
        ASSERT_EQ(pack.status(lane).warnings, 0);
        contacts += expected.ncon;
        const std::vector<double> all = alone.State(world);
        ASSERT_TRUE(SameBits(state.data(), all.data(), static_cast<mjtSize>(all.size())))
            << "step " << step << ", world " << world;
        pack.Save(lane, packed.get());
        ASSERT_TRUE(SameBits(packed->sensordata, expected.sensordata, m.nsensordata))
            << "step " << step << ", world " << world;
        ASSERT_TRUE(SameBits(packed->qfrc_constraint, expected.qfrc_constraint, m.nv));
        ASSERT_TRUE(SameBits(packed->qfrc_passive, expected.qfrc_passive, m.nv));
        ASSERT_TRUE(SameBits(packed->ten_length, expected.ten_length, m.ntendon));
        ASSERT_TRUE(SameBits(packed->actuator_force, expected.actuator_force, m.nu));
        // behind the last point of the last path is what was there before
        const size_t last = static_cast<size_t>(std::max<mjtSize>(m.ntendon, 1) - 1);
        const int points = m.nwrap > 0 ? expected.ten_wrapadr[last] + expected.ten_wrapnum[last] : 0;
        ASSERT_TRUE(std::equal(expected.ten_wrapnum, expected.ten_wrapnum + m.ntendon, packed->ten_wrapnum));
        ASSERT_TRUE(std::equal(expected.wrap_obj, expected.wrap_obj + points, packed->wrap_obj));
        ASSERT_TRUE(SameBits(packed->wrap_xpos, expected.wrap_xpos, 3 * points));
      }
    }
  }
  EXPECT_GT(contacts, kSteps);  // the worlds touch the ground and themselves
}

}  // namespace sinew::testing
