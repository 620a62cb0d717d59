#include "force/flex_energy.h"

#include <algorithm>

#include "core/stack.h"
#include "force/element_force.h"
#include "force/flex_force.h"
#include "kinematics/flex_cell.h"
#include "math/dense.h"
#include "math/element_edges.h"
#include "math/vec3.h"
#include "model/kinds/contact_exclude.h"
#include "model/kinds/flex_equality.h"

namespace sinew::inline force {
namespace {

using Vector = Vec3<mjtNum>;

double Square(double x) { return x * x; }

Vector VertexPosition(const mjModel* m, const mjData* d, int flex, int vertex) {
  return LoadVec3(d->flexvert_xpos + 3 * (m->flex_vertadr[flex] + vertex));
}

// k/2 (L - L0)^2
double EdgeEnergy(const mjModel* m, const mjData* d, int flex) {
  if (m->flex_edgestiffness[flex] == 0) return 0;
  double squares = 0;
  for (int e = m->flex_edgeadr[flex]; e < m->flex_edgeadr[flex] + m->flex_edgenum[flex]; ++e) {
    if (!m->flexedge_rigid[e]) squares += Square(d->flexedge_length[e] - m->flexedge_length0[e]);
  }
  return 0.5 * m->flex_edgestiffness[flex] * squares;
}

// 1/4 e'K e of one element, e_i = L_i^2 - L0_i^2 (force/element_force.h).
double ElementEnergy(const mjModel* m, const mjData* d, int flex, int element) {
  const int edges = kElementEdges[m->flex_dim[flex]];
  const int* edge = m->flex_elemedge + m->flex_elemedgeadr[flex] + edges * element;
  const mjtNum* k = m->flex_stiffness + m->flex_stiffnessadr[flex] + kElementStiffness * element;
  double elongation[6];
  for (int i = 0; i < edges; ++i) {
    const int id = m->flex_edgeadr[flex] + edge[i];
    const Vector along =
        VertexPosition(m, d, flex, m->flex_edge[2 * id]) - VertexPosition(m, d, flex, m->flex_edge[2 * id + 1]);
    elongation[i] = Dot(along, along) - Square(m->flexedge_length0[id]);
  }
  double energy = 0;
  for (int i = 0; i < edges; ++i) {
    energy += 0.25 * *k++ * Square(elongation[i]);
    for (int j = i + 1; j < edges; ++j) energy += 0.5 * *k++ * elongation[i] * elongation[j];
  }
  return energy;
}

// With the vertices of an edge and of its two triangles, 1/2 sum_ij B_ij x_i.x_j + c det(x_1 - x_0, x_2 - x_0, x_3 -
// x_0)
double HingeEnergy(const mjtNum* B, const Vector (&x)[4]) {
  const Vector arm[4] = {{0, 0, 0}, x[1] - x[0], x[2] - x[0], x[3] - x[0]};  // rows of B sum up to zero
  double energy = B[16] * Dot(arm[1], Cross(arm[2], arm[3]));
  for (int i = 1; i < 4; ++i) {
    for (int j = 1; j < 4; ++j) energy += 0.5 * B[4 * i + j] * Dot(arm[i], arm[j]);
  }
  return energy;
}

// Above that of the shape at rest, which is no minimum of zero where a shell is curved.
double BendingEnergy(const mjModel* m, const mjData* d, int flex) {
  const Vector size = LoadVec3(m->flex_size + 3 * flex) * 2;
  double energy = 0;
  for (int edge = m->flex_edgeadr[flex]; edge < m->flex_edgeadr[flex] + m->flex_edgenum[flex]; ++edge) {
    const int* flap = m->flex_edgeflap + 2 * edge;
    if (flap[1] < 0) continue;
    const int v[4] = {m->flex_edge[2 * edge], m->flex_edge[2 * edge + 1], flap[0], flap[1]};
    Vector now[4], rest[4];
    for (int i = 0; i < 4; ++i) {
      now[i] = VertexPosition(m, d, flex, v[i]);
      const mjtNum* place = m->flex_vert0 + 3 * (m->flex_vertadr[flex] + v[i]);
      rest[i] = {place[0] * size.x, place[1] * size.y, place[2] * size.z};
    }
    const mjtNum* B = m->flex_bending + kBending * edge;
    energy += HingeEnergy(B, now) - HingeEnergy(B, rest);
  }
  return energy;
}

// -1/2 u'K u of one cell, u = R'x - X, where K is stored as it acts. It is the energy of its forces but for terms of
// the third order of the strain, as these leave out how strain turns the cell.
double CellEnergy(const mjModel* m, const mjData* d, int flex, int index) {
  const mjtNum* K = CellNumbers(m, flex, index);
  if (K[0] == 0) return 0;
  const FlexCell cell = LoadCell(m, d, flex, index);
  const int width = 3 * cell.count;
  mjtNum displacement[3 * FlexCell::kMaxNodes];
  const Vector first = cell.Displacement(m, 0);  // K is zero for translations, but for rounding
  for (int i = 0; i < cell.count; ++i) StoreVec3(cell.Displacement(m, i) - first, displacement + 3 * i);
  double energy = 0;
  for (int i = 0; i < width; ++i) energy -= 0.5 * displacement[i] * Dot(K + i * width, displacement, width);
  return energy;
}

double EnergyOfNodes(const mjModel* m, const mjData* d, int flex) {
  if (m->flex_edgeequality[flex] == flex_equality::kCells || m->flex_dim[flex] == 1) return 0;
  double energy = 0;
  for (int c = 0; c < LatticeOf(m, flex).cell_count(); ++c) energy += CellEnergy(m, d, flex, c);
  return energy;
}

// k/2 dist^2 of passive contacts that push.
double PassiveContactEnergy(const mjModel* m, mjData* d) {
  const auto pushes_apart = [](const mjContact& contact) {
    return contact.exclude == contact_exclude::kPassive && contact.dist < 0;
  };
  if (std::none_of(d->contact, d->contact + d->ncon, pushes_apart)) return 0;
  StackFrame frame(d);
  const PassivePushes pushes(m, d, frame);
  double energy = 0;
  for (int i = 0; i < d->ncon; ++i) {
    const mjContact& contact = d->contact[i];
    if (pushes_apart(contact)) energy += 0.5 * pushes.Of(contact).stiffness * Square(contact.dist);
  }
  return energy;
}

}  // namespace

double FlexEnergy(const mjModel* m, mjData* d) {
  const bool no_springs = m->opt.disableflags & mjDSBL_SPRING;
  if (m->nflex == 0 || (no_springs && (m->opt.disableflags & mjDSBL_DAMPER))) return 0;
  double energy = PassiveContactEnergy(m, d);
  for (int flex = 0; flex < m->nflex; ++flex) {
    if (m->flex_rigid[flex]) continue;
    if (m->flex_interp[flex] != 0) {
      if (!no_springs) energy += EnergyOfNodes(m, d, flex);
      continue;
    }
    if (m->flex_dim[flex] > 1) {
      for (int e = 0; e < m->flex_elemnum[flex]; ++e) energy += ElementEnergy(m, d, flex, e);
    }
    if (no_springs) continue;
    energy += EdgeEnergy(m, d, flex);
    if (m->flex_dim[flex] == 2) energy += BendingEnergy(m, d, flex);
  }
  return energy;
}

}  // namespace sinew::inline force
