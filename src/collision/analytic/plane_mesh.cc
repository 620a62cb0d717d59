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

#include "collision/analytic/analytic.h"
#include "collision/analytic/touching_vertices.h"
#include "collision/contact_frame.h"
#include "collision/convex/hull_support.h"
#include "core/warning.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

constexpr int kMaxFirst = 3;
constexpr double kSpacing = 0.3;  // of the bounding radius: smallest distance of the first contacts

// The distance that a vertex may lie outside of the polygon, over half the width of the touching vertices, or over the
// bounding radius; the larger one counts. For a regular polygon of 16 corners, 8 of them suffice.
constexpr double kUncovered = 0.1, kOfRadius = 0.01;

// A mesh and the plane below it, which is known in the frames of both.
struct MeshOverPlane {
  HullWithLists with_lists;
  const Hull& hull;
  PlacedGeom<double> mesh;
  Vec normal;            // of the plane
  PlaneUnderMesh plane;  // the same in the frame of the mesh

  MeshOverPlane(const mjModel* m, const PlacedGeom<double>& of_plane, const PlacedGeom<double>& geom, int id)
      : with_lists(m, m->geom_dataid[id]), hull(with_lists.hull()), mesh(geom), normal(of_plane.Axis()) {
    plane.down = -MulTransposed(geom.mat, normal);
    plane.centre = Dot(normal, geom.pos - of_plane.pos);
    const ContactFrame<double> frame = CompletedFrame(plane.down, Zero3<double>());
    plane.first = frame.first;
    plane.second = frame.second;
  }
  double Height(int vertex) const { return plane.Height(hull.Vertex(vertex)); }
  Foot At(int vertex) const { return plane.At(hull.Vertex(vertex)); }
  ContactPoint<double> Contact(int vertex) const {
    const double height = Height(vertex);
    return {height, mesh.ToWorld(hull.Vertex(vertex)) - normal * (0.5 * height), normal};
  }
  TouchingVertices Touching(bool in_blocks, double margin, StackFrame& frame) const {
    return in_blocks ? TouchingVertices(with_lists.blocks(), plane, margin, frame)
                     : TouchingVertices(hull, plane, margin, frame);
  }
  // The hull vertex whose neighbours are tried, for the lowest one.
  int CentreOfNeighbours(int lowest) const {
    const int number = hull.MeshVertex(lowest);
    return hull.IsOfSmallMesh() && number < hull.Count() ? number : lowest;
  }
};

// Adds the vertices that complete the polygon to its feet, and writes their contacts.
int CompletePolygon(const MeshOverPlane& over, const HullVertex& lowest, double margin, double radius, mjData* d,
                    SupportPolygon& polygon, mjContact* con) {
  StackFrame frame(d, WhenFull::kReport);
  TouchingVertices touching = over.Touching(lowest.is_listed, margin, frame);
  if (frame.full()) {
    RaiseWarning(d, mjWARN_CONTACTFULL, d->ncon);
    return polygon.count();
  }
  if (touching.count() <= polygon.count()) return polygon.count();  // all are contacts
  const double square = touching.SquareOfWidth(over.At(lowest.id));
  const double tolerance = std::max(0.5 * kUncovered * std::sqrt(square), kOfRadius * radius);
  while (polygon.count() < SupportPolygon::kMaxFeet) {
    polygon.MakeOutline();
    const TouchingVertices::Vertex farthest = touching.TakeFarthest(polygon, tolerance * tolerance);
    if (farthest.id < 0) break;
    WriteContactPoint(over.Contact(farthest.id), Zero3<double>(), con[polygon.count()]);
    polygon.Add(farthest.foot);
  }
  return polygon.count();
}

}  // namespace

SINEW_DISPATCH int PlaneMesh(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const DataView<double> data(d);
  const ModelView<double> model(m);
  const MeshOverPlane over(m, LoadGeom(model, data, g1), LoadGeom(model, data, g2), g2);

  const HullVertex lowest = over.with_lists.FindSupport(over.plane.down);
  const ContactPoint<double> first = over.Contact(lowest.id);
  if (!(first.dist <= margin)) return 0;
  SupportPolygon polygon;
  WriteContactPoint(first, Zero3<double>(), con[0]);
  polygon.Add(over.At(lowest.id));

  const double radius = m->geom_rbound[g2], spacing = kSpacing * radius;
  const int centre = over.CentreOfNeighbours(lowest.id);
  bool is_alone = true;
  for (HullNeighbours next(over.hull, centre); polygon.count() < kMaxFirst && !next.AtEnd(); next.Advance()) {
    const int vertex = next.Get();
    if (vertex == lowest.id || !(over.Height(vertex) < margin)) continue;
    is_alone = false;
    const Vec apart = over.mesh.ToWorld(over.hull.Vertex(vertex)) - first.pos;
    if (Dot(apart, apart) < spacing * spacing) continue;
    WriteContactPoint(over.Contact(vertex), Zero3<double>(), con[polygon.count()]);
    polygon.Add(over.At(vertex));
  }
  if (is_alone && centre == lowest.id) return 1;  // on a hull, nothing else touches
  return CompletePolygon(over, lowest, margin, radius, d, polygon, con);
}

}  // namespace sinew::inline collision
