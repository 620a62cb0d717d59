#include "derivatives/contact_geometry/witness_points.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "collision/contact.h"
#include "collision/contact_frame.h"
#include "collision/convex/convex_pair.h"
#include "collision/pairs.h"
#include "derivatives/base/dual_order.h"
#include "math/elimination.h"
#include "math/quat.h"
#include "model/kinds/contact_exclude.h"

namespace sinew::inline derivatives {
namespace {

using Vec = Vec3<double>;

constexpr int kMaxUnknowns = 8;  // two of the normal, the distance, and one for each straight direction
using Unknown = Dual<double, kMaxUnknowns>;

template <class S>
Vec3<S> Constant(const Vec& v) {
  return {S(v.x), S(v.y), S(v.z)};
}
template <class S>
Vec3<S> UnitVector(int axis) {
  Vec3<S> e = Zero3<S>();
  e[axis] = S(1);
  return e;
}

template <class S>
Vec ValuesOf(const Vec3<S>& v) {
  return {v.x.value, v.y.value, v.z.value};
}
// A geom with slopes by nothing.
template <class S>
PlacedGeom<S> ValueOfGeom(const PlacedGeom<PairNumber>& g) {
  PlacedGeom<S> out;
  for (int k = 0; k < 3; ++k) {
    out.pos[k] = S(g.pos[k].value);
    out.size[k] = S(g.size[k].value);
  }
  for (int k = 0; k < 9; ++k) out.mat.m[k] = S(g.mat.m[k].value);
  return out;
}

// ---- the part of a shape's surface that a witness point lies on

struct Feature {
  int type;         // mjtGeom
  Vec sign;         // of the sizes that the point has as coordinates, 0 for others
  Vec vertex;       // of a mesh
  Vec straight[2];  // directions in which the surface is straight, unit vectors in the geom's frame
  double along[2];  // where the point is along them
  int straights = 0;
  bool is_cap = false;  // the flat end of a cylinder

  void AddStraight(const Vec& direction, double at) {
    straight[straights] = direction;
    along[straights++] = at;
  }

  // The farthest point in a direction, both in the geom's frame, but for what is along straight directions.
  template <class S>
  Vec3<S> Farthest(const Vec3<S>& u, const Vec3<S>& size) const {
    const Vec3<S> corner = {size.x * S(sign.x), size.y * S(sign.y), size.z * S(sign.z)};
    switch (type) {
      case mjGEOM_SPHERE:
        return u * size.x;
      case mjGEOM_CAPSULE:
        return u * size.x + UnitVector<S>(2) * (size.y * S(sign.z));
      case mjGEOM_ELLIPSOID: {
        const Vec3<S> scaled = Normalized(Vec3<S>{size.x * u.x, size.y * u.y, size.z * u.z});
        return {size.x * scaled.x, size.y * scaled.y, size.z * scaled.z};
      }
      case mjGEOM_CYLINDER: {
        const Vec3<S> end = UnitVector<S>(2) * (size.y * S(sign.z));
        return is_cap ? end : Normalized(Vec3<S>{u.x, u.y, S(0)}) * size.x + end;
      }
      case mjGEOM_BOX:
        return corner;
      default:
        return Constant<S>(vertex);
    }
  }

  // Whether the point of the geom's frame with the outward normal u is on this feature, and not beyond it. That of a
  // mesh is taken as it was found.
  bool Has(const Vec& u, const Vec& point, const double* size) const {
    constexpr double kRounding = 1e-9;  // of normals, and relative of sizes
    const auto within = [&](double x, double half) { return std::abs(x) <= half * (1 + kRounding); };
    switch (type) {
      case mjGEOM_CAPSULE:
      case mjGEOM_CYLINDER:
        if (is_cap) return within(std::sqrt(point.x * point.x + point.y * point.y), size[0]);
        return sign.z == 0 ? within(point.z, size[1]) : sign.z * u.z >= -kRounding;
      case mjGEOM_BOX:
        for (int k = 0; k < 3; ++k) {
          if (sign[k] == 0 ? !within(point[k], size[k]) : sign[k] * u[k] < -kRounding) return false;
        }
        return true;
      default:
        return true;
    }
  }
};

// Vertices of a mesh that are farthest in a direction: one, those of an edge, or those of a face.
void SetMeshFeature(const mjModel* m, int geom, const Vec& u, const Vec& point, double slack, Feature& f) {
  const int mesh = m->geom_dataid[geom];
  const float* vertices = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  const auto vertex = [vertices](int i) { return Vec{vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]}; };
  double height = -kInfinity;
  for (int i = 0; i < m->mesh_vertnum[mesh]; ++i) height = std::max(height, Dot(u, vertex(i)));
  // The nearest one is kept; edges and faces lead from it to the farthest, and to what is farthest beside that line.
  const auto best_of = [&](const auto& score) {
    int best = -1;
    double most = -kInfinity;
    for (int i = 0; i < m->mesh_vertnum[mesh]; ++i) {
      if (Dot(u, vertex(i)) < height - slack || !(score(vertex(i)) > most)) continue;
      most = score(vertex(i));
      best = i;
    }
    return std::pair(best, most);
  };
  f.vertex = vertex(best_of([&](const Vec& v) { return -Norm(v - point); }).first);
  const double kSame = 1e-9;  // [m] double vertices
  const auto [farthest, length] = best_of([&](const Vec& v) { return Norm(v - f.vertex); });
  if (length <= kSame) return;
  const Vec edge = Normalized(vertex(farthest) - f.vertex);
  f.AddStraight(edge, Dot(edge, point - f.vertex));
  const auto beside = [&](const Vec& v) { return (v - f.vertex) - edge * Dot(edge, v - f.vertex); };
  const auto [third, width] = best_of([&](const Vec& v) { return Norm(beside(v)); });
  if (width <= 1e-6 * length) return;
  const Vec across = Normalized(beside(vertex(third)));
  f.AddStraight(across, Dot(across, point - f.vertex));
}

// The feature around a point of the surface, that is known to `slack`, with the outward normal u: all in the geom's
// frame. A point nearer than that to an edge or an end counts as on it, or, with a negative slack, as beside it. False
// for shapes without features.
bool SetFeature(const mjModel* m, int geom, const Vec& u, const Vec& point, double slack, Feature& f) {
  f.type = m->geom_type[geom];
  f.sign = Zero3<double>();
  const double* size = m->geom_size + 3 * geom;
  switch (f.type) {
    case mjGEOM_SPHERE:
    case mjGEOM_ELLIPSOID:
      return true;
    case mjGEOM_CAPSULE:
    case mjGEOM_CYLINDER: {
      const double z = f.type == mjGEOM_CAPSULE ? point.z - size[0] * u.z : point.z;
      f.sign.z = z < 0 ? -1 : 1;
      const double radius = std::sqrt(point.x * point.x + point.y * point.y);
      if (std::abs(z) < size[1] - slack) {
        f.sign.z = 0;
        f.AddStraight(UnitVector<double>(2), z);
      } else if (f.type == mjGEOM_CYLINDER && radius < size[0] - slack) {
        f.is_cap = true;
        f.AddStraight(UnitVector<double>(0), point.x);
        f.AddStraight(UnitVector<double>(1), point.y);
      }
      return true;
    }
    case mjGEOM_BOX:
      for (int k = 0; k < 3; ++k) {
        const bool inside = std::abs(point[k]) < size[k] - slack;
        if (!inside) f.sign[k] = point[k] < 0 ? -1 : 1;
        if (inside && f.straights == 2) return false;
        if (inside) f.AddStraight(UnitVector<double>(k), point[k]);
      }
      return true;
    case mjGEOM_MESH:
      SetMeshFeature(m, geom, u, point, std::abs(slack), f);
      return true;
    default:
      return false;
  }
}

// ---- the equations

struct Witness {
  Feature feature[2];
  Vec normal, tangent[2];  // the axes of the normal's unknowns
  double z[kMaxUnknowns];  // normal, distance, along straight directions of the first and of the second shape
  int Count() const { return 3 + feature[0].straights + feature[1].straights; }
};

template <class S>
struct WitnessPoints {
  Vec3<S> normal, point[2];
  S residual[kMaxUnknowns];
};

template <class S>
WitnessPoints<S> Evaluate(const Witness& w, const PlacedGeom<S> (&geom)[2], const S* z) {
  WitnessPoints<S> out;
  const Vec3<S> n =
      Normalized(Constant<S>(w.normal) + Constant<S>(w.tangent[0]) * z[0] + Constant<S>(w.tangent[1]) * z[1]);
  out.normal = n;
  int next = 3;
  for (int b = 0; b < 2; ++b) {
    const Feature& f = w.feature[b];
    const Vec3<S> local = MulTransposed(geom[b].mat, b == 0 ? n : -n);
    Vec3<S> point = f.Farthest(local, geom[b].size);
    for (int k = 0; k < f.straights; ++k, ++next) {
      const Vec3<S> direction = Constant<S>(f.straight[k]);
      point += direction * z[next];
      out.residual[next] = Dot(local, direction);
    }
    out.point[b] = geom[b].ToWorld(point);
  }
  const Vec3<S> gap = out.point[1] - out.point[0] - n * z[2];
  for (int k = 0; k < 3; ++k) out.residual[k] = gap[k];
  return out;
}

// Solves the equations with the matrix A for several right hand sides. False where it is singular.
bool Solve(int n, double* A, int sides, double* x) {
  constexpr double kSingular = 1e-9;  // of the largest entry
  double largest = 0;
  for (int i = 0; i < n * n; ++i) largest = std::max(largest, std::abs(A[i]));
  return SolveByElimination(n, A, sides, x, kSingular * largest);
}

// The residuals and their slopes by the unknowns; returns the largest residual.
double Linearize(const Witness& w, const PlacedGeom<Unknown> (&geom)[2], double* A, double* residual) {
  Unknown z[kMaxUnknowns];
  for (int i = 0; i < w.Count(); ++i) z[i] = Unknown::Variable(w.z[i], i);
  const WitnessPoints<Unknown> at = Evaluate(w, geom, z);
  double largest = 0;
  for (int i = 0; i < w.Count(); ++i) {
    residual[i] = at.residual[i].value;
    largest = std::max(largest, std::abs(at.residual[i].value));
    std::copy_n(at.residual[i].slope, w.Count(), A + i * w.Count());
  }
  return largest;
}

// Newton's method. False where it does not converge, or where the equations are singular.
bool Refine(Witness& w, const PlacedGeom<Unknown> (&geom)[2]) {
  constexpr int kIterations = 30;
  constexpr double kConverged = 1e-13;
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    double A[kMaxUnknowns * kMaxUnknowns], step[kMaxUnknowns];
    if (Linearize(w, geom, A, step) < kConverged) return true;
    if (!Solve(w.Count(), A, 1, step)) return false;
    for (int i = 0; i < w.Count(); ++i) w.z[i] -= step[i];
  }
  return false;
}

// Whether the search ends at a tolerance, and not at the exact contact of a point, a segment, or a polytope.
bool IsRound(int type) { return type == mjGEOM_ELLIPSOID || type == mjGEOM_CYLINDER; }

// Where a search for witness points begins, and how far the point of an exact contact may be off by rounding.
struct Start {
  int geom[2];
  Vec pos, normal;
  double dist;
  bool is_exact;
};
constexpr double kExact = 1e-9;       // [m]
constexpr double kPointError = 5e-4;  // of the smaller shape: of the point of a contact that is known to a tolerance

// The features at the contact, and what the unknowns are there. `slack`: how far its points may be off.
bool Begin(const mjModel* m, const Start& start, const PlacedGeom<Unknown> (&geom)[2], double slack, Witness& w) {
  const ContactFrame<double> frame = CompletedFrame(start.normal, Zero3<double>());
  w = {};
  w.normal = frame.normal;
  w.tangent[0] = frame.first;
  w.tangent[1] = frame.second;
  w.z[2] = start.dist;
  int next = 3;
  for (int b = 0; b < 2; ++b) {
    const double sign = b == 0 ? 1 : -1;
    const Vec point = start.pos - w.normal * (0.5 * sign * start.dist);
    const Vec3<Unknown> local = geom[b].ToLocal(Constant<Unknown>(point)),
                        u = MulTransposed(geom[b].mat, Constant<Unknown>(w.normal * sign));
    if (!SetFeature(m, start.geom[b], ValuesOf(u), ValuesOf(local), slack, w.feature[b])) return false;
    if (next + w.feature[b].straights > kMaxUnknowns) return false;
    for (int k = 0; k < w.feature[b].straights; ++k) w.z[next++] = w.feature[b].along[k];
  }
  return true;
}

// Whether the solution lies on the features that it was sought on: the conditions under which it is a contact.
bool IsOnFeatures(const mjModel* m, const Start& start, const Witness& w, const PlacedGeom<Unknown> (&geom)[2]) {
  Unknown z[kMaxUnknowns];
  for (int i = 0; i < w.Count(); ++i) z[i] = Unknown(w.z[i]);
  const WitnessPoints<Unknown> at = Evaluate(w, geom, z);
  for (int b = 0; b < 2; ++b) {
    const Vec u = ValuesOf(MulTransposed(geom[b].mat, b == 0 ? at.normal : -at.normal));
    const Vec point = ValuesOf(geom[b].ToLocal(at.point[b]));
    if (!w.feature[b].Has(u, point, m->geom_size + 3 * start.geom[b])) return false;
  }
  return true;
}

// A distance to the tolerance of the search comes from points that are off by its root. Near an edge, either side of it
// may be the right one, and where surfaces are nearly flat, points are farther off.
bool FindWitness(const mjModel* m, const Start& start, const PlacedGeom<Unknown> (&geom)[2], Witness& w) {
  const double size = std::max(m->geom_rbound[start.geom[0]], m->geom_rbound[start.geom[1]]);
  const double slack = start.is_exact ? kExact : 4 * std::sqrt(std::max(m->opt.ccd_tolerance, 1e-12) * size);
  for (const double guess : {slack, -slack, 100 * slack, -100 * slack}) {
    if (Begin(m, start, geom, guess, w) && Refine(w, geom) && IsOnFeatures(m, start, w, geom)) return true;
  }
  return false;
}

// The contact of witness points on dual numbers, by the implicit function theorem. False where there is none around the
// start, up to these errors of its point and its distance.
bool SolveWitness(const mjModel* m, const Start& start, const PlacedGeom<PairNumber> (&moving)[2], double pos_error,
                  double dist_error, ContactPoint<PairNumber>& out) {
  const PlacedGeom<Unknown> fixed[2] = {ValueOfGeom<Unknown>(moving[0]), ValueOfGeom<Unknown>(moving[1])};
  Witness w;
  if (!FindWitness(m, start, fixed, w)) return false;
  double A[kMaxUnknowns * kMaxUnknowns], residual[kMaxUnknowns], slope[kMaxUnknowns][kPairNumbers];
  Linearize(w, fixed, A, residual);
  PairNumber z[kMaxUnknowns];
  for (int i = 0; i < w.Count(); ++i) z[i] = PairNumber(w.z[i]);
  const WitnessPoints<PairNumber> still = Evaluate(w, moving, z);
  const Vec pos = (ValuesOf(still.point[0]) + ValuesOf(still.point[1])) * 0.5;
  if (std::abs(w.z[2] - start.dist) > dist_error || Norm(pos - start.pos) > pos_error) return false;
  for (int i = 0; i < w.Count(); ++i) std::copy_n(still.residual[i].slope, kPairNumbers, slope[i]);
  if (!Solve(w.Count(), A, kPairNumbers, slope[0])) return false;
  for (int i = 0; i < w.Count(); ++i) {
    for (int k = 0; k < kPairNumbers; ++k) z[i].slope[k] = -slope[i][k];
  }
  const WitnessPoints<PairNumber> at = Evaluate(w, moving, z);
  out = {z[2], (at.point[0] + at.point[1]) * PairNumber(0.5), at.normal};
  return true;
}

// The only contact of a pair whose geoms have slopes by something.
bool SolveContact(const mjModel* m, const mjContact& contact, const PlacedGeom<PairNumber> (&moving)[2],
                  ContactPoint<PairNumber>& point) {
  const int g1 = contact.geom[0], g2 = contact.geom[1], type1 = m->geom_type[g1], type2 = m->geom_type[g2];
  if (KindOfPair(type1, type2) != PairKind::kConvex) return false;
  const bool is_exact = !IsRound(type1) && !IsRound(type2);
  const Start start = {{g1, g2}, LoadVec3(contact.pos), LoadVec3(contact.frame), contact.dist, is_exact};
  // The depth that a search ends at is off by some rounding of the larger shape, which may be a thin one.
  const double size = std::min(m->geom_rbound[g1], m->geom_rbound[g2]);
  const double pos_error = is_exact ? 4 * kExact : kPointError * size;
  const double dist_error = is_exact ? 4 * kExact : 10 * m->opt.ccd_tolerance + 1e-5 * size;
  return SolveWitness(m, start, moving, pos_error, dist_error, point);
}

}  // namespace

bool DifferentiateWitness(const mjModel* m, const mjContact& contact, const PlacedGeom<PairNumber>& first,
                          const PlacedGeom<PairNumber>& second, ContactShift (&by)[kPairNumbers]) {
  ContactPoint<PairNumber> point;
  if (!SolveContact(m, contact, {first, second}, point)) return false;
  StoreShifts(point, Zero3<PairNumber>(), by);
  return true;
}

bool MakeContactsExact(const mjModel* m, mjData* d) {
  bool any = false;
  for (int i = 0; i < d->ncon; ++i) {
    mjContact& contact = d->contact[i];
    if (contact.geom[0] < 0 || contact.geom[1] < 0 || contact.exclude == contact_exclude::kCompliant) continue;
    if (!IsRound(m->geom_type[contact.geom[0]]) && !IsRound(m->geom_type[contact.geom[1]])) continue;
    if (!IsOnlyOfPair(d, contact)) continue;
    const PlacedGeom<PairNumber> geom[2] = {ConstantGeom(m, d, contact.geom[0]), ConstantGeom(m, d, contact.geom[1])};
    ContactPoint<PairNumber> point;
    if (!SolveContact(m, contact, geom, point)) continue;
    contact.dist = point.dist.value;
    StoreVec3(ValuesOf(point.pos), contact.pos);
    StoreVec3(ValuesOf(point.normal), contact.frame);
    std::fill_n(contact.frame + 3, 3, 0.0);
    CompleteFrame(contact.frame);
    any = true;
  }
  return any;
}

}  // namespace sinew::inline derivatives
