#include "force/element_force.h"

#include <algorithm>

#include "core/stack.h"
#include "math/dense.h"
#include "math/element_edges.h"
#include "simd/four.h"
#include "simd/isa.h"
#include "simd/unroll.h"

namespace sinew::inline force {
namespace {

// Elements that resist stretching have the energy 1/4 e'K e (St. Venant-Kirchhoff) with the elongations of their edges
//
//     e_i = L_i^2 - L0_i^2 + (L_i^2 - P_i^2) b / h,      P_i = L_i - h L'_i
//
// where the last term is what the coefficient b of Rayleigh damping adds over a step h.
void Elongations(const mjModel* m, const mjData* d, int flex, mjtNum* elongation) {
  const mjtNum h = m->opt.timestep, rate = m->flex_damping[flex] / h;
  const int first = m->flex_edgeadr[flex];
  const mjtNum *length = d->flexedge_length + first, *rest = m->flexedge_length0 + first;
  const mjtNum* velocity = d->flexedge_velocity + first;
  for (int i = 0; i < m->flex_edgenum[flex]; ++i) {
    const mjtNum previous = length[i] - h * velocity[i], now = length[i] * length[i];
    elongation[i] = now - rest[i] * rest[i] + (now - previous * previous) * rate;
  }
}

// Adds the forces of all elements to those of their vertices. The half gradient of L_j^2 with respect to the end p of
// edge j from q is p - q: with all pairs of edges i and j,
//
//     f_p -= K_ij e_i (p - q),      f_q += K_ij e_i (p - q)
//
// one by one, and element by element, which gives the bits of MuJoCo 3.8.0. Points and forces have four numbers, the
// last of which is idle.
template <int kDim>
void AddElementForces(const mjModel* m, int flex, const mjtNum* point, const mjtNum* elongation, mjtNum* force) {
  constexpr int kVertices = kDim + 1, kEdges = kElementEdges[kDim];
  constexpr const auto& kEnds = kLocalEdges[kDim];
  const int *vertex = m->flex_elem + m->flex_elemdataadr[flex], *edge = m->flex_elemedge + m->flex_elemedgeadr[flex];
  const mjtNum* stiffness = m->flex_stiffness + m->flex_stiffnessadr[flex];
  for (int e = 0; e < m->flex_elemnum[flex]; ++e, vertex += kVertices, edge += kEdges, stiffness += kElementStiffness) {
    Four along[kEdges], sum[kVertices];
    for (Four& f : sum) f = InAllLanes(0);
    Unroll<0, kEdges>([&](auto j) {
      along[j] = LoadFour(point + 4 * vertex[kEnds[j][0]]) - LoadFour(point + 4 * vertex[kEnds[j][1]]);
    });
    Unroll<0, kEdges * kEdges>([&](auto pair) {
      constexpr int i = pair / kEdges, j = pair % kEdges, row = std::min(i, j), column = std::max(i, j);
      const mjtNum k = stiffness[row * kEdges - row * (row + 1) / 2 + column];
      const Four f = InAllLanes(k) * (InAllLanes(elongation[edge[i]]) * along[j]);
      sum[kEnds[j][0]] -= f;
      sum[kEnds[j][1]] += f;
    });
    for (int v = 0; v < kVertices; ++v) StoreFour(LoadFour(force + 4 * vertex[v]) + sum[v], force + 4 * vertex[v]);
  }
}

}  // namespace

SINEW_DISPATCH void ElementForces(const mjModel* m, mjData* d, int flex, mjtNum* force) {
  StackFrame frame(d);
  const int vertices = m->flex_vertnum[flex];
  mjtNum *elongation = frame.Doubles(m->flex_edgenum[flex]), *point = frame.Doubles(4 * vertices);
  mjtNum* sum = frame.Doubles(4 * vertices);
  Elongations(m, d, flex, elongation);
  const mjtNum* position = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
  for (int v = 0; v < vertices; ++v) {
    const mjtNum* x = position + 3 * v;
    for (int a = 0; a < 3; ++a) point[4 * v + a] = x[a];
    point[4 * v + 3] = 0;
  }
  Zero(sum, 4 * vertices);
  m->flex_dim[flex] == 2 ? AddElementForces<2>(m, flex, point, elongation, sum)
                         : AddElementForces<3>(m, flex, point, elongation, sum);
  for (int v = 0; v < vertices; ++v) std::copy_n(sum + 4 * v, 3, force + 3 * v);
}

}  // namespace sinew::inline force
