// Passive forces: what acts on a body without actuators, contacts and constraints.
//
//   in:  state, poses, velocities
//   out: qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, and their sum qfrc_passive
//
// Gravity compensation that a joint counts as actuator force stays out of the sum; actuation adds it.
#ifndef SINEW_FORCE_PASSIVE_KERNEL_H_
#define SINEW_FORCE_PASSIVE_KERNEL_H_

#include "force/immersed_kernel.h"
#include "force/spring_kernel.h"

namespace sinew::inline force {
inline namespace SINEW_ISA {

// With both springs and dampers disabled there are no passive forces of any kind.
inline bool PassiveDisabled(const mjModel* m) {
  constexpr int kBoth = mjDSBL_SPRING | mjDSBL_DAMPER;
  return (m->opt.disableflags & kBoth) == kBoth;
}

template <class S>
void SumPassiveForces(const ModelView<S>& m, const DataView<S>& d, int begin, int end) {
  S* __restrict sum = d.qfrc_passive_data();
  const S *spring = d.qfrc_spring_data(), *damper = d.qfrc_damper_data(), *fluid = d.qfrc_fluid_data();
  const S* gravcomp = d.qfrc_gravcomp_data();
  for (int i = begin; i < end; ++i) sum[i] = spring[i] + damper[i] + fluid[i] + gravcomp[i];
  for (int i = begin; i < end && m.ngravcomp() > 0; ++i) {
    if (m.jnt_actgravcomp(m.dof_jntid(i))) sum[i] = spring[i] + damper[i] + fluid[i] + S(0);
  }
}

// Springs and dampers of other files are added by more(), which by default adds none.
struct NoMoreForces {
  void operator()() const {}
};

// Forces of dofs that sleep stay as they are. `sum_all`: their sum is made again nevertheless, since others add to it.
template <class S, class More = NoMoreForces>
void Passive(const ModelView<S>& m, const DataView<S>& d, const More& more = {}, bool sum_all = false) {
  const int nv = m.nv(), disabled = m.opt_disableflags();
  for (S* forces : {d.qfrc_spring_data(), d.qfrc_damper_data(), d.qfrc_gravcomp_data(), d.qfrc_fluid_data()}) {
    for (IdRuns dofs = AwakeDofs(m, d); !dofs.Done(); dofs.Next()) {
      for (int i = dofs.begin(); i < dofs.end(); ++i) forces[i] = S(0);
    }
  }
  if (PassiveDisabled(m.raw())) {
    for (int i = 0; i < nv; ++i) d.qfrc_passive(i) = S(0);
    return;
  }

  if (!(disabled & mjDSBL_SPRING)) Springs(m, d);
  if (!(disabled & mjDSBL_DAMPER)) Dampers(m, d);
  more();
  GravityCompensation(m, d);
  FluidForces(m, d);

  if (sum_all) return SumPassiveForces(m, d, 0, nv);
  for (IdRuns dofs = AwakeDofs(m, d); !dofs.Done(); dofs.Next()) SumPassiveForces(m, d, dofs.begin(), dofs.end());
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline force

#endif  // SINEW_FORCE_PASSIVE_KERNEL_H_
