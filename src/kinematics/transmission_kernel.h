// Transmissions whose moment arms have a fixed pattern: joints and tendons.
//
// Of joints that rotate about three axes, and of sites that are measured from others, the gear is a torque or a force
// in axes that move, and no gradient of a length. It is the moment of actuators that do not look at their length. A
// servo does: then the moment is the gradient of the length, so that its spring has a potential and creates no energy.
#ifndef SINEW_KINEMATICS_TRANSMISSION_KERNEL_H_
#define SINEW_KINEMATICS_TRANSMISSION_KERNEL_H_

#include "math/quat.h"
#include "math/rotation_vector.h"
#include "math/spatial.h"
#include "model/kinds/contact_exclude.h"
#include "model/storage/extension.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline kinematics {
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

// Whether an actuator's force depends on its length. Callbacks of a program are not considered.
template <class S>
MaskOf<S> UsesLength(const ModelView<S>& m, int actuator) {
  const mjModel* raw = m.raw();
  const int gain = raw->actuator_gaintype[actuator], bias = raw->actuator_biastype[actuator];
  const bool always = gain == mjGAIN_MUSCLE || gain == mjGAIN_DCMOTOR || gain == kMusculotendon ||
                      bias == mjBIAS_MUSCLE || raw->actuator_plugin[actuator] >= 0;
  MaskOf<S> uses = always ? S(0) < S(1) : S(1) < S(0);
  if (gain == mjGAIN_AFFINE) uses = uses | (m.actuator_gainprm(actuator)[1] != S(0));
  if (bias == mjBIAS_AFFINE) uses = uses | (m.actuator_biasprm(actuator)[1] != S(0));
  return uses;
}

// Rotation vector from the reference site to the site, in the reference's axes.
template <class S>
Vec3<S> RelativeRotation(const ModelView<S>& m, const DataView<S>& d, int site, int reference) {
  const auto orientation = [&](int s) { return d.xquat(m.site_bodyid(s)) * Quat<S>(m.site_quat(s)); };
  return RotationVector(Conjugate(orientation(reference)) * orientation(site));
}

// The moment of an actuator on a ball, in the child's axes. In its parent's axes R' g turns with the child, but the
// length log(R) . R' g = log(R) . g is the same.
template <class S>
Vec3<S> BallMoment(const ModelView<S>& m, int actuator, const Quat<S>& rotation) {
  const RowOf<S> row = m.actuator_gear(actuator);
  const Vec3<S> gear = {row[0], row[1], row[2]};
  const MaskOf<S> uses = UsesLength(m, actuator);
  const Vec3<S> torque = TorqueGear(m, actuator, gear, rotation);
  if (!Any(uses)) return torque;
  return Select(uses, GradientOfRotation(RotationVector(rotation), gear), torque);
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
      const Vec3<S> torque = BallMoment(m, actuator, rotation);
      d.actuator_length(actuator) = Dot(RotationVector(rotation), Vec3<S>{gear[0], gear[1], gear[2]});
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

// Force and torque of the gear of an actuator on a site, in the world. The axes are those of the site, or of the
// reference site that it is measured from; the torque of a servo is then the gradient of the rotation vector.
template <class S>
Spatial<S> GearInWorld(const ModelView<S>& m, const DataView<S>& d, int actuator) {
  const int site = m.actuator_trnid(actuator)[0], reference = m.actuator_trnid(actuator)[1];
  const RowOf<S> gear = m.actuator_gear(actuator);
  const Vec3<S> force = {gear[0], gear[1], gear[2]};
  Vec3<S> torque = {gear[3], gear[4], gear[5]};
  if (reference < 0) return {d.site_xmat(site) * torque, d.site_xmat(site) * force};
  const MaskOf<S> is_servo = UsesLength(m, actuator);
  if (Any(is_servo)) {
    const Vec3<S> rotation = RelativeRotation(m, d, site, reference);
    torque = Select(is_servo, GradientOfRotation(-rotation, torque), torque);
  }
  return {d.site_xmat(reference) * torque, d.site_xmat(reference) * force};
}

// Whether adhesion pulls the body along the normal of a contact: it touches there, or nearly (contacts in the gap).
template <class S>
bool IsAdhesive(const ModelView<S>& m, const mjContact& contact, int body) {
  const bool of_geoms = contact.geom[0] >= 0 && contact.geom[1] >= 0;
  if (!of_geoms || (contact.exclude != contact_exclude::kActive && contact.exclude != contact_exclude::kInGap)) {
    return false;
  }
  return m.geom_bodyid(contact.geom[0]) == body || m.geom_bodyid(contact.geom[1]) == body;
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
}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_TRANSMISSION_KERNEL_H_
