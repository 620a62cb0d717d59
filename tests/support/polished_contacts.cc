#include "tests/support/polished_contacts.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace sinew {
namespace {

using Real = long double;

struct Vec {
  Real v[3];
  Real& operator[](int i) { return v[i]; }
  Real operator[](int i) const { return v[i]; }
};
Vec operator+(const Vec& a, const Vec& b) { return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}}; }
Vec operator-(const Vec& a, const Vec& b) { return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}}; }
Vec operator*(const Vec& a, Real s) { return {{a[0] * s, a[1] * s, a[2] * s}}; }
Real Dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Real Norm(const Vec& a) { return std::sqrt(Dot(a, a)); }

// ---- surfaces

// f = (x - c)' Q (x - c) / 2 + g . (x - c) + k in the geom's frame, Q diagonal.
struct Surface {
  Vec c, Q, g;
  Real k;

  Vec Gradient(const Vec& x) const {
    const Vec r = x - c;
    return {{Q[0] * r[0] + g[0], Q[1] * r[1] + g[1], Q[2] * r[2] + g[2]}};
  }
  Real Value(const Vec& x) const {
    const Vec r = x - c;
    return 0.5L * (Q[0] * r[0] * r[0] + Q[1] * r[1] * r[1] + Q[2] * r[2] * r[2]) + Dot(g, r) + k;
  }
};

// The surfaces whose common points a feature is.
struct Feature {
  Surface surface[3];
  int count = 0;

  void AddQuadric(const Vec& centre, const Vec& halves) {
    Surface s = {centre, {}, {}, -0.5L};
    for (int i = 0; i < 3; ++i) s.Q[i] = halves[i] > 0 ? 1 / (halves[i] * halves[i]) : 0;
    surface[count++] = s;
  }
  // Where coordinate `axis` is `level`, on that side.
  void AddPlane(int axis, Real level) {
    Surface s = {};
    s.g[axis] = level < 0 ? -1 : 1;
    s.k = -std::abs(level);
    surface[count++] = s;
  }
};

struct Shape {
  int type;
  Vec pos, size;
  Real mat[9];

  Shape(const mjModel* m, const mjData* d, int geom) : type(m->geom_type[geom]), pos(), size(), mat() {
    for (int k = 0; k < 3; ++k) {
      pos[k] = d->geom_xpos[3 * geom + k];
      size[k] = m->geom_size[3 * geom + k];
    }
    for (int k = 0; k < 9; ++k) mat[k] = d->geom_xmat[9 * geom + k];
  }
  Vec Turned(const Vec& x) const {
    Vec y = {};
    for (int i = 0; i < 3; ++i) y[i] = mat[3 * i] * x[0] + mat[3 * i + 1] * x[1] + mat[3 * i + 2] * x[2];
    return y;
  }
  Vec ToLocal(const Vec& x) const {
    const Vec r = x - pos;
    Vec y = {};
    for (int i = 0; i < 3; ++i) y[i] = mat[i] * r[0] + mat[3 + i] * r[1] + mat[6 + i] * r[2];
    return y;
  }
};

// The feature on which a point of the geom's frame lies, up to `slack`; none of shapes without features.
std::optional<Feature> FeatureAt(const Shape& shape, const Vec& x, Real slack) {
  Feature f;
  const Vec& size = shape.size;
  switch (shape.type) {
    case mjGEOM_SPHERE:
      f.AddQuadric({}, {{size[0], size[0], size[0]}});
      return f;
    case mjGEOM_ELLIPSOID:
      f.AddQuadric({}, size);
      return f;
    case mjGEOM_CAPSULE: {
      const bool end = std::abs(x[2]) > size[1];
      f.AddQuadric({{0, 0, end ? std::copysign(size[1], x[2]) : 0}}, {{size[0], size[0], end ? size[0] : 0}});
      return f;
    }
    case mjGEOM_CYLINDER:
      if (std::hypot(x[0], x[1]) > size[0] - slack) f.AddQuadric({}, {{size[0], size[0], 0}});
      if (std::abs(x[2]) > size[1] - slack) f.AddPlane(2, std::copysign(size[1], x[2]));
      return f;
    case mjGEOM_BOX:
      for (int k = 0; k < 3; ++k) {
        if (std::abs(x[k]) > size[k] - slack) f.AddPlane(k, std::copysign(size[k], x[k]));
      }
      return f;
    default:
      return {};
  }
}

// The shape after a rotation about a point.
Shape Rotated(const Shape& shape, const Vec& axis, Real angle, const Vec& about) {
  const auto rotate = [&](const Vec& v) {  // Rodrigues' formula
    const Vec side = {
        {axis[1] * v[2] - axis[2] * v[1], axis[2] * v[0] - axis[0] * v[2], axis[0] * v[1] - axis[1] * v[0]}};
    return v * std::cos(angle) + side * std::sin(angle) + axis * (Dot(axis, v) * (1 - std::cos(angle)));
  };
  Shape out = shape;
  out.pos = about + rotate(shape.pos - about);
  for (int c = 0; c < 3; ++c) {
    const Vec column = rotate({{shape.mat[c], shape.mat[3 + c], shape.mat[6 + c]}});
    for (int r = 0; r < 3; ++r) out.mat[3 * r + c] = column[r];
  }
  return out;
}

// ---- the equations

constexpr int kMaxUnknowns = 16;  // two points, normal, distance, three multipliers for each shape

struct System {
  int n = 0;
  Real A[kMaxUnknowns][kMaxUnknowns] = {}, r[kMaxUnknowns] = {};

  bool Solve();
};

// Gaussian elimination with row exchanges; r becomes the solution.
bool System::Solve() {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(A[i][k]) > std::abs(A[pivot][k])) pivot = i;
    }
    if (std::abs(A[pivot][k]) < 1e-14L) return false;
    std::swap(A[k], A[pivot]);
    std::swap(r[k], r[pivot]);
    for (int i = k + 1; i < n; ++i) {
      const Real factor = A[i][k] / A[k][k];
      if (factor == 0) continue;
      for (int c = k; c < n; ++c) A[i][c] -= factor * A[k][c];
      r[i] -= factor * r[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int c = k + 1; c < n; ++c) r[k] -= A[k][c] * r[c];
    r[k] /= A[k][k];
  }
  return true;
}

struct Witness {
  Vec point[2], normal;  // in the world
  Real distance, multiplier[2][3];
};

// Rows 0..2, 3 to 8, and 9 are those of the points, of the normals, and of the normal's length; those of the surfaces
// follow. Columns: points 0..5, normal 6..8, distance 9, multipliers.
System EquationsAt(const Witness& w, const Shape (&shape)[2], const Feature (&feature)[2]) {
  System s;
  int next = 10;
  for (int k = 0; k < 3; ++k) {
    s.r[k] = w.point[1][k] - w.point[0][k] - w.normal[k] * w.distance;
    s.A[k][k] = -1;
    s.A[k][3 + k] = 1;
    s.A[k][6 + k] = -w.distance;
    s.A[k][9] = -w.normal[k];
  }
  for (int b = 0; b < 2; ++b) {
    const int row = 3 + 3 * b, sign = b == 0 ? 1 : -1;
    const Vec local = shape[b].ToLocal(w.point[b]);
    for (int k = 0; k < 3; ++k) {
      s.r[row + k] = sign * w.normal[k];
      s.A[row + k][6 + k] = sign;
    }
    for (int i = 0; i < feature[b].count; ++i, ++next) {
      const Surface& f = feature[b].surface[i];
      const Real p = w.multiplier[b][i];
      const Vec gradient = shape[b].Turned(f.Gradient(local));
      s.r[next] = f.Value(local);
      for (int k = 0; k < 3; ++k) {
        s.r[row + k] -= p * gradient[k];
        s.A[row + k][next] = -gradient[k];
        s.A[next][3 * b + k] = gradient[k];
        for (int l = 0; l < 3; ++l) {
          for (int e = 0; e < 3; ++e) {
            s.A[row + k][3 * b + l] -= p * f.Q[e] * shape[b].mat[3 * k + e] * shape[b].mat[3 * l + e];
          }
        }
      }
    }
  }
  s.r[9] = 0.5L * (Dot(w.normal, w.normal) - 1);
  for (int k = 0; k < 3; ++k) s.A[9][6 + k] = w.normal[k];
  s.n = next;
  return s;
}

Witness StartAt(const mjContact& contact, const Shape (&shape)[2], const Feature (&feature)[2], const Vec (&point)[2]) {
  Witness w = {};
  w.distance = contact.dist;
  for (int k = 0; k < 3; ++k) w.normal[k] = contact.frame[k];
  for (int b = 0; b < 2; ++b) {
    w.point[b] = point[b];
    for (int i = 0; i < feature[b].count; ++i) {  // gradients of one feature are orthogonal
      const Vec g = shape[b].Turned(feature[b].surface[i].Gradient(shape[b].ToLocal(point[b])));
      w.multiplier[b][i] = (b == 0 ? 1 : -1) * Dot(w.normal, g) / Dot(g, g);
    }
  }
  return w;
}

// False where it does not converge.
bool Solve(const Shape (&shape)[2], const Feature (&feature)[2], Witness& w) {
  constexpr int kIterations = 30;
  constexpr Real kConverged = 1e-16L;  // of sizes about 1; far above the rounding of long double numbers
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    System s = EquationsAt(w, shape, feature);
    if (!s.Solve()) return false;
    Real largest = 0;
    for (int k = 0; k < 10; ++k) largest = std::max(largest, std::abs(s.r[k]));
    int next = 10;
    for (int b = 0; b < 2; ++b) {
      for (int k = 0; k < 3; ++k) w.point[b][k] -= s.r[3 * b + k];
      for (int i = 0; i < feature[b].count; ++i) w.multiplier[b][i] -= s.r[next++];
    }
    for (int k = 0; k < 3; ++k) w.normal[k] -= s.r[6 + k];
    w.distance -= s.r[9];
    if (!(largest < 1)) return false;
    if (largest < kConverged) return true;
  }
  return false;
}

// Multipliers of outward gradients are positive where the feature is the one that touches.
bool PointsOutward(const Witness& w, const Feature (&feature)[2]) {
  for (int b = 0; b < 2; ++b) {
    for (int i = 0; i < feature[b].count; ++i) {
      if (w.multiplier[b][i] < 0) return false;
    }
  }
  return true;
}

// The end of a capsule or its side, whichever the solution is on: the feature is sought again from there.
bool SameEnds(const Shape& shape, const Feature& feature, const Vec& point) {
  if (shape.type != mjGEOM_CAPSULE) return true;
  const std::optional<Feature> again = FeatureAt(shape, shape.ToLocal(point), 0);
  return again->surface[0].Q[2] == feature.surface[0].Q[2] && again->surface[0].c[2] == feature.surface[0].c[2];
}

PolishedCounts counts = {};

bool IsRound(int type) { return type == mjGEOM_ELLIPSOID || type == mjGEOM_CYLINDER; }

// The functions of the table before.
PolishedPairs::Table former = {};

// The contact of two shapes near the one that was found, or none.
std::optional<Witness> Polished(const Shape (&shape)[2], const mjContact& contact, Real near, Real slack) {
  Vec point[2], pos = {}, normal = {};
  for (int k = 0; k < 3; ++k) {
    pos[k] = contact.pos[k];
    normal[k] = contact.frame[k];
  }
  for (int b = 0; b < 2; ++b) point[b] = pos + normal * ((b == 0 ? -0.5L : 0.5L) * contact.dist);
  for (int attempt = 0; attempt < 4; ++attempt) {
    Feature feature[2];
    for (int b = 0; b < 2; ++b) {
      const std::optional<Feature> f = FeatureAt(shape[b], shape[b].ToLocal(point[b]), near);
      if (!f || f->count == 0) return {};
      feature[b] = *f;
    }
    Witness w = StartAt(contact, shape, feature, point);
    if (!Solve(shape, feature, w) || !PointsOutward(w, feature)) return {};
    if (Norm((w.point[0] + w.point[1]) * 0.5L - pos) > slack) return {};
    if (SameEnds(shape[0], feature[0], w.point[0]) && SameEnds(shape[1], feature[1], w.point[1])) return w;
    std::copy_n(w.point, 2, point);
  }
  return {};
}

// One of the further contacts of a pair: that of the shapes after rotations of a milliradian each against the other,
// about a tangent at the first contact. Both tangents and both directions are tried.
std::optional<Witness> PolishedTurn(const Shape (&shape)[2], const Witness& first, const mjContact& contact, Real near,
                                    Real slack) {
  const Vec n = first.normal, free = std::abs(n[1]) < 0.5L ? Vec{{0, 1, 0}} : Vec{{0, 0, 1}};
  Vec t = free - n * Dot(n, free);
  t = t * (1 / Norm(t));
  const Vec other = {{n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]}};
  const Vec about = (first.point[0] + first.point[1]) * 0.5L;
  for (const Vec& axis : {t, other}) {
    for (const Real angle : {1e-3L, -1e-3L}) {
      const Shape turned[2] = {Rotated(shape[0], axis, -angle, about), Rotated(shape[1], axis, angle, about)};
      if (std::optional<Witness> w = Polished(turned, contact, near, slack)) return w;
    }
  }
  return {};
}

void Store(const Witness& w, Real distance, mjContact& contact) {
  const Vec middle = (w.point[0] + w.point[1]) * 0.5L;
  Vec pos = {};
  for (int k = 0; k < 3; ++k) pos[k] = contact.pos[k];
  counts.moved = std::max(counts.moved, static_cast<double>(Norm(middle - pos)));
  counts.farther = std::max(counts.farther, std::abs(static_cast<double>(distance - contact.dist)));
  counts.polished += 1;
  contact.dist = static_cast<double>(distance);
  for (int k = 0; k < 3; ++k) {
    contact.pos[k] = static_cast<double>(middle[k]);
    contact.frame[k] = static_cast<double>(w.normal[k]);
  }
}

int CollidePolished(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const int count = former[m->geom_type[g1]][m->geom_type[g2]](m, d, con, g1, g2, margin);
  PolishContacts(m, d, g1, g2, con, count);
  return count;
}

}  // namespace

bool PolishContacts(const mjModel* m, const mjData* d, int g1, int g2, mjContact* con, int count) {
  if (count == 0) return true;
  const Shape shape[2] = {Shape(m, d, g1), Shape(m, d, g2)};
  const Real size = std::min(m->geom_rbound[g1], m->geom_rbound[g2]);
  // Points nearer to an edge are taken to be on it; farther than that from where the search has ended is elsewhere, as
  // further contacts have a thousandth of the size between them.
  const Real near = 1e-6L * size, slack = 5e-4L * size;
  const std::optional<Witness> first = Polished(shape, con[0], near, slack);
  counts.left += first ? 0 : count;
  if (!first) return false;
  bool all = true;
  for (int i = 1; i < count; ++i) {
    const std::optional<Witness> w = PolishedTurn(shape, *first, con[i], near, slack);
    if (w) Store(*w, first->distance, con[i]);
    counts.left += w ? 0 : 1;
    all &= w.has_value();
  }
  Store(*first, first->distance, con[0]);
  return all;
}

PolishedPairs::PolishedPairs(Table& table) : table_(table) {
  for (int one = 0; one < mjNGEOMTYPES; ++one) {
    for (int other = one; other < mjNGEOMTYPES; ++other) {
      former[one][other] = table[one][other];
      const bool convex = one >= mjGEOM_SPHERE && other <= mjGEOM_BOX && (IsRound(one) || IsRound(other));
      const bool formula = one == mjGEOM_SPHERE && other == mjGEOM_CYLINDER;
      if (convex && !formula && table[one][other]) table[one][other] = CollidePolished;
    }
  }
}

PolishedPairs::~PolishedPairs() {
  for (int one = 0; one < mjNGEOMTYPES; ++one) {
    for (int other = one; other < mjNGEOMTYPES; ++other) table_[one][other] = former[one][other];
  }
}

PolishedCounts TakePolishedCounts() { return std::exchange(counts, {}); }

}  // namespace sinew
