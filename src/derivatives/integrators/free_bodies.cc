#include "derivatives/integrators/free_bodies.h"

#include <algorithm>

#include "derivatives/base/dual_order.h"
#include "derivatives/base/rotation.h"
#include "inertia/inertia.h"
#include "integrate/integrate.h"
#include "math/dense.h"

namespace sinew::inline derivatives {
namespace {

// Variables: rotation, velocity, forces beside M a + c; mass, centre of mass, and inertia (xx yy zz xy xz yz) of the
// assembly.
constexpr int kRotation = 0, kVelocity = 3, kForce = 9, kMass = 15, kCentre = 16, kInertia = 19, kVariables = 25;
using Number = Dual<double, kVariables>;
using DualVec = Vec3<Number>;
using DualMat = Mat3<Number>;

// Where the six numbers of a symmetric matrix stand in it, by rows.
constexpr int kPlace[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};

DualVec Constant(const Vec3<double>& v) { return {Number(v.x), Number(v.y), Number(v.z)}; }
DualVec Variables(const Vec3<double>& v, int first) {
  DualVec x = Constant(v);
  for (int k = 0; k < 3; ++k) x[k].slope[first + k] = 1;
  return x;
}
DualMat InertiaVariables(const Mat3<double>& I) {
  DualMat x;
  for (int k = 0; k < 9; ++k) {
    x.m[k] = Number(I.m[k]);
    x.m[k].slope[kInertia + kPlace[k]] = 1;
  }
  return x;
}
Mat3<double> ValueOf(const DualMat& a) {
  Mat3<double> value;
  for (int k = 0; k < 9; ++k) value.m[k] = a.m[k].value;
  return value;
}
Vec3<double> ValueOf(const DualVec& v) { return {v.x.value, v.y.value, v.z.value}; }
Vec3<double> SlopeOf(const DualVec& v, int k) { return {v.x.slope[k], v.y.slope[k], v.z.slope[k]}; }
Quat<Number> Constant(const Quat<double>& q) { return {Number(q.w), Number(q.x), Number(q.y), Number(q.z)}; }

// q exp(x) for a small rotation x that has slopes and no value.
Quat<Number> Turned(const Quat<double>& q, const DualVec& x) {
  const Number half(0.5);
  return Constant(q) * Quat<Number>{Number(1.0), x.x * half, x.y * half, x.z * half};
}

// Implicit functions instead of iterations: one step of Newton's method from the solution has its slopes; the
// exponential has a derivative at rest, too.
struct DualSpin {
  static DualVec Midpoint(const SpinEquation<Number>& equation) {
    const SpinEquation<double> values = {ValueOf(equation.I), ValueOf(equation.w), ValueOf(equation.torque),
                                         equation.rate.value};
    const DualVec x = Constant(values.Solve());
    return x - equation.Newton(x, equation.Residual(x));
  }
  static Quat<Number> Turn(const DualVec& spin, const Number& h) {
    const Vec3<double> value = ValueOf(spin);
    const Mat3<double> by_spin = DifferentiateQuatIntegrate(value, h.value).velocity;
    DualVec turn = Constant(Zero3<double>());
    for (int k = 0; k < kVariables; ++k) {
      const Vec3<double> moved = by_spin * SlopeOf(spin, k) * h.value;
      for (int i = 0; i < 3; ++i) turn[i].slope[k] = moved[i];
    }
    return Turned(ExpRotation(value, h.value), turn);
  }
};

// Sets M a + c of a rigid body, about its origin, without armature.
void SetForces(const Vec3<double>& linear, const Vec3<double>& angular, FreeBody<Number>& body) {
  const Quat<Number>& q = body.orientation;
  const DualVec al = Constant(angular), &w = body.spin, &r = body.offset;
  const DualVec swing = Cross(al, r) + Cross(w, Cross(w, r));
  const DualVec force = (Constant(linear) + Rotate(q, swing) - body.gravity) * body.mass;
  body.force += force;
  body.torque += body.inertia * al + Cross(w, body.inertia * w) + Cross(r, Rotate(Conjugate(q), force));
}

}  // namespace

// With the mass m, the centre c and the inertia I of the assembly, and for a body of mass m_b with its centre at c + r
// and the principal axes e_k,
//   dm = dm_b,   dc = r/m dm_b,   dI = (r'r 1 - r r') dm_b + sum_k e_k e_k' dI_bk
void FreeBodies::SetParts(const ModelView<double>& m, const DataView<double>& d, const FreeBody<double>& at,
                          Body& out) {
  const Mat3<double>& R = d.xmat(out.id);
  const auto outer = [](const Vec3<double>& v, double* six) {
    const double products[6] = {v.x * v.x, v.y * v.y, v.z * v.z, v.x * v.y, v.x * v.z, v.y * v.z};
    std::copy_n(products, 6, six);
  };
  for (int b = out.id; b < m.nbody() && m.body_treeid(b) == m.body_treeid(out.id); ++b) {
    Part part = {};
    part.body = b;
    const Vec3<double> r = MulTransposed(R, d.xipos(b) - d.xpos(out.id)) - at.offset;
    part.by_mass[0] = 1;
    for (int k = 0; k < 3; ++k) part.by_mass[1 + k] = r[k] / at.mass;
    outer(r, part.by_mass + 4);
    for (int k = 0; k < 6; ++k) part.by_mass[4 + k] = (k < 3 ? Dot(r, r) : 0) - part.by_mass[4 + k];
    for (int k = 0; k < 3; ++k) outer(MulTransposed(R, d.ximat(b).Column(k)), part.by_moment[k]);
    out.parts.push_back(part);
  }
}

FreeBodies::Body FreeBodies::Differentiate(const mjModel* model, mjData* data, int joint, const double* a) {
  const ModelView<double> m(model);
  const DataView<double> d(data);
  Body out = {};
  out.id = m.jnt_bodyid(joint);
  out.dof = m.jnt_dofadr(joint);
  const std::vector<double> none(Size(model->nv));
  const FreeBody<double> at = LoadFreeBody(m, d, joint, none.data());
  std::copy_n(a + out.dof, 6, out.acceleration);
  Vec3<double> armature[2];
  for (int k = 0; k < 6; ++k) armature[k / 3][k % 3] = m.dof_armature(out.dof + k) * out.acceleration[k];

  FreeBody<Number> body = {Number(at.mass),
                           Number(at.h),
                           InertiaVariables(at.inertia),
                           Variables(at.offset, kCentre),
                           Constant(at.gravity),
                           Turned(at.orientation, Variables(Zero3<double>(), kRotation)),
                           Variables(at.velocity, kVelocity),
                           Variables(at.spin, kVelocity + 3),
                           Variables(armature[0], kForce),
                           Variables(armature[1], kForce + 3)};
  body.mass.slope[kMass] = 1;
  SetForces(LoadVec3(out.acceleration), LoadVec3(out.acceleration + 3), body);
  const bool moves_centre = IsOffCentre(at.offset);
  out.first = moves_centre ? 0 : 3;
  const FreeMotion<Number> end = EndOfFreeBody<Number, DualSpin>(body, moves_centre);

  for (int i = 0; i < 6; ++i) {
    const Number& x = i < 3 ? end.velocity[i] : end.spin[i - 3];
    out.next[i] = x.value;
    std::copy_n(x.slope + kRotation, 3, out.by_rotation[i]);
    std::copy_n(x.slope + kVelocity, 6, out.by_velocity[i]);
    std::copy_n(x.slope + kForce, 6, out.by_force[i]);
    std::copy_n(x.slope + kMass, kVariables - kMass, out.by_assembly[i]);
  }
  SetParts(m, d, at, out);
  // df = M da: M is symmetric, and the six dofs are alone in their tree
  std::vector<double> unit(Size(model->nv)), column(Size(model->nv));
  for (int j = 0; j < 6; ++j) {
    unit[Size(out.dof + j)] = 1;
    MulM(model, data, column.data(), unit.data());
    unit[Size(out.dof + j)] = 0;
    for (int i = 0; i < 6; ++i) {
      for (int k = 0; k < 6; ++k) out.by_acceleration[i][j] += out.by_force[i][k] * column[Size(out.dof + k)];
    }
  }
  return out;
}

FreeBodies::FreeBodies(const mjModel* m, mjData* d, const double* a) {
  if (m->opt.integrator == mjINT_RK4 || !UsesMidpointRule(m)) return;
  for (int joint = 0; joint < m->njnt; ++joint) {
    if (IsFreeAssembly(ModelView<double>(m), joint)) bodies_.push_back(Differentiate(m, d, joint, a));
  }
}

void FreeBodies::SetMeans(const mjData* d, double* velocity) const {
  for (const Body& body : bodies_) {
    for (int k = body.first; k < 6; ++k) velocity[body.dof + k] = 0.5 * (d->qvel[body.dof + k] + body.next[k]);
  }
}

void FreeBodies::WriteRows(const StateSizes& sizes, const Columns& change, int first, int columns, bool of_means,
                           double* matrix) const {
  const auto by = [&](const double* slopes, int count, int column, double* row) {
    for (int k = 0; first == 0 && k < count; ++k) row[column + k] += slopes[k];
  };
  for (const Body& body : bodies_) {
    for (int i = body.first; i < 6; ++i) {
      double* row = matrix + static_cast<ptrdiff_t>(sizes.nv + body.dof + i) * columns;
      for (int c = 0; c < columns; ++c) {
        const double* da = change[first + c] + body.dof;
        row[c] = 0;
        for (int k = 0; k < 6; ++k) row[c] += body.by_acceleration[i][k] * da[k];
      }
      by(body.by_rotation[i], 3, body.dof + 3, row);
      by(body.by_velocity[i], 6, sizes.velocity() + body.dof, row);
      for (int c = 0; of_means && c < columns; ++c) row[c] *= 0.5;
      if (of_means && first == 0) row[sizes.velocity() + body.dof + i] += 0.5;
    }
  }
}

std::vector<double> FreeBodies::PullBack(const StateSizes& sizes, const double* by_end,
                                         std::vector<double>& state) const {
  std::vector<double> by_a(Size(sizes.nv));
  for (const Body& body : bodies_) {
    for (int i = body.first; i < 6; ++i) {
      const double slope = by_end[body.dof + i];
      for (int k = 0; k < 3; ++k) state[Size(body.dof + 3 + k)] += slope * body.by_rotation[i][k];
      for (int k = 0; k < 6; ++k) {
        state[Size(sizes.velocity() + body.dof + k)] += slope * body.by_velocity[i][k];
        by_a[Size(body.dof + k)] += slope * body.by_acceleration[i][k];
      }
    }
  }
  return by_a;
}

void FreeBodies::AddParameterGradients(const double* by_end, const sinewParameterGradients& out) const {
  for (const Body& body : bodies_) {
    for (int i = body.first; i < 6; ++i) {
      const double slope = by_end[body.dof + i];
      for (const Part& part : body.parts) {
        const auto by = [&](const double* slopes) { return slope * Dot(body.by_assembly[i], slopes, kAssembly); };
        if (out.body_mass) out.body_mass[part.body] += by(part.by_mass);
        for (int k = 0; out.body_inertia && k < 3; ++k) out.body_inertia[3 * part.body + k] += by(part.by_moment[k]);
      }
      for (int k = 0; out.dof_armature && k < 6; ++k) {
        out.dof_armature[body.dof + k] += slope * body.by_force[i][k] * body.acceleration[k];
      }
    }
  }
}

}  // namespace sinew::inline derivatives
