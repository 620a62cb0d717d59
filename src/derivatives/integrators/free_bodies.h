// Free assemblies under implicit integrators, whose new velocity follows from the midpoint rule and not from
// accelerations (integrate/midpoint_kernel.h): derivatives of the rule.
//
// Its forces are f = M a + c with the accelerations a that the solver finds, so that
//   v' = g(q, v, f),   f = f(a, q, v)
// runs on dual numbers, and dv' = G_q dq + G_v dv + G_f M da. Positions move with the mean of v and v'.
#ifndef SINEW_DERIVATIVES_INTEGRATORS_FREE_BODIES_H_
#define SINEW_DERIVATIVES_INTEGRATORS_FREE_BODIES_H_

#include <mujoco/mujoco.h>
#include <sinew/gradients.h>

#include <vector>

#include "derivatives/base/columns.h"
#include "integrate/midpoint_kernel.h"

namespace sinew::inline derivatives {

class FreeBodies {
 public:
  // At the solution a of the dynamics. Without bodies where the integrator has no midpoint rule.
  FreeBodies(const mjModel* m, mjData* d, const double* a);

  // Replaces the velocities of free bodies by those that move their positions: means of the old and the new ones.
  void SetMeans(const mjData* d, double* velocity) const;

  // Rows of a matrix of the step, whose columns begin with that of `first`: new velocities, or the means, among those
  // of velocities. `change`: how a depends on the columns.
  void WriteRows(const StateSizes& sizes, const Columns& change, int first, int columns, bool of_means,
                 double* matrix) const;

  // Backwards: from slopes by the new velocities (nv; only those of these bodies count) to those by the state, which
  // are added to, and by a, which are returned.
  std::vector<double> PullBack(const StateSizes& sizes, const double* by_end, std::vector<double>& state) const;
  // Adds what masses, inertias and armature contribute through the rule.
  void AddParameterGradients(const double* by_end, const sinewParameterGradients& out) const;

  // Calls visit(dof) for each dof that the rule sets.
  template <class Visit>
  void ForEachDof(const Visit& visit) const {
    for (const Body& body : bodies_) {
      for (int k = body.first; k < 6; ++k) visit(body.dof + k);
    }
  }
  bool Any() const { return !bodies_.empty(); }

 private:
  // Mass, centre of mass (3) and inertia (6) of an assembly, which follow from those of its bodies.
  static constexpr int kAssembly = 10;
  // Slopes of these by the mass and the principal moments of a body.
  struct Part {
    int body;
    double by_mass[kAssembly], by_moment[3][kAssembly];
  };
  // Slopes of the six new velocities of an assembly; those before `first` are not set by the rule.
  struct Body {
    int id, dof, first;
    double next[6], acceleration[6];
    double by_rotation[6][3], by_velocity[6][6], by_force[6][6], by_acceleration[6][6], by_assembly[6][kAssembly];
    std::vector<Part> parts;
  };
  static void SetParts(const ModelView<double>& m, const DataView<double>& d, const FreeBody<double>& at, Body& out);
  static Body Differentiate(const mjModel* m, mjData* d, int joint, const double* a);

  std::vector<Body> bodies_;
};

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_INTEGRATORS_FREE_BODIES_H_
