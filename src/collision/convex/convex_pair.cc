// A pair of convex shapes passes through the face of a box (box_face.h), the distance of the cores (gjk.h), the depth
// where they overlap (epa.h), and several contacts where they lie flat on each other (face_contact.h, flat_sides.h).
#include "collision/convex/convex_pair.h"

#include <algorithm>

#include "collision/analytic/analytic.h"
#include "collision/broad/box_test.h"
#include "collision/convex/box_face.h"
#include "collision/convex/face_contact.h"
#include "collision/convex/flat_sides.h"
#include "collision/convex/gjk.h"
#include "collision/convex/portal.h"
#include "collision/convex/round_normal.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

// ---- depth

// Polytopes are exact after some iterations: these are the most that they may take.
constexpr int kMaxIterations = 128, kMaxExpansions = 200;
constexpr int kExpansionsPerIteration = 4;

// The normal of round shapes is found to the root of the tolerance over their size only, and elements of flexes are
// small: theirs are found to less than a thousandth.
constexpr double kElementTolerance = 1e-12;  // m

bool HasElement(const ConvexShape& A, const ConvexShape& B) {
  return A.type() == mjGEOM_FLEX || B.type() == mjGEOM_FLEX;
}

double ToleranceOf(const mjOption& option, const ConvexShape& A, const ConvexShape& B) {
  return HasElement(A, B) ? std::min(option.ccd_tolerance, kElementTolerance) : option.ccd_tolerance;
}

// A contact at the witness points of the cores, which are `distance` apart along the normal.
ContactPoint<double> ContactPointAt(const ConvexShape& A, const ConvexShape& B, double distance, const Vec& normal,
                                    const Vec& a, const Vec& b) {
  return {distance - A.radius() - B.radius(), (a + b + normal * (A.radius() - B.radius())) * 0.5, normal};
}

// Finds the depth of shapes that are all core.
bool FindDepth(const mjOption& option, const ConvexShape& A, const ConvexShape& B, const CoreDistance& cores,
               ConvexContact& out) {
  const bool many = (A.HasFacets() && B.HasFacets()) || HasElement(A, B);
  const int expansions = std::min(kMaxExpansions, kExpansionsPerIteration * option.ccd_iterations);
  const Accuracy accuracy = {ToleranceOf(option, A, B), many ? expansions : option.ccd_iterations};
  Penetration& p = out.penetration;
  out.has_face = FindPenetration(A, B, cores, accuracy, p);
  if (out.has_face) out.point = ContactPointAt(A, B, -p.depth, p.normal, p.a, p.b);
  return out.has_face;
}

}  // namespace

bool FindNearest(const mjOption& option, const ConvexShape& A, const ConvexShape& B, double limit, ConvexContact& out) {
  const bool facets = A.HasFacets() && B.HasFacets();
  const Accuracy accuracy =
      facets ? Accuracy{0, kMaxIterations} : Accuracy{ToleranceOf(option, A, B), option.ccd_iterations};
  const double radii = A.radius() + B.radius();
  const CoreDistance cores = FindCoreDistance(A, B, limit + radii, accuracy);
  if (cores.result == GjkResult::kBeyond) return false;
  if (cores.result == GjkResult::kApart) {
    Vec normal = cores.b - cores.a;
    Normalize(normal);
    out.has_face = false;
    out.point = ContactPointAt(A, B, cores.distance, normal, cores.a, cores.b);
  } else if (radii > 0) {
    ConvexShape whole_A = A, whole_B = B;
    whole_A.Fill();
    whole_B.Fill();
    const CoreDistance whole = FindCoreDistance(whole_A, whole_B, 0, accuracy);
    if (whole.result != GjkResult::kOverlap || !FindDepth(option, whole_A, whole_B, whole, out)) return false;
  } else if (!FindDepth(option, A, B, cores, out)) {
    return false;
  }
  return out.point.dist < limit;
}

namespace {

// The contact of models that disable `nativeccd`. Radii and margin are parts of the shapes.
bool FindByPortal(const mjOption& option, const ConvexShape& A, const ConvexShape& B, double margin,
                  ConvexContact& out) {
  ConvexShape whole_A = A, whole_B = B;
  for (ConvexShape* shape : {&whole_A, &whole_B}) {
    shape->Grow(0.5 * std::max(margin, 0.0));
    shape->Fill();
  }
  PortalContact found;
  if (!FindPortalContact(whole_A, whole_B, {option.ccd_tolerance, option.ccd_iterations}, found)) return false;
  out.has_face = false;
  const bool of_geoms = A.type() != mjGEOM_FLEX && B.type() != mjGEOM_FLEX;
  out.point = {margin - found.depth, found.pos, of_geoms ? RoundNormal(A, B, found.pos, found.normal) : found.normal};
  return true;
}

}  // namespace

bool FindConvexContact(const mjOption& option, const ConvexShape& A, const ConvexShape& B, double margin,
                       ConvexContact& out) {
  if (option.disableflags & mjDSBL_NATIVECCD) return FindByPortal(option, A, B, margin, out);
  if (margin <= 0) return FindNearest(option, A, B, 0, out);
  ConvexShape larger_A = A, larger_B = B;
  larger_A.Grow(0.5 * margin);
  larger_B.Grow(0.5 * margin);
  if (!FindNearest(option, larger_A, larger_B, 0, out)) return false;
  out.point.dist += margin;
  return true;
}

namespace {

bool IsRound(int type) { return type == mjGEOM_SPHERE || type == mjGEOM_ELLIPSOID; }

int CollideShapes(const mjModel* m, mjContact* con, int g1, int g2, const ConvexShape& A, const ConvexShape& B,
                  double margin) {
  ConvexContact found;
  const AtBoxFace at_face = AskBoxFace(m->opt, A, B, margin, found);
  if (at_face == AtBoxFace::kApart) return 0;
  if (at_face == AtBoxFace::kUnknown && !FindConvexContact(m->opt, A, B, margin, found)) return 0;
  WriteContactPoint(found.point, Zero3<double>(), con[0]);
  if ((m->opt.disableflags & mjDSBL_MULTICCD) || IsRound(A.type()) || IsRound(B.type())) return 1;
  const bool native = !(m->opt.disableflags & mjDSBL_NATIVECCD);
  if (native && margin == 0 && A.IsPolytope() && B.IsPolytope()) {
    return found.has_face ? FaceContacts(m, g1, g2, A, B, found, con) : 1;
  }
  return FlatSideContacts(m, g1, g2, A, B, margin, con);
}

}  // namespace

int ConvexConvex(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  if (!BoxesOverlap(BoxOfGeom(m, d, g1).Load(), BoxOfGeom(m, d, g2).Load(), margin)) return 0;
  return ConvexPairs(m, d).Collide(con, g1, g2, margin);
}

const ConvexShape& ConvexPairs::First(int geom) {
  if (geom != geom_) shape_.emplace(m_, d_, geom);
  geom_ = geom;
  return *shape_;
}

int ConvexPairs::Collide(mjContact* con, int g1, int g2, mjtNum margin) {
  const ConvexShape& first = First(g1);
  return CollideShapes(m_, con, g1, g2, first, ConvexShape(m_, d_, g2), margin);
}

}  // namespace sinew::inline collision
