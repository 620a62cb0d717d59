// A full arena costs contacts and constraints, never the program: a warning flags the world, which moves on.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <string>

#include "model/kinds/integrator.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

constexpr int kSizes = 20, kSteps = 5;

int errors = 0;
std::string message;
void CountError(const char* text) {
  ++errors;
  message = text;
}
void IgnoreWarning(const char*) {}

// A pile of boxes that fell on arms with limits and friction.
ModelPtr Pile(int solver, int integrator) {
  std::string bodies;
  for (int i = 0; i < 24; ++i) {
    const std::string x = std::to_string(0.19 * (i % 3)), y = std::to_string(0.19 * (i / 3 % 2)),
                      z = std::to_string(0.1 + 0.19 * (i / 6));
    bodies +=
        "<body pos='" + x + " " + y + " " + z + "'><freejoint/><geom type='box' size='.1 .1 .1'/>" +
        "<body pos='0 .3 0'><joint axis='1 0 0' range='-10 10' frictionloss='.1'/><geom size='.05'/></body></body>";
  }
  ModelPtr m = ModelFromText("<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='9 9 .1'/>" + bodies +
                             "</worldbody></mujoco>");
  m->opt.solver = solver;
  m->opt.integrator = integrator;
  return m;
}

int Flags(const mjData* d) { return d->warning[mjWARN_CONTACTFULL].number + d->warning[mjWARN_CNSTRFULL].number; }

bool IsFinite(const World& world) {
  for (int i = 0; i < world.m->nq; ++i) {
    if (!std::isfinite(world.d->qpos[i])) return false;
  }
  return true;
}

// Threads that solve islands; they share the arena's stack.
class Pool {
 public:
  Pool(mjData* d, size_t threads) : d_(d), pool_(threads > 0 ? mju_threadPoolCreate(threads) : nullptr) {
    if (pool_) mju_bindThreadPool(d, pool_);
  }
  ~Pool() {
    if (!pool_) return;
    d_->threadpool = 0;
    mju_threadPoolDestroy(pool_);
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

 private:
  mjData* d_;
  mjThreadPool* pool_;
};

struct Case {
  int solver;
  size_t threads;
  int integrator;
};

constexpr double kLeast = 64;  // bytes: no contact fits, and the stages have their reserve

class FullArena : public testing::TestWithParam<Case> {
 protected:
  FullArena() {
    errors = 0;
    mju_user_error = CountError;
    mju_user_warning = IgnoreWarning;
  }
  ~FullArena() override { mju_user_error = mju_user_warning = nullptr; }
};

TEST_P(FullArena, IsAWarning) {
  World ample(Pile(GetParam().solver, GetParam().integrator));
  const Pool ample_pool(ample.d.get(), GetParam().threads);
  for (int i = 0; i < kSteps; ++i) mj_step(ample.m.get(), ample.d.get());
  ASSERT_EQ(Flags(ample.d.get()), 0);
  const auto threads = static_cast<double>(GetParam().threads);
  const double share = threads > 0 ? 2 * (threads + 1) : 1;  // threads have equal shares of half of the arena
  const double needed = share * static_cast<double>(ample.d->maxuse_arena);

  int flagged = 0;
  for (int k = 0; k < kSizes; ++k) {
    ModelPtr m = Pile(GetParam().solver, GetParam().integrator);
    const double part = static_cast<double>(k) / (kSizes - 1);
    m->narena = static_cast<mjtSize>(kLeast + (needed - kLeast) * part * part);
    World world(std::move(m));
    const Pool pool(world.d.get(), GetParam().threads);
    errors = 0;
    for (int i = 0; i < kSteps; ++i) mj_step(world.m.get(), world.d.get());
    EXPECT_EQ(errors, 0) << world.m->narena << " bytes: " << message;
    EXPECT_TRUE(IsFinite(world));
    EXPECT_NEAR(world.d->time, kSteps * world.m->opt.timestep, 1e-12);
    flagged += Flags(world.d.get()) > 0;
  }
  EXPECT_GT(flagged, kSizes / 4);
  EXPECT_LT(flagged, kSizes);  // the last one has all that is needed
}

INSTANTIATE_TEST_SUITE_P(Solvers, FullArena,
                         testing::Values(Case{mjSOL_PGS, 0, mjINT_EULER}, Case{mjSOL_CG, 0, mjINT_EULER},
                                         Case{mjSOL_NEWTON, 0, mjINT_EULER}, Case{mjSOL_NEWTON, 3, mjINT_EULER},
                                         Case{mjSOL_NEWTON, 0, mjINT_IMPLICIT}, Case{mjSOL_CG, 0, mjINT_IMPLICITFAST},
                                         Case{mjSOL_CG, 0, mjINT_RK4}, Case{mjSOL_NEWTON, 0, kDiscrete},
                                         Case{mjSOL_PGS, 0, kDiscrete}));

// What a step computes besides contacts and rows fits beside any of them: sensors, transmissions, tendons, flexes,
// energy, falling asleep, inverse dynamics.
constexpr char kEverything[] = R"(
<mujoco>
  <option timestep='.002'><flag energy='enable' fwdinv='enable' sleep='enable'/></option>
  <worldbody>
    <geom name='floor' type='plane' size='9 9 .1'/>
    <camera name='eye' pos='0 0 3' resolution='40 40'/>
    <body name='arm' pos='0 0 1'>
      <joint name='a' axis='0 1 0' damping='.1' frictionloss='.1' range='-10 10'/><geom name='rod' size='.05' fromto='0 0 0 .5 0 0' type='cylinder'/>
      <site name='s' pos='.2 0 0'/>
      <body name='tip' pos='.5 0 0'>
        <joint name='b' type='ball'/><geom name='hand' type='box' size='.1 .1 .1'/><site name='t' pos='.1 0 0'/>
        <site name='volume' type='box' size='.2 .2 .2'/>
      </body>
    </body>
    <body pos='1 0 .09'><freejoint/><geom type='box' size='.1 .1 .1'/><geom type='ellipsoid' size='.1 .1 .2' pos='0 0 .2'/></body>
    <body pos='1.05 0 .4'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
    <flexcomp name='cloth' type='grid' dim='2' count='4 4 1' spacing='.1 .1 .1' pos='-1 0 1' mass='1' radius='.01'>
      <elasticity young='1e4' poisson='.1' thickness='.01' elastic2d='both'/>
    </flexcomp>
  </worldbody>
  <tendon><spatial name='rope' stiffness='1'><site site='s'/><geom geom='rod'/><site site='t'/></spatial></tendon>
  <actuator>
    <general joint='a' dyntype='filter' gainprm='1' delay='.004' nsample='4'/>
    <general site='t' refsite='s' gear='1 0 0 0 1 0'/><general tendon='rope'/><adhesion body='tip' ctrlrange='0 1' gain='1'/>
  </actuator>
  <sensor>
    <touch site='volume'/><contact geom1='floor' data='found force' num='2'/><rangefinder camera='eye'/>
    <distance geom1='hand' geom2='floor' cutoff='9'/><subtreeangmom body='arm'/><framelinacc objtype='site' objname='t'/>
  </sensor>
</mujoco>)";

TEST(FullArenaOfEverything, HasRoomForStages) {
  mju_user_error = CountError;
  mju_user_warning = IgnoreWarning;
  for (const int integrator : {+mjINT_EULER, +mjINT_RK4, +mjINT_IMPLICIT, +mjINT_IMPLICITFAST, kDiscrete}) {
    for (int k = 0; k < kSizes; ++k) {
      ModelPtr m = ModelFromText(kEverything);
      m->opt.integrator = integrator;
      m->narena = 64 << k;
      World world(std::move(m));
      errors = 0;
      for (int i = 0; i < kSteps; ++i) mj_step(world.m.get(), world.d.get());
      mj_inverse(world.m.get(), world.d.get());
      EXPECT_EQ(errors, 0) << world.m->narena << " bytes: " << message;
      EXPECT_TRUE(IsFinite(world));
    }
  }
  mju_user_error = mju_user_warning = nullptr;
}

}  // namespace
}  // namespace sinew
