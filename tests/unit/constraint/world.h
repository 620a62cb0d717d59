// A model from MJCF text with its data, and the stages before the constraint rows.
#ifndef SINEW_TESTS_UNIT_CONSTRAINT_WORLD_H_
#define SINEW_TESTS_UNIT_CONSTRAINT_WORLD_H_

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "constraint/make_constraint.h"
#include "constraint/reference.h"

namespace sinew {

class World {
 public:
  explicit World(const std::string& body) {
    const std::string xml = "<mujoco>" + body + "</mujoco>";
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    mj_addBufferVFS(&vfs, "world.xml", xml.data(), static_cast<int>(xml.size()));
    char error[500] = "";
    m_ = mj_loadXML("world.xml", &vfs, error, sizeof(error));
    mj_deleteVFS(&vfs);
    if (!m_) throw std::runtime_error(error);
    d_ = mj_makeData(m_);
  }
  ~World() {
    mj_deleteData(d_);
    mj_deleteModel(m_);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  mjModel* m() { return m_; }
  mjData* d() { return d_; }

  // Positions, inertia, contacts, rows.
  void Position() {
    mj_kinematics(m_, d_);
    mj_comPos(m_, d_);
    mj_tendon(m_, d_);
    mj_makeM(m_, d_);
    mj_factorM(m_, d_);
    mj_collision(m_, d_);
    MakeConstraint(m_, d_);
  }
  // The same, then velocities and reference accelerations.
  void Velocity() {
    Position();
    mj_comVel(m_, d_);
    ReferenceConstraint(m_, d_);
  }

  // Row of the Jacobian, all nv columns.
  std::vector<double> J(int row) const {
    std::vector<double> dense(m_->nv, 0.0);
    if (!mj_isSparse(m_)) {
      dense.assign(d_->efc_J + row * m_->nv, d_->efc_J + (row + 1) * m_->nv);
      return dense;
    }
    const int adr = d_->efc_J_rowadr[row];
    for (int c = 0; c < d_->efc_J_rownnz[row]; ++c) dense[d_->efc_J_colind[adr + c]] = d_->efc_J[adr + c];
    return dense;
  }

 private:
  mjModel* m_;
  mjData* d_;
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
