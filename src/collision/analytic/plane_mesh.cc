// Plane and convex mesh. The lowest vertex of the hull is the first contact. Up to two more are hull neighbours of that
// vertex, in the order of the hull's graph, that are within the margin and keep a distance of 0.3 bounding radii from
// the first contact: enough for a mesh to stand on, at the cost of one walk over the hull.
//
// In a mesh of less than ten vertices they are the neighbours of the hull vertex that has the number of the lowest mesh
// vertex, as in MuJoCo 3.8.0: on which corners a box or a wedge stands shows in all of a model's motions.
#include <iterator>

#include "collision/analytic/analytic.h"
#include "collision/convex/hull.h"

namespace sinew {
namespace {

constexpr int kMaxContacts = 3;
constexpr double kSpacing = 0.3;  // of the bounding radius: smallest distance from the first contact

// The hull vertex whose neighbours are tried, for the lowest one.
int CentreOfNeighbours(const Hull& hull, int lowest) {
  const int number = hull.MeshVertex(lowest);
  return hull.IsOfSmallMesh() && number < hull.Count() ? number : lowest;
}

ContactPoint<double> VertexOnPlane(const Vec3<double>& vertex, double height, const Vec3<double>& normal) {
  return {height, vertex - normal * (0.5 * height), normal};
}

}  // namespace

int PlaneMesh(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const DataView<double> data(d);
  const ModelView<double> model(m);
  const Geom<double> plane = LoadGeom(model, data, g1), mesh = LoadGeom(model, data, g2);
  const Hull hull(m, m->geom_dataid[g2]);
  const Vec3<double> normal = plane.Axis();
  const Vec3<double> down = -MulTransposed(mesh.mat, normal);  // in the mesh frame
  const double centre_height = Dot(normal, mesh.pos - plane.pos);
  const auto height = [&](const Vec3<double>& vertex) { return centre_height - Dot(down, vertex); };

  // the lowest vertex
  const int lowest = hull.FindSupport(down, -1);
  const Vec3<double> deepest = hull.Vertex(lowest);
  if (height(deepest) > margin) return 0;
  const ContactPoint<double> first = VertexOnPlane(mesh.ToWorld(deepest), height(deepest), normal);
  WriteContactPoint(first, Zero3<double>(), con[0]);
  int count = 1;

  // its neighbours
  const double spacing = kSpacing * m->geom_rbound[g2];
  for (HullNeighbours next(hull, CentreOfNeighbours(hull, lowest)); count < kMaxContacts && !next.AtEnd();
       next.Advance()) {
    const Vec3<double> vertex = hull.Vertex(next.Get()), point = mesh.ToWorld(vertex);
    if (!(height(vertex) < margin) || Norm(point - first.pos) < spacing) continue;
    WriteContactPoint(VertexOnPlane(point, height(vertex), normal), Zero3<double>(), con[count++]);
  }
  return count;
}

}  // namespace sinew
