// The matrix of implicitfast has the pattern of inertia: of simple bodies, whose inertia is diagonal, it has only
// the diagonal of the damping. Damping of whole bodies is then differentiated for one of their dofs after the
// other.
#ifndef SINEW_DERIVATIVES_TERMS_SIMPLE_DOFS_H_
#define SINEW_DERIVATIVES_TERMS_SIMPLE_DOFS_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <vector>

#include "derivatives/base/columns.h"

namespace sinew::inline derivatives {

// Adds to the columns of the step by add(point, columns), which takes the accelerations b of the point as velocities of
// bodies: once, or, where there are simple bodies, for each of their dofs with its own b alone, of which its own row
// counts.
template <class Add>
void AddStepOfBodies(const mjModel* m, const StateSizes& sizes, const ResidualPoint& at, Columns& step,
                     const Add& add) {
  constexpr int kMaxDofs = 6, kOthers = kMaxDofs;
  const auto part_of = [m](int dof) {
    const int body = m->dof_bodyid[dof];
    return m->body_simple[body] ? dof - m->body_dofadr[body] : kOthers;
  };
  bool any[kMaxDofs + 1] = {}, simple = false;
  for (int i = 0; i < sizes.nv; ++i) {
    any[part_of(i)] = true;
    simple |= part_of(i) != kOthers;
  }
  if (!simple || m->opt.integrator != mjINT_IMPLICITFAST) return add(at, step);
  std::vector<double> b(Size(sizes.nv));
  for (int part = 0; part <= kOthers; ++part) {
    if (!any[part]) continue;
    for (int i = 0; i < sizes.nv; ++i) b[Size(i)] = part_of(i) == part ? at.b[i] : 0;
    Columns own(sizes);
    add(ResidualPoint{at.a, b.data()}, own);
    for (int c = 0; c < sizes.all(); ++c) {
      for (int i = 0; i < sizes.nv; ++i) step[c][i] += part_of(i) == part ? own[c][i] : 0;
    }
  }
}

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_SIMPLE_DOFS_H_
