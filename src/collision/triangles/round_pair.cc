// A round shape touches a mesh where its distance from the mesh is a local minimum (docs/how/triangles.md): over a
// face, where the plane of the face is met; or at an edge or a corner, in a direction that belongs to it.
#include "collision/triangles/round_pair.h"

#include <algorithm>
#include <cmath>

#include "collision/triangles/over_face.h"
#include "collision/triangles/overlap_ways.h"
#include "collision/triangles/placed_surface.h"
#include "collision/triangles/round_shape.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

class RoundPair {
 public:
  RoundPair(const mjModel* m, mjData* d, int mesh, int other, double margin, StackList<ContactPoint<double>>& points)
      : data_(d),
        frame_(LoadGeom(ModelView<double>(m), data_, mesh)),
        surface_(m, mesh),
        shape_(m->geom_type[other], InFrame(frame_, LoadGeom(ModelView<double>(m), data_, other)),
               m->geom_rbound[other]),
        slack_(kFlatAngle * shape_.radius()),
        margin_(margin),
        points_(points) {}

  // No point of a box is nearer to the shape than its middle by more than half of its diagonal.
  void Find() {
    const SurfaceTable& table = surface_.table();
    const auto enter = [&](const SurfaceNode& node) {
      return shape_.LeastDistance(node.centre) <= Norm(node.half) + margin_;
    };
    table.faces().ForEach(enter, [&](int i) {
      if (!table.face(i).is_sliver) MeetFace(surface_.Face(i));
    });
    table.edges().ForEach(enter, [&](int i) { MeetEdge(table.edge(i)); });
    table.corners().ForEach(enter, [&](int i) { MeetCorner(table.corner(i)); });
  }

 private:
  void MeetFace(const PlacedFace& face) {
    shape_.ForEachOnPlane(face.corner[0], face.normal, margin_, [&](const ContactPoint<double>& found) {
      if (IsOverFace(face, found.pos, slack_) && IsOnThisSide(found, face.normal)) {
        Add(found.pos, found.dist, face.normal);
      }
    });
  }

  // Of what is deep: the ball in the shape that reaches to its lowest point has its centre above the face with nothing
  // between, or nearer to it than to the other side of the solid.
  bool IsOnThisSide(const ContactPoint<double>& found, const Vec& n) const {
    if (found.dist > -kShallow * shape_.radius()) return true;
    const Vec on_face = found.pos - n * (0.5 * found.dist), lowest = found.pos + n * (0.5 * found.dist);
    if (shape_.WayToEnd(lowest, n) < -found.dist || HaveShorterWay(surface_, shape_, found.pos, n, -found.dist)) {
      return false;
    }
    const double height = found.dist + shape_.inner_radius();
    if (height >= 0 && surface_.IsFree(on_face, n, height)) return true;
    return surface_.WayToEnd(on_face, -n) >= (height >= 0 ? -found.dist : std::min(-2 * height, -found.dist));
  }

  // Where the least distance is the same along a part of the edge, as across a cap, both ends of that part are
  // contacts.
  void MeetEdge(const SurfaceEdge& edge) {
    const Vec p = surface_.Vertex(edge.vertex[0]), along = surface_.Vertex(edge.vertex[1]) - p;
    const double length = Norm(along);
    if (shape_.LeastDistance(p + along * 0.5) > 0.5 * length + margin_) return;
    const auto distance = [&](double s) { return shape_.Distance(p + along * s); };
    const double lowest = NearestBetween(p, along), least = distance(lowest);
    if (least > margin_) return;
    const double level = least + kLevel * shape_.radius();
    const double low = Crossing(lowest, 0, level, distance), high = Crossing(lowest, 1, level, distance);
    if ((high - low) * length > kPart * shape_.radius()) {
      for (const double s : {low, high}) AddOnEdge(edge, p + along * s, along);
    } else if (lowest > kEnd && lowest < 1 - kEnd) {
      AddOnEdge(edge, p + along * lowest, along);
    }
  }

  // Across the edge leads the mean of the gradients before and behind the point. Where they differ, as in a rim, that
  // of length g < 1 is a subgradient: the shape reaches from the point no farther than distance / g along it.
  void AddOnEdge(const SurfaceEdge& edge, const Vec& point, const Vec& along) {
    const Vec step = along * (kStep * shape_.radius() / Norm(along));
    const Vec before = shape_.Gradient(point - step), behind = shape_.Gradient(point + step);
    const double falls = -Dot(before, along), rises = Dot(behind, along), sum = falls + rises;
    const bool is_kink = falls > 0 && rises > 0;
    Vec n = is_kink ? (before * rises + behind * falls) * (-1 / sum) : -shape_.Gradient(point);
    n = n - along * (Dot(n, along) / Dot(along, along));
    const double length = Norm(n);
    if (length < kShortest) return;
    n = n * (1 / length);
    if (Dot(n, surface_.Direction(edge.inward[0])) > 0 || Dot(n, surface_.Direction(edge.inward[1])) > 0) return;
    AddAt(point, n, shape_.Distance(point) / length);
  }

  void MeetCorner(int vertex) {
    const Vec point = surface_.Vertex(vertex);
    if (shape_.Distance(point) > margin_) return;
    const Vec n = -shape_.Gradient(point);
    if (!IsZero(n) && surface_.StandsOn(vertex, -n)) AddAt(point, n, shape_.Distance(point));
  }

  // A point of the mesh, which n leads out of.
  void AddAt(const Vec& point, const Vec& n, double dist) {
    if (dist > -kShallow * shape_.radius() || surface_.WayToEnd(point, -n) >= -dist) {
      Add(point + n * (0.5 * dist), dist, n);
    }
  }
  void Add(const Vec& middle, double dist, const Vec& n) {
    points_.Add({dist, frame_.ToWorld(middle), frame_.mat * n});
  }

  static constexpr double kLevel = 1e-6, kPart = 1e-2;  // in sizes of the shape
  static constexpr double kStep = 1e-7;                 // likewise, along an edge
  static constexpr double kShortest = 0.1;              // gradient
  static constexpr double kEnd = 1e-9;                  // of the edge: there its corner is asked

  // Where the distance is least between the ends of an edge: where its slope, which grows, changes its sign.
  double NearestBetween(const Vec& p, const Vec& along) const {
    double low = 0, high = 1;
    for (int i = 0; i < 52; ++i) {
      const double middle = 0.5 * (low + high);
      (Dot(shape_.Gradient(p + along * middle), along) > 0 ? high : low) = middle;
    }
    return 0.5 * (low + high);
  }

  // How far towards `end` a convex function stays below a level.
  template <class F>
  static double Crossing(double from, double end, double level, const F& f) {
    if (f(end) <= level) return end;
    double inside = from, outside = end;
    for (int i = 0; i < 40; ++i) {
      const double middle = 0.5 * (inside + outside);
      (f(middle) <= level ? inside : outside) = middle;
    }
    return inside;
  }

  DataView<double> data_;
  PlacedGeom<double> frame_;
  PlacedSurface surface_;
  RoundShape shape_;
  double slack_, margin_;
  StackList<ContactPoint<double>>& points_;
};

}  // namespace

void FindRoundContacts(const mjModel* m, mjData* d, int mesh, int other, double margin,
                       StackList<ContactPoint<double>>& points) {
  RoundPair(m, d, mesh, other, margin, points).Find();
}

}  // namespace sinew::inline collision
