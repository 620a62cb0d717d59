// Velocities and positions move to the end of the time step, in the same way under all integrators.
//
//   in:  qacc (nv), and for positions a velocity (nv), null for that at the end of the step
//   out: qvel, qpos, time
//
// Positions follow the new velocity: semi-implicit Euler, which is symplectic.
#ifndef SINEW_INTEGRATE_ADVANCE_KERNEL_H_
#define SINEW_INTEGRATE_ADVANCE_KERNEL_H_

#include "integrate/position_kernel.h"
#include "model/view/data_view.h"

namespace sinew::inline integrate {
inline namespace SINEW_ISA {

// Velocities and positions of the dofs that move.
template <class S, class Moves>
void AdvanceMotion(const ModelView<S>& m, const DataView<S>& d, const S* qacc, const S* qvel, Moves moves) {
  const S h = m.opt_timestep();
  for (int i = 0; i < m.nv(); ++i) {
    if (moves(i)) d.qvel(i) += h * qacc[i];
  }
  IntegratePos(m, d.qpos_data(), qvel ? qvel : d.qvel_data(), h, moves);
  d.time() += h;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline integrate

#endif  // SINEW_INTEGRATE_ADVANCE_KERNEL_H_
