// Stiffness of triangles and tetrahedra in terms of the lengths of their edges, and bending of pairs of triangles. The
// formulas are derived in docs/how/flex-compile.md.
#include "compile/flex/flex_elasticity.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"
#include "math/orientation.h"

namespace sinew::inline compile {
namespace {

using Points = std::vector<Vec3<double>>;

// The strain by the squared length of an edge,  B_e ~ n_L n_R' + n_R n_L'  with the normals n of the facets opposite to
// the edge's ends; and the factors of the Lame constants. Sums and products are in the order of MuJoCo 3.8.0, to the
// last bit.
struct ElementGeometry {
  Mat3<double> B[6];
  double measure, thickness;  // area or volume; of a triangle, a quarter of its thickness, or 1
};

[[noreturn]] void ThrowDegenerate(int element) {
  throw Error("element " + std::to_string(element) + " has no area or volume", "move its vertices apart");
}

// (a b' + b a') / divisor
Mat3<double> SymmetricProduct(const Vec3<double>& a, const Vec3<double>& b, double divisor) {
  Mat3<double> product;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) product(i, j) = (a[i] * b[j] + b[i] * a[j]) / divisor;
  }
  return product;
}

// The normals of a triangle in its plane are its edges, turned about the normal of the plane. That is computed at the
// vertex opposite to each edge.
ElementGeometry TriangleGeometry(const Vec3<double>* p, double thickness, int element) {
  ElementGeometry g = {};
  g.measure = 0.5 * Norm(Cross(p[1] - p[0], p[2] - p[0]));
  g.thickness = thickness / 4;
  if (!(g.measure > 0)) ThrowDegenerate(element);
  for (int i = 0; i < 3; ++i) {
    const int l = (i + 1) % 3, r = (i + 2) % 3;
    Vec3<double> plane = Cross(p[l] - p[i], p[r] - p[i]);
    DivideByNorm(plane);
    g.B[i] = SymmetricProduct(Cross(plane, p[i] - p[r]), Cross(plane, p[l] - p[i]), 8 * g.measure * g.measure);
  }
  return g;
}

// The normals of a tetrahedron are doubled areas; n_i is opposite to vertex i.
ElementGeometry TetrahedronGeometry(const Vec3<double>* p, int element) {
  const Vec3<double> normal[4] = {Cross(p[2] - p[1], p[3] - p[1]), Cross(p[0] - p[2], p[3] - p[2]),
                                  Cross(p[1] - p[0], p[3] - p[0]), Cross(p[1] - p[2], p[0] - p[2])};
  ElementGeometry g = {};
  g.measure = std::fabs(Dot(Cross(p[1] - p[0], p[2] - p[0]), p[3] - p[0])) / 6;
  g.thickness = 1;
  if (!(g.measure > 0)) ThrowDegenerate(element);
  for (int e = 0; e < 6; ++e) {
    const int* ends = kLocalEdges[3][e];
    g.B[e] = SymmetricProduct(normal[ends[0]], normal[ends[1]], 72 * g.measure * g.measure);
  }
  return g;
}

double Trace(const Mat3<double>& A) { return A(0, 0) + A(1, 1) + A(2, 2); }

// The upper triangle of K for one element:  K_ef = mu tr(B_e B_f) + lambda tr(B_e) tr(B_f)
void PutStiffness(const ElementGeometry& g, int edges, const ElasticMaterial& material, double* k) {
  const double E = material.young, nu = material.poisson;
  const double mu = E / (2 * (1 + nu)) * g.measure * g.thickness;
  const double lambda = E * nu / ((1 + nu) * (1 - 2 * nu)) * g.measure * g.thickness;
  for (int e = 0; e < edges; ++e) {
    for (int f = e; f < edges; ++f) {
      double product = 0;
      for (int i = 0; i < 9; ++i) product += g.B[e].m[i] * g.B[f].m[i];
      *k++ = mu * product + lambda * Trace(g.B[f]) * Trace(g.B[e]);
    }
  }
}

// Cotangent of the angle at p between the rays to q and r.
double Cotangent(const Vec3<double>& p, const Vec3<double>& q, const Vec3<double>& r) {
  const Vec3<double> u = q - p, v = r - p;
  return Dot(u, v) / Norm(Cross(u, v));
}

// Half the length of the normal of two edges.
double Area(const Vec3<double>& p, const Vec3<double>& q, const Vec3<double>& r) {
  return 0.5 * Norm(Cross(q - p, r - p));
}

// The double nearest to t^3, by the exact rests of both products.
double Cube(double t) {
  const double square = t * t, cube = square * t;
  return cube + (std::fma(square, t, -cube) + std::fma(t, t, -square) * t);
}

// v: the ends of the edge, and the vertices opposite to it.
void PutBending(const Vec3<double> (&v)[4], const ElasticMaterial& material, double* row) {
  const Vec3<double> e = v[1] - v[0];
  const double a1 = Cotangent(v[0], v[1], v[2]), a2 = Cotangent(v[0], v[1], v[3]);
  const double a3 = Cotangent(v[1], v[0], v[2]), a4 = Cotangent(v[1], v[0], v[3]);
  const double c[4] = {a3 + a4, a1 + a2, -a1 - a3, -a2 - a4};

  // k = 3 G t^3 / (24 (A1 + A2))
  const double G = material.young / (2 * (1 + material.poisson));
  const double areas = Area(v[0], v[1], v[2]) + Area(v[1], v[0], v[3]);
  const double k = 3 * G * Cube(material.thickness) / (24 * areas);

  // Cosine of the angle between the triangles at rest.
  const Vec3<double> t0 = -((v[2] - v[0]) * a3 + (v[2] - v[1]) * a1);
  const Vec3<double> t1 = -((v[3] - v[0]) * a4 + (v[3] - v[1]) * a2);
  const double square = Dot(e, e), cosine = -Dot(t0, t1) / square;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) row[4 * i + j] = c[i] * c[j] * cosine * k;
  }
  row[16] = Dot(Cross(e, v[2] - v[0]), v[3] - v[0]) * (a1 - a3) * (a4 - a2) * k / (square * std::sqrt(square));
}

// Whether the first triangle at each edge runs from its larger vertex to the smaller.
std::vector<bool> ReversedEdges(const Simplices& s) {
  std::vector<bool> seen(s.edges.size()), reversed(s.edges.size());
  for (size_t i = 0; i < s.element_edges.size(); ++i) {
    const auto edge = static_cast<size_t>(s.element_edges[i]);
    if (seen[edge]) continue;
    seen[edge] = true;
    const int* vertex = s.element(static_cast<int>(i / 3));
    reversed[edge] = vertex[kLocalEdges[2][i % 3][0]] > vertex[kLocalEdges[2][i % 3][1]];
  }
  return reversed;
}

}  // namespace

// Points are in the world's frame at the reference configuration, where the flex is at rest.
std::vector<double> ElementStiffness(const Simplices& s, const Points& points, const ElasticMaterial& material) {
  std::vector<double> stiffness(static_cast<size_t>(kElementStiffness * s.count()));
  for (int i = 0; i < s.count(); ++i) {
    Vec3<double> p[4];
    for (int k = 0; k <= s.dim; ++k) p[k] = points[static_cast<size_t>(s.element(i)[k])];
    const ElementGeometry geometry =
        s.dim == 2 ? TriangleGeometry(p, material.thickness, i) : TetrahedronGeometry(p, i);
    PutStiffness(geometry, kElementEdges[s.dim], material, stiffness.data() + kElementStiffness * i);
  }
  return stiffness;
}

// Ends are taken as the first triangle has them, although forces take the smaller vertex first: where triangles differ
// at the two ends of an edge, models that exist have these numbers.
std::vector<double> EdgeBending(const Simplices& s, const Points& points, const ElasticMaterial& material) {
  const std::vector<bool> reversed = ReversedEdges(s);
  std::vector<double> bending(kEdgeBending * s.edges.size());
  for (size_t i = 0; i < s.edges.size(); ++i) {
    const int from = s.edges[i][reversed[i]], to = s.edges[i][!reversed[i]];
    const int ids[4] = {from, to, s.flaps[i][0], s.flaps[i][1]};
    if (ids[3] < 0) continue;
    Vec3<double> v[4];
    for (int k = 0; k < 4; ++k) v[k] = points[static_cast<size_t>(ids[k])];
    PutBending(v, material, bending.data() + kEdgeBending * i);
  }
  return bending;
}

}  // namespace sinew::inline compile
