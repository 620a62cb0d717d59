#include "collision/convex_pair.h"

#include <algorithm>

#include "collision/analytic.h"
#include "collision/bounds.h"
#include "collision/contact.h"
#include "collision/face_contact.h"
#include "collision/gjk.h"
#include "math/quat.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

// ---- depth

// Smooth shapes approach the depth by ever smaller faces; their normal is good to about the root of the gap between the
// bounds. The user's tolerance and iterations are meant for the depth: the normal asks for more of both.
constexpr double kGapOfTolerance = 1e-3;
constexpr double kGapPerturbed = 1e-1;  // for the contacts of turned shapes, whose depth is not kept
constexpr int kExpansionsPerIteration = 4;
constexpr int kMostExpansions = 200;

bool Deepest(const mjOption& option, double gap, const ConvexShape& A, const ConvexShape& B, const Simplex& simplex,
             Penetration& out) {
  const double tolerance = gap * option.ccd_tolerance;
  const int limit = std::min(kMostExpansions, kExpansionsPerIteration * option.ccd_iterations);
  return FindPenetration(A, B, simplex, tolerance, limit, out);
}

// A contact at the witness points of the cores, which are `distance` apart along the normal.
Touch<double> TouchAt(const ConvexShape& A, const ConvexShape& B, double distance, const Vec& normal, const Vec& a,
                      const Vec& b) {
  return {distance - A.radius() - B.radius(), (a + b + normal * (A.radius() - B.radius())) * 0.5, normal};
}

// The contact where the shapes are nearest or deepest; `gap` is that between the bounds of the depth, in units of the
// user's tolerance.
bool FindContact(const mjOption& option, double gap, const ConvexShape& A, const ConvexShape& B, double margin,
                 ConvexContact& out) {
  const CoreDistance cores = FindCoreDistance(A, B, margin + A.radius() + B.radius());
  if (cores.result == GjkResult::kBeyond) return false;
  out.has_face = false;
  if (cores.result == GjkResult::kApart) {
    Vec normal = cores.b - cores.a;
    Normalize(normal);
    out.touch = TouchAt(A, B, cores.distance, normal, cores.a, cores.b);
    return out.touch.dist < margin;
  }
  Penetration& p = out.penetration;
  if (!Deepest(option, gap, A, B, cores.simplex, p)) return false;
  out.has_face = true;
  out.touch = TouchAt(A, B, -p.depth, p.normal, p.a, p.b);
  return out.touch.dist < margin;
}

}  // namespace

bool FindConvexContact(const mjOption& option, const ConvexShape& A, const ConvexShape& B, double margin,
                       ConvexContact& out) {
  return FindContact(option, kGapOfTolerance, A, B, margin, out);
}

namespace {

// ---- several contacts

constexpr int kMaxPerturbed = 5;
constexpr double kAngle = 1e-3;    // [rad] of the perturbations
constexpr double kSpacing = 1e-3;  // of the smaller bounding radius: smallest distance between contacts

// Contacts of the shapes after small rotations, against each other, about both tangents at the first contact. Flat
// sides then touch at their rims. Depths are those of the first one.
int AddPerturbed(const mjModel* m, const ConvexShape& A, const ConvexShape& B, double margin, double spacing,
                 const Touch<double>& first, mjContact* con) {
  double frame[9];
  StoreVec3(first.normal, frame);
  StoreVec3(Zero3<double>(), frame + 3);
  CompleteFrame(frame);
  int count = 1;
  for (int i = 0; i < 4 && count < kMaxPerturbed; ++i) {
    const Vec axis = LoadVec3(frame + (i < 2 ? 3 : 6));
    const double angle = i % 2 == 0 ? -kAngle : kAngle;
    ConvexShape turned_A = A, turned_B = B;
    turned_A.Rotate(ToMat3(AxisAngle(axis, angle)), first.pos);
    turned_B.Rotate(ToMat3(AxisAngle(axis, -angle)), first.pos);
    ConvexContact found;
    if (!FindContact(m->opt, kGapPerturbed, turned_A, turned_B, margin, found)) continue;
    const auto near = [&](const mjContact& c) { return Norm(LoadVec3(c.pos) - found.touch.pos) <= spacing; };
    if (std::any_of(con, con + count, near)) continue;
    found.touch.dist = first.dist;
    WriteTouch(found.touch, Zero3<double>(), con[count++]);
  }
  return count;
}

bool IsRound(int type) { return type == mjGEOM_SPHERE || type == mjGEOM_ELLIPSOID; }

}  // namespace

int ConvexConvex(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  if (!GeomBoxesOverlap(m, d, g1, g2, margin)) return 0;
  const ConvexShape A(m, d, g1), B(m, d, g2);
  ConvexContact found;
  if (!FindConvexContact(m->opt, A, B, margin, found)) return 0;
  WriteTouch(found.touch, Zero3<double>(), con[0]);
  if ((m->opt.disableflags & mjDSBL_MULTICCD) || IsRound(A.type()) || IsRound(B.type())) return 1;
  if (margin == 0 && A.IsPolytope() && B.IsPolytope()) {
    return found.has_face ? FaceContacts(m, g1, g2, A, B, found, con) : 1;
  }
  const double spacing = kSpacing * std::min(m->geom_rbound[g1], m->geom_rbound[g2]);
  return AddPerturbed(m, A, B, margin, spacing, found.touch, con);
}

}  // namespace sinew
