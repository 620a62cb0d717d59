// Positions of flexes are computed in the world's frame, in metres: vertices from bodies or nodes, boxes of elements
// and their tree, lengths of edges and their Jacobian.
#include "kinematics/flex.h"

#include <algorithm>
#include <type_traits>

#include "core/stack.h"
#include "kinematics/flex_cell.h"
#include "kinematics/flex_strain.h"
#include "kinematics/jacobian.h"
#include "math/block.h"
#include "math/mat3.h"
#include "math/sparse.h"
#include "model/kinds/bvh.h"
#include "model/kinds/flex_equality.h"
#include "model/view/data_view.h"
#include "model/view/view_of.h"

namespace sinew::inline kinematics {
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

// Vertices move with the nodes of their cell (node_lattice.h). Positions of nodes are packs with a lane to spare, in
// memory that need not be aligned to packs.
SINEW_DISPATCH void InterpolateVertices(const mjModel* m, mjData* d, int flex) {
  const NodeLattice lattice = LatticeOf(m, flex);
  const int nodes = m->flex_nodeadr[flex], first = m->flex_vertadr[flex];
  StackFrame frame(d);
  double* position = frame.Doubles(4 * static_cast<ptrdiff_t>(m->flex_nodenum[flex]));
  for (int n = 0; n < m->flex_nodenum[flex]; ++n) {
    const Vector p = NodePosition(m, d, nodes + n);
    StoreFour(block::Join(p.x, p.y, p.z, 0), position + 4 * n);
  }
  for (int v = first; v < first + m->flex_vertnum[flex]; ++v) {
    Four p = InAllLanes(0);
    lattice.ForWeights(InFlexBox(ViewOf(m).flex_vert0(v)),
                       [&](int node, double weight) { p += LoadFour(position + 4 * node) * InAllLanes(weight); });
    ViewOf(d).flexvert_xpos(v) = {p[0], p[1], p[2]};
  }
}

// ---- boxes: centre and half sizes

// S is a scalar or a block of elements.
template <class S>
struct Bounds {
  Vec3<S> lower, upper;

  void Add(const Vec3<S>& low, const Vec3<S>& high) {
    for (int a = 0; a < 3; ++a) {
      lower[a] = Min(low[a], lower[a]);
      upper[a] = Max(high[a], upper[a]);
    }
  }
  Vec3<S> Centre() const { return (lower + upper) * S(0.5); }
  Vec3<S> Half() const { return (upper - lower) * S(0.5); }
};

Bounds<double> LoadBounds(const mjtNum* box) {
  const Vector centre = LoadVec3(box), half = LoadVec3(box + 3);
  return {centre - half, centre + half};
}
void StoreBounds(const Bounds<double>& bounds, mjtNum* box) {
  StoreVec3(bounds.Centre(), box);
  StoreVec3(bounds.Half(), box + 3);
}

// The box of an element holds its vertices, widened by the radius. It is rounded as in MuJoCo 3.8.0, since which of a
// flex's axes is the longest hangs on it where several are equal.
SINEW_DISPATCH void BoundElements(const mjModel* m, mjData* d, int flex) {
  const int corners = m->flex_dim[flex] + 1, first = m->flex_elemadr[flex];
  const int* element = m->flex_elem + m->flex_elemdataadr[flex];
  const DataView<double> data = ViewOf(d);
  ForBlocks<double>(0, m->flex_elemnum[flex], [&](const auto& elements) {
    const auto corner = [&](int k) {
      return Gather(elements, [&](int e) -> decltype(auto) {
        return data.flexvert_xpos(m->flex_vertadr[flex] + element[e * corners + k]);
      });
    };
    auto lower = corner(0);
    using S = std::remove_reference_t<decltype(lower.x)>;
    Bounds<S> bounds = {lower, lower};
    for (int k = 1; k < corners; ++k) {
      const auto p = corner(k);
      bounds.Add(p, p);
    }
    const S radius = S(m->flex_radius[flex]);
    const Vec3<S> margin = {radius, radius, radius};
    Vector* const boxes = reinterpret_cast<Vector*>(d->flexelem_aabb) + 2 * static_cast<ptrdiff_t>(first);
    Scatter(elements, bounds.Centre(), [&](int e) -> Vector& { return boxes[2 * e]; });
    Scatter(elements, bounds.Half() + margin, [&](int e) -> Vector& { return boxes[2 * e + 1]; });
  });
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
    Bounds<double> bounds = LoadBounds(box(root + child[0]));
    const Bounds<double> other = LoadBounds(box(root + child[1]));
    bounds.Add(other.lower, other.upper);
    StoreBounds(bounds, box(node));
  }
}

// ---- edges

// The first of the three slides that alone move a vertex, by vertex of a flex; -1 where other joints do.
const int* LoneSlides(const mjModel* m, int flex, StackFrame& frame) {
  int* slides = frame.Ints(m->flex_vertnum[flex]);
  for (int v = 0; v < m->flex_vertnum[flex]; ++v) {
    const int body = m->flex_vertbodyid[m->flex_vertadr[flex] + v], joint = m->body_jntadr[body];
    slides[v] = -1;
    if (m->body_dofnum[body] != 3 || m->body_jntnum[body] != 3) continue;
    const int *type = m->jnt_type + joint, dof = m->body_dofadr[body];
    const bool are_slides = type[0] == mjJNT_SLIDE && type[1] == mjJNT_SLIDE && type[2] == mjJNT_SLIDE;
    if (are_slides && m->dof_parentid[dof] < 0) slides[v] = dof;
  }
  return slides;
}

SINEW_DISPATCH void MeasureLengths(const mjModel* m, mjData* d, int flex) {
  const int first = m->flex_edgeadr[flex];
  const DataView<double> data = ViewOf(d);
  const auto ends = [&](int end) {
    return [&data, m, flex, end](int edge) -> const Vector& {
      return data.flexvert_xpos(m->flex_vertadr[flex] + m->flex_edge[2 * edge + end]);
    };
  };
  ForBlocks<double>(first, first + m->flex_edgenum[flex], [&](const auto& edges) {
    Scatter(edges, Norm(Gather(edges, ends(1)) - Gather(edges, ends(0))),
            [&](int edge) -> double& { return d->flexedge_length[edge]; });
  });
}

// The length of an edge from a to b changes with u'(v_b - v_a), u its direction. Rows without a pattern are not needed.
void MeasureEdges(const mjModel* m, mjData* d, int flex) {
  MeasureLengths(m, d, flex);
  const int vertices = m->flex_vertadr[flex], first = m->flex_edgeadr[flex];
  const bool needed = UsesEdges(m, flex);
  StackFrame frame(d);
  const int* slides = LoneSlides(m, flex, frame);
  for (int edge = first; edge < first + m->flex_edgenum[flex]; ++edge) {
    const int count = m->flexedge_J_rownnz[edge], adr = m->flexedge_J_rowadr[edge];
    double* J = d->flexedge_J + adr;
    if (count == 0) continue;
    if (m->flexedge_rigid[edge] || !needed) {
      std::fill_n(J, count, 0.0);
      continue;
    }
    const int a = ViewOf(m).flex_edge(edge)[0], b = ViewOf(m).flex_edge(edge)[1];
    const Vector p = ViewOf(d).flexvert_xpos(vertices + a), q = ViewOf(d).flexvert_xpos(vertices + b);
    const mjtNum length = d->flexedge_length[edge];
    const Vector u = length > mjMINVAL ? (q - p) * (1 / length) : Vector{1, 0, 0};
    if (slides[a] >= 0 && slides[b] >= 0 && count == 6) {  // their axes, the lower dofs first
      const bool ascends = slides[a] < slides[b];
      for (int k = 0; k < 3; ++k) {
        J[ascends ? k : 3 + k] = -Dot(u, ViewOf(d).cdof(slides[a] + k).lin);
        J[ascends ? 3 + k : k] = Dot(u, ViewOf(d).cdof(slides[b] + k).lin);
      }
      continue;
    }
    StackFrame of_edge(d);
    Vector* const apart = of_edge.Alloc<Vector>(count);
    JacDifference(m, d, {p, m->flex_vertbodyid[vertices + a]}, {q, m->flex_vertbodyid[vertices + b]}, count,
                  m->flexedge_J_colind + adr, apart);
    for (int k = 0; k < count; ++k) J[k] = Dot(u, apart[k]);
  }
}

}  // namespace

void Flex(const mjModel* m, mjData* d) {
  for (int flex = 0; flex < m->nflex; ++flex) {
    const bool between_nodes = m->flex_interp[flex] != 0;
    if (between_nodes) {
      InterpolateVertices(m, d, flex);
    } else {
      ComputeVerticesOnBodies(m, d, flex);
    }
    BoundElements(m, d, flex);
    if (!(m->opt.disableflags & mjDSBL_MIDPHASE)) BoundTree(m, d, flex);  // nothing else descends it
    if (between_nodes || m->flex_rigid[flex]) continue;
    MeasureEdges(m, d, flex);
    if (HasVertexStrains(m, flex)) MeasureStrains(m, d, flex);
  }
}

void FlexVelocity(const mjModel* m, mjData* d) {
  for (int edge = 0; edge < m->nflexedge; ++edge) {
    const int adr = m->flexedge_J_rowadr[edge];
    d->flexedge_velocity[edge] =
        SparseDot(d->flexedge_J + adr, m->flexedge_J_colind + adr, m->flexedge_J_rownnz[edge], d->qvel);
  }
}

}  // namespace sinew::inline kinematics
