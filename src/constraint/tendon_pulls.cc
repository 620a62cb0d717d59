#include "constraint/tendon_pulls.h"

#include <algorithm>
#include <cmath>

#include "constraint/body_forces_kernel.h"
#include "core/stack.h"
#include "force/passive_kernel.h"
#include "kinematics/actuator_link_kernel.h"
#include "kinematics/tendon.h"
#include "kinematics/tendon_kernel.h"
#include "math/dense.h"
#include "model/state/awake.h"
#include "model/view/wrap_types.h"

namespace sinew::inline constraint {
namespace {

using Model = ModelView<mjtNum>;
using Data = DataView<mjtNum>;

// ---- the forces along tendons

void AddPassive(const Model& m, const Data& d, mjtNum* force) {
  if (PassiveDisabled(m.raw())) return;
  const int disabled = m.opt_disableflags();
  for (int t = 0; t < m.ntendon(); ++t) {
    if (!(disabled & mjDSBL_SPRING)) force[t] += SpringForce(TendonStiffness(m, t), TendonDisplacement(m, d, t));
    if (!(disabled & mjDSBL_DAMPER)) force[t] += DamperForce(TendonDamping(m, t), mjtNum(d.ten_velocity(t)));
  }
  ForTendonLaws(m, SpringLaws(m.raw()), [&](int t, const SpringLawList& laws) {
    const mjtNum length = d.ten_length(t), velocity = d.ten_velocity(t);
    if (!(disabled & mjDSBL_SPRING)) force[t] += SpringOf<mjtNum>(laws, length).force;
    if (!(disabled & mjDSBL_DAMPER)) force[t] += DamperOf<mjtNum>(laws, length, velocity).force;
  });
}

void AddActuators(const Model& m, const Data& d, mjtNum* force) {
  if (m.opt_disableflags() & mjDSBL_ACTUATION) return;
  for (int i = 0; i < m.nu(); ++i) {
    if (m.actuator_trntype(i) == mjTRN_TENDON) {
      force[m.actuator_trnid(i)[0]] += m.actuator_gear(i)[0] * d.actuator_force(i);
    }
  }
}

// The row of a limit has the sign of the side on which its distance is measured.
mjtNum SignOfLimit(const Model& m, const Data& d, int tendon, int row) {
  const mjtNum length = d.ten_length(tendon), distance = d.efc_pos(row);
  const auto range = m.tendon_range(tendon);
  return std::fabs(distance - (length - range[0])) <= std::fabs(distance - (range[1] - length)) ? 1 : -1;
}

void AddEquality(const Model& m, const Data& d, int id, mjtNum row_force, mjtNum* force) {
  const int first = m.raw()->eq_obj1id[id], second = m.raw()->eq_obj2id[id];
  force[first] += row_force;
  if (second < 0) return;
  const auto stretch = [&](int t) { return d.ten_length(t) - m.tendon_length0(t); };
  force[second] += row_force * ScalarEquality<mjtNum>(m.eq_data(id), stretch(first), true, stretch(second)).slope;
}

void AddRows(const Model& m, const Data& d, mjtNum* force) {
  for (int row = 0; row < d.nefc(); ++row) {
    const int id = d.efc_id(row);
    switch (d.efc_type(row)) {
      case mjCNSTR_EQUALITY:
        if (m.eq_type(id) == mjEQ_TENDON) AddEquality(m, d, id, d.efc_force(row), force);
        break;
      case mjCNSTR_FRICTION_TENDON:
        if (id >= 0) force[id] += d.efc_force(row);  // else a flex's (metric_row.h)
        break;
      case mjCNSTR_LIMIT_TENDON:
        force[id] += SignOfLimit(m, d, id, row) * d.efc_force(row);
        break;
      default:
        break;
    }
  }
}

// The inertia of a tendon resists the acceleration of its length, J a + J' v.
void AddArmature(const Model& m, const Data& d, mjtNum* force) {
  StackFrame frame(d.raw());
  mjtNum* rate = frame.Doubles(m.nv());
  for (int t = 0; t < m.ntendon(); ++t) {
    const mjtNum armature = TotalTendonArmature(m, t);
    if (armature == 0 || IsFixedTendon(m, t)) continue;
    TendonDot(m.raw(), d.raw(), t, rate);
    const int adr = m.ten_J_rowadr(t);
    mjtNum acceleration = Dot(rate, d.qvel_data(), m.nv());
    for (int k = adr; k < adr + m.ten_J_rownnz(t); ++k) acceleration += d.ten_J(k) * d.qacc(m.ten_J_colind(k));
    force[t] -= armature * acceleration;
  }
}

// ---- their paths

// Follows the recorded points of a tendon's path together with its steps, which have the bodies of the sites.
class PathWalk {
 public:
  PathWalk(const Model& m, const Data& d, const PathRanges& ranges, int tendon)
      : m_(m), d_(d), ranges_(ranges), end_(m.tendon_adr(tendon) + m.tendon_num(tendon)), step_(m.tendon_adr(tendon)) {}

  // The point of this record; false for a pulley, which sets the divisor.
  bool Next(int record) {
    const int object = d_.raw()->wrap_obj[record];
    if (object >= 0) {
      body_ = m_.geom_bodyid(object);
    } else {
      while (m_.wrap_type(step_) != mjWRAP_SITE && m_.wrap_type(step_) != mjWRAP_PULLEY) ++step_;
      if (m_.wrap_type(step_) == mjWRAP_PULLEY) {
        divisor_ = m_.wrap_prm(step_++);
        return false;
      }
      body_ = m_.site_bodyid(m_.wrap_objid(step_));
      const bool goes_on = step_ + 1 < end_ && m_.wrap_type(step_ + 1) != mjWRAP_PULLEY;
      step_ = goes_on ? NextStop(m_, d_, ranges_, step_, end_) : step_ + 1;
    }
    point_ = LoadVec3(d_.raw()->wrap_xpos + 3 * record);
    return true;
  }

  PathPoint<mjtNum> point() const { return {point_, body_}; }
  mjtNum divisor() const { return divisor_; }

 private:
  const Model& m_;
  const Data& d_;
  const PathRanges& ranges_;
  const int end_;
  int step_, body_ = 0;
  Vec3<mjtNum> point_ = {};
  mjtNum divisor_ = 1;
};

// A positive force along the tendon pushes its ends apart.
void PullAlong(const Model& m, const Data& d, const PathRanges& ranges, int tendon, mjtNum force) {
  PathWalk walk(m, d, ranges, tendon);
  PathPoint<mjtNum> last = {};
  bool begun = false;
  const int first = d.ten_wrapadr(tendon);
  for (int record = first; record < first + d.ten_wrapnum(tendon); ++record) {
    const bool is_point = walk.Next(record);
    const PathPoint<mjtNum> next = walk.point();
    if (is_point && begun && last.body != next.body) {
      Vec3<mjtNum> u = next.p - last.p;
      Normalize(u);
      const Vec3<mjtNum> push = u * (force / walk.divisor());
      AddExternal(m, d, last.body, -1, PointWrench<mjtNum>{push, {}, last.p, true});
      AddExternal(m, d, next.body, 1, PointWrench<mjtNum>{push, {}, next.p, true});
    }
    last = next;
    begun = is_point;
  }
}

}  // namespace

void AddTendonPulls(const mjModel* model, mjData* data) {
  const Model m(model);
  const Data d(data);
  if (!HasSpatialTendons(m)) return;
  StackFrame frame(data);
  mjtNum* force = frame.Doubles(m.ntendon());
  std::fill_n(force, m.ntendon(), mjtNum(0));
  AddPassive(m, d, force);
  AddActuators(m, d, force);
  AddRows(m, d, force);
  AddArmature(m, d, force);
  const PathRanges ranges(model);
  for (int t = 0; t < m.ntendon(); ++t) {
    if (force[t] == 0 || IsFixedTendon(m, t) || IsAsleep(model, data, mjOBJ_TENDON, t)) continue;
    PullAlong(m, d, ranges, t, force[t]);
  }
}

}  // namespace sinew::inline constraint
