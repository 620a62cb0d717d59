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
#include "collision/analytic/plane_mesh.h"

#include "collision/analytic/analytic.h"
#include "collision/analytic/plane_mesh_kernel.h"
#include "collision/contact_frame.h"
#include "collision/convex/hull_support.h"
#include "core/stack.h"
#include "core/warning.h"
#include "simd/dispatch.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

constexpr double kSpacing = 0.3;  // of the bounding radius: smallest distance of the first contacts

int BlocksOf(const Hull& hull) { return (hull.Count() + PointBlock::kPoints - 1) / PointBlock::kPoints; }

// All vertices, in the order of the hull.
BlocksInBalls BlocksInOrder(const Hull& hull, PointBlock* block) {
  const int count = hull.Count();
  for (int i = 0; i < PointBlock::kPoints * BlocksOf(hull); ++i) {
    PointBlock& of_vertex = block[i / PointBlock::kPoints];
    const int place = i % PointBlock::kPoints, vertex = i < count ? i : i - place;
    const Vec v = hull.Vertex(vertex);
    of_vertex.x[place] = v.x;
    of_vertex.y[place] = v.y;
    of_vertex.z[place] = v.z;
    of_vertex.name[place] = vertex;
  }
  return {block, nullptr, BlocksOf(hull), count - PointBlock::kPoints * (BlocksOf(hull) - 1)};
}

int Complete(const FeetTask& task, int* vertices) {
#if defined(__x86_64__)
  if (CanRun(InstructionSet::kAvx512)) return kCompleteFeetAvx512(task, vertices);
  if (CanRun(InstructionSet::kAvx2)) return kCompleteFeetAvx2(task, vertices);
#endif
  return kCompleteFeet(task, vertices);
}

// Finds the feet in the frame of the mesh.
class FeetSearch {
 public:
  FeetSearch(const mjModel& m, int mesh, const MeshQuery& query)
      : with_lists_(&m, mesh), hull_(with_lists_.hull()), query_(query) {}

  // take(count) returns room for so many blocks, or null.
  template <class Take>
  bool Run(const Take& take, MeshFeet& feet) {
    const HullVertex lowest = with_lists_.FindSupport(query_.down);
    if (!(Height(lowest.point) <= query_.margin)) return true;
    feet.Add(lowest.point);
    if (!AddNeighbours(lowest, feet)) return true;
    PointBlock* room = take(RoomForFeet(hull_));
    if (room) CompletePolygon(lowest, room, feet);
    return room != nullptr;
  }

 private:
  double Height(const Vec& v) const { return query_.centre - Dot(query_.down, v); }

  // Adds the first neighbours that touch; false where nothing else can touch.
  bool AddNeighbours(const HullVertex& lowest, MeshFeet& feet) const {
    const double spacing = kSpacing * query_.radius;
    const Vec contact = lowest.point + query_.down * (0.5 * Height(lowest.point));
    const int number = hull_.MeshVertex(lowest.id);
    const int centre = hull_.IsOfSmallMesh() && number < hull_.Count() ? number : lowest.id;
    bool is_alone = centre == lowest.id;
    for (HullNeighbours next(hull_, centre); feet.count < kMaxFirstFeet && !next.AtEnd(); next.Advance()) {
      if (next.Get() == lowest.id) continue;
      const Vec vertex = hull_.Vertex(next.Get());
      if (!(Height(vertex) < query_.margin)) continue;
      is_alone = false;
      const Vec apart = vertex - contact;
      if (!(Dot(apart, apart) < spacing * spacing)) feet.Add(vertex);
    }
    return !is_alone;
  }

  // Adds the vertices that complete the polygon. Those of a hull whose table does not hold are put into blocks first.
  void CompletePolygon(const HullVertex& lowest, PointBlock* room, MeshFeet& feet) const {
    const ContactFrame<double> frame = CompletedFrame(query_.down, Zero3<double>());
    FeetTask task;
    task.blocks = lowest.is_listed ? with_lists_.blocks() : BlocksInOrder(hull_, room);
    task.room = reinterpret_cast<double*>(room + BlocksOf(hull_));
    StoreVec3(query_.down, task.down);
    StoreVec3(frame.first, task.first);
    StoreVec3(frame.second, task.second);
    task.centre = query_.centre;
    task.margin = query_.margin;
    task.radius = query_.radius;
    task.count = feet.count;
    for (int i = 0; i < feet.count; ++i) StoreVec3(feet.vertex[i], task.foot[i]);
    int vertices[kMaxFeet];
    const int found = Complete(task, vertices);
    for (int i = 0; i < found; ++i) feet.Add(hull_.Vertex(vertices[i]));
  }

  HullWithLists with_lists_;
  const Hull& hull_;
  MeshQuery query_;
};

}  // namespace

int RoomForFeet(const Hull& hull) {
  constexpr int kNumbers = sizeof(PointBlock) / sizeof(double);
  return BlocksOf(hull) + (NumbersForFeet(hull.Count()) + kNumbers - 1) / kNumbers;
}

SINEW_DISPATCH MeshFeet FindMeshFeet(const mjModel& m, int mesh, const MeshQuery& query, PointBlock* room) {
  MeshFeet feet;
  FeetSearch(m, mesh, query).Run([room](int) { return room; }, feet);
  return feet;
}

SINEW_DISPATCH int PlaneMesh(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const DataView<double> data(d);
  const ModelView<double> model(m);
  const MeshOverPlane<double> over(LoadGeom(model, data, g1), LoadGeom(model, data, g2));
  StackFrame frame(d, WhenFull::kReport);
  MeshFeet feet;
  const auto take = [&frame](int count) { return frame.Alloc<PointBlock>(count); };
  FeetSearch search(*m, m->geom_dataid[g2], {over.down, over.centre, margin, m->geom_rbound[g2]});
  if (!search.Run(take, feet)) RaiseWarning(d, mjWARN_CONTACTFULL, d->ncon);
  for (int i = 0; i < feet.count; ++i) WriteContactPoint(over.ContactAt(feet.vertex[i]), Zero3<double>(), con[i]);
  return feet.count;
}

}  // namespace sinew::inline collision
