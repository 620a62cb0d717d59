// Two surfaces touch where a corner of one is over a face of the other, or two edges cross, and their distance there is
// a local minimum (docs/how/triangles.md): the normal is an outward normal of one at its face, edge or corner, and an
// inward one of the other.
#include "collision/triangles/surface_pair.h"

#include <algorithm>
#include <cmath>

#include "collision/triangles/over_face.h"
#include "collision/triangles/overlap_ways.h"
#include "collision/triangles/placed_surface.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

constexpr double kDeepest = 0.1;  // the largest depth that is looked for, in the size of the smaller geom

// How far apart, and how deep [m], what counts may be; `slack` is the rounding of places.
struct Limits {
  double margin, shallow, deepest, slack;

  Limits(double margin_of_pair, double size)
      : margin(margin_of_pair), shallow(kShallow * size), deepest(kDeepest * size), slack(1e-7 * size) {}
  double Reach() const { return std::max(margin, deepest); }
  bool Includes(double height) const { return height <= margin && height >= -deepest; }
};

// Looks from the frame of one geom, the base, at the surface of the other one.
class SurfaceView {
 public:
  // The sign is 1 where the base is the mesh from which normals lead.
  SurfaceView(const mjModel* m, mjData* d, int base, int other, const Limits& limits, double sign,
              StackList<ContactPoint<double>>& points)
      : frame_(LoadGeom(ModelView<double>(m), DataView<double>(d), base)),
        base_(m, base),
        other_(m, d, other, frame_),
        limits_(limits),
        sign_(sign),
        points_(points) {}

  // Corners of the other one over faces of the base.
  void FindCorners() {
    const SurfaceTable &base = base_.table(), &other = other_.table();
    base.faces().ForEachPair(
        other.corners(), [this](const auto& node) { return Place(node); },
        [this](const auto& node, const auto& box) { return IsNear(node, box); },
        [&](const SurfaceNode& a, const SurfaceNode& b) {
          for (int k = b.first; k < b.first + b.count; ++k) {
            const int corner = other.corner(k);
            const Vec p = other_.Vertex(corner);
            for (int i = a.first; i < a.first + a.count; ++i) MeetCorner(i, corner, p);
          }
        });
  }

  void FindEdges() {
    const SurfaceTable &base = base_.table(), &other = other_.table();
    base.edges().ForEachPair(
        other.edges(), [this](const auto& node) { return Place(node); },
        [this](const auto& node, const auto& box) { return IsNear(node, box); },
        [&](const SurfaceNode& a, const SurfaceNode& b) {
          for (int k = b.first; k < b.first + b.count; ++k) {
            const PlacedEdge f(other_, other.edge(k));
            for (int i = a.first; i < a.first + a.count; ++i) {
              if (MayMeet(base.edge(i), f)) MeetEdges(PlacedEdge(base_, base.edge(i)), f);
            }
          }
        });
  }

 private:
  struct PlacedEdge {
    Vec start, along, middle;
    const SurfaceEdge* edge;

    PlacedEdge(const PlacedSurface& surface, const SurfaceEdge& of)
        : start(surface.Vertex(of.vertex[0])),
          along(surface.Vertex(of.vertex[1]) - start),
          middle(surface.Direction(of.middle)),
          edge(&of) {}
  };

  // The box of a node of the other one, larger by what is near.
  struct PlacedBox {
    Vec centre, reach;
  };
  PlacedBox Place(const SurfaceNode& node) const {
    const double near = limits_.Reach();
    return {other_.NodeCentre(node), other_.NodeHalf(node) + Vec{near, near, near}};
  }
  bool IsNear(const SurfaceNode& node, const PlacedBox& box) const {
    const Vec centre = base_.NodeCentre(node), half = base_.NodeHalf(node);
    return std::fabs(centre.x - box.centre.x) <= half.x + box.reach.x &&
           std::fabs(centre.y - box.centre.y) <= half.y + box.reach.y &&
           std::fabs(centre.z - box.centre.z) <= half.z + box.reach.z;
  }

  // Adds the contact of a corner at p with a face of the base, where there is one.
  void MeetCorner(int of_base, int corner, const Vec& p) {
    const SurfaceFace& own = base_.table().face(of_base);
    const double height = Dot(base_.Direction(own.normal), p - base_.Vertex(own.vertex[0]));
    if (!limits_.Includes(height) || own.is_sliver) return;
    const PlacedFace face = base_.Face(of_base);
    const Vec& n = face.normal;
    if (!IsOverFace(face, p, limits_.slack + kFlatAngle * std::fabs(height))) return;
    if (other_.StandsOn(corner, n) && IsContact(p - n * height, p, n, height)) Add(p - n * (0.5 * height), height, n);
  }

  // Whether some outward normal of one edge may be an inward one of the other.
  bool MayMeet(const SurfaceEdge& e, const PlacedEdge& f) const {
    const double cosine = e.cosine * f.edge->cosine - e.sine * f.edge->sine;  // of the sum of both angles
    return -Dot(base_.Direction(e.middle), f.middle) >= cosine - kParallel;
  }

  // Of two edges the distance along the normal of both; it is a contact if the lines are nearest between their ends.
  void MeetEdges(const PlacedEdge& e, const PlacedEdge& f) {
    const Vec &p = e.start, &u = e.along, &q = f.start, &v = f.along;
    Vec n = Cross(u, v);
    const double square = Dot(n, n);
    if (square <= kParallel * kParallel * Dot(u, u) * Dot(v, v)) return;
    // p + s u and q + t v are nearest
    const Vec apart = q - p;
    const double s = Dot(Cross(apart, v), n) / square, t = Dot(Cross(apart, u), n) / square;
    if (s < 0 || s > 1 || t < 0 || t > 1) return;
    n = n * (1 / std::sqrt(square));
    const Vec on_base = p + u * s, on_other = q + v * t;
    for (const double sign : {1.0, -1.0}) {
      const Vec normal = n * sign;
      const double height = Dot(normal, apart);
      if (limits_.Includes(height) && IsNormalOf(base_, *e.edge, normal) && IsNormalOf(other_, *f.edge, -normal) &&
          IsContact(on_base, on_other, normal, height)) {
        Add((on_base + on_other) * 0.5, height, normal);
      }
    }
  }

  static bool IsNormalOf(const PlacedSurface& surface, const SurfaceEdge& edge, const Vec& n) {
    return Dot(n, surface.Direction(edge.inward[0])) <= kParallel &&
           Dot(n, surface.Direction(edge.inward[1])) <= kParallel;
  }

  bool IsContact(const Vec& on_base, const Vec& on_other, const Vec& n, double height) const {
    if (height > -limits_.shallow) return true;
    return IsInBoth(base_, on_base, other_, on_other, n, -height) &&
           !HaveShorterWay(base_, other_, (on_base + on_other) * 0.5, n, -height);
  }

  void Add(const Vec& middle, double dist, const Vec& n) {
    points_.Add({dist, frame_.ToWorld(middle), frame_.mat * (n * sign_)});
  }

  PlacedGeom<double> frame_;
  PlacedSurface base_, other_;
  Limits limits_;
  double sign_;
  StackList<ContactPoint<double>>& points_;
};

}  // namespace

void FindSurfaceContacts(const mjModel* m, mjData* d, int mesh, int other, double margin,
                         StackList<ContactPoint<double>>& points) {
  const Limits limits(margin, std::min(m->geom_rbound[mesh], m->geom_rbound[other]));
  SurfaceView from_mesh(m, d, mesh, other, limits, 1, points);
  from_mesh.FindCorners();
  from_mesh.FindEdges();
  SurfaceView(m, d, other, mesh, limits, -1, points).FindCorners();
}

}  // namespace sinew::inline collision
