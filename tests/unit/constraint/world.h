// Models with the stages before the constraint rows.
#ifndef SINEW_TESTS_UNIT_CONSTRAINT_WORLD_H_
#define SINEW_TESTS_UNIT_CONSTRAINT_WORLD_H_

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <string>
#include <vector>

#include "constraint/make_constraint.h"
#include "constraint/reference.h"
#include "tests/testing/model.h"

namespace sinew {

class StagedWorld {
 public:
  // The content of <mujoco>.
  explicit StagedWorld(const std::string& sections) : world_(ModelFromText("<mujoco>" + sections + "</mujoco>")) {}

  mjModel* m() const { return world_.m.get(); }
  mjData* d() const { return world_.d.get(); }

  // Positions, inertia, contacts, rows.
  void Position() {
    mj_kinematics(m(), d());
    mj_comPos(m(), d());
    mj_tendon(m(), d());
    mj_makeM(m(), d());
    mj_factorM(m(), d());
    mj_collision(m(), d());
    MakeConstraint(m(), d());
  }
  // The same, then velocities and reference accelerations.
  void Velocity() {
    Position();
    mj_comVel(m(), d());
    ReferenceConstraint(m(), d());
  }

  // Row of the Jacobian, all nv columns.
  std::vector<double> J(int row) const {
    const auto nv = m()->nv;
    std::vector<double> dense(nv, 0.0);
    if (!mj_isSparse(m())) {
      dense.assign(d()->efc_J + row * nv, d()->efc_J + (row + 1) * nv);
      return dense;
    }
    const int adr = d()->efc_J_rowadr[row];
    for (int c = 0; c < d()->efc_J_rownnz[row]; ++c) dense[d()->efc_J_colind[adr + c]] = d()->efc_J[adr + c];
    return dense;
  }

 private:
  World world_;
};

template <class T>
std::vector<T> Values(const T* first, int count) {
  return std::vector<T>(first, first + count);
}

inline void ExpectNear(const std::vector<double>& value, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(value.size(), expected.size());
  for (size_t i = 0; i < value.size(); ++i) EXPECT_NEAR(value[i], expected[i], tolerance) << "element " << i;
}

}  // namespace sinew

#endif  // SINEW_TESTS_UNIT_CONSTRAINT_WORLD_H_
