// Transmissions whose moment arms have a fixed pattern: joints and tendons.
#ifndef SINEW_KINEMATICS_TRANSMISSION_KERNEL_H_
#define SINEW_KINEMATICS_TRANSMISSION_KERNEL_H_

#include "math/quat.h"
#include "model/data_view.h"
#include "model/model_view.h"

namespace sinew {
inline namespace SINEW_ISA {

// Writes one actuator's row of actuator_moment, entry by entry; rows follow each other without gaps. The length of the
// row is written at the end: the compiler would store and reload it with every entry.
template <class S>
class MomentRow {
 public:
  MomentRow(const DataView<S>& d, int actuator)
      : start_(actuator == 0 ? 0 : d.moment_rowadr(actuator - 1) + d.moment_rownnz(actuator - 1)),
        column_(d.moment_colind_data() + start_),
        value_(d.actuator_moment_data() + start_),
        rownnz_(d.moment_rownnz(actuator)) {
    d.moment_rowadr(actuator) = start_;
  }
  ~MomentRow() { rownnz_ = count_; }
  MomentRow(const MomentRow&) = delete;
  MomentRow& operator=(const MomentRow&) = delete;

  void Add(int dof, const S& value) {
    column_[count_] = dof;
    value_[count_] = value;
    ++count_;
  }

  // factor * values, all at once.
  void AddScaled(const int* dofs, const S* values, int count, const S& factor) {
    int* __restrict column = column_ + count_;
    S* __restrict value = value_ + count_;
    for (int k = 0; k < count; ++k) column[k] = dofs[k];
    for (int k = 0; k < count; ++k) value[k] = factor * values[k];
    count_ += count;
  }

 private:
  int start_, count_ = 0;
  int* column_;
  S* value_;
  int& rownnz_;
};

// Orientation of a ball or free joint.
template <class S>
Quat<S> JointRotation(const ModelView<S>& m, const DataView<S>& d, int joint) {
  const int adr = m.jnt_qposadr(joint) + (m.jnt_type(joint) == mjJNT_FREE ? 3 : 0);
  return Normalized(LoadQuat(d.qpos_data() + adr));
}

// Torque gear of a ball or free joint in the child's axes, in which its velocities are given.
template <class S>
Vec3<S> TorqueGear(const ModelView<S>& m, int actuator, const Vec3<S>& gear, const Quat<S>& rotation) {
  return m.actuator_trntype(actuator) == mjTRN_JOINTINPARENT ? Rotate(Conjugate(rotation), gear) : gear;
}

template <class S>
void JointTransmission(const ModelView<S>& m, const DataView<S>& d, int actuator) {
  const int joint = m.actuator_trnid(actuator)[0], dof = m.jnt_dofadr(joint);
  const RowOf<S> gear = m.actuator_gear(actuator);
  MomentRow<S> moment(d, actuator);
  switch (m.jnt_type(joint)) {
    case mjJNT_FREE: {
      // force in the world's axes, then torque; a pose has no single length
      const Vec3<S> torque = TorqueGear(m, actuator, Vec3<S>{gear[3], gear[4], gear[5]}, JointRotation(m, d, joint));
      d.actuator_length(actuator) = S(0);
      for (int k = 0; k < 3; ++k) moment.Add(dof + k, gear[k]);
      for (int k = 0; k < 3; ++k) moment.Add(dof + 3 + k, torque[k]);
      return;
    }
    case mjJNT_BALL: {
      const Quat<S> rotation = JointRotation(m, d, joint);
      const Vec3<S> torque = TorqueGear(m, actuator, Vec3<S>{gear[0], gear[1], gear[2]}, rotation);
      d.actuator_length(actuator) = Dot(RotationVector(rotation), torque);
      for (int k = 0; k < 3; ++k) moment.Add(dof + k, torque[k]);
      return;
    }
    default:
      d.actuator_length(actuator) = gear[0] * d.qpos(m.jnt_qposadr(joint));
      moment.Add(dof, gear[0]);
  }
}

template <class S>
void TendonTransmission(const ModelView<S>& m, const DataView<S>& d, int actuator) {
  const int tendon = m.actuator_trnid(actuator)[0];
  const S gear = m.actuator_gear(actuator)[0];
  MomentRow<S> moment(d, actuator);
  d.actuator_length(actuator) = gear * d.ten_length(tendon);
  const int adr = m.ten_J_rowadr(tendon);
  moment.AddScaled(m.raw()->ten_J_colind + adr, d.ten_J_data() + adr, m.ten_J_rownnz(tendon), gear);
}

// Whether an actuator's moment arms have a fixed pattern.
template <class S>
bool HasFixedMomentPattern(const ModelView<S>& m, int actuator) {
  const int type = m.actuator_trntype(actuator);
  return type == mjTRN_JOINT || type == mjTRN_JOINTINPARENT || type == mjTRN_TENDON;
}

template <class S>
void FixedPatternTransmission(const ModelView<S>& m, const DataView<S>& d, int actuator) {
  if (m.actuator_trntype(actuator) == mjTRN_TENDON) {
    TendonTransmission(m, d, actuator);
  } else {
    JointTransmission(m, d, actuator);
  }
}

// All actuators of a model whose transmissions are of these kinds.
template <class S>
void FixedPatternTransmissions(const ModelView<S>& m, const DataView<S>& d) {
  for (int u = 0; u < m.nu(); ++u) FixedPatternTransmission(m, d, u);
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_KINEMATICS_TRANSMISSION_KERNEL_H_
