// Worlds alone and in packs, step by step: what the tests of lanes have in common.
#ifndef SINEW_TESTS_SUPPORT_LANE_STEPS_H_
#define SINEW_TESTS_SUPPORT_LANE_STEPS_H_

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <random>
#include <string>
#include <vector>

#include "batch/pack/lane_pack.h"
#include "model/storage/data.h"
#include "model/storage/model.h"

namespace sinew::testing {

// Tests on each table of lanes that this machine runs.
class Lanes : public ::testing::TestWithParam<const LaneOps*> {};

#define SINEW_ON_ALL_LANES(suite)                                                        \
  INSTANTIATE_TEST_SUITE_P(InstructionSets, suite, ::testing::ValuesIn(RunnableLanes()), \
                           [](const auto& lanes) { return std::string(lanes.param->name); })

// A walker of one tree with limits, friction loss, a fixed tendon, contacts with the floor and of its legs. `option`:
// of its <option>; `more`: behind its actuators.
std::string Walker(const char* option, const char* condim, const char* more = "");

ModelPtr ReadModel(const std::string& xml);

// Worlds that fall and kick, each its own way.
class Runs {
 public:
  Runs(const mjModel& m, int count) : m_(m), random_(7) {
    for (int i = 0; i < count; ++i) {
      worlds_.emplace_back(MakeData(m));
      for (int k = 0; k < m.nv; ++k) worlds_.back()->qvel[k] = Uniform();
      worlds_.back()->qpos[2] += 0.2 * Uniform();
    }
  }
  mjData& world(int i) { return *worlds_[static_cast<size_t>(i)]; }
  void Step(int step) {
    for (size_t i = 0; i < worlds_.size(); ++i) {
      Control(static_cast<int>(i), step, worlds_[i]->ctrl);
      Activate(static_cast<int>(i), step, worlds_[i]->eq_active);
      mj_step(&m_, worlds_[i].get());
    }
  }
  void Control(int world, int step, double* ctrl) const {
    for (int u = 0; u < m_.nu; ++u) ctrl[u] = std::sin(0.1 * step * (u + 1) + world);
  }
  // Equalities come and go.
  void Activate(int world, int step, mjtByte* active) const {
    for (int id = 0; id < m_.neq; ++id) active[id] = m_.eq_active0[id] != ((step / 40 + world + id) % 5 == 0);
  }
  std::vector<double> State(int i) {
    std::vector<double> state(static_cast<size_t>(mj_stateSize(&m_, mjSTATE_INTEGRATION)));
    mj_getState(&m_, worlds_[static_cast<size_t>(i)].get(), state.data(), mjSTATE_INTEGRATION);
    return state;
  }

 private:
  double Uniform() { return std::uniform_real_distribution<double>(-1, 1)(random_); }
  const mjModel& m_;
  std::mt19937 random_;
  std::vector<DataPtr> worlds_;
};

bool SameBits(const double* a, const double* b, mjtSize n);

// Steps eight worlds alone and in packs, whose companies change at every step.
void ExpectStepsEqualAlone(const mjModel& m, const LaneOps& ops);

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_LANE_STEPS_H_
