// Contacts that batches keep, rays and Jacobians, against those of worlds alone.
#include <gtest/gtest.h>
#include <sinew/worlds.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "tests/unit/batch/front/falling_leg.h"

namespace sinew {
namespace {

constexpr int kWorldsOfTest = 13;  // more than one pack, and not full ones

// Boxes and balls in a heap, with a condim of each kind.
constexpr char kHeap[] = R"(
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1" condim="1"/>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" condim="3"/></body>
    <body pos=".05 0 .3"><freejoint/><geom type="box" size=".1 .1 .1" condim="4"/></body>
    <body pos="-.1 0 .5"><freejoint/><geom name="ball" size=".1" condim="6"/></body>
  </worldbody>
</mujoco>)";

constexpr char kCompliant[] = R"(
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body pos="0 0 .09"><freejoint/><geom name="ball" size=".1" contactmodel="hertz" modulus="1e5" dissipation="1"/></body>
  </worldbody>
</mujoco>)";

void Push(int world, mjtNum* qvel, mjtSize nv) {
  for (mjtSize i = 0; i < nv; ++i) qvel[i] = 0.3 * std::sin(static_cast<double>(i + 5 * world));
}

// Contacts of all worlds in arrays with room for all.
struct Arrays {
  explicit Arrays(int capacity)
      : rows(static_cast<size_t>(capacity)),
        count(kWorldsOfTest),
        geom(2 * All()),
        flex(2 * All()),
        dim(All()),
        dist(All()),
        pos(3 * All()),
        frame(9 * All()),
        friction(5 * All()),
        force(6 * All()) {}
  size_t All() const { return rows * kWorldsOfTest; }
  sinewBatchContacts Pointers() {
    return {count.data(), geom.data(),  flex.data(),     dim.data(),  dist.data(),
            pos.data(),   frame.data(), friction.data(), force.data()};
  }

  size_t rows;
  std::vector<int> count, geom, flex, dim;
  std::vector<double> dist, pos, frame, friction, force;
};

void ExpectSame(const mjModel* m, const mjData& d, const Arrays& found, int world) {
  const auto w = static_cast<size_t>(world);
  ASSERT_EQ(found.count[w], d.ncon) << "world " << world;
  for (int i = 0; i < static_cast<int>(found.rows); ++i) {
    const size_t row = w * found.rows + static_cast<size_t>(i);
    if (i >= d.ncon) {
      EXPECT_TRUE(found.geom[2 * row] == -1 && found.dim[row] == 0 && found.force[6 * row] == 0) << "row " << i;
      continue;
    }
    const mjContact& contact = d.contact[i];
    mjtNum force[6];
    mj_contactForce(m, &d, i, force);
    EXPECT_TRUE(std::equal(contact.geom, contact.geom + 2, &found.geom[2 * row])) << "row " << i;
    EXPECT_TRUE(std::equal(contact.flex, contact.flex + 2, &found.flex[2 * row])) << "row " << i;
    EXPECT_EQ(contact.dim, found.dim[row]);
    EXPECT_EQ(contact.dist, found.dist[row]);
    EXPECT_TRUE(std::equal(contact.pos, contact.pos + 3, &found.pos[3 * row])) << "row " << i;
    EXPECT_TRUE(std::equal(contact.frame, contact.frame + 9, &found.frame[9 * row])) << "row " << i;
    EXPECT_TRUE(std::equal(contact.friction, contact.friction + 5, &found.friction[5 * row])) << "row " << i;
    EXPECT_TRUE(std::equal(force, force + 6, &found.force[6 * row])) << "world " << world << ", row " << i;
  }
}

struct Way {
  const char* name;
  sinewBatchConfig config;
};
const Way kWays[] = {{"packs", {1, 0, sinewDOUBLE, 0, sinewALWAYS}},
                     {"alone", {2, 0, sinewDOUBLE, 0, sinewNEVER}},
                     {"persistent", {1, 1, sinewDOUBLE, 0, sinewFASTER}}};

// After each step of a batch, contacts are those that mj_step of the world alone leaves, with their forces.
void ExpectContactsOfSteps(const mjModel* m, int steps) {
  for (const Way& way : kWays) {
    SCOPED_TRACE(way.name);
    Batch batch(m, kWorldsOfTest, way.config);
    batch.KeepContacts();
    std::vector<DataPtr> alone;
    for (int world = 0; world < kWorldsOfTest; ++world) {
      alone.emplace_back(mj_makeData(m));
      Push(world, alone.back()->qvel, m->nv);
      Push(world, batch.State("qvel")[world].data(), m->nv);
    }
    int most = 0;
    for (int step = 0; step < steps && !testing::Test::HasFailure(); ++step) {
      batch.Step();
      for (const DataPtr& d : alone) mj_step(m, d.get());
      Arrays found(24);
      most = std::max(most, batch.Contacts(24, found.Pointers()));
      for (int world = 0; world < kWorldsOfTest; ++world) {
        ExpectSame(m, *alone[static_cast<size_t>(world)], found, world);
      }
    }
    EXPECT_GT(most, 0);
  }
}

TEST(WorldsContacts, AreThoseOfTheStateThatWasStepped) { ExpectContactsOfSteps(ModelFrom(kHeap).get(), 60); }

TEST(WorldsContacts, HaveForcesOfCompliantLawsToo) { ExpectContactsOfSteps(ModelFrom(kCompliant).get(), 10); }

TEST(WorldsContacts, HaveForcesOfEllipticCones) {
  const ModelPtr m = ModelFrom(kHeap);
  m->opt.cone = mjCONE_ELLIPTIC;
  ExpectContactsOfSteps(m.get(), 30);
}

// With stages behind the step they are those of the new state; those of positions have no forces.
TEST(WorldsContacts, FollowTheStageOfACall) {
  const ModelPtr m = ModelFrom(kHeap);
  Batch batch(m.get(), kWorldsOfTest, kWays[0].config);
  batch.KeepContacts();
  const DataPtr d(mj_makeData(m.get()));
  Arrays found(24);
  batch.Step(5, {}, mjSTAGE_ACC);
  for (int i = 0; i < 5; ++i) mj_step(m.get(), d.get());
  mj_forward(m.get(), d.get());
  batch.Contacts(24, found.Pointers());
  ExpectSame(m.get(), *d, found, 3);
  batch.Step(1, {}, mjSTAGE_POS);
  batch.Contacts(24, found.Pointers());
  EXPECT_GT(found.count[3], 0);
  for (const double force : found.force) EXPECT_EQ(force, 0);
}

TEST(WorldsContacts, AskTheProgramToBeginEarly) {
  const ModelPtr m = ModelFrom(kHeap);
  Batch batch(m.get(), 2);
  batch.Step();
  EXPECT_THROW(
      try { batch.Contacts(0, {}); } catch (const EngineError& error) {
        EXPECT_NE(std::string(error.what()).find("not kept"), std::string::npos) << error.what();
        throw;
      },
      EngineError);
  batch.KeepContacts();
  batch.Reset();
  EXPECT_EQ(batch.Contacts(0, {}), 8) << "a box on the floor, and one on it";
}

TEST(WorldsRays, MeetWhatTheyMeetAlone) {
  const ModelPtr m = ModelFrom(kHeap);
  Batch batch(m.get(), kWorldsOfTest);
  for (int world = 0; world < kWorldsOfTest; ++world) Push(world, batch.State("qvel")[world].data(), m->nv);
  batch.Step(50);
  // beside the ball and upwards, in the frame of the ball, which has turned, and in an upright one
  const double point[3] = {0.3, 0.1, 0.2}, direction[3] = {0.1, 0.2, -1};
  for (const int upright : {0, 1}) {
    std::vector<double> points, directions, dist(kWorldsOfTest);
    for (int world = 0; world < kWorldsOfTest; ++world) {
      points.insert(points.end(), point, point + 3);
      directions.insert(directions.end(), direction, direction + 3);
    }
    std::vector<int> geom(kWorldsOfTest);
    const int ball = mj_name2id(m.get(), mjOBJ_GEOM, "ball");
    batch.Rays(
        {1, points.data(), directions.data(), mjOBJ_GEOM, ball, upright, nullptr, 0, 3, dist.data(), geom.data()});
    for (int world = 0; world < kWorldsOfTest; ++world) {
      const DataPtr d(mj_makeData(m.get()));
      std::copy_n(batch.State("qpos")[world].data(), m->nq, d->qpos);
      mj_kinematics(m.get(), d.get());
      const mjtNum* frame = d->geom_xmat + 9 * ball;
      const double yaw = std::atan2(frame[3], frame[0]);
      const mjtNum turn[9] = {std::cos(yaw), -std::sin(yaw), 0, std::sin(yaw), std::cos(yaw), 0, 0, 0, 1};
      mjtNum start[3], along[3], normal[3];
      mju_mulMatVec3(start, upright ? turn : frame, point);
      mju_mulMatVec3(along, upright ? turn : frame, direction);
      mju_addTo3(start, d->geom_xpos + 3 * ball);
      int met = -1;
      const double expected = mj_ray(m.get(), d.get(), start, along, nullptr, 1, 3, &met, normal);
      EXPECT_NEAR(dist[static_cast<size_t>(world)], expected, 1e-12);  // the yaw is computed in another way
      EXPECT_EQ(geom[static_cast<size_t>(world)], met);
    }
  }
}

TEST(WorldsJacobians, AreThoseAlone) {
  const ModelPtr m = Leg();
  Batch batch(m.get(), kWorldsOfTest);
  for (int world = 0; world < kWorldsOfTest; ++world) Push(world, batch.State("qvel")[world].data(), m->nv);
  batch.Step(30);
  const size_t size = 3 * static_cast<size_t>(m->nv);
  for (const auto& [type, id, alone] :
       {std::tuple{mjOBJ_BODY, 2, &mj_jacBody}, {mjOBJ_GEOM, 1, &mj_jacGeom}, {mjOBJ_SITE, 0, &mj_jacSite}}) {
    std::vector<double> jacp(size * kWorldsOfTest), jacr(jacp), p(size), r(size);
    batch.Jacobian(type, id, jacp, jacr);
    for (int world = 0; world < kWorldsOfTest; ++world) {
      const DataPtr d(mj_makeData(m.get()));
      std::copy_n(batch.State("qpos")[world].data(), m->nq, d->qpos);
      mj_kinematics(m.get(), d.get());
      mj_comPos(m.get(), d.get());
      alone(m.get(), d.get(), p.data(), r.data(), id);
      const auto begin = static_cast<ptrdiff_t>(size) * world;
      EXPECT_TRUE(std::equal(p.begin(), p.end(), jacp.begin() + begin)) << "type " << type << ", world " << world;
      EXPECT_TRUE(std::equal(r.begin(), r.end(), jacr.begin() + begin)) << "type " << type << ", world " << world;
    }
  }
  EXPECT_THROW(batch.Jacobian(mjOBJ_SITE, 1, {}, {}), EngineError);
  EXPECT_THROW(batch.Jacobian(mjOBJ_CAMERA, 0, {}, {}), EngineError);
}

}  // namespace
}  // namespace sinew
