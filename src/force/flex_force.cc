#include "force/flex_force.h"

#include <algorithm>
#include <cmath>

#include "core/stack.h"
#include "force/element_force.h"
#include "kinematics/apply.h"
#include "kinematics/contact_carriers.h"
#include "kinematics/flex_cell.h"
#include "math/dense.h"
#include "math/mat3.h"
#include "math/sparse.h"
#include "math/vec3.h"
#include "model/kinds/contact_exclude.h"
#include "model/kinds/flex_equality.h"
#include "simd/isa.h"

namespace sinew::inline force {
namespace {

using Vector = Vec3<mjtNum>;

// ---- edges

// -k (L - L0) and -b L' along each edge that can change.
void EdgeForces(const mjModel* m, mjData* d, int flex) {
  const mjtNum k = m->opt.disableflags & mjDSBL_SPRING ? 0 : m->flex_edgestiffness[flex];
  const mjtNum b = m->opt.disableflags & mjDSBL_DAMPER ? 0 : m->flex_edgedamping[flex];
  if (k == 0 && b == 0) return;
  const int first = m->flex_edgeadr[flex];
  for (int edge = first; edge < first + m->flex_edgenum[flex]; ++edge) {
    if (m->flexedge_rigid[edge]) continue;
    const int adr = m->flexedge_J_rowadr[edge], count = m->flexedge_J_rownnz[edge];
    const mjtNum *J = d->flexedge_J + adr, stretch = d->flexedge_length[edge] - m->flexedge_length0[edge];
    AddSparse(d->qfrc_spring, J, m->flexedge_J_colind + adr, count, -k * stretch);
    AddSparse(d->qfrc_damper, J, m->flexedge_J_colind + adr, count, -b * d->flexedge_velocity[edge]);
  }
}

// ---- forces at vertices

// Adds the generalized force of a force at a point of a body.
void ApplyForce(const mjModel* m, const mjData* d, const Vector& force, const Vector& point, int body, mjtNum* qfrc) {
  mjtNum f[3], p[3];
  StoreVec3(force, f);
  StoreVec3(point, p);
  ApplyFT(m, d, f, nullptr, p, body, qfrc);
}

// Whether the body moves along the axes of the world without ever turning, it and its parents having slides alone, and
// `point` is where its frame is.
bool SlidesInWorldAxes(const mjModel* m, const mjData* d, const Vector& point, int body) {
  const mjtNum *axes = d->xmat + 9 * body, *at = d->xpos + 3 * body;
  if (m->body_dofnum[body] == 0 || axes[0] != 1 || axes[4] != 1 || axes[8] != 1) return false;
  if (point.x != at[0] || point.y != at[1] || point.z != at[2]) return false;  // pinned to what carries others
  for (; body > 0; body = m->body_parentid[body]) {
    const int first = m->body_jntadr[body];
    for (int joint = first; joint < first + m->body_jntnum[body]; ++joint) {
      if (m->jnt_type[joint] != mjJNT_SLIDE) return false;
    }
  }
  return true;
}

// Adds the generalized force of a force at a vertex or node. In MuJoCo 3.8.0, bodies that slide take the component
// along x for their first slide, and so on, and it does not act on parents. Its numbers are kept for bodies that never
// turn; where one turns, they would be another force.
void ApplyToSlides(const mjModel* m, const mjData* d, const Vector& force, const Vector& point, int body,
                   mjtNum* qfrc) {
  if (!SlidesInWorldAxes(m, d, point, body)) return ApplyForce(m, d, force, point, body, qfrc);
  const int slides = std::min(3, m->body_dofnum[body]);
  for (int k = 0; k < slides; ++k) qfrc[m->body_dofadr[body] + k] += force[k];
}

// Adds the generalized force of a force at each vertex, 3 numbers each.
template <class Apply>
void ApplyAtVertices(const mjModel* m, mjData* d, int flex, const mjtNum* force, const Apply& apply) {
  const int first = m->flex_vertadr[flex];
  for (int v = 0; v < m->flex_vertnum[flex]; ++v) {
    apply(LoadVec3(force + 3 * v), LoadVec3(d->flexvert_xpos + 3 * (first + v)), m->flex_vertbodyid[first + v]);
  }
}

void AddTo(mjtNum* sum, const Vector& v) {
  for (int a = 0; a < 3; ++a) sum[a] += v[a];
}

// The velocity of a point that moves with the body.
Vector Velocity(const mjModel* m, const mjData* d, const Vector& point, int body) {
  const mjtNum* v = d->cvel + 6 * body;
  const Vector offset = point - LoadVec3(d->subtree_com + 3 * m->body_rootid[body]);
  return LoadVec3(v + 3) + Cross(LoadVec3(v), offset);
}

// Bending about the edges between two triangles: with the vertices 0, 1 of the edge and 2, 3 opposite to it,
//
//     f_i = -sum_j B_ij x_j - c n_i,   n_0 = -(n_1 + n_2 + n_3)
//
// where the matrix B and c, for the rest curvature, are constants of the edge. Damping: b B on the velocities.
SINEW_DISPATCH void BendingForces(const mjModel* m, mjData* d, int flex, mjtNum* spring, mjtNum* damper) {
  const int vertices = m->flex_vertadr[flex], first = m->flex_edgeadr[flex];
  StackFrame frame(d);
  Vector* const velocity_of = frame.Alloc<Vector>(m->flex_vertnum[flex]);
  for (int v = 0; v < m->flex_vertnum[flex]; ++v) {
    velocity_of[v] = Velocity(m, d, LoadVec3(d->flexvert_xpos + 3 * (vertices + v)), m->flex_vertbodyid[vertices + v]);
  }
  for (int edge = first; edge < first + m->flex_edgenum[flex]; ++edge) {
    const int* flap = m->flex_edgeflap + 2 * edge;
    if (flap[1] < 0) continue;
    const mjtNum* B = m->flex_bending + kBending * edge;
    const int v[4] = {m->flex_edge[2 * edge], m->flex_edge[2 * edge + 1], flap[0], flap[1]};
    Vector x[4], velocity[4], normal[4];
    for (int i = 0; i < 4; ++i) {
      x[i] = LoadVec3(d->flexvert_xpos + 3 * (vertices + v[i]));
      velocity[i] = velocity_of[v[i]];
    }
    const Vector e0 = x[1] - x[0], e1 = x[2] - x[0], e2 = x[3] - x[0];
    normal[1] = Cross(e1, e2);
    normal[2] = Cross(e2, e0);
    normal[3] = Cross(e0, e1);
    normal[0] = -(normal[1] + normal[2] + normal[3]);
    for (int i = 0; i < 4; ++i) {
      Vector f = normal[i] * -B[16], g = {0, 0, 0};
      for (int j = 0; j < 4; ++j) {
        f -= x[j] * B[4 * i + j];
        g -= velocity[j] * B[4 * i + j];
      }
      AddTo(spring + 3 * v[i], f);
      AddTo(damper + 3 * v[i], g * m->flex_damping[flex]);
    }
  }
}

bool HasNonzero(const mjtNum* values, int count) {
  for (int i = 0; i < count; ++i) {
    if (values[i] != 0) return true;
  }
  return false;
}

// Forces of elements act as springs whatever is disabled: their stiffness and damping are one.
void VertexForces(const mjModel* m, mjData* d, int flex) {
  const bool stretches = m->flex_dim[flex] > 1 && HasNonzero(m->flex_stiffness + m->flex_stiffnessadr[flex],
                                                             kElementStiffness * m->flex_elemnum[flex]);
  const bool bends = m->flex_dim[flex] == 2 &&
                     HasNonzero(m->flex_bending + kBending * m->flex_edgeadr[flex], kBending * m->flex_edgenum[flex]);
  if (!stretches && !bends) return;
  StackFrame frame(d);
  const int count = 3 * m->flex_vertnum[flex], disabled = m->opt.disableflags;
  mjtNum *element = frame.Doubles(count), *spring = frame.Doubles(count), *damper = frame.Doubles(count);
  for (mjtNum* force : {element, spring, damper}) Zero(force, count);
  if (stretches) ElementForces(m, d, flex, element);
  if (bends) BendingForces(m, d, flex, spring, damper);
  // Stretch follows slides below parents at rest only, bending of all.
  constexpr int kSlidesAtRest = 2;  // value of body_simple
  if (stretches) {
    ApplyAtVertices(m, d, flex, element, [&](const Vector& f, const Vector& point, int body) {
      const bool at_rest = m->body_simple[body] == kSlidesAtRest;
      (at_rest ? ApplyToSlides : ApplyForce)(m, d, f, point, body, d->qfrc_spring);
    });
  }
  const auto bend = [&](const mjtNum* force, mjtNum* qfrc) {
    ApplyAtVertices(m, d, flex, force, [&](const Vector& f, const Vector& point, int body) {
      const bool is_pinned = m->body_dofnum[body] != 3;  // to what has other joints, or none
      (is_pinned ? ApplyForce : ApplyToSlides)(m, d, f, point, body, qfrc);
    });
  };
  if (bends && !(disabled & mjDSBL_SPRING)) bend(spring, d->qfrc_spring);
  if (bends && !(disabled & mjDSBL_DAMPER)) bend(damper, d->qfrc_damper);
}

// ---- cells

// Elasticity in axes that turn with each cell, and damping of the coefficient b (flex_cell.h):
//
//     f = R K (R'x - X),     b R K R'v
//
// K is stored as it acts: negative definite but for rigid motions. Cells around segments exert none, as in
// MuJoCo 3.8.0.
void CellForces(const mjModel* m, mjData* d, int flex) {
  const int cells = LatticeOf(m, flex).cell_count(), disabled = m->opt.disableflags;
  for (int c = 0; c < cells; ++c) {
    const mjtNum* K = CellNumbers(m, flex, c);
    if (K[0] == 0) continue;
    const FlexCell cell = LoadCell(m, d, flex, c);
    const int width = 3 * cell.count;
    mjtNum displacement[3 * FlexCell::kMaxNodes], rate[3 * FlexCell::kMaxNodes];
    for (int i = 0; i < cell.count; ++i) {
      const Vector v = Velocity(m, d, cell.position[i], m->flex_nodebodyid[cell.node[i]]);
      StoreVec3(cell.Displacement(m, i), displacement + 3 * i);
      StoreVec3(cell.FromWorld(v), rate + 3 * i);
    }
    for (int i = 0; i < cell.count; ++i) {
      Vector spring, damper;
      for (int a = 0; a < 3; ++a) {
        spring[a] = Dot(K + (3 * i + a) * width, displacement, width);
        damper[a] = Dot(K + (3 * i + a) * width, rate, width);
      }
      const int body = m->flex_nodebodyid[cell.node[i]];
      if (!(disabled & mjDSBL_SPRING)) {
        ApplyToSlides(m, d, cell.ToWorld(spring), cell.position[i], body, d->qfrc_spring);
      }
      if (!(disabled & mjDSBL_DAMPER)) {
        ApplyToSlides(m, d, cell.ToWorld(damper) * m->flex_damping[flex], cell.position[i], body, d->qfrc_damper);
      }
    }
  }
}

bool IsPassive(const mjContact& contact) { return contact.exclude == contact_exclude::kPassive; }

// Contacts of flexes with `passive` have no rows: a spring with a damper pushes their sides apart. The Jacobian of the
// distance is that of rows, and is multiplied by the force after its sums, as MuJoCo 3.8.0 rounds it.
void PassiveContacts(const mjModel* m, mjData* d) {
  if (std::none_of(d->contact, d->contact + d->ncon, IsPassive)) return;
  const bool damps = !(m->opt.disableflags & mjDSBL_DAMPER);
  StackFrame frame(d);
  const PassivePushes pushes(m, d, frame);
  int *marked = frame.Ints(m->nv), *dofs = frame.Ints(m->nv);
  double* distance = frame.Doubles(m->nv);
  std::fill_n(marked, m->nv, 0);
  for (int i = 0; i < d->ncon; ++i) {
    mjContact contact = d->contact[i];
    if (!IsPassive(contact) || contact.dist >= 0) continue;
    StackFrame scratch(d);
    const ContactCarriers carriers(m, d, contact, scratch);
    const int count = carriers.Dofs(m, marked, dofs);
    contact.dim = 1;
    FillFrameJacobian(m, d, contact, carriers, dofs, count, scratch, distance);
    double velocity = 0;
    for (int c = 0; c < count; ++c) velocity += distance[c] * d->qvel[dofs[c]];
    const PassivePush push = pushes.Of(contact);
    const double spring = push.Spring(contact.dist), damper = damps ? push.Damper(contact.dist, velocity) : 0;
    for (int c = 0; c < count; ++c) {
      d->qfrc_spring[dofs[c]] += spring * distance[c];
      d->qfrc_damper[dofs[c]] += damper * distance[c];
    }
  }
}

}  // namespace

PassivePushes::PassivePushes(const mjModel* m, mjData* d, StackFrame& frame)
    : m_(m), d_(d), count_(frame.Ints(m->nbody)) {
  std::fill_n(count_, m->nbody, 0);
  for (int i = 0; i < d->ncon; ++i) {
    if (!IsPassive(d->contact[i])) continue;
    StackFrame scratch(d);
    for (const WeightedBody& carrier : ContactCarriers(m, d, d->contact[i], scratch)) ++count_[carrier.body];
  }
}

// A side moves with the weighted mean of its bodies, and as easily as the lightest of them at most.
double PassivePushes::InverseMass(const mjContact& contact) const {
  StackFrame scratch(d_);
  double of_side[2] = {0, 0};
  for (const WeightedBody& carrier : ContactCarriers(m_, d_, contact, scratch)) {
    double& most = of_side[carrier.weight > 0];
    most = std::max(most, m_->body_invweight0[2 * carrier.body] * count_[carrier.body]);
  }
  return of_side[0] + of_side[1];
}

PassivePush PassivePushes::Of(const mjContact& contact) const {
  constexpr double kStiffness = 1e4;
  const double h = m_->opt.timestep, w = InverseMass(contact);
  if (!(w > 0)) return {kStiffness, 0};
  const double* solref = contact.solref;
  const double ratio = solref[0] > 0 ? solref[1] : -0.5 * solref[1] / std::sqrt(std::max(mjMINVAL, -solref[0]));
  const double stiffness = std::min(kStiffness, 0.25 / (h * h * w));
  return {stiffness, std::clamp(2 * ratio * std::sqrt(stiffness / w), 0.0, 1 / (h * w))};
}

void FlexForces(const mjModel* m, mjData* d) {
  for (int flex = 0; flex < m->nflex; ++flex) {
    if (m->flex_rigid[flex]) continue;
    if (m->flex_interp[flex] != 0) {
      if (m->flex_edgeequality[flex] != flex_equality::kCells && m->flex_dim[flex] > 1) CellForces(m, d, flex);
      continue;
    }
    VertexForces(m, d, flex);
    EdgeForces(m, d, flex);
  }
  PassiveContacts(m, d);
}

}  // namespace sinew::inline force
