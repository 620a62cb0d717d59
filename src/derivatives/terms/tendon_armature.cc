// With K_ij = dJ_i/dq_j, and pairs i ~ k of dofs that the pattern of M has, on one branch of the tree,
//
//   r_i = A J_i (sum_(k~i) J_k a_k + y),    y = dJ/dt v = sum_ij K_ij v_i v_j,    s_i = A J_i sum_(k~i) J_k (a_k - b_k)
//
// dy/dv_j is a sum of K. Of dy/dq_j, y is taken as the second derivative of the length by time without accelerations of
// dofs, which the motions of its sites give: a piece of the path from one site to another, of length l and direction n,
// with relative velocity w and acceleration c, has n . c + (|w|^2 - (n . w)^2) / l. Motions of bodies change with q_j
// as derivatives/base/rnea_derivatives_kernel.h says, on dual numbers.
#include "derivatives/terms/tendon_armature.h"

#include "derivatives/base/names.h"
#include "derivatives/base/tree_memory.h"
#include "integrate/integrate.h"
#include "integrate/midpoint_kernel.h"
#include "kinematics/actuator_link_kernel.h"
#include "kinematics/tendon_kernel.h"
#include "math/dual.h"

namespace sinew::inline derivatives {
namespace {

using Model = ModelView<double>;
using Data = DataView<double>;
using Number = Dual<double, 1>;
using Row = sinew::Row;

// Calls visit(tendon, armature) for those that turn.
template <class Visit>
void ForTurningArmatures(const mjModel* model, const Visit& visit) {
  const Model m(model);
  for (int t = 0; t < m.ntendon(); ++t) {
    const double armature = TotalTendonArmature(m, t);
    if (armature != 0 && !IsFixedTendon(m, t)) visit(t, armature);
  }
}

Vec3<Number> Moving(const Vec3<double>& value, const Vec3<double>& slope) {
  Vec3<Number> x;
  for (int k = 0; k < 3; ++k) {
    x[k] = Number(value[k]);
    x[k].slope[0] = slope[k];
  }
  return x;
}

// Lengths of tendons in motion at the present velocities.
class TendonMotion {
 public:
  TendonMotion(const mjModel* m, mjData* d) : m_(m), d_(d), memory_(m), rest_(Size(m->nv)) {
    PassVelocities(m_, d_, {d->qvel, rest_.data(), /*gravity=*/false}, memory_.tree());
  }

  // dy/dq_j
  double Slope(int tendon, int j) const {
    Number sum(0.0);
    double divisor = 1;
    const int end = m_.tendon_adr(tendon) + m_.tendon_num(tendon);
    for (int step = m_.tendon_adr(tendon); step < end; ++step) {
      if (m_.wrap_type(step) == mjWRAP_PULLEY) {
        divisor = m_.wrap_prm(step);
      } else if (step + 1 < end && m_.wrap_type(step + 1) != mjWRAP_PULLEY) {
        sum += Piece(SiteOf(step, j), SiteOf(step + 1, j)) * Number(1 / divisor);
      }
    }
    return sum.slope[0];
  }

 private:
  struct Point {
    Vec3<Number> place, velocity, acceleration;
  };

  Point SiteOf(int step, int j) const {
    const int site = m_.wrap_objid(step), body = m_.site_bodyid(site);
    const TreeDerivative<double>& tree = memory_.tree();
    const Spatial<double>&v = tree.velocity[body], &a = tree.acceleration[body];
    Spatial<double> s = ZeroSpatial<double>(), dv = s, da = s;
    if (IsAncestorDof(j, body)) {
      s = d_.cdof(j);
      dv = CrossMotion(s, v) + tree.p[j];
      da = CrossMotion(s, a) + tree.q[j] + CrossMotion(tree.p[j], v);
    }
    // about the centre of the tree, held where it is
    const Vec3<double> arm = d_.site_xpos(site) - TreeCenter(m_, d_, body);
    Point point;
    point.place = Moving(d_.site_xpos(site), PointVelocity(s, arm));
    const Vec3<Number> offset = Moving(arm, PointVelocity(s, arm)), spin = Moving(v.rot, dv.rot);
    point.velocity = Moving(v.lin, dv.lin) + Cross(spin, offset);
    point.acceleration = Moving(a.lin, da.lin) + Cross(Moving(a.rot, da.rot), offset) + Cross(spin, point.velocity);
    return point;
  }

  bool IsAncestorDof(int j, int body) const {
    int i = LastDof(m_.raw(), body);
    while (i > j) i = m_.raw()->dof_parentid[i];
    return i == j;
  }

  static Number Piece(const Point& from, const Point& to) {
    const Vec3<Number> along = to.place - from.place, w = to.velocity - from.velocity;
    const Number length = Sqrt(Dot(along, along));
    if (length.value < kMinVal) return Number(0.0);
    const Number inverse = Number(1) / length, rate = Dot(along, w) * inverse;
    return (Dot(along, to.acceleration - from.acceleration) + Dot(w, w) - rate * rate) * inverse;
  }

  const Model m_;
  const Data d_;
  TreeMemory memory_;
  const std::vector<double> rest_;
};

// sum_(k~i) J_k x_k, and its change with the position of column j.
ImplicitRow CoupledRow(const mjModel* m, const Row& row, const double* x) {
  return {m, row, x, ImplicitRow::Pattern::kInertia};
}

}  // namespace

std::string ObstacleOfTendonArmature(const mjModel* model) {
  const Model m(model);
  std::string obstacle;
  ForTurningArmatures(model, [&](int t, double) {
    if (!IsStraightTendon(m, t)) obstacle = NameOf(model, mjOBJ_TENDON, t) + " wraps around geoms and has armature";
    if (!UsesMidpointRule(model)) return;
    for (int step = m.tendon_adr(t); step < m.tendon_adr(t) + m.tendon_num(t); ++step) {
      if (m.wrap_type(step) != mjWRAP_SITE) continue;
      const int body = m.body_weldid(m.site_bodyid(m.wrap_objid(step)));
      if (m.body_dofnum(body) == 0 || !IsFreeAssembly(m, m.body_jntadr(body))) continue;
      obstacle = NameOf(model, mjOBJ_TENDON, t) + " has armature and moves a body under the midpoint rule";
    }
  });
  return obstacle;
}

void AddArmatureColumns(const mjModel* model, mjData* data, const TendonRows& rows, const ResidualPoint& at,
                        ResidualColumns& out) {
  const StateSizes sizes(model);
  std::vector<double> difference(Size(sizes.nv));
  for (int i = 0; i < sizes.nv; ++i) difference[Size(i)] = at.a[i] - at.b[i];
  ForTurningArmatures(model, [&](int t, double armature) {
    const TendonMotion motion(model, data);
    const Row row = rows[t];
    const ImplicitRow coupled = CoupledRow(model, row, at.a), ahead = CoupledRow(model, row, difference.data());
    double y = 0;
    for (int j = 0; j < row.count; ++j) y += row.TurnTimes(j, data->qvel) * data->qvel[row.dof[j]];
    for (int j = 0; j < row.count; ++j) {
      const int q = row.dof[j], v = sizes.velocity() + q;
      double by_v = row.TurnTimes(j, data->qvel);
      for (int k = 0; k < row.count; ++k) by_v += row.K[j * row.count + k] * data->qvel[row.dof[k]];
      const double by_q = motion.Slope(t, q);
      for (int i = 0; i < row.count; ++i) {
        const double turn = row.K[i * row.count + j];
        const int dof = row.dof[i];
        out.force[q][dof] += armature * (turn * (coupled.Rate(i) + y) + row.J[i] * (coupled.Turn(i, j) + by_q));
        out.force[v][dof] += armature * row.J[i] * by_v;
        if (at.HasStep()) out.step[q][dof] += armature * (turn * ahead.Rate(i) + row.J[i] * ahead.Turn(i, j));
      }
    }
  });
}

// E = A/2 sum_(k~i) v_i J_i J_k v_k
std::vector<double> ArmatureEnergySlopes(const mjModel* m, mjData* d, const TendonRows& rows) {
  std::vector<double> slopes(Size(m->nv));
  ForTurningArmatures(m, [&](int t, double armature) {
    const Row row = rows[t];
    const ImplicitRow coupled = CoupledRow(m, row, d->qvel);
    for (int j = 0; j < row.count; ++j) {
      for (int i = 0; i < row.count; ++i) {
        slopes[Size(row.dof[j])] += armature * d->qvel[row.dof[i]] * row.K[i * row.count + j] * coupled.Rate(i);
      }
    }
  });
  return slopes;
}

}  // namespace sinew::inline derivatives
