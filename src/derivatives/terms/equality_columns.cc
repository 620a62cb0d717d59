// Rows of a connect are those of two points, p1 - p2; a weld has three more for the rotation, s Im(q2* q1). With the
// classical accelerations c of the points and K d = k, their residuals are
//   x = c1 - c2 + B (p1' - p2') + k (p1 - p2)
//   x = s Im(q2* N q1),   N = (-o.o / 2, al1 - al2 + o1 x o2) / 2 + B o / 2 + k,   o = o1 - o2
// where al is the angular acceleration. The impedance d and the regularization follow the norm of all residuals r.
#include "derivatives/terms/equality_columns.h"

#include "constraint/equality_pose.h"
#include "math/dense.h"

namespace sinew::inline derivatives {
namespace {

constexpr int kMaxRows = 6;

// A body's motion about the point of the pair, and its change.
struct Motion {
  Spatial<double> V, A;
};

// The change of a point's acceleration  A.lin + A.rot x r + o x (v + o x r)  when the motion changes and the point
// moves.
Vec3<double> PointAccelerationChange(const Motion& body, const Motion& change, const Vec3<double>& arm,
                                     const Vec3<double>& move) {
  const Vec3<double> dv = PointVelocity(change.V, arm) + Cross(body.V.rot, move);
  return change.A.lin + Cross(change.A.rot, arm) + Cross(body.A.rot, move) +
         Cross(change.V.rot, PointVelocity(body.V, arm)) + Cross(body.V.rot, dv);
}

Quat<double> Imaginary(const Vec3<double>& v) { return {0, v.x, v.y, v.z}; }

class PoseEquality {
 public:
  PoseEquality(const mjModel* m, mjData* d, int row, const RowForces& forces, PairColumns& pair)
      : d_(d),
        force_(forces.force.data() + row),
        row_(row),
        weld_(m->eq_type[d->efc_id[row]] == mjEQ_WELD),
        pair_(pair) {
    const int id = d->efc_id[row];
    pose_ = weld_ ? WeldPose(m, d, id) : ConnectPose(m, d, id);
    pair_.Begin(pose_.body[0], pose_.body[1], pose_.point[0]);
    for (int b = 0; b < 2; ++b) {
      arm_[b] = pose_.point[b] - pose_.point[0];
      motion_[b] = {pair_.Velocity(b), pair_.Acceleration(b)};
    }
    const double* KBIP = d->efc_KBIP + 4 * row;
    K_ = KBIP[0];
    B_ = KBIP[1];
    impedance_ = KBIP[2];
    slope_ = KBIP[3];
  }

  // The forces at the solution act through wrenches that turn with the bodies; what moves the residuals moves the
  // forces.
  void Subtract(Columns& out) {
    const PairWrench wrench = WrenchOf(force_);
    for (const PairDof& j : pair_.dofs()) {
      ByPosition(j, wrench, out);
      ByVelocity(j, out);
    }
  }

 private:
  int rows() const { return weld_ ? 6 : 3; }
  double half() const { return 0.5 * pose_.torquescale; }
  double residual(int k) const { return d_->efc_pos[row_ + k]; }

  // Torque on body 1 of the rotation's forces f: component j is f . s/2 Im(q2* e_j q1).
  Vec3<double> Torque(const double* force, const Quat<double>& q2, const Quat<double>& q1) const {
    Vec3<double> torque;
    for (int j = 0; j < 3; ++j) {
      Vec3<double> axis = Zero3<double>();
      axis[j] = 1;
      torque[j] = half() * Dot(LoadVec3(force), (Conjugate(q2) * Imaginary(axis) * q1).Im());
    }
    return torque;
  }

  // The same force acts on both bodies at their points, in opposite directions, and the torques of the rotation's rows.
  PairWrench WrenchOf(const double* force) const {
    const Vec3<double> f = LoadVec3(force);
    PairWrench wrench = {{{Cross(arm_[0], f), f}, {Cross(arm_[1], -f), -f}}};
    if (!weld_) return wrench;
    const Vec3<double> torque = Torque(force + 3, pose_.quat[1], pose_.quat[0]);
    wrench.on[0].rot += torque;
    wrench.on[1].rot -= torque;
    return wrench;
  }

  // Middle factor of the rotation's rows without the stiffness, and its change.
  Quat<double> Middle() const {
    const Vec3<double>&o1 = motion_[0].V.rot, &o2 = motion_[1].V.rot, o = o1 - o2;
    Quat<double> N = Imaginary(motion_[0].A.rot - motion_[1].A.rot + Cross(o1, o2) + o * B_);
    N.w = -0.5 * Dot(o, o);
    return Scaled(N, half());
  }
  Quat<double> MiddleChange(const Motion (&change)[2]) const {
    const Vec3<double>&o1 = motion_[0].V.rot, &o2 = motion_[1].V.rot, &d1 = change[0].V.rot, &d2 = change[1].V.rot;
    Quat<double> N = Imaginary(change[0].A.rot - change[1].A.rot + Cross(d1, o2) + Cross(o1, d2) + (d1 - d2) * B_);
    N.w = -Dot(o1 - o2, d1 - d2);
    return Scaled(N, half());
  }
  static Quat<double> Scaled(const Quat<double>& q, double s) { return {q.w * s, q.x * s, q.y * s, q.z * s}; }
  static Quat<double> Sum(const Quat<double>& a, const Quat<double>& b) {
    return {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
  }

  // A dof with the axis s turns the bodies that it moves: their velocity V changes by s x V + p, their acceleration by
  // s x A + q + p x V, where p and q are those of the joint's own motion (pair_columns.h).
  void ByPosition(const PairDof& j, const PairWrench& wrench, Columns& out) {
    Motion change[2];
    Vec3<double> move[2], turn[2];
    for (int b = 0; b < 2; ++b) {
      const bool moves = j.Moves(b);
      move[b] = moves ? PointVelocity(j.s, arm_[b]) : Zero3<double>();
      turn[b] = moves ? j.s.rot : Zero3<double>();
      change[b] = {ZeroSpatial<double>(), ZeroSpatial<double>()};
      if (!moves) continue;
      const Motion& of = motion_[b];
      change[b] = {CrossMotion(j.s, of.V) + j.p, CrossMotion(j.s, of.A) + j.q + CrossMotion(j.p, of.V)};
    }

    // without the impedance's change; dr: of the residuals of positions
    double dx[kMaxRows], dr[kMaxRows];
    const Vec3<double> gap = move[0] - move[1];
    const Vec3<double> velocity = PointVelocity(change[0].V, arm_[0]) + Cross(motion_[0].V.rot, move[0]) -
                                  PointVelocity(change[1].V, arm_[1]) - Cross(motion_[1].V.rot, move[1]);
    const Vec3<double> acceleration = PointAccelerationChange(motion_[0], change[0], arm_[0], move[0]) -
                                      PointAccelerationChange(motion_[1], change[1], arm_[1], move[1]);
    StoreVec3(gap, dr);
    StoreVec3(acceleration + velocity * B_ + gap * (K_ * impedance_), dx);
    const Quat<double>&q1 = pose_.quat[0], &q2 = pose_.quat[1];
    const Quat<double> dq1 = Scaled(Imaginary(turn[0]) * q1, 0.5), dq2 = Scaled(Imaginary(turn[1]) * q2, 0.5);
    if (weld_) {
      const Quat<double> dq = Sum(Conjugate(dq2) * q1, Conjugate(q2) * dq1), N = Middle();
      StoreVec3(dq.Im() * pose_.torquescale, dr + 3);
      const Quat<double> dN =
          Sum(Sum(Conjugate(dq2) * N * q1, Conjugate(q2) * N * dq1), Conjugate(q2) * MiddleChange(change) * q1);
      StoreVec3(dN.Im() + LoadVec3(dr + 3) * (K_ * impedance_), dx + 3);
    }

    double force[kMaxRows];
    Answer(dx, dr, force);
    PairWrench moved = WrenchOf(force);
    const Vec3<double> f = LoadVec3(force_);
    moved.on[0].rot += Cross(move[0], f);
    moved.on[1].rot -= Cross(move[1], f);
    if (weld_) {
      const double* torques = force_ + 3;
      const Vec3<double> torque = Torque(torques, dq2, q1) + Torque(torques, q2, dq1);
      moved.on[0].rot += torque;
      moved.on[1].rot -= torque;
    }
    pair_.SubtractPosition(j, wrench, moved, out);
  }

  void ByVelocity(const PairDof& j, Columns& out) {
    Motion change[2];
    for (int b = 0; b < 2; ++b) {
      change[b] = {ZeroSpatial<double>(), ZeroSpatial<double>()};
      if (j.Moves(b)) change[b] = {j.s, j.w + CrossMotion(j.s, motion_[b].V)};
    }
    double dx[kMaxRows], dr[kMaxRows] = {}, force[kMaxRows];
    const Vec3<double> none = Zero3<double>();
    const Vec3<double> velocity = PointVelocity(change[0].V, arm_[0]) - PointVelocity(change[1].V, arm_[1]);
    const Vec3<double> acceleration = PointAccelerationChange(motion_[0], change[0], arm_[0], none) -
                                      PointAccelerationChange(motion_[1], change[1], arm_[1], none);
    StoreVec3(acceleration + velocity * B_, dx);
    if (weld_) StoreVec3((Conjugate(pose_.quat[1]) * MiddleChange(change) * pose_.quat[0]).Im(), dx + 3);
    Answer(dx, dr, force);
    pair_.SubtractVelocity(j, WrenchOf(force), out);
  }

  // Forces -D x: with the norm |r| of the residuals, d(|r|) changes the stiffness K d, and D by d' / (d (1 - d)).
  void Answer(double* dx, const double* dr, double* force) const {
    const double norm = Norm(d_->efc_pos + row_, rows());
    double growth = 0;
    for (int k = 0; k < rows(); ++k) growth += residual(k) * dr[k];
    growth = norm > 0 ? slope_ * growth / norm : 0;
    for (int k = 0; k < rows(); ++k) {
      const int row = row_ + k;
      dx[k] += K_ * growth * residual(k);
      force[k] = -d_->efc_D[row] * dx[k] + force_[k] * growth / (impedance_ * (1 - impedance_));
    }
  }

  mjData* d_;
  const double* force_;  // of its rows
  int row_;
  bool weld_;
  PairColumns& pair_;
  EqualityPose pose_;
  Vec3<double> arm_[2];
  Motion motion_[2];
  double K_, B_, impedance_, slope_;
};

}  // namespace

void SubtractPoseEquality(const mjModel* m, mjData* d, int row, const RowForces& forces, PairColumns& pair,
                          Columns& out) {
  PoseEquality(m, d, row, forces, pair).Subtract(out);
}

}  // namespace sinew::inline derivatives
