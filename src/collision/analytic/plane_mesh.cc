// Plane and convex mesh. The lowest vertex of the hull is the first contact. Two more are hull neighbours of that
// vertex, in the order of the hull's graph, that are within the margin and keep a distance of 0.3 bounding radii from
// the first contact. For most shapes they are the feet on which the mesh stands, or one edge of them; they are those of
// MuJoCo 3.8.0, so that models move as they do there.
//
// Further contacts complete the support polygon. Every hull vertex within the margin touches the plane; a mesh
// on fewer feet than the polygon has corners rocks or falls where it should stand. So vertices that lie outside of the
// polygon of the contacts are added, the farthest one first, until what is left outside is a small part of the whole.
//
// In a mesh of less than ten vertices, neighbours are those of the hull vertex that has the number of the lowest mesh
// vertex, as in MuJoCo 3.8.0: on which corners a box or a wedge stands first shows in all of a model's motions.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "collision/analytic/analytic.h"
#include "collision/analytic/support_polygon.h"
#include "collision/contact_frame.h"
#include "collision/convex/hull_support.h"
#include "collision/stack_list.h"
#include "core/warning.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

constexpr int kMaxFirst = 3;
constexpr double kSpacing = 0.3;  // of the bounding radius: smallest distance of the first contacts

// The distance that a vertex may lie outside of the polygon, over half the width of the touching vertices, or over the
// bounding radius; the larger one counts. For a regular polygon of 16 corners, 8 of them suffice.
constexpr double kUncovered = 0.1, kOfRadius = 0.01;

constexpr int kFewVertices = 64;  // below, looking at all vertices is faster than walking over the hull

// A mesh over a plane, in the frame of the mesh.
struct MeshOverPlane {
  HullWithLists with_lists;
  const Hull& hull;
  PlacedGeom<double> mesh;
  Vec normal, down, first, second;  // of the plane; the last three in the frame of the mesh
  double centre_height;

  MeshOverPlane(const mjModel* m, const PlacedGeom<double>& plane, const PlacedGeom<double>& geom, int id)
      : with_lists(m, m->geom_dataid[id]),
        hull(with_lists.hull()),
        mesh(geom),
        normal(plane.Axis()),
        down(-MulTransposed(geom.mat, normal)),
        centre_height(Dot(normal, geom.pos - plane.pos)) {
    const ContactFrame<double> frame = CompletedFrame(down, Zero3<double>());
    first = frame.first;
    second = frame.second;
  }
  double Height(int vertex) const { return centre_height - Dot(down, hull.Vertex(vertex)); }
  Foot At(int vertex) const {
    const Vec v = hull.Vertex(vertex);
    return {Dot(first, v), Dot(second, v)};
  }
  ContactPoint<double> Contact(int vertex) const {
    const double height = Height(vertex);
    return {height, mesh.ToWorld(hull.Vertex(vertex)) - normal * (0.5 * height), normal};
  }
  // The hull vertex whose neighbours are tried, for the lowest one.
  int CentreOfNeighbours(int lowest) const {
    const int number = hull.MeshVertex(lowest);
    return hull.IsOfSmallMesh() && number < hull.Count() ? number : lowest;
  }
};

// A vertex that touches the plane.
struct Touching {
  int vertex;
  Foot foot;
};

// Vertices within the margin. On a hull they are connected with the lowest one: from each, some edge leads down.
void FindTouching(const MeshOverPlane& over, int lowest, double margin, StackFrame& frame,
                  StackList<Touching>& touching) {
  const int count = over.hull.Count();
  const auto add = [&](int vertex) { touching.Add({vertex, over.At(vertex)}); };
  if (!over.hull.HasGraph() || count <= kFewVertices) {
    for (int i = 0; i < count; ++i) {
      if (over.Height(i) < margin) add(i);
    }
    return;
  }
  bool* seen = frame.Alloc<bool>(count);
  if (!seen) return;
  std::fill_n(seen, count, false);
  seen[lowest] = true;
  add(lowest);
  for (int next = 0; next < touching.size(); ++next) {
    for (HullNeighbours neighbour(over.hull, touching[next].vertex); !neighbour.AtEnd(); neighbour.Advance()) {
      const int vertex = neighbour.Get();
      if (seen[vertex]) continue;
      seen[vertex] = true;
      if (over.Height(vertex) < margin) add(vertex);
    }
  }
}

// The vertex that is farthest outside of the polygon, by the square of its distance; null where none is farther than
// `tolerance`. Those that are not leave the list, since the polygon only grows.
const Touching* FindFarthest(const SupportPolygon& polygon, double tolerance, StackList<Touching>& touching) {
  const Touching* farthest = nullptr;
  double most = 0;
  int left = 0;
  for (const Touching& one : touching) {
    const double beyond = polygon.SquareBeyond(one.foot);
    if (beyond <= tolerance) continue;
    Touching& kept = touching[left++] = one;
    if (beyond <= most) continue;
    most = beyond;
    farthest = &kept;
  }
  touching.Truncate(left);
  return farthest;
}

// Adds the vertices that complete the polygon to its feet, and writes their contacts.
int CompletePolygon(const MeshOverPlane& over, int lowest, double margin, double radius, mjData* d,
                    SupportPolygon& polygon, mjContact* con) {
  StackFrame frame(d, WhenFull::kReport);
  StackList<Touching> touching(frame);
  FindTouching(over, lowest, margin, frame, touching);
  if (frame.full()) {
    RaiseWarning(d, mjWARN_CONTACTFULL, d->ncon);
    return polygon.count();
  }
  if (touching.size() <= polygon.count()) return polygon.count();  // all are contacts
  double square = 0;  // of the width of what touches, seen from the lowest vertex
  const Foot centre = over.At(lowest);
  for (const Touching& one : touching) square = std::max(square, SquareOfDistance(one.foot, centre));
  const double tolerance = std::max(0.5 * kUncovered * std::sqrt(square), kOfRadius * radius);
  while (polygon.count() < SupportPolygon::kMaxFeet) {
    polygon.MakeOutline();
    const Touching* farthest = FindFarthest(polygon, tolerance * tolerance, touching);
    if (!farthest) break;
    WriteContactPoint(over.Contact(farthest->vertex), Zero3<double>(), con[polygon.count()]);
    polygon.Add(farthest->foot);
  }
  return polygon.count();
}

}  // namespace

int PlaneMesh(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const DataView<double> data(d);
  const ModelView<double> model(m);
  const MeshOverPlane over(m, LoadGeom(model, data, g1), LoadGeom(model, data, g2), g2);

  // the lowest vertex
  const int lowest = over.with_lists.FindSupport(over.down).id;
  const ContactPoint<double> first = over.Contact(lowest);
  if (!(first.dist <= margin)) return 0;
  SupportPolygon polygon;
  WriteContactPoint(first, Zero3<double>(), con[0]);
  polygon.Add(over.At(lowest));

  // its neighbours
  const double radius = m->geom_rbound[g2], spacing = kSpacing * radius;
  bool is_alone = true;
  for (HullNeighbours next(over.hull, over.CentreOfNeighbours(lowest)); polygon.count() < kMaxFirst && !next.AtEnd();
       next.Advance()) {
    const int vertex = next.Get();
    if (!(over.Height(vertex) < margin)) continue;
    is_alone = false;
    const Vec apart = over.mesh.ToWorld(over.hull.Vertex(vertex)) - first.pos;
    if (Dot(apart, apart) < spacing * spacing) continue;
    WriteContactPoint(over.Contact(vertex), Zero3<double>(), con[polygon.count()]);
    polygon.Add(over.At(vertex));
  }
  if (is_alone && over.CentreOfNeighbours(lowest) == lowest) return 1;  // on a hull, nothing else touches
  return CompletePolygon(over, lowest, margin, radius, d, polygon, con);
}

}  // namespace sinew::inline collision
