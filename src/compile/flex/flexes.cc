// Flexes: vertices to bodies, elements to edges, borders and trees of boxes, elasticity; and these to the arrays of the
// model. docs/how/flex-compile.md has the formulas of each step.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "compile/diagnose.h"
#include "compile/draft_list.h"
#include "compile/flex/flex_elasticity.h"
#include "compile/flex/flex_metric.h"
#include "compile/flex/flex_nodes.h"
#include "compile/passes.h"
#include "compile/rows.h"
#include "core/warning.h"
#include "model/kinds/flex_equality.h"

namespace sinew::inline compile {
namespace {

enum Elastic2d { kNone, kBend, kStretch, kBoth };

// A shell has bending, stretching, both or neither; other flexes have no such choice.
bool Bends(const Flex& flex) { return flex.elastic2d == kBend || flex.elastic2d == kBoth; }
bool Stretches(const Flex& flex) { return flex.elastic2d == kStretch || flex.elastic2d == kBoth; }

// ---- checks

// Poisson's ratio of one half would be an incompressible material, which these formulas cannot describe.
void CheckElasticity(const Flex& flex) {
  if (flex.young > 0 && !(flex.poisson >= 0 && flex.poisson < 0.5)) {
    throw Error("the Poisson ratio is " + std::to_string(flex.poisson), "give one from 0 to below 0.5");
  }
  if (flex.edgestiffness > 0 && flex.dim > 1) {
    throw Error("edges have a stiffness only in dimension 1", "use elasticity");
  }
  if (flex.elastic2d == kNone) return;
  if (flex.dim != 2) throw Error("elastic2d is for flexes of dimension 2", "remove elastic2d");
  if (!(flex.thickness > 0)) throw Error("elastic2d needs a positive thickness", "set thickness");
}

// The parts of a flex must be complete before anything is computed from them.
void CheckShape(const Flex& flex) {
  if (flex.dim < 1 || flex.dim > 3) throw Error("the dimension of a flex is 1, 2 or 3", "set dim");
  const size_t corners = static_cast<size_t>(flex.dim) + 1;
  if (flex.elem->empty()) throw Error("the flex has no elements", "give some");
  if (flex.elem->size() % corners != 0) {
    throw Error("the elements have " + std::to_string(flex.elem->size()) + " vertices",
                "each takes " + std::to_string(corners));
  }
  if (flex.vertbody->empty()) throw Error("the flex has no bodies", "name the bodies of its vertices");
  if (flex.vert->size() % 3 != 0) throw Error("the vertices are not made of triples", "give x, y, z of each");
}

// A vertex twice would make an element without area.
void CheckElements(const Flex& flex, size_t vertex_count) {
  const size_t corners = static_cast<size_t>(flex.dim) + 1;
  for (size_t i = 0; i < flex.elem->size(); i += corners) {
    std::vector<int> element(flex.elem->begin() + static_cast<ptrdiff_t>(i),
                             flex.elem->begin() + static_cast<ptrdiff_t>(i + corners));
    std::sort(element.begin(), element.end());
    const std::string label = "element " + std::to_string(i / corners);
    if (element.front() < 0 || static_cast<size_t>(element.back()) >= vertex_count) {
      throw Error(label + " has a vertex that does not exist",
                  "there are " + std::to_string(vertex_count) + " vertices, from 0 on");
    }
    if (std::adjacent_find(element.begin(), element.end()) != element.end()) {
      throw Error(label + " has a vertex twice", "give different vertices");
    }
  }
}

// Texture coordinates belong to vertices, unless the elements say which they use.
void CheckTexture(const Flex& flex, size_t vertex_count) {
  const size_t count = flex.texcoord->size() / 2;
  if (flex.texcoord->size() % 2 != 0) {
    throw Error("texcoord has " + std::to_string(flex.texcoord->size()) + " numbers", "give two for each coordinate");
  }
  if (flex.elemtexcoord->empty()) {
    if (flex.texcoord->empty() || flex.texcoord->size() == 2 * vertex_count) return;
    throw Error("texcoord has " + std::to_string(flex.texcoord->size()) + " numbers", "give two for each vertex");
  }
  if (flex.elemtexcoord->size() != flex.elem->size()) {
    throw Error("elemtexcoord has " + std::to_string(flex.elemtexcoord->size()) + " numbers",
                "give as many as in element");
  }
  for (const int id : *flex.elemtexcoord) {
    if (id >= 0 && static_cast<size_t>(id) < count) continue;
    throw Error("elemtexcoord has " + std::to_string(id), "there are " + std::to_string(count) + " coordinates");
  }
}

// ---- vertices

// Finds the frames of bodies in the world at the reference configuration, where joints do not move them. Origins are
// turned by quaternions here, as MuJoCo 3.8.0 rounds the places of vertices.
std::vector<Pose> BodyPoses(const Draft& draft) {
  std::vector<Pose> poses(draft.bodies.size());
  for (size_t i = 1; i < poses.size(); ++i) {
    const Pose &parent = poses[static_cast<size_t>(draft.bodies[i].parent)], &own = draft.bodies[i].pose;
    poses[i] = {parent.pos + Rotate(parent.quat, own.pos), parent.quat * own.quat};
  }
  return poses;
}

// Without coordinates a vertex is at the origin of its body; one body may carry them all. When nodes move
// the flex, its bodies only say where the vertices are at rest.
void ComputeVertexPositions(const Draft& draft, const std::vector<Pose>& poses, FlexDraft& flex) {
  const Flex& source = *flex.source;
  for (const std::string& name : *source.vertbody) flex.bodies.push_back(Require(draft.spec, mjOBJ_BODY, name).id);
  const size_t count = source.vert->empty() ? flex.bodies.size() : source.vert->size() / 3;
  if (flex.bodies.size() != 1 && flex.bodies.size() != count) {
    throw Error(std::to_string(flex.bodies.size()) + " bodies carry " + std::to_string(count) + " vertices",
                "name one body, or one for each vertex");
  }
  flex.bodies.resize(count, flex.bodies[0]);
  if (!flex.moved_by_nodes()) {
    flex.rigid = std::adjacent_find(flex.bodies.begin(), flex.bodies.end(), std::not_equal_to<>()) == flex.bodies.end();
    flex.centered = std::all_of(source.vert->begin(), source.vert->end(), [](double x) { return x == 0; });
  }

  for (size_t i = 0; i < count; ++i) {
    const Pose& pose = poses[static_cast<size_t>(flex.bodies[i])];
    flex.vert.push_back(source.vert->empty() ? Vec3<double>{0, 0, 0} : LoadVec3(source.vert->data() + 3 * i));
    const Vec3<double> point = pose.pos + Rotate(pose.quat, flex.vert[i]);
    if (!std::isfinite(point.x) || !std::isfinite(point.y) || !std::isfinite(point.z)) {
      throw Error("vertex " + std::to_string(i) + " is at no finite place",
                  "correct its coordinates, or its body's pos");
    }
    flex.points.push_back(point);
  }
}

// ---- elements

// Tetrahedra turn so that their faces (0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2) point outward.
std::vector<int> OrientedElements(const Flex& source, const std::vector<Vec3<double>>& points) {
  std::vector<int> vertices = *source.elem;
  if (source.dim != 3) return vertices;
  for (size_t i = 0; i < vertices.size(); i += 4) {
    Vec3<double> p[4];
    for (size_t k = 0; k < 4; ++k) p[k] = points[static_cast<size_t>(vertices[i + k])];
    if (Dot(Cross(p[1] - p[0], p[2] - p[0]), p[3] - p[0]) > 0) std::swap(vertices[i + 1], vertices[i + 2]);
  }
  return vertices;
}

// The box of an element's vertices, given where they are, widened by the radius.
Box BoxOfElement(const FlexDraft& flex, const std::vector<Vec3<double>>& points, int element) {
  const Simplices& s = flex.simplices;
  const double radius = flex.source->radius;
  std::vector<Vec3<double>> corners;
  for (int k = 0; k <= s.dim; ++k) corners.push_back(points[static_cast<size_t>(s.element(element)[k])]);
  Box box = BoxAround(corners);
  box.half += {radius, radius, radius};
  return box;
}

// The box around all elements, without their radius; vertices that no element has do not count. It is rounded as the
// union of the elements' boxes, by which it is that of models that exist to the last bit.
Box BoxOfElements(const FlexDraft& flex, const std::vector<Vec3<double>>& points) {
  const double radius = flex.source->radius;
  std::vector<Vec3<double>> ends;
  for (int e = 0; e < flex.simplices.count(); ++e) {
    const Box box = BoxOfElement(flex, points, e);
    ends.push_back(box.center - box.half);
    ends.push_back(box.center + box.half);
  }
  Box box = BoxAround(ends);
  box.half -= {radius, radius, radius};
  return box;
}

// The layers of a solid that may collide.
BoxTree ElementTree(const FlexDraft& flex) {
  const Simplices& s = flex.simplices;
  std::vector<BoxLeaf> leaves;
  for (int e = 0; e < s.count(); ++e) {
    if (s.dim == 3 && s.layers[static_cast<size_t>(e)] >= flex.source->activelayers) continue;
    const Box box = BoxOfElement(flex, flex.points, e);
    leaves.push_back({e, box, box.center});
  }
  return BuildTree(std::move(leaves));
}

// An edge is rigid when the bodies of its ends cannot move against each other.
void FindRigidEdges(const Draft& draft, FlexDraft& flex) {
  const auto weld = [&](int vertex) {
    const int body = flex.bodies[static_cast<size_t>(vertex)];
    return draft.bodies[static_cast<size_t>(body)].weld;
  };
  for (const auto& [a, b] : flex.simplices.edges) {
    flex.edge_rigid.push_back(!flex.moved_by_nodes() && (flex.rigid || weld(a) == weld(b)));
  }
}

// ---- forces and constraints

// Constants are zero unless there is a Young's modulus.
void SetElasticity(FlexDraft& flex) {
  const Flex& source = *flex.source;
  flex.passive_edges = source.edgestiffness != 0 || source.edgedamping != 0 || source.damping != 0;
  if (flex.moved_by_nodes()) return SetCellStiffness(flex);
  const ElasticMaterial material = {source.young, source.poisson, source.thickness};
  if (!(source.young > 0)) return;
  if (source.dim == 3 || Stretches(source)) {
    flex.stiffness = ElementStiffness(flex.simplices, flex.points, material);
  }
  if (!Bends(source)) return;
  flex.bending = EdgeBending(flex.simplices, flex.points, material);
}

// The first equality constraint that names the flex.
int FindEquality(const Spec& spec, const Flex& flex) {
  for (const auto& equality : spec.List<Equality>()) {
    const bool over_flex = equality->type >= mjEQ_FLEX && equality->type <= mjEQ_FLEXSTRAIN;
    if (over_flex && *equality->name1 == flex.name) return equality->type - mjEQ_FLEX + 1;
  }
  return 0;
}

// The vertices at rest in the box of the flex: 0 to 1, and the middle along an axis without extent. Axes are those of
// the world, or of the lattice of nodes, however the bodies are turned that carry them.
std::vector<Vec3<double>> PlacesInBox(const FlexDraft& flex) {
  const auto along = [](double offset, double half) { return half > mjMINVAL ? 0.5 + 0.5 * offset / half : 0.5; };
  const std::vector<Vec3<double>> points = flex.moved_by_nodes() ? PointsInLattice(flex) : flex.points;
  const Box box = BoxOfElements(flex, points);
  const Vec3<double>& half = box.half;
  std::vector<Vec3<double>> places;
  for (const Vec3<double>& point : points) {
    const Vec3<double> offset = point - box.center;
    places.push_back({along(offset.x, half.x), along(offset.y, half.y), along(offset.z, half.z)});
  }
  return places;
}

// MuJoCo 3.8.0 takes such a constraint without a word, and it holds nothing.
void WarnOfVertexStrains(const Flex& flex) {
  const Error notice("flexvert constraints hold flexes of dimension 2; flex '" + flex.name + "' is held by none",
                     "use equality/flex", Place(flex));
  Warn("%s", notice.what());
}

// Inverse of the weighted covariance of the edges at each vertex, for constraints of its strain.
void SetMetric(const Draft& draft, FlexDraft& flex) {
  if (flex.equality != flex_equality::kVertices || flex.moved_by_nodes()) return;
  if (flex.source->dim != 2) return WarnOfVertexStrains(*flex.source);
  std::vector<double> masses;
  for (const int body : flex.bodies) masses.push_back(draft.bodies[static_cast<size_t>(body)].inertial.mass);
  flex.metric = VertexMetrics(flex.simplices, flex.box.half, PlacesInBox(flex), masses);
}

// Without anything that holds its parts together a flex falls apart, which is hardly meant.
void WarnIfLoose(const FlexDraft& flex) {
  const Flex& source = *flex.source;
  const bool held = flex.rigid || flex.equality != 0 || source.young > 0 || source.damping > 0 ||
                    source.edgestiffness > 0 || source.edgedamping > 0;
  if (held) return;
  const Error notice("flex '" + source.name + "' is not rigid and has no equality constraints or passive forces",
                     "give it one of 'edge' and 'elasticity'", Place(source));
  Warn("%s", notice.what());
}

// The order matters: all that follows needs the points, and what is elastic the edges.
FlexDraft DraftFlex(Flex& source, const Draft& draft, const std::vector<Pose>& poses) {
  CheckShape(source);
  CheckElasticity(source);
  FlexDraft flex = {};
  flex.source = &source;
  flex.material = OptionalId(draft.spec, mjOBJ_MATERIAL, *source.material);
  flex.lattice = FindLattice(source);
  ComputeVertexPositions(draft, poses, flex);
  CheckElements(source, flex.points.size());
  CheckTexture(source, flex.points.size());
  flex.simplices = FindSimplices(source.dim, OrientedElements(source, flex.points));
  if (!Bends(source)) std::fill(flex.simplices.flaps.begin(), flex.simplices.flaps.end(), std::array<int, 2>{-1, -1});
  flex.box = BoxOfElements(flex, flex.points);
  flex.tree = ElementTree(flex);
  FindRigidEdges(draft, flex);
  flex.equality = FindEquality(draft.spec, source);
  if (flex.moved_by_nodes()) ComputeNodePositions(draft, poses, flex);
  SetElasticity(flex);
  SetMetric(draft, flex);
  WarnIfLoose(flex);
  return flex;
}

// ---- the model

// Addresses of a flex in the arrays of the model: where the next one begins.
struct FlexAddresses {
  int node, vertex, edge, element, element_data, cells, element_edge, shell, evpair, texcoord, vertex_edge;
};

template <class T, class U>
void Append(const std::vector<T>& values, U* array, int adr) {
  std::transform(values.begin(), values.end(), array + adr, [](T value) { return static_cast<U>(value); });
}

// Contact parameters mean what those of geoms mean.
void WriteContact(const Flex& flex, int id, mjModel* m) {
  m->flex_contype[id] = flex.contype;
  m->flex_conaffinity[id] = flex.conaffinity;
  m->flex_condim[id] = flex.condim;
  m->flex_priority[id] = flex.priority;
  m->flex_solmix[id] = flex.solmix;
  PutRow(m->flex_solref, id, flex.solref);
  PutRow(m->flex_solimp, id, flex.solimp);
  PutRow(m->flex_friction, id, flex.friction);
  m->flex_margin[id] = ListedBelow(flex.margin, flex.gap, flex.home->level);
  m->flex_gap[id] = flex.gap;
  m->flex_internal[id] = flex.internal;
  m->flex_selfcollide[id] = flex.selfcollide;
  m->flex_activelayers[id] = flex.activelayers;
  m->flex_passive[id] = flex.passive;
}

// Values of the flex as a whole.
void WriteValues(const FlexDraft& draft, int id, mjModel* m) {
  const Flex& flex = *draft.source;
  WriteContact(flex, id, m);
  m->flex_dim[id] = flex.dim;
  m->flex_matid[id] = draft.material;
  m->flex_group[id] = flex.group;
  m->flex_interp[id] = flex.order;
  PutRow(m->flex_cellnum, id, flex.cellcount);
  m->flex_radius[id] = flex.radius;
  PutRow(m->flex_size, id, draft.box.half);
  m->flex_damping[id] = flex.damping;
  m->flex_edgestiffness[id] = flex.edgestiffness;
  m->flex_edgedamping[id] = flex.edgedamping;
  m->flex_edgeequality[id] = draft.equality;
  m->flex_rigid[id] = draft.rigid;
  m->flex_centered[id] = draft.centered;
  m->flex_flatskin[id] = flex.flatskin;
  PutRow(m->flex_rgba, id, flex.rgba);
}

// Where the parts of the flex stand, and how many there are.
void WriteAddresses(const FlexDraft& draft, const FlexAddresses& adr, int id, mjModel* m) {
  const Simplices& s = draft.simplices;
  m->flex_nodeadr[id] = adr.node;
  m->flex_nodenum[id] = static_cast<int>(draft.node.size());
  m->flex_vertadr[id] = adr.vertex;
  m->flex_vertnum[id] = static_cast<int>(draft.vert.size());
  m->flex_edgeadr[id] = adr.edge;
  m->flex_edgenum[id] = static_cast<int>(s.edges.size());
  m->flex_elemadr[id] = adr.element;
  m->flex_elemnum[id] = s.count();
  m->flex_elemdataadr[id] = adr.element_data;
  m->flex_stiffnessadr[id] = draft.moved_by_nodes() ? adr.cells : kElementStiffness * adr.element;
  m->flex_elemedgeadr[id] = adr.element_edge;
  m->flex_shellnum[id] = static_cast<int>(s.shell.size()) / s.dim;
  m->flex_shelldataadr[id] = s.shell.empty() ? -1 : adr.shell;
  m->flex_evpairnum[id] = static_cast<int>(s.evpairs.size());
  m->flex_evpairadr[id] = s.evpairs.empty() ? -1 : adr.evpair;
  m->flex_texcoordadr[id] = draft.source->texcoord->empty() ? -1 : adr.texcoord;
}

// Positions in the body's frame, and in the box of the flex.
void WriteVertices(const FlexDraft& draft, const FlexAddresses& adr, mjModel* m) {
  const std::vector<Vec3<double>> places = PlacesInBox(draft);
  for (size_t i = 0; i < draft.vert.size(); ++i) {
    const int row = adr.vertex + static_cast<int>(i);
    m->flex_vertbodyid[row] = draft.moved_by_nodes() ? -1 : draft.bodies[i];
    const bool at_origin = draft.centered && !draft.moved_by_nodes();
    PutRow(m->flex_vert, row, at_origin ? Vec3<double>{0, 0, 0} : draft.vert[i]);
    PutRow(m->flex_vert0, row, places[i]);
    if (!draft.metric.empty()) PutRow(m->flex_vertmetric, row, draft.metric[i]);
  }
}

// The edges at each vertex, which only constraints at vertices need.
void WriteVertexEdges(const FlexDraft& draft, FlexAddresses& adr, mjModel* m) {
  if (!draft.has_vertex_strains()) return;
  const Simplices& s = draft.simplices;
  std::vector<std::vector<int>> edges(draft.vert.size());
  for (size_t e = 0; e < s.edges.size(); ++e) {
    for (const int vertex : s.edges[e]) edges[static_cast<size_t>(vertex)].push_back(static_cast<int>(e));
  }
  for (size_t v = 0; v < edges.size(); ++v) {
    m->flex_vertedgeadr[adr.vertex + static_cast<int>(v)] = adr.vertex_edge;
    m->flex_vertedgenum[adr.vertex + static_cast<int>(v)] = static_cast<int>(edges[v].size());
    Append(edges[v], m->flex_vertedge, adr.vertex_edge);
    adr.vertex_edge += static_cast<int>(edges[v].size());
  }
}

// The coordinates at the corners of elements: those of their vertices unless others are named. Of the corners of
// tetrahedra, MuJoCo 3.8.0 writes three quarters, and so do we; the rest stays zero.
std::vector<int> TexcoordsOfCorners(const FlexDraft& draft) {
  const Flex& source = *draft.source;
  if (source.texcoord->empty()) return draft.simplices.vertices;
  std::vector<int> corners =
      source.elemtexcoord->empty() ? *source.elem : *source.elemtexcoord;  // before tetrahedra turned
  if (source.dim == 3) std::fill(corners.begin() + static_cast<ptrdiff_t>(corners.size() / 4 * 3), corners.end(), 0);
  return corners;
}

// Ids within a flex count from its first vertex and edge.
void WriteElements(const FlexDraft& draft, const FlexAddresses& adr, mjModel* m) {
  const Simplices& s = draft.simplices;
  const Flex& source = *draft.source;
  for (size_t i = 0; i < s.edges.size(); ++i) {
    const int row = adr.edge + static_cast<int>(i);
    PutRow(m->flex_edge, row, s.edges[i]);
    PutRow(m->flex_edgeflap, row, s.flaps[i]);
    m->flexedge_rigid[row] = draft.edge_rigid[i];
  }
  for (size_t i = 0; i < s.evpairs.size(); ++i) PutRow(m->flex_evpair, adr.evpair + static_cast<int>(i), s.evpairs[i]);
  Append(s.vertices, m->flex_elem, adr.element_data);
  Append(TexcoordsOfCorners(draft), m->flex_elemtexcoord, adr.element_data);
  Append(s.element_edges, m->flex_elemedge, adr.element_edge);
  Append(s.layers, m->flex_elemlayer, adr.element);
  Append(s.shell, m->flex_shell, adr.shell);
  Append(*source.texcoord, m->flex_texcoord, 2 * adr.texcoord);
  Append(draft.bending, m->flex_bending, kEdgeBending * adr.edge);
}

// Addresses of the next flex begin behind what this one has written.
void Advance(const FlexDraft& draft, FlexAddresses& adr) {
  const auto count = [](const auto& list) { return static_cast<int>(list.size()); };
  const Simplices& s = draft.simplices;
  adr.node += count(draft.node);
  adr.vertex += count(draft.vert);
  adr.edge += count(s.edges);
  adr.element += s.count();
  adr.element_data += count(s.vertices);
  adr.cells += CellStiffnessCount(draft);
  adr.element_edge += count(s.element_edges);
  adr.shell += count(s.shell);
  adr.evpair += count(s.evpairs);
  adr.texcoord += count(*draft.source->texcoord) / 2;
}

}  // namespace

// Flexes are drafted after the tree has ids, because they name bodies.
void DraftFlexes(Draft& draft) {
  if (draft.spec.List<Flex>().empty()) return;
  const std::vector<Pose> poses = BodyPoses(draft);
  DraftList<Flex>(draft, draft.flexes, [&](Flex& flex) { return DraftFlex(flex, draft, poses); });
}

void WriteFlexes(const Draft& draft, const Topology& topology, mjModel* m) {
  FlexAddresses adr = {};
  adr.cells = kElementStiffness * static_cast<int>(m->nflexelem);  // behind the stiffness of all elements
  for (const FlexDraft& flex : draft.flexes) {
    const int id = flex.source->id;
    WriteValues(flex, id, m);
    WriteAddresses(flex, adr, id, m);
    WriteNodes(flex, id, m);
    Append(flex.stiffness, m->flex_stiffness, m->flex_stiffnessadr[id]);
    WriteVertices(flex, adr, m);
    WriteVertexEdges(flex, adr, m);
    WriteElements(flex, adr, m);
    Advance(flex, adr);
  }
  WriteBandwidth(draft.flexes, m);
  const SparsePattern &edges = topology.flexedge_jacobian, &vertices = topology.flexvert_jacobian;
  Append(edges.rownnz, m->flexedge_J_rownnz, 0);
  Append(edges.rowadr, m->flexedge_J_rowadr, 0);
  Append(edges.colind, m->flexedge_J_colind, 0);
  Append(vertices.rownnz, m->flexvert_J_rownnz, 0);
  Append(vertices.rowadr, m->flexvert_J_rowadr, 0);
  Append(vertices.colind, m->flexvert_J_colind, 0);
}

}  // namespace sinew::inline compile
