// The smooth dynamics of one world or a pack: the stages of the step that have no contacts and constraints, in its
// order.
#ifndef SINEW_BATCH_SMOOTH_KERNEL_H_
#define SINEW_BATCH_SMOOTH_KERNEL_H_

#include "derivative/implicit_kernel.h"
#include "force/actuation_kernel.h"
#include "force/passive_kernel.h"
#include "inertia/acceleration_kernel.h"
#include "inertia/composite_kernel.h"
#include "inertia/deep_tree_kernel.h"
#include "inertia/rne_kernel.h"
#include "integrate/advance_kernel.h"
#include "integrate/integrate.h"
#include "kinematics/camlight_kernel.h"
#include "kinematics/com_kernel.h"
#include "kinematics/pose_kernel.h"
#include "kinematics/tendon_kernel.h"
#include "kinematics/transmission_kernel.h"
#include "kinematics/velocity_kernel.h"

namespace sinew {
inline namespace SINEW_ISA {

// `scratch`: a spatial vector for each dof, for factors of deep trees; two numbers for each joint.
template <class S>
void SmoothPosition(const ModelView<S>& m, const DataView<S>& d, S* scratch) {
  Spatial<S>* momentum = reinterpret_cast<Spatial<S>*>(scratch);
  Kinematics(m, d, reinterpret_cast<HalfAngle<S>*>(scratch));
  ComPos(m, d);
  CamLight(m, d);
  FixedTendons(m, d);
  MakeM(m, d);
  FactorMadeM(m, d, momentum);
  FixedPatternTransmissions(m, d);
}

// `scratch`: two spatial vectors for each body.
template <class S>
void SmoothVelocity(const ModelView<S>& m, const DataView<S>& d, Spatial<S>* scratch) {
  TendonVelocity(m, d);
  ActuatorVelocity(m, d);
  ComVel(m, d);
  Passive(m, d);
  Rne(m, d, false, d.qfrc_bias_data(), scratch, scratch + m.nbody());
}

// Without constraints the smooth acceleration is all there is.
template <class S>
void SmoothForces(const ModelView<S>& m, const DataView<S>& d) {
  Actuation(m, d);
  SmoothAcceleration(m, d);
  for (int i = 0; i < m.nv(); ++i) {
    d.qacc(i) = d.qacc_smooth(i);
    d.qfrc_constraint(i) = S(0);
  }
}

// Semi-implicit Euler with implicit joint damping, as integrate/euler.cc. Scratch: nv numbers, nv spatial vectors.
template <class S>
void SmoothEuler(const ModelView<S>& m, const DataView<S>& d, S* acceleration, Spatial<S>* momentum) {
  for (int i = 0; i < m.nv(); ++i) d.qacc_warmstart(i) = d.qacc(i);
  if (!HasImplicitDamping(m.raw())) return AdvanceState<S>(m, d, d.act_dot_data(), d.qacc_data(), nullptr);
  for (int i = 0; i < m.nv(); ++i) acceleration[i] = d.qfrc_smooth(i) + d.qfrc_constraint(i);
  FactorDampedInertia(m, d, momentum);
  SolveLDL(acceleration, d.qH_data(), d.qHDiagInv_data(), InertiaPattern(m.raw()));
  AdvanceState<S>(m, d, d.act_dot_data(), acceleration, nullptr);
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_BATCH_SMOOTH_KERNEL_H_
