// The face is that beyond which the centre of the other shape is farthest (bounds: collision/convex/box_face.h).
#include "collision/convex/box_face.h"

#include <cmath>

#include "collision/convex/lowest_point.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

constexpr double kLower = 1e-10;  // of the size of the box, by how much p is lower than its neighbours

class BoxFace {
 public:
  BoxFace(const ConvexShape& box, const ConvexShape& other) : box_(box.geom()), other_(other) {
    const Vec centre = box_.ToLocal(other.Centre());
    const auto beyond = [&](int axis) { return std::fabs(centre[axis]) - box_.size[axis]; };
    for (int k = 1; k < 3; ++k) axis_ = beyond(k) > beyond(axis_) ? k : axis_;
    sign_ = centre[axis_] < 0 ? -1 : 1;
    normal_ = box_.mat.Column(axis_) * sign_;
    for (int k = 0; k < 3; ++k) is_below_centre_ = is_below_centre_ && (k == axis_ || beyond(k) < 0);
  }
  // Whether the centre of the other shape is over the face; elsewhere it seldom decides.
  bool IsBelowCentre() const { return is_below_centre_; }
  void FindLowest() { lowest_ = other_.FindSupport(-normal_); }

  const Vec& normal() const { return normal_; }
  double Height() const { return HeightOf(lowest_.point); }
  double Size() const { return Norm(box_.size); }
  // Whether the depth of the pair is `depth`, that of the lowest point.
  bool Decides(double depth) const {
    const Vec at = box_.ToLocal(lowest_.point);
    bool is_inner = 2 * box_.size[axis_] > kBelowOfDepth * depth;
    for (int k = 0; k < 3; ++k) {
      is_inner = is_inner && (k == axis_ || box_.size[k] - std::fabs(at[k]) > kSpreadOfDepth * depth);
    }
    return is_inner && IsLowestAlone();
  }
  // Of the facet that decides: a corner of the face in each of its vertices, and the lowest point.
  DifferencePoint Vertex(int i) const {
    const int first = (axis_ + 1) % 3, second = (axis_ + 2) % 3;
    int corner = sign_ > 0 ? 1 << axis_ : 0;
    if (i == 1) corner |= 1 << first;
    if (i == 2) corner |= 1 << second;
    Vec at;
    for (int k = 0; k < 3; ++k) at[k] = corner >> k & 1 ? box_.size[k] : -box_.size[k];
    const Vec a = box_.ToWorld(at);
    return {a - lowest_.point, a, lowest_.point, corner, lowest_.vertex};
  }
  Vec Middle(double height) const { return lowest_.point - normal_ * (0.5 * height); }

 private:
  double HeightOf(const Vec& p) const { return Dot(normal_, p - box_.pos) - box_.size[axis_]; }
  bool IsLowestAlone() const {
    if (other_.type() != mjGEOM_MESH) return true;
    const Hull& hull = other_.hull();
    if (!hull.HasGraph()) return false;
    const double least = Height() + kLower * Size();
    for (HullNeighbours next(hull, lowest_.vertex); !next.AtEnd(); next.Advance()) {
      if (!(HeightOf(other_.geom().ToWorld(hull.Vertex(next.Get()))) > least)) return false;
    }
    return true;
  }

  const PlacedGeom<double>& box_;
  const ConvexShape& other_;
  int axis_ = 0;
  bool is_below_centre_ = true;
  double sign_;
  Vec normal_;  // outwards
  SupportPoint lowest_;
};

// Ellipsoids come before boxes in the order of pairs, meshes behind.
bool IsBoxWithOther(const ConvexShape& A, const ConvexShape& B) {
  return (A.type() == mjGEOM_ELLIPSOID && B.type() == mjGEOM_BOX) ||
         (A.type() == mjGEOM_BOX && B.type() == mjGEOM_MESH);
}

}  // namespace

AtBoxFace AskBoxFace(const mjOption& option, const ConvexShape& A, const ConvexShape& B, double margin,
                     ConvexContact& out) {
  if (!IsBoxWithOther(A, B) || (option.disableflags & mjDSBL_NATIVECCD)) return AtBoxFace::kUnknown;
  const bool box_is_first = A.type() == mjGEOM_BOX;
  BoxFace face(box_is_first ? A : B, box_is_first ? B : A);
  if (!face.IsBelowCentre()) return AtBoxFace::kUnknown;
  face.FindLowest();
  const double height = face.Height(), depth = margin - height;
  const double sure = SureDistance(option, face.Size());
  if (depth < -sure) return AtBoxFace::kApart;
  if (!(depth > sure && face.Decides(depth))) return AtBoxFace::kUnknown;
  const Vec normal = face.normal() * (box_is_first ? 1.0 : -1.0);
  out.point = {height, face.Middle(height), normal};
  out.has_face = box_is_first;
  if (!box_is_first) return AtBoxFace::kContact;
  out.penetration.depth = -height;
  out.penetration.normal = normal;
  for (int i = 0; i < 3; ++i) out.penetration.face[i] = face.Vertex(i);
  return AtBoxFace::kContact;
}

}  // namespace sinew::inline collision
