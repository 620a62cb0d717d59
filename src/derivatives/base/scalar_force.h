// Forces along rows (scalar_force_kernel.h) of one world, with memory of their own.
#ifndef SINEW_DERIVATIVES_BASE_SCALAR_FORCE_H_
#define SINEW_DERIVATIVES_BASE_SCALAR_FORCE_H_

#include <algorithm>
#include <memory>
#include <vector>

#include "derivatives/base/columns.h"
#include "derivatives/base/scalar_force_kernel.h"
#include "inertia/acceleration_kernel.h"

namespace sinew::inline derivatives {

using Row = ScalarForceRow<double>;

// A row with memory of its own.
struct OwnRow {
  std::vector<int> dof;
  std::vector<double> J, K;
  std::vector<double> length;  // slopes of the length by the dofs, where they are not J

  Row row() const { return {static_cast<int>(dof.size()), dof.data(), J.data(), K.empty() ? nullptr : K.data()}; }
  // Makes it the multiple of another one.
  void Assign(const Row& other, double scale) {
    dof.assign(other.dof, other.dof + other.count);
    J.assign(other.J, other.J + other.count);
    K.clear();
    if (other.K) K.assign(other.K, other.K + other.count * other.count);
    for (std::vector<double>* numbers : {&J, &K}) {
      for (double& x : *numbers) x *= scale;
    }
  }
};

// A force along a row and its slopes by length and velocity; g is the slope by velocity that the implicit integrators
// take in, with slopes of its own.
struct ScalarForce {
  double f = 0, f_length = 0, f_velocity = 0;
  double g = 0, g_length = 0, g_velocity = 0;
};

// Holds the memory of a row in an implicit integrator's matrix.
class ImplicitRowMemory {
 protected:
  explicit ImplicitRowMemory(int count) : rate_(Size(count)), coupled_(new bool[Size(count) * Size(count)]) {}
  ImplicitMemory<double> memory() { return {rate_.data(), coupled_.get()}; }

 private:
  std::vector<double> rate_;
  std::unique_ptr<bool[]> coupled_;
};

// A row in the matrix of an implicit integrator, which leaves out what couples dofs of different branches, and with
// implicitfast what inertia does not couple, as the dofs of simple bodies.
class ImplicitRow : private ImplicitRowMemory, public ImplicitRowOf<double> {
 public:
  // Which dofs are coupled: those of a branch, or as inertia has them.
  enum class Pattern { kIntegrator, kInertia };

  ImplicitRow(const mjModel* m, const Row& row, const double* b, Pattern pattern = Pattern::kIntegrator)
      : ImplicitRowMemory(row.count), ImplicitRowOf(row, b, memory(), [m, pattern](int i, int k) {
          const bool of_inertia = pattern == Pattern::kInertia || m->opt.integrator == mjINT_IMPLICITFAST;
          return of_inertia ? InertiaPattern(m).Couples(i, k) : AreOnBranch(m, std::max(i, k), std::min(i, k));
        }) {}
  ImplicitRow(const ImplicitRow&) = delete;
  ImplicitRow& operator=(const ImplicitRow&) = delete;

 private:
  static bool AreOnBranch(const mjModel* m, int dof, int above) {
    while (dof > above) dof = m->dof_parentid[dof];
    return dof == above;
  }
};

// Takes the force from the residual, in the columns of positions and velocities. `length`: slopes of the length by the
// dofs of the row; null: J.
inline void AddScalarForce(const Row& row, const ScalarForce& force, const double* qvel, Columns& out,
                           const double* length = nullptr) {
  AddScalarForce<double>(row, {force.f, force.f_length, force.f_velocity}, length ? length : row.J, qvel, FullShare(),
                         out.From(0), out.FromVelocity());
}

// Adds h J' g J b to the step.
inline void AddImplicitScalarForce(const Row& row, const ImplicitRow& implicit, const ScalarForce& force,
                                   const double* qvel, double h, Columns& out, const double* length = nullptr) {
  AddImplicitScalarForce<double>(row, implicit, {force.g, force.g_length, force.g_velocity}, length ? length : row.J,
                                 qvel, h, out.From(0), out.FromVelocity());
}

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_SCALAR_FORCE_H_
