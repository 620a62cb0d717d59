// Each side of a contact is carried by bodies with weights: one for a geom or a vertex, several for an element or what
// nodes move.
#include "kinematics/contact_carriers.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "kinematics/flex_cell.h"
#include "math/block.h"
#include "math/sort.h"
#include "model/kinds/chain.h"
#include "model/view/view_of.h"
#include "simd/isa.h"

namespace sinew::inline kinematics {
namespace {

// A node of a flex whose weight at a contact is below this share does not count.
constexpr double kSmallestShare = 1e-5;

int CarriersOfSide(const mjModel* m, const mjContact& contact, int side) {
  if (contact.geom[side] >= 0) return 1;
  const int flex = contact.flex[side];
  if (m->flex_interp[flex] != 0) return LatticeOf(m, flex).nodes_per_cell();
  return contact.elem[side] >= 0 ? m->flex_dim[flex] + 1 : 1;
}

// Of the element, within the flex.
const int* VerticesOf(const mjModel* m, const mjContact& contact, int side) {
  const int flex = contact.flex[side], corners = m->flex_dim[flex] + 1;
  return m->flex_elem + m->flex_elemdataadr[flex] + static_cast<ptrdiff_t>(contact.elem[side]) * corners;
}

}  // namespace

int CornerShares(const mjModel* m, const mjData* d, const mjContact& contact, int side, double (&share)[4]) {
  const int flex = contact.flex[side], corners = m->flex_dim[flex] + 1, other = 1 - side;
  const int* vertex = VerticesOf(m, contact, side);
  double sum = 0;
  for (int i = 0; i < corners; ++i) {
    const Vec3<double>& x = ViewOf(d).flexvert_xpos(m->flex_vertadr[flex] + vertex[i]);
    const bool is_other = contact.flex[other] == flex && contact.vert[other] == vertex[i];
    share[i] = is_other ? 0 : 1 / std::max(mjMINVAL, Norm(LoadVec3(contact.pos) - x));
    sum += share[i];
  }
  const double scale = 1 / sum;  // as in MuJoCo 3.8.0, to the last bit
  for (int i = 0; i < corners; ++i) share[i] *= scale;
  return corners;
}

bool IsCarriedByOneBody(const mjModel* m, const mjContact& contact, int side) {
  return contact.geom[side] >= 0 || (contact.elem[side] < 0 && m->flex_interp[contact.flex[side]] == 0);
}

int CarrierOf(const mjModel* m, const mjContact& contact, int side) {
  if (contact.geom[side] >= 0) return m->geom_bodyid[contact.geom[side]];
  return m->flex_vertbodyid[m->flex_vertadr[contact.flex[side]] + contact.vert[side]];
}

ContactCarriers::ContactCarriers(const mjModel* m, const mjData* d, const mjContact& contact, StackFrame& frame)
    : bodies_(frame.Alloc<WeightedBody>(CarriersOfSide(m, contact, 0) + CarriersOfSide(m, contact, 1))) {
  for (int side = 0; side < 2; ++side) {
    const int first = count_;
    AddSide(m, d, contact, side);
    if (side == 0) {
      for (int i = first; i < count_; ++i) bodies_[i].weight = -bodies_[i].weight;
    }
  }
}

void ContactCarriers::AddSide(const mjModel* m, const mjData* d, const mjContact& contact, int side) {
  if (contact.geom[side] >= 0) {
    bodies_[count_++] = {m->geom_bodyid[contact.geom[side]], 1};
    return;
  }
  const int flex = contact.flex[side];
  if (contact.elem[side] < 0) {
    const int id = m->flex_vertadr[flex] + contact.vert[side];
    if (m->flex_interp[flex] != 0) return AddNodes(m, flex, ViewOf(m).flex_vert0(id));
    bodies_[count_++] = {m->flex_vertbodyid[id], 1};
    return;
  }

  double share[4];
  const int corners = CornerShares(m, d, contact, side, share);
  const int* vertex = VerticesOf(m, contact, side);
  Vec3<double> at = {0, 0, 0};  // in the box of the flex
  for (int i = 0; i < corners; ++i) {
    const int id = m->flex_vertadr[flex] + vertex[i];
    if (m->flex_interp[flex] != 0) {
      at += ViewOf(m).flex_vert0(id) * share[i];
    } else if (share[i] > 0) {
      bodies_[count_++] = {m->flex_vertbodyid[id], share[i]};
    }
  }
  if (m->flex_interp[flex] != 0) AddNodes(m, flex, at);
}

// The polynomials of quadratic cells are negative at some nodes, which MuJoCo 3.8.0 leaves out: there the others weigh
// more than 1 together.
void ContactCarriers::AddNodes(const mjModel* m, int flex, const Vec3<double>& at) {
  const int* bodies = m->flex_nodebodyid + m->flex_nodeadr[flex];
  LatticeOf(m, flex).ForWeights(InFlexBox(at), [&](int node, double share) {
    if (share >= kSmallestShare) bodies_[count_++] = {bodies[node], share};
  });
}

// The estimate takes the bodies as if they moved independently.
double ContactCarriers::Sum(const mjModel* m, int part) const {
  double sum = 0;
  for (const WeightedBody& b : *this) sum += std::fabs(b.weight) * m->body_invweight0[2 * b.body + part];
  return sum;
}

int ContactCarriers::Dofs(const mjModel* m, int* marked, int* dofs) const {
  int count = 0;
  for (const WeightedBody& b : *this) {
    for (int dof = LastDof(m, b.body); dof >= 0 && !marked[dof]; dof = m->dof_parentid[dof]) {
      marked[dof] = 1;
      dofs[count++] = dof;
    }
  }
  for (int i = 0; i < count; ++i) marked[dofs[i]] = 0;
  Sort(dofs, count);
  return count;
}

namespace {

template <class S>
Vec3<S> InAll(const Vec3<double>& v) {
  return {S(v.x), S(v.y), S(v.z)};
}

}  // namespace

// Weights are summed over the bodies that a dof moves, so that each dof is looked at once, four of them at a time. Rows
// are the axes of the contact's frame: translations along them, then rotations about them.
SINEW_DISPATCH void FillFrameJacobian(const mjModel* m, const mjData* d, const mjContact& contact,
                                      const ContactCarriers& carriers, const int* dofs, int count, StackFrame& frame,
                                      double* jacobian) {
  double* weight = frame.Doubles(count);
  int* column = frame.Ints(m->nv);  // of those of the dofs
  for (int c = 0; c < count; ++c) {
    weight[c] = 0;
    column[dofs[c]] = c;
  }
  for (const WeightedBody& b : carriers) {
    for (int dof = LastDof(m, b.body); dof >= 0; dof = m->dof_parentid[dof]) weight[column[dof]] += b.weight;
  }
  const DataView<double> data = ViewOf(d);
  const Vec3<double> at = LoadVec3(contact.pos);
  ForBlocks<double>(0, count, [&](const auto& columns) {
    const auto share = Gather(columns, [&](int c) -> const double& { return weight[c]; });
    const auto motion = Gather(columns, [&](int c) -> const Spatial<double>& { return data.cdof(dofs[c]); });
    const auto com = Gather(columns, [&](int c) -> const Vec3<double>& {
      return data.subtree_com(m->body_rootid[m->dof_bodyid[dofs[c]]]);
    });
    using S = std::remove_cvref_t<decltype(share)>;
    const auto fill = [&](int first, int end, const Vec3<S>& vector) {
      for (int k = first; k < end; ++k) {
        const Vec3<S> axis = InAll<S>(LoadVec3(contact.frame + 3 * (k - first)));
        Scatter(columns, Dot(axis, vector), [&](int c) -> double& { return jacobian[k * count + c]; });
      }
    };
    fill(0, std::min(contact.dim, 3), (motion.lin + Cross(motion.rot, InAll<S>(at) - com)) * share);
    if (contact.dim > 3) fill(3, contact.dim, motion.rot * share);
  });
}

}  // namespace sinew::inline kinematics
