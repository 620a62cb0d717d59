// Integrals over meshes are sums over the tetrahedra that faces form with a point, or over the faces themselves for
// shells.
#include "assets/mesh_inertia.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <unordered_set>

#include "core/error.h"
#include "math/principal_axes.h"

namespace sinew::inline assets {
namespace {

Vec3<double> Divide(const Vec3<double>& v, double s) { return {v.x / s, v.y / s, v.z / s}; }

// The corners of a face and what follows from them.
//
// Shapes with two equal moments, such as regular ones, have no principal axes of their own: the last digits of the sums
// choose them. So divisions and the order of factors here are those that give the axes of MuJoCo 3.8.0.
struct Triangle {
  Vec3<double> a, b, c;

  Vec3<double> Centroid() const { return Divide(a + b + c, 3); }
  // The outward normal, not of unit length; its length is twice the area.
  Vec3<double> Normal() const { return Cross(b - a, c - a); }
  // Zero for a sliver, whose normal has no direction.
  double Area() const {
    const double twice = Norm(Normal());
    return twice < kMinVal ? 0 : twice / 2;
  }
};

class Surface {
 public:
  Surface(std::span<const Vec3<double>> vertices, std::span<const int> faces) : vertices_(vertices), faces_(faces) {}

  template <class Visit>
  void ForEach(Visit&& visit) const {
    for (size_t i = 0; i + 2 < faces_.size(); i += 3) visit(Triangle{At(i), At(i + 1), At(i + 2)});
  }

 private:
  const Vec3<double>& At(size_t corner) const { return vertices_[static_cast<size_t>(faces_[corner])]; }

  std::span<const Vec3<double>> vertices_;
  std::span<const int> faces_;
};

// The contribution of a face: the volume of the pyramid under it with the given apex, or its area. Mode legacy takes
// every volume as positive, whatever the orientation of the face.
double Measure(const Triangle& t, const Vec3<double>& apex, mjtMeshInertia mode) {
  const double area = t.Area();
  if (mode == mjMESH_INERTIA_SHELL) return area;
  const Vec3<double> normal = area > 0 ? Divide(t.Normal(), Norm(t.Normal())) : Vec3<double>{0, 0, 0};
  const double volume = Dot(t.Centroid() - apex, normal) * area / 3;
  return mode == mjMESH_INERTIA_LEGACY ? std::fabs(volume) : volume;
}

// The centroid of the surface: a point inside or near, about which volumes are summed without loss of digits.
Vec3<double> SurfaceCentroid(const Surface& surface) {
  Vec3<double> sum = {0, 0, 0};
  double area = 0;
  surface.ForEach([&](const Triangle& t) {
    const double a = t.Area();
    area += a;
    sum += t.Centroid() * a;
  });
  if (!(area >= mjMINVAL)) {
    throw Error("the surface of the mesh is too small: " + std::to_string(area) + " m^2",
                "correct its vertices or scale");
  }
  return Divide(sum, area);
}

void CheckVolume(double volume, mjtMeshInertia mode) {
  if (volume < 0) {
    throw Error("the volume of the mesh is negative: its faces point inward",
                "turn them around, or set inertia=\"legacy\"");
  }
  if (!(volume >= mjMINVAL)) {
    throw Error(mode == mjMESH_INERTIA_SHELL ? "the surface of the mesh is too small"
                                             : "the volume of the mesh is too small: it is flat or open",
                "set inertia=\"shell\" to spread its mass over the surface");
  }
}

// In a closed oriented surface every edge is passed once in each direction.
void CheckOrientation(std::span<const int> faces) {
  std::unordered_set<uint64_t> edges;
  edges.reserve(faces.size());
  for (size_t i = 0; i + 2 < faces.size(); i += 3) {
    for (size_t k = 0; k < 3; ++k) {
      const int from = faces[i + k], to = faces[i + (k + 1) % 3];
      const uint64_t edge = uint64_t{static_cast<uint32_t>(from)} << 32 | static_cast<uint32_t>(to);
      if (edges.insert(edge).second) continue;
      throw Error("the faces of the mesh have inconsistent orientations: two of them pass from vertex " +
                      std::to_string(from) + " to vertex " + std::to_string(to),
                  "turn one of them around, or set inertia=\"legacy\" or \"convex\"");
    }
  }
}

// Second moments about the origin: P_ab = sum of v/20 (2 (a a' + b b' + c c') + a b' + b a' + ...) over tetrahedra with
// apex in the origin (Tonon, Explicit exact formulas for the 3-D tetrahedron inertia tensor, 2004); v/12 for triangles.
Mat3<double> SecondMoments(const Surface& surface, mjtMeshInertia mode, double& measure) {
  const double divisor = mode == mjMESH_INERTIA_SHELL ? 12 : 20;
  Mat3<double> P = {};
  measure = 0;
  surface.ForEach([&](const Triangle& t) {
    const double v = Measure(t, {0, 0, 0}, mode);
    measure += v;
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) {
        P(i, j) += v / divisor *
                   (2 * (t.a[i] * t.a[j] + t.b[i] * t.b[j] + t.c[i] * t.c[j]) + t.a[i] * t.b[j] + t.a[j] * t.b[i] +
                    t.a[i] * t.c[j] + t.a[j] * t.c[i] + t.b[i] * t.c[j] + t.b[j] * t.c[i]);
      }
    }
  });
  return P;
}

// No distribution of mass has a moment larger than the sum of the others; rounding is forgiven.
void CheckMoments(const Vec3<double>& moments) {
  constexpr double kRelative = 1e-6, kAbsolute = 1e-9;
  for (int i = 0; i < 3; ++i) {
    const double others = moments[(i + 1) % 3] + moments[(i + 2) % 3];
    if (moments[i] > others * (1 + kRelative) + kAbsolute) {
      throw Error("the inertia of the mesh is not that of any body: A + B >= C is violated",
                  "correct the orientation of its faces, or set inertia=\"convex\" or \"legacy\"");
    }
  }
}

}  // namespace

MeshInertia FindInertia(std::span<const Vec3<double>> vertices, std::span<const int> faces, mjtMeshInertia mode) {
  if (mode == mjMESH_INERTIA_EXACT) CheckOrientation(faces);

  // Measure and centre of mass: of a pyramid, the latter is at 3/4 of the way from the apex to the base.
  const Surface surface(vertices, faces);
  const Vec3<double> apex = SurfaceCentroid(surface);
  MeshInertia inertia = {};
  surface.ForEach([&](const Triangle& t) {
    const double part = Measure(t, apex, mode);
    inertia.measure += part;
    inertia.com += (t.Centroid() * 0.75 + apex * 0.25) * part;
  });
  CheckVolume(inertia.measure, mode);
  inertia.com = Divide(inertia.com, inertia.measure);

  // Principal axes about the centre of mass.
  std::vector<Vec3<double>> centered(vertices.begin(), vertices.end());
  for (Vec3<double>& v : centered) v -= inertia.com;
  const Mat3<double> P = SecondMoments(Surface(centered, faces), mode, inertia.measure);
  CheckVolume(inertia.measure, mode);
  const Mat3<double> I = {{P(1, 1) + P(2, 2), -P(0, 1), -P(0, 2),  //
                           -P(0, 1), P(0, 0) + P(2, 2), -P(1, 2),  //
                           -P(0, 2), -P(1, 2), P(0, 0) + P(1, 1)}};
  const PrincipalAxes principal = FindPrincipalAxes(I, AxesNorm::kAsFound);
  CheckMoments(principal.values);
  inertia.axes = principal.axes;

  // A box of half sizes b has the moments m/3 (b_y^2 + b_z^2), ...
  for (int i = 0; i < 3; ++i) {
    const double sum = principal.values[(i + 1) % 3] + principal.values[(i + 2) % 3] - principal.values[i];
    inertia.half[i] = 0.5 * std::sqrt(6 * std::fmax(sum, 0) / inertia.measure);
  }
  return inertia;
}

}  // namespace sinew::inline assets
