// Tendons that have a formula without branches: fixed ones, a linear combination of joint positions, L = sum_i c_i q_i,
// and straight ones, spatial tendons that run from site to site and around no geom.
#ifndef SINEW_KINEMATICS_TENDON_KERNEL_H_
#define SINEW_KINEMATICS_TENDON_KERNEL_H_

#include <type_traits>

#include "kinematics/com_kernel.h"
#include "model/kinds/chain.h"
#include "model/kinds/motion.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline kinematics {
inline namespace SINEW_ISA {

template <class S>
bool IsFixedTendon(const ModelView<S>& m, int tendon) {
  return m.wrap_type(m.tendon_adr(tendon)) == mjWRAP_JOINT;
}

//   in: qpos          out: ten_length, ten_J (its row); ten_wrapnum is 0
template <class S>
void FixedTendon(const ModelView<S>& m, const DataView<S>& d, int tendon) {
  const int row = m.ten_J_rowadr(tendon), count = m.ten_J_rownnz(tendon);
  for (int k = row; k < row + count; ++k) d.ten_J(k) = S(0);

  S length(0);
  const int first = m.tendon_adr(tendon), end = first + m.tendon_num(tendon);
  for (int w = first; w < end; ++w) {
    const int joint = m.wrap_objid(w), dof = m.jnt_dofadr(joint);
    const S coefficient = m.wrap_prm(w);
    length += coefficient * d.qpos(m.jnt_qposadr(joint));
    // A joint that is named twice has two columns; the first takes the sum.
    int k = row;
    while (m.ten_J_colind(k) != dof) ++k;
    d.ten_J(k) += coefficient;
  }
  d.ten_length(tendon) = length;
  d.ten_wrapnum(tendon) = 0;
}

// ---- straight pieces of spatial tendons

// A point of a path in the world, the body that carries it, and the site that it is.
template <class S>
struct PathPoint {
  Vec3<S> p;
  int body;
  int site = -1;
};

template <class S>
PathPoint<S> SiteOfStep(const ModelView<S>& m, const DataView<S>& d, int step) {
  const int id = m.wrap_objid(step);
  return {d.site_xpos(id), m.site_bodyid(id), id};
}

// The step of the site that the path runs to from that of another: behind the geoms that follow, and behind sites that
// do not count now, if others follow them. `end`: of the path. A pack of worlds has no sites of this kind.
template <class S>
int NextStop(const ModelView<S>& m, const DataView<S>& d, const PathRanges& ranges, int step, int end) {
  int next = step + 1;
  while (m.wrap_type(next) != mjWRAP_SITE) ++next;
  if constexpr (std::is_same_v<S, mjtNum>) {
    const auto is_passed = [&](int i) {
      return i + 1 < end && m.wrap_type(i + 1) == mjWRAP_SITE && !ranges.IsOn(d.qpos_data(), i);
    };
    while (ranges && is_passed(next)) ++next;
  }
  return next;
}

// Calls visit(dof, at_end) for each dof that moves one end but not the other, from the last dof to the first. Dofs that
// move both ends together cannot change the distance: going up from both bodies, the first common dof ends the work.
template <class S, class Visitor>
void ForUncommonDofs(const ModelView<S>& m, int body_from, int body_to, Visitor visit) {
  int i = LastDof(m.raw(), body_from), j = LastDof(m.raw(), body_to);
  while (i != j) {
    const bool at_end = j > i;
    int& dof = at_end ? j : i;
    visit(dof, at_end);
    dof = m.raw()->dof_parentid[dof];
  }
}

// Adds what a point's motion in its body does to the tendon's row: force' u for each of its coordinates.
template <class S>
void AddPointMotion(const ModelView<S>& m, const DataView<S>& d, const PointMotions& points, int tendon, int site,
                    const Vec3<S>& force) {
  const int adr = m.ten_J_rowadr(tendon);
  ForPointRates(m, d, points, site, [&](int dof, const Vec3<S>& u, const Vec3<S>&) {
    for (int k = adr; k < adr + m.ten_J_rownnz(tendon); ++k) {
      if (m.ten_J_colind(k) == dof) d.ten_J(k) += Dot(force, u);
    }
  });
}

// Adds scale u' (J_B(q) - J_A(p)) to the tendon's row, with the direction u from p, on body A, to q, on body B; returns
// the length of the piece. Dofs and the columns of the row descend alike.
template <class S>
S AddStraightPiece(const ModelView<S>& m, const DataView<S>& d, const PointMotions& points, int tendon,
                   const PathPoint<S>& from, const PathPoint<S>& to, S scale) {
  const int adr = m.ten_J_rowadr(tendon);
  const int* column = m.raw()->ten_J_colind + adr;
  S* row = d.ten_J_data() + adr;
  Vec3<S> u = to.p - from.p;
  const S length = Normalize(u);
  const Vec3<S> force = u * scale;

  int k = m.ten_J_rownnz(tendon) - 1;
  ForUncommonDofs(m, from.body, to.body, [&](int dof, bool at_end) {
    const PathPoint<S>& point = at_end ? to : from;
    const Vec3<S> velocity = PointVelocity(d.cdof(dof), point.p - TreeCenter(m, d, point.body));
    while (column[k] != dof) --k;
    row[k] += at_end ? Dot(force, velocity) : -Dot(force, velocity);
  });
  if (points) {
    AddPointMotion(m, d, points, tendon, from.site, -force);
    AddPointMotion(m, d, points, tendon, to.site, force);
  }
  return length;
}

template <class S>
bool IsStraightTendon(const ModelView<S>& m, int tendon) {
  const int first = m.tendon_adr(tendon), end = first + m.tendon_num(tendon);
  for (int step = first; step < end; ++step) {
    const int type = m.wrap_type(step);
    if (type != mjWRAP_SITE && type != mjWRAP_PULLEY) return false;
  }
  return true;
}

template <class S>
bool HasSpatialTendons(const ModelView<S>& m) {
  for (int t = 0; t < m.ntendon(); ++t) {
    if (!IsFixedTendon(m, t)) return true;
  }
  return false;
}

// Behind a pulley with divisor s lengths and Jacobians count 1/s, until the next one.
//   in: site_xpos, cdof, subtree_com          out: ten_length, ten_J (its row)
template <class S>
void StraightTendon(const ModelView<S>& m, const DataView<S>& d, const PathMotions& moving, int tendon) {
  const int row = m.ten_J_rowadr(tendon), count = m.ten_J_rownnz(tendon);
  for (int k = row; k < row + count; ++k) d.ten_J(k) = S(0);
  S length(0), divisor(1);
  const int end = m.tendon_adr(tendon) + m.tendon_num(tendon);
  for (int step = m.tendon_adr(tendon), next; step < end; step = next) {
    next = step + 1;
    if (m.wrap_type(step) == mjWRAP_PULLEY) {
      divisor = m.wrap_prm(step);
    } else if (next < end && m.wrap_type(next) != mjWRAP_PULLEY) {
      next = NextStop(m, d, moving.ranges, step, end);
      length += AddStraightPiece(m, d, moving.points, tendon, SiteOfStep(m, d, step), SiteOfStep(m, d, next),
                                 S(1) / divisor) /
                divisor;
    }
  }
  d.ten_length(tendon) = length;
}

// ---- all

// All tendons of a model without spatial ones.
template <class S>
void FixedTendons(const ModelView<S>& m, const DataView<S>& d) {
  for (int t = 0; t < m.ntendon(); ++t) {
    FixedTendon(m, d, t);
    d.ten_wrapadr(t) = 0;
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_TENDON_KERNEL_H_
