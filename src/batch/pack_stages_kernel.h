// A pack of worlds, as the stages of the step see it (step/step_kernel.h).
//
// Packs do the smooth dynamics. The stages below that do nothing belong to what LanePack refuses (batch/lane_pack.h): a
// model or a setting in which one of them would have something to do does not come here.
#ifndef SINEW_BATCH_PACK_STAGES_KERNEL_H_
#define SINEW_BATCH_PACK_STAGES_KERNEL_H_

#include "force/actuation_kernel.h"
#include "force/passive_kernel.h"
#include "inertia/acceleration_kernel.h"
#include "inertia/composite_kernel.h"
#include "inertia/deep_tree_kernel.h"
#include "inertia/rne_kernel.h"
#include "integrate/advance_kernel.h"
#include "integrate/euler_kernel.h"
#include "integrate/integrate.h"
#include "kinematics/camlight_kernel.h"
#include "kinematics/com_kernel.h"
#include "kinematics/pose_kernel.h"
#include "kinematics/tendon_kernel.h"
#include "kinematics/transmission_kernel.h"
#include "kinematics/velocity_kernel.h"
#include "step/step_kernel.h"

namespace sinew {
inline namespace SINEW_ISA {

// Scratch memory of a pack, for one stage at a time.
template <class S>
class PackScratch {
 public:
  // What the largest stage takes: two spatial vectors a body, and a number and a spatial vector a dof.
  static size_t Bytes(const mjModel& m) { return static_cast<size_t>(12 * m.nbody + 7 * m.nv) * sizeof(S); }

  explicit PackScratch(char* memory) : next_(memory) {}
  template <class T>
  T* Alloc(int count) {
    T* items = reinterpret_cast<T*>(next_);
    next_ += static_cast<size_t>(count) * sizeof(T);
    return items;
  }

 private:
  char* next_;
};

template <class S>
class PackStages {
 public:
  using Scalar = S;
  using Scratch = PackScratch<S>;

  PackStages(const ModelView<S>& m, const DataView<S>& d, char* scratch) : m_(m), d_(d), scratch_(scratch) {}

  struct NoTimer {};
  NoTimer Time(mjtTimer) const { return {}; }
  Scratch OpenScratch() const { return Scratch(scratch_); }
  int nv() const { return m_.nv(); }
  const S* act_dot() const { return d_.act_dot_data(); }
  const S* qacc() const { return d_.qacc_data(); }

  // positions
  void ForgetPotentialEnergy() const {}
  void Kinematics() const { sinew::Kinematics(m_, d_, OpenScratch().template Alloc<HalfAngle<S>>(m_.njnt())); }
  void ComPos() const { sinew::ComPos(m_, d_); }
  void CamLight() const { sinew::CamLight(m_, d_); }
  void Flex() const {}
  void Tendon() const { FixedTendons(m_, d_); }
  void WakeByTendons() const {}
  void MakeM() const { sinew::MakeM(m_, d_); }
  void FactorMadeM() const { sinew::FactorMadeM(m_, d_, OpenScratch().template Alloc<Spatial<S>>(nv())); }
  void CollisionAndWake() const {}
  void MakeConstraint() const {}
  void Island() const {}
  void Transmission() const { FixedPatternTransmissions(m_, d_); }
  void ProjectConstraint() const {}
  void SensorPos() const {}
  void ForwardEnergyPos() const {}

  // velocities
  void ForgetKineticEnergy() const {}
  void FlexVelocity() const {}
  void TendonVelocity() const { sinew::TendonVelocity(m_, d_); }
  void ActuatorVelocity() const { sinew::ActuatorVelocity(m_, d_); }
  void ComVel() const { sinew::ComVel(m_, d_); }
  void Passive() const { sinew::Passive(m_, d_); }
  void ReferenceConstraint() const {}
  void BiasForce() const {
    Scratch scratch = OpenScratch();
    auto* first = scratch.template Alloc<Spatial<S>>(m_.nbody());
    auto* second = scratch.template Alloc<Spatial<S>>(m_.nbody());
    Rne(m_, d_, /*with_acc=*/false, d_.qfrc_bias_data(), first, second);
  }
  void TendonBias() const {}  // of tendons that bend
  void SensorVel() const {}
  void ForwardEnergyVel() const {}

  // accelerations
  void Control() const {}
  void Actuation() const { sinew::Actuation(m_, d_); }
  void SmoothAcceleration() const { sinew::SmoothAcceleration(m_, d_); }
  // Without constraints the smooth acceleration is all there is.
  void SolveConstraints() const {
    for (int i = 0; i < nv(); ++i) {
      d_.qacc(i) = d_.qacc_smooth(i);
      d_.qfrc_constraint(i) = S(0);
    }
  }
  void SensorAcc() const {}

  // the end of the step
  bool HasImplicitDamping() const { return sinew::HasImplicitDamping(m_.raw()); }
  void EulerAcceleration(Scratch& scratch, bool reuse_factors, S* acceleration) const {
    auto* momentum = scratch.template Alloc<Spatial<S>>(nv());
    sinew::EulerAcceleration(m_, d_, reuse_factors, momentum, acceleration);
  }
  void RecordHistories() const {}
  void NextActivations(const S* act_dot) const { sinew::NextActivations(m_, d_, act_dot, d_.act_data()); }
  void FallAsleep() const {}
  void AdvanceMotion(const S* qacc, const S* qvel) const {
    sinew::AdvanceMotion(m_, d_, qacc, qvel, [](int) { return true; });
  }
  void AdvanceFibers() const {}
  void AdvancePlugins() const {}
  void KeepWarmstart() const {
    for (int i = 0; i < nv(); ++i) d_.qacc_warmstart(i) = d_.qacc(i);
  }

 private:
  const ModelView<S>& m_;
  const DataView<S>& d_;
  char* scratch_;
};

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_BATCH_PACK_STAGES_KERNEL_H_
