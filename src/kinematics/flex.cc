// Positions of flexes are computed in the world's frame, in metres: vertices from bodies or nodes, boxes of elements
// and their tree, lengths of edges and their Jacobian.
#include "kinematics/flex.h"

#include <algorithm>

#include "kinematics/flex_cell.h"
#include "kinematics/flex_strain.h"
#include "kinematics/jacobian.h"
#include "math/mat3.h"
#include "math/rows.h"
#include "math/sparse.h"
#include "model/bvh.h"
#include "model/data_view.h"
#include "model/view_of.h"

namespace sinew {
namespace {

using Vector = Vec3<mjtNum>;

// ---- vertices

// Vertices stand still in their bodies.
void ComputeVerticesOnBodies(const mjModel* m, mjData* d, int flex) {
  const int first = m->flex_vertadr[flex];
  for (int v = first; v < first + m->flex_vertnum[flex]; ++v) {
    const int body = m->flex_vertbodyid[v];
    Vector p = ViewOf(d).xpos(body);
    if (!m->flex_centered[flex]) p += ViewOf(d).xmat(body) * ViewOf(m).flex_vert(v);
    ViewOf(d).flexvert_xpos(v) = p;
  }
}

// Vertices move with the nodes of their cell (node_lattice.h).
void InterpolateVertices(const mjModel* m, mjData* d, int flex) {
  const NodeLattice lattice = LatticeOf(m, flex);
  const int nodes = m->flex_nodeadr[flex], first = m->flex_vertadr[flex];
  for (int v = first; v < first + m->flex_vertnum[flex]; ++v) {
    Vector p = {0, 0, 0};
    lattice.ForWeights(InFlexBox(ViewOf(m).flex_vert0(v)),
                       [&](int node, double weight) { p += NodePosition(m, d, nodes + node) * weight; });
    ViewOf(d).flexvert_xpos(v) = p;
  }
}

// ---- boxes: centre and half sizes

struct Bounds {
  Vector lower, upper;

  void Add(const Vector& low, const Vector& high) {
    for (int a = 0; a < 3; ++a) {
      lower[a] = std::min(lower[a], low[a]);
      upper[a] = std::max(upper[a], high[a]);
    }
  }
  void Store(mjtNum* box) const {
    StoreVec3((lower + upper) * 0.5, box);
    StoreVec3((upper - lower) * 0.5, box + 3);
  }
  static Bounds Load(const mjtNum* box) {
    const Vector center = LoadVec3(box), half = LoadVec3(box + 3);
    return {center - half, center + half};
  }
};

// The box of an element holds its vertices, widened by the radius.
void BoundElements(const mjModel* m, mjData* d, int flex) {
  const int corners = m->flex_dim[flex] + 1;
  const int* element = m->flex_elem + m->flex_elemdataadr[flex];
  const mjtNum* points = Row3(d->flexvert_xpos, m->flex_vertadr[flex]);
  const mjtNum radius = m->flex_radius[flex];
  const Vector margin = {radius, radius, radius};
  for (int e = 0; e < m->flex_elemnum[flex]; ++e, element += corners) {
    const Vector first = LoadVec3(Row3(points, element[0]));
    Bounds bounds = {first, first};
    for (int k = 1; k < corners; ++k) {
      const Vector p = LoadVec3(Row3(points, element[k]));
      bounds.Add(p, p);
    }
    Bounds{bounds.lower - margin, bounds.upper + margin}.Store(d->flexelem_aabb + 6 * (m->flex_elemadr[flex] + e));
  }
}

// The tree over the elements. Its shape is that of the reference configuration; children come after their parent.
void BoundTree(const mjModel* m, mjData* d, int flex) {
  const int root = m->flex_bvhadr[flex];
  for (int node = root + m->flex_bvhnum[flex] - 1; node >= root; --node) {
    const auto box = [&](int id) { return d->bvh_aabb_dyn + 6 * (id - m->nbvhstatic); };
    if (IsBvhLeaf(m, node)) {
      std::copy_n(d->flexelem_aabb + 6 * (m->flex_elemadr[flex] + m->bvh_nodeid[node]), 6, box(node));
      continue;
    }
    const int* child = m->bvh_child + 2 * node;
    Bounds bounds = Bounds::Load(box(root + child[0]));
    const Bounds other = Bounds::Load(box(root + child[1]));
    bounds.Add(other.lower, other.upper);
    bounds.Store(box(node));
  }
}

// ---- edges

// The length of an edge from a to b changes with u'(v_b - v_a), u its direction. Rows without a pattern are not needed.
void MeasureEdges(const mjModel* m, mjData* d, int flex) {
  const int vertices = m->flex_vertadr[flex], first = m->flex_edgeadr[flex];
  for (int edge = first; edge < first + m->flex_edgenum[flex]; ++edge) {
    const int a = vertices + ViewOf(m).flex_edge(edge)[0], b = vertices + ViewOf(m).flex_edge(edge)[1];
    const Vector p = ViewOf(d).flexvert_xpos(a), q = ViewOf(d).flexvert_xpos(b);
    d->flexedge_length[edge] = Norm(q - p);
    const int count = m->flexedge_J_rownnz[edge], adr = m->flexedge_J_rowadr[edge];
    if (count == 0) continue;
    std::fill_n(d->flexedge_J + adr, count, 0.0);
    if (m->flexedge_rigid[edge] || !UsesEdges(m, flex)) continue;
    const mjtNum length = d->flexedge_length[edge];
    const Vector u = length > mjMINVAL ? (q - p) * (1 / length) : Vector{1, 0, 0};
    const SparseRow row = {count, m->flexedge_J_colind + adr, d->flexedge_J + adr};
    AddPointRow(m, d, -u, p, m->flex_vertbodyid[a], row);
    AddPointRow(m, d, u, q, m->flex_vertbodyid[b], row);
  }
}

}  // namespace

// Only these forces and constraints read flexedge_J.
bool UsesEdges(const mjModel* m, int flex) {
  return m->flex_edgeequality[flex] == 1 || m->flex_edgestiffness[flex] != 0 || m->flex_edgedamping[flex] != 0 ||
         m->flex_damping[flex] != 0;
}

void Flex(const mjModel* m, mjData* d) {
  for (int flex = 0; flex < m->nflex; ++flex) {
    const bool between_nodes = m->flex_interp[flex] != 0;
    if (between_nodes) {
      InterpolateVertices(m, d, flex);
    } else {
      ComputeVerticesOnBodies(m, d, flex);
    }
    BoundElements(m, d, flex);
    BoundTree(m, d, flex);
    if (between_nodes || m->flex_rigid[flex]) continue;
    MeasureEdges(m, d, flex);
    if (m->flex_edgeequality[flex] == 2) MeasureStrains(m, d, flex);
  }
}

void FlexVelocity(const mjModel* m, mjData* d) {
  for (int edge = 0; edge < m->nflexedge; ++edge) {
    const int adr = m->flexedge_J_rowadr[edge];
    d->flexedge_velocity[edge] =
        SparseDot(d->flexedge_J + adr, m->flexedge_J_colind + adr, m->flexedge_J_rownnz[edge], d->qvel);
  }
}

}  // namespace sinew
