#include "muscle_lengths.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <random>

namespace sinew {
namespace {

constexpr int kPoses = 2000;

// Each joint anywhere in its range, by a generator whose numbers are the same on every machine.
void SetPose(const mjModel* m, std::mt19937& random, mjData* d) {
  std::copy_n(m->qpos0, m->nq, d->qpos);
  for (int j = 0; j < m->njnt; ++j) {
    const mjtNum* range = m->jnt_range + 2 * j;
    const bool is_scalar = m->jnt_type[j] == mjJNT_HINGE || m->jnt_type[j] == mjJNT_SLIDE;
    const double share = static_cast<double>(random()) / static_cast<double>(std::mt19937::max());
    if (is_scalar && range[0] < range[1]) d->qpos[m->jnt_qposadr[j]] = range[0] + share * (range[1] - range[0]);
  }
}

// An equality of joints says q1 - f(q2) = 0, and its row has what is left of that: less by it, q1 is where it belongs.
// A chain of them is closed after as many rounds as it is long.
void CloseCouplings(const mjModel* m, mjData* d) {
  constexpr int kRounds = 3;
  for (int round = 0; round < kRounds; ++round) {
    mj_fwdPosition(m, d);
    bool moved = false;
    for (int row = 0; row < d->ne; ++row) {
      const int equality = d->efc_id[row];
      if (m->eq_type[equality] != mjEQ_JOINT || m->eq_obj2id[equality] < 0 || d->efc_pos[row] == 0) continue;
      d->qpos[m->jnt_qposadr[m->eq_obj1id[equality]]] -= d->efc_pos[row];
      moved = true;
    }
    if (!moved) return;
  }
  mj_fwdPosition(m, d);
}

}  // namespace

std::vector<std::array<double, 2>> PathRanges(const mjModel* m) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<std::array<double, 2>> ranges(static_cast<size_t>(m->nu), {kInfinity, -kInfinity});
  const std::unique_ptr<mjModel, decltype(&mj_deleteModel)> copy(mj_copyModel(nullptr, m), &mj_deleteModel);
  copy->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT;  // rows that are not looked at
  const std::unique_ptr<mjData, decltype(&mj_deleteData)> d(mj_makeData(copy.get()), &mj_deleteData);
  std::mt19937 random(1);
  for (int pose = 0; pose < kPoses; ++pose) {
    SetPose(copy.get(), random, d.get());
    CloseCouplings(copy.get(), d.get());
    for (size_t i = 0; i < ranges.size(); ++i) {
      ranges[i][0] = std::min<double>(ranges[i][0], d->actuator_length[i]);
      ranges[i][1] = std::max<double>(ranges[i][1], d->actuator_length[i]);
    }
  }
  return ranges;
}

}  // namespace sinew
