// Lengths and weights of the edges of flexes at the reference configuration.
#include <algorithm>

#include "compile/set_const.h"
#include "core/stack.h"
#include "inertia/inertia.h"
#include "kinematics/jacobian.h"
#include "math/dense.h"
#include "math/mat3.h"
#include "math/quat.h"

namespace sinew {
namespace {

// A vertex in the world.
Vec3<mjtNum> VertexPosition(const mjModel* m, const mjData* d, int vertex) {
  const int body = m->flex_vertbodyid[vertex];
  return LoadVec3(d->xpos + 3 * body) + LoadMat3(d->xmat + 9 * body) * LoadVec3(m->flex_vert + 3 * vertex);
}

// Row of the Jacobian of an edge's length: u' (J_b - J_a), u the direction of the edge. Dense, 3 nv numbers of scratch
// for each end.
void EdgeRow(const mjModel* m, const mjData* d, const int vertex[2], mjtNum* jacobian, mjtNum* row) {
  const auto nv = static_cast<int>(m->nv);
  const Vec3<mjtNum> a = VertexPosition(m, d, vertex[0]), b = VertexPosition(m, d, vertex[1]);
  const mjtNum length = Norm(b - a);
  const Vec3<mjtNum> u = length > mjMINVAL ? (b - a) * (1 / length) : Vec3<mjtNum>{1, 0, 0};
  Zero(row, nv);
  for (int end = 0; end < 2; ++end) {
    mjtNum point[3];
    StoreVec3(end ? b : a, point);
    Jac(m, d, jacobian, nullptr, point, m->flex_vertbodyid[vertex[end]]);
    const mjtNum sign = end ? 1 : -1;
    for (int i = 0; i < nv; ++i) {
      row[i] += sign * (u.x * jacobian[i] + u.y * jacobian[nv + i] + u.z * jacobian[2 * nv + i]);
    }
  }
}

// Whether anything acts along the edges; constraints at vertices do not.
bool UsesEdges(const mjModel* m, int flex) {
  return m->flex_edgeequality[flex] == 1 || m->flex_edgestiffness[flex] != 0 || m->flex_edgedamping[flex] != 0 ||
         m->flex_damping[flex] != 0;
}

bool OnlySlides(const mjModel* m, int body) { return m->body_simple[body] == 2; }

}  // namespace

void SetFlexEdges(mjModel* m, mjData* d) {
  const auto nv = static_cast<int>(m->nv);
  StackFrame frame(d);
  mjtNum *jacobian = frame.Doubles(3 * m->nv), *row = frame.Doubles(m->nv), *scaled = frame.Doubles(m->nv);
  for (int flex = 0; flex < m->nflex; ++flex) {
    if (m->flex_interp[flex] != 0) continue;
    const int vertices = m->flex_vertadr[flex], first = m->flex_edgeadr[flex];
    for (int edge = first; edge < first + m->flex_edgenum[flex]; ++edge) {
      const int vertex[2] = {vertices + m->flex_edge[2 * edge], vertices + m->flex_edge[2 * edge + 1]};
      const int body[2] = {m->flex_vertbodyid[vertex[0]], m->flex_vertbodyid[vertex[1]]};
      m->flexedge_length0[edge] = Norm(VertexPosition(m, d, vertex[1]) - VertexPosition(m, d, vertex[0]));
      m->flexedge_invweight0[edge] = 0;
      if (m->flexedge_rigid[edge]) continue;
      if (OnlySlides(m, body[0]) && OnlySlides(m, body[1])) {
        m->flexedge_invweight0[edge] = 0.5 / m->body_mass[body[0]] + 0.5 / m->body_mass[body[1]];
      } else if (UsesEdges(m, flex) && m->flexedge_J_rownnz[edge] > 0) {
        EdgeRow(m, d, vertex, jacobian, row);
        SolveM(m, d, scaled, row, 1);
        m->flexedge_invweight0[edge] = Dot(row, scaled, nv);
      }
    }
  }
}

}  // namespace sinew
