// Lengths and weights of the edges of flexes at the reference configuration.
#include "compile/constants/set_const.h"
#include "core/stack.h"
#include "inertia/inertia.h"
#include "kinematics/flex.h"
#include "math/dense.h"
#include "math/sparse.h"
#include "math/vec3.h"

namespace sinew::inline compile {
namespace {

// A body that slides along three axes has the inverse mass 1/m in every direction.
bool OnlySlides(const mjModel* m, int body) { return m->body_simple[body] == 2; }

// J M^-1 J' of an edge's length; zero where nothing needs its row. Two vectors of scratch.
mjtNum InverseWeight(const mjModel* m, mjData* d, int edge, mjtNum* row, mjtNum* scaled) {
  const int count = m->flexedge_J_rownnz[edge], adr = m->flexedge_J_rowadr[edge], nv = static_cast<int>(m->nv);
  if (count == 0) return 0;
  Zero(row, nv);
  AddSparse(row, d->flexedge_J + adr, m->flexedge_J_colind + adr, count, 1.0);
  SolveM(m, d, scaled, row, 1);
  return Dot(row, scaled, nv);
}

}  // namespace

// Lengths are those of the reference configuration, in metres.
void SetFlexEdges(mjModel* m, mjData* d) {
  StackFrame frame(d);
  mjtNum *row = frame.Doubles(m->nv), *scaled = frame.Doubles(m->nv);
  Flex(m, d);
  for (int flex = 0; flex < m->nflex; ++flex) {
    if (m->flex_interp[flex] != 0) continue;
    const mjtNum* points = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
    const int *bodies = m->flex_vertbodyid + m->flex_vertadr[flex], first = m->flex_edgeadr[flex];
    for (int edge = first; edge < first + m->flex_edgenum[flex]; ++edge) {
      const int a = m->flex_edge[2 * edge], b = m->flex_edge[2 * edge + 1];
      m->flexedge_length0[edge] = Norm(LoadVec3(points + 3 * b) - LoadVec3(points + 3 * a));
      m->flexedge_invweight0[edge] = 0;
      if (m->flexedge_rigid[edge]) continue;
      if (OnlySlides(m, bodies[a]) && OnlySlides(m, bodies[b])) {
        m->flexedge_invweight0[edge] = 0.5 / m->body_mass[bodies[a]] + 0.5 / m->body_mass[bodies[b]];
      } else {
        m->flexedge_invweight0[edge] = InverseWeight(m, d, edge, row, scaled);
      }
    }
  }
}

}  // namespace sinew::inline compile
