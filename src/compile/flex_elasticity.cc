// Stiffness of triangles and tetrahedra in terms of the lengths of their edges, and bending of pairs of triangles. The
// formulas are derived in docs/how/flex-compile.md.
#include "compile/flex_elasticity.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"

namespace sinew {
namespace {

using Points = std::vector<Vec3<double>>;

// Scalar products of the normals n_i of an element's facets, and which two belong to each edge:  B_e is proportional to
// n_L n_R' + n_R n_L'.
struct ElementGeometry {
  double gram[4][4];
  int left[6], right[6];
  double scale;    // of B_e
  double measure;  // factor c of the Lame constants
};

[[noreturn]] void ThrowDegenerate(int element) {
  throw Error("element " + std::to_string(element) + " has no area or volume", "move its vertices apart");
}

// The in-plane normals of a triangle are its edges, turned: their scalar products are those of the edges, taken around.
ElementGeometry TriangleGeometry(const Vec3<double>* p, double thickness, int element) {
  ElementGeometry g = {};
  Vec3<double> edge[3];
  for (int i = 0; i < 3; ++i) {
    edge[i] = p[kLocalEdges[2][i][1]] - p[kLocalEdges[2][i][0]];
    g.left[i] = (i + 1) % 3;
    g.right[i] = (i + 2) % 3;
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) g.gram[i][j] = Dot(edge[i], edge[j]);
  }
  const double area = 0.5 * Norm(Cross(edge[0], edge[1]));
  if (!(area > 0)) ThrowDegenerate(element);
  g.scale = 1 / (8 * area * area);
  g.measure = area * thickness / 4;
  return g;
}

// The normals of a tetrahedron are doubled areas, outward; n_i is opposite to vertex i.
ElementGeometry TetrahedronGeometry(const Vec3<double>* p, int element) {
  ElementGeometry g = {};
  const Vec3<double> a = p[1] - p[0], b = p[2] - p[0], c = p[3] - p[0];
  const Vec3<double> normal[4] = {Cross(p[2] - p[1], p[3] - p[1]), Cross(c, b), Cross(a, c), Cross(b, a)};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) g.gram[i][j] = Dot(normal[i], normal[j]);
  }
  for (int e = 0; e < 6; ++e) {
    g.left[e] = kLocalEdges[3][e][0];
    g.right[e] = kLocalEdges[3][e][1];
  }
  const double volume = std::fabs(Dot(Cross(a, b), c)) / 6;
  if (!(volume > 0)) ThrowDegenerate(element);
  g.scale = 1 / (72 * volume * volume);
  g.measure = volume;
  return g;
}

// The upper triangle of K for one element.
void PutStiffness(const ElementGeometry& g, int edges, const ElasticMaterial& material, double* k) {
  const double E = material.young, nu = material.poisson;
  const double mu = E / (2 * (1 + nu)) * g.measure, lambda = E * nu / ((1 + nu) * (1 - 2 * nu)) * g.measure;
  for (int e = 0; e < edges; ++e) {
    for (int f = e; f < edges; ++f) {
      const int el = g.left[e], er = g.right[e], fl = g.left[f], fr = g.right[f];
      const double product = 2 * (g.gram[el][fl] * g.gram[er][fr] + g.gram[el][fr] * g.gram[er][fl]);
      const double traces = 4 * g.gram[el][er] * g.gram[fl][fr];
      *k++ = (mu * product + lambda * traces) * g.scale * g.scale;
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

// v: the ends of the edge, and the vertices opposite to it.
void PutBending(const Vec3<double> (&v)[4], const ElasticMaterial& material, double* row) {
  const Vec3<double> e = v[1] - v[0];
  const double a1 = Cotangent(v[0], v[1], v[2]), a2 = Cotangent(v[0], v[1], v[3]);
  const double a3 = Cotangent(v[1], v[0], v[2]), a4 = Cotangent(v[1], v[0], v[3]);
  const double c[4] = {a3 + a4, a1 + a2, -a1 - a3, -a2 - a4};

  // k = 3 G t^3 / (24 (A1 + A2))
  const double t = material.thickness, G = material.young / (2 * (1 + material.poisson));
  const double areas = Area(v[0], v[1], v[2]) + Area(v[0], v[1], v[3]);
  const double k = 3 * G * t * t * t / (24 * areas);

  // Cosine of the angle between the triangles at rest.
  const Vec3<double> t0 = -((v[2] - v[0]) * a3 + (v[2] - v[1]) * a1);
  const Vec3<double> t1 = -((v[3] - v[0]) * a4 + (v[3] - v[1]) * a2);
  const double square = Dot(e, e), cosine = -Dot(t0, t1) / square;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) row[4 * i + j] = c[i] * c[j] * k * cosine;
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

}  // namespace sinew
