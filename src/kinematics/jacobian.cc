// Jacobians of points are built by walking from a body's last dof up to the root: only these dofs move the body, so
// that a column costs one cross product.
#include "kinematics/jacobian.h"

#include <algorithm>

#include "kinematics/com_kernel.h"
#include "math/dense.h"
#include "math/rows.h"
#include "math/spatial.h"

namespace sinew::inline kinematics {
namespace {

using Vector = Vec3<mjtNum>;
using Model = ModelView<mjtNum>;
using Data = DataView<mjtNum>;

// Kernels read data through a view of mutable data; those of this file only read.
Data View(const mjData* d) { return Data(const_cast<mjData*>(d)); }

// A 3 x n matrix that is written by columns; may be null, and then takes nothing.
struct Columns {
  mjtNum* mat;
  int n;

  // With zeros in it.
  static Columns Cleared(mjtNum* mat, mjtSize n) {
    if (mat) Zero(mat, 3 * static_cast<int>(n));
    return {mat, static_cast<int>(n)};
  }
  void Add(int column, const Vector& v) const {
    if (!mat) return;
    for (int row = 0; row < 3; ++row) mat[row * n + column] += v[row];
  }
};

// Calls visit(dof) from a body's last dof up to the root.
template <class Visitor>
void ForDofsAbove(const mjModel* m, int body, Visitor visit) {
  for (int dof = LastDof(m, body); dof >= 0; dof = m->dof_parentid[dof]) visit(dof);
}

// Rate of change of a motion axis. The stored cdof_dot of a quaternion's dofs belongs to axes that do not turn with the
// joint itself, whereas their columns in a Jacobian do.
Spatial<mjtNum> AxisDot(const Model& m, const Data& d, int dof) {
  const int joint = m.dof_jntid(dof), type = m.jnt_type(joint);
  const bool turns = type == mjJNT_BALL || (type == mjJNT_FREE && dof >= m.jnt_dofadr(joint) + 3);
  return turns ? CrossMotion(d.cvel(m.dof_bodyid(dof)), d.cdof(dof)) : d.cdof_dot(dof);
}

// The bodies first, first + 1, ... end - 1 are a body and its descendants.
int SubtreeEnd(const mjModel* m, int body) {
  int end = body + 1;
  while (end < m->nbody && m->body_parentid[end] >= body) ++end;
  return body == 0 ? static_cast<int>(m->nbody) : end;
}

}  // namespace

int BodyChain(const mjModel* m, int body, int* chain) {
  int count = 0;
  ForDofsAbove(m, body, [&](int dof) { chain[count++] = dof; });
  std::reverse(chain, chain + count);
  return count;
}

int PairChain(const mjModel* m, int body1, int body2, int* chain, bool drop_common) {
  int count = 0, i = LastDof(m, body1), j = LastDof(m, body2);
  while (i != j) {
    int& last = i > j ? i : j;
    chain[count++] = last;
    last = m->dof_parentid[last];
  }
  // from here on both chains are the same
  for (int dof = drop_common ? -1 : i; dof >= 0; dof = m->dof_parentid[dof]) chain[count++] = dof;
  std::reverse(chain, chain + count);
  return count;
}

// Each dof moves the point by its spatial axis, which is taken about the centre of mass of the tree.
void Jac(const mjModel* m, const mjData* data, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3], int body) {
  const Data d = View(data);
  const Columns translation = Columns::Cleared(jacp, m->nv), rotation = Columns::Cleared(jacr, m->nv);
  const Vector offset = LoadVec3(point) - TreeCenter<mjtNum>(m, d, body);
  ForDofsAbove(m, body, [&](int dof) {
    translation.Add(dof, PointVelocity(d.cdof(dof), offset));
    rotation.Add(dof, d.cdof(dof).rot);
  });
}

void JacBody(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body) {
  Jac(m, d, jacp, jacr, Row3(d->xpos, body), body);
}
void JacBodyCom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body) {
  Jac(m, d, jacp, jacr, Row3(d->xipos, body), body);
}
void JacGeom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int geom) {
  Jac(m, d, jacp, jacr, Row3(d->geom_xpos, geom), m->geom_bodyid[geom]);
}
void JacSite(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int site) {
  Jac(m, d, jacp, jacr, Row3(d->site_xpos, site), m->site_bodyid[site]);
  const Columns translation{jacp, static_cast<int>(m->nv)};
  ForPointRates<mjtNum>(Model(m), View(d), PointMotions(m), site,
                        [&](int dof, const Vector& u, const Vector&) { translation.Add(dof, u); });
}

// The centre of mass of a subtree moves with the mean of its bodies' centres, weighted by mass.
void JacSubtreeCom(const mjModel* m, const mjData* data, mjtNum* jacp, int body) {
  const Data d = View(data);
  const Columns mean = Columns::Cleared(jacp, m->nv);
  for (int b = body; b < SubtreeEnd(m, body); ++b) {
    const Vector offset = d.xipos(b) - TreeCenter<mjtNum>(m, d, b);
    const mjtNum share = m->body_mass[b] / m->body_subtreemass[body];
    ForDofsAbove(m, b, [&](int dof) { mean.Add(dof, PointVelocity(d.cdof(dof), offset) * share); });
  }
}

void JacPointAxis(const mjModel* m, const mjData* data, mjtNum* jac_point, mjtNum* jac_axis, const mjtNum point[3],
                  const mjtNum axis[3], int body) {
  const Data d = View(data);
  Jac(m, data, jac_point, nullptr, point, body);
  const Columns rate = Columns::Cleared(jac_axis, m->nv);
  ForDofsAbove(m, body, [&](int dof) { rate.Add(dof, Cross(d.cdof(dof).rot, LoadVec3(axis))); });
}

namespace {

// Calls visit(place of the dof in an ascending list, its column of jacp) for the dofs that move a point of a body.
template <class Visit>
void ForColumns(const mjModel* m, const Data& d, const PointOfBody& p, int n, const int* dofs, const Visit& visit) {
  const Vector offset = p.point - TreeCenter<mjtNum>(m, d, p.body);
  int k = n - 1;
  ForDofsAbove(m, p.body, [&](int dof) {
    while (k >= 0 && dofs[k] > dof) --k;
    if (k >= 0 && dofs[k] == dof) visit(k, PointVelocity(d.cdof(dof), offset));
  });
}

}  // namespace

void AddPointRow(const mjModel* m, const mjData* data, const Vector& direction, const Vector& point, int body,
                 const SparseRow& row) {
  ForColumns(m, View(data), {point, body}, row.count, row.columns,
             [&](int k, const Vector& column) { row.values[k] += Dot(direction, column); });
}

void JacDifference(const mjModel* m, const mjData* data, const PointOfBody& from, const PointOfBody& to, int n,
                   const int* dofs, Vector* columns) {
  std::fill_n(columns, n, Vector{0, 0, 0});
  ForColumns(m, View(data), to, n, dofs, [&](int k, const Vector& column) { columns[k] += column; });
  ForColumns(m, View(data), from, n, dofs, [&](int k, const Vector& column) { columns[k] -= column; });
}

void JacSparse(const mjModel* m, const mjData* data, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3], int body, int n,
               const int* chain) {
  const Data d = View(data);
  const Columns translation = Columns::Cleared(jacp, n), rotation = Columns::Cleared(jacr, n);
  const Vector offset = LoadVec3(point) - TreeCenter<mjtNum>(m, d, body);
  int k = n - 1;
  ForDofsAbove(m, body, [&](int dof) {
    while (k >= 0 && chain[k] > dof) --k;
    if (k < 0 || chain[k] != dof) return;
    translation.Add(k, PointVelocity(d.cdof(dof), offset));
    rotation.Add(k, d.cdof(dof).rot);
  });
}

// By the product rule, the axis changes, and the point moves within the axis' field of velocities.
Vector PointJacobianDot(const Model& m, const Data& d, int dof, const Vector& offset, const Vector& velocity) {
  return PointVelocity(AxisDot(m, d, dof), offset) + Cross(d.cdof(dof).rot, velocity);
}

void JacDot(const mjModel* m, const mjData* data, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3], int body) {
  const Data d = View(data);
  const Columns translation = Columns::Cleared(jacp, m->nv), rotation = Columns::Cleared(jacr, m->nv);
  const Vector offset = LoadVec3(point) - TreeCenter<mjtNum>(m, d, body);
  const Vector velocity = PointVelocity(d.cvel(body), offset);
  ForDofsAbove(m, body, [&](int dof) {
    translation.Add(dof, PointJacobianDot(m, d, dof, offset, velocity));
    rotation.Add(dof, AxisDot(m, d, dof).rot);
  });
}

// Each body's momentum per unit velocity of a dof is its inertia times cdof; angular momentum moves from o to the
// subtree's centre c by subtracting (c - o) x linear momentum.
void AngularMomentumMatrix(const mjModel* m, const mjData* data, mjtNum* mat, int body) {
  const Data d = View(data);
  const Columns columns = Columns::Cleared(mat, m->nv);
  for (int b = body; b < SubtreeEnd(m, body); ++b) {
    const Vector arm = d.subtree_com(body) - TreeCenter<mjtNum>(m, d, b);
    ForDofsAbove(m, b, [&](int dof) {
      const Spatial<mjtNum> momentum = d.cinert(b) * d.cdof(dof);
      columns.Add(dof, momentum.rot - Cross(arm, momentum.lin));
    });
  }
}

}  // namespace sinew::inline kinematics
