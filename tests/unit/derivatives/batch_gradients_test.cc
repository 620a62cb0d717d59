// Derivatives of batches have the bits of worlds alone.
#include <sinew/gradients.h>

#include <limits>
#include <memory>

#include "derivatives/small_systems/slot_linearization.h"
#include "tests/unit/derivatives/finite_difference/trees.h"
#include "tests/unit/derivatives/twin.h"

namespace sinew {
namespace {

constexpr int kWorlds = 7, kSteps = 9;
using BatchPtr = std::unique_ptr<sinewBatch, decltype(&sinew_batch_delete)>;

// Worlds of a scene with contacts, each at another speed.
class BatchGradientsTest : public testing::Test {
 protected:
  BatchGradientsTest() : scene_(Scene()), m_(scene_.m.get()) {
    const sinewBatchConfig config = {3, 0, sinewDOUBLE, 0, sinewALWAYS};
    char error[300] = "";
    batch_ = BatchPtr(sinew_batch_make(m_, kWorlds, &config, error, sizeof(error)), sinew_batch_delete);
    EXPECT_NE(batch_.get(), nullptr) << error;
    sinewBatchArray qpos, qvel;
    sinew_batch_state(batch_.get(), "qpos", &qpos, nullptr, 0);
    sinew_batch_state(batch_.get(), "qvel", &qvel, nullptr, 0);
    for (int world = 0; world < kWorlds; ++world) {
      World alone = At(world);
      std::copy_n(alone.d->qpos, m_->nq, Row(qpos, world));
      std::copy_n(alone.d->qvel, m_->nv, Row(qvel, world));
    }
  }
  double* Row(const sinewBatchArray& array, int world) const {
    return reinterpret_cast<double*>(static_cast<char*>(array.data) + array.stride * world);
  }
  World At(int world) const {
    World alone(ModelPtr(mj_copyModel(nullptr, m_)));
    std::copy_n(scene_.d->qpos, m_->nq, alone.d->qpos);
    for (int i = 0; i < m_->nv; ++i) alone.d->qvel[i] = 0.1 * std::sin(i + 3 * world);
    return alone;
  }
  static Numbers Zeros(mjtSize size) { return Numbers(static_cast<size_t>(size)); }

  World scene_;
  mjModel* m_;
  BatchPtr batch_{nullptr, sinew_batch_delete};
};

TEST_F(BatchGradientsTest, TransitionHasTheBitsOfWorldsAlone) {
  const mjtSize n = 2 * m_->nv + m_->na;
  Numbers A = Zeros(kWorlds * n * n), B = Zeros(kWorlds * n * m_->nu);
  char error[300] = "";
  EXPECT_EQ(sinew_batch_transition(batch_.get(), nullptr, A.data(), B.data(), nullptr, nullptr, error, sizeof(error)),
            0)
      << error;
  for (int world = 0; world < kWorlds; ++world) {
    const World alone = At(world);
    Numbers expected = Zeros(n * n);
    ASSERT_EQ(sinew_transition(m_, alone.d.get(), expected.data(), nullptr, nullptr, nullptr, error, sizeof(error)), 0)
        << error;
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), A.begin() + world * n * n)) << world;
  }
}

// In packs, too: lanes have numbers of their own, and results go to the places of the chosen worlds.
TEST_F(BatchGradientsTest, WorldsWithParametersOfTheirOwnAndAMask) {
  ASSERT_TRUE(AreTransitionsInLanes(m_));
  sinewBatchArray mass, friction;
  char error[300] = "";
  ASSERT_EQ(sinew_batch_parameter(batch_.get(), "body_mass", &mass, error, sizeof(error)), 0) << error;
  ASSERT_EQ(sinew_batch_parameter(batch_.get(), "geom_friction", &friction, error, sizeof(error)), 0) << error;
  unsigned char mask[kWorlds];
  for (int world = 0; world < kWorlds; ++world) {
    mask[world] = world % 3 != 1;
    for (mjtSize b = 1; b < m_->nbody; ++b) Row(mass, world)[b] = m_->body_mass[b] * (1 + 0.1 * world);
    for (mjtSize g = 0; g < 3 * m_->ngeom; ++g) Row(friction, world)[g] = m_->geom_friction[g] * (1 - 0.05 * world);
  }
  const mjtSize n = 2 * m_->nv + m_->na;
  Numbers A = Zeros(kWorlds * n * n);
  ASSERT_EQ(sinew_batch_transition(batch_.get(), mask, A.data(), nullptr, nullptr, nullptr, error, sizeof(error)), 0)
      << error;
  int place = 0;
  for (int world = 0; world < kWorlds; ++world) {
    if (!mask[world]) continue;
    const World alone = At(world);
    std::copy_n(Row(mass, world), m_->nbody, alone.m->body_mass);
    std::copy_n(Row(friction, world), 3 * m_->ngeom, alone.m->geom_friction);
    Numbers expected = Zeros(n * n);
    ASSERT_EQ(sinew_transition(alone.m.get(), alone.d.get(), expected.data(), nullptr, nullptr, nullptr, error,
                               sizeof(error)),
              0)
        << error;
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), A.begin() + place * n * n)) << world;
    ++place;
  }
}

TEST_F(BatchGradientsTest, RolloutsToo) {
  const mjtSize n = m_->nq + m_->nv + m_->na;
  Numbers control = Zeros(kWorlds * kSteps * m_->nu), slopes = Zeros(kWorlds * kSteps * n);
  for (size_t i = 0; i < slopes.size(); ++i) slopes[i] = std::cos(static_cast<double>(i));
  for (size_t i = 0; i < control.size(); ++i) control[i] = std::sin(static_cast<double>(i));
  Numbers start = Zeros(kWorlds * n), by_control = Zeros(kWorlds * kSteps * m_->nu), mass = Zeros(kWorlds * m_->nbody);
  sinewParameterGradients parameters = {};
  parameters.body_mass = mass.data();
  char error[300] = "";
  EXPECT_EQ(sinew_batch_rolloutGradient(batch_.get(), nullptr, kSteps, control.data(), slopes.data(), start.data(),
                                        by_control.data(), &parameters, error, sizeof(error)),
            0)
      << error;
  for (int world = 0; world < kWorlds; ++world) {
    const World alone = At(world);
    Numbers expected = Zeros(n), of_mass = Zeros(m_->nbody);
    parameters.body_mass = of_mass.data();
    ASSERT_EQ(sinew_rolloutGradient(m_, alone.d.get(), kSteps, control.data() + world * kSteps * m_->nu,
                                    slopes.data() + world * kSteps * n, expected.data(), nullptr, &parameters, error,
                                    sizeof(error)),
              0)
        << error;
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), start.begin() + world * n)) << world;
    EXPECT_TRUE(std::equal(of_mass.begin(), of_mass.end(), mass.begin() + world * m_->nbody)) << world;
  }
}

TEST_F(BatchGradientsTest, AWorldThatFailsIsNamedAndWritesNothing) {
  sinewBatchArray qvel;
  sinew_batch_state(batch_.get(), "qvel", &qvel, nullptr, 0);
  Row(qvel, 2)[1] = std::numeric_limits<double>::quiet_NaN();
  const mjtSize n = 2 * m_->nv + m_->na;
  Numbers A(static_cast<size_t>(kWorlds * n * n), 7.0);
  char text[300] = "";
  EXPECT_EQ(sinew_batch_transition(batch_.get(), nullptr, A.data(), nullptr, nullptr, nullptr, text, sizeof(text)), 1);
  sinew_batch_cause(batch_.get(), 2, text, sizeof(text));
  EXPECT_NE(std::string(text).find("qvel[1]"), std::string::npos) << text;
  for (mjtSize i = 0; i < n * n; ++i) EXPECT_EQ(A[static_cast<size_t>(2 * n * n + i)], 7);
  EXPECT_NE(A[0], 7);
}

TEST_F(BatchGradientsTest, ObstaclesAreErrorsOfTheCall) {
  m_->opt.noslip_iterations = 1;
  char error[300] = "";
  const BatchPtr other(sinew_batch_make(m_, 1, nullptr, error, sizeof(error)), sinew_batch_delete);
  EXPECT_EQ(sinew_batch_transition(other.get(), nullptr, nullptr, nullptr, nullptr, nullptr, error, sizeof(error)), -1);
  EXPECT_NE(std::string(error).find("noslip"), std::string::npos) << error;
  EXPECT_EQ(sinew_batch_rolloutGradient(batch_.get(), nullptr, 1, nullptr, nullptr, nullptr, nullptr, nullptr, error,
                                        sizeof(error)),
            -1);
  EXPECT_NE(std::string(error).find("by_states is NULL"), std::string::npos) << error;
}

}  // namespace
}  // namespace sinew
