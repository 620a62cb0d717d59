#include "collision/distance.h"

#include <algorithm>

#include "collision/analytic/formula_pairs.h"
#include "collision/convex/convex_pair.h"
#include "collision/field/height_field.h"
#include "collision/pairs.h"
#include "collision/triangles/nearest_triangle.h"
#include "collision/triangles/triangle_contact.h"
#include "core/stack.h"
#include "math/vec3.h"
#include "model/kinds/triangle_meshes.h"

namespace sinew::inline collision {
namespace {

struct NearestPoints {
  double distance;
  Vec3<double> from, to;
};

void KeepNearer(double dist, const Vec3<double>& pos, const Vec3<double>& normal, NearestPoints& nearest) {
  if (dist >= nearest.distance) return;
  nearest = {dist, pos - normal * (0.5 * dist), pos + normal * (0.5 * dist)};
}

// By the cores' distance or depth. Two boxes too: their contacts are made for stacking, not for distances.
void FindByConvexity(const mjModel* m, const mjData* d, int g1, int g2, NearestPoints& nearest) {
  ConvexContact found;
  const ConvexShape first(m, d, g1), second(m, d, g2);
  if (!FindNearest(m->opt, first, second, nearest.distance, found)) return;
  KeepNearer(found.point.dist, found.point.pos, found.point.normal, nearest);
}

void FindInHeightField(const mjModel* m, mjData* d, int g1, int g2, NearestPoints& nearest) {
  ContactPoint<double> found;
  if (!NearestInHeightField(m, d, g1, g2, nearest.distance, found)) return;
  KeepNearer(found.dist, found.pos, found.normal, nearest);
}

// By the least distance of the contacts within the limit.
void FindByContacts(const mjModel* m, mjData* d, mjfCollision collide, int g1, int g2, NearestPoints& nearest) {
  StackFrame frame(d);
  auto* con = frame.Alloc<mjContact>(mjMAXCONPAIR);
  const int count = collide(m, d, con, g1, g2, nearest.distance);
  for (int i = 0; i < count; ++i) KeepNearer(con[i].dist, LoadVec3(con[i].pos), LoadVec3(con[i].frame), nearest);
}

// The nearest triangle, by the distance of convex shapes; where they overlap, the deepest contact.
void FindByTriangles(const mjModel* m, mjData* d, int g1, int g2, NearestPoints& nearest) {
  ContactPoint<double> found;
  if (!NearestOfTriangles(m, d, g1, g2, nearest.distance, found)) return;
  if (found.dist <= 0) FindByContacts(m, d, CollideTriangles, g1, g2, nearest);
  KeepNearer(std::max(found.dist, 0.0), found.pos, found.normal, nearest);
}

bool IsRound(int type) { return type == mjGEOM_SPHERE || type == mjGEOM_ELLIPSOID; }

}  // namespace

double GeomDistance(const mjModel* m, mjData* d, int geom1, int geom2, double limit, double fromto[6]) {
  const bool swapped = m->geom_type[geom1] > m->geom_type[geom2];
  if (swapped) std::swap(geom1, geom2);
  const int type1 = m->geom_type[geom1], type2 = m->geom_type[geom2];
  const PairKind kind = KindOfPair(type1, type2);
  const bool has_no_formula = kind == PairKind::kFormula && FormulaOf(*m, type1, type2) != FormulaOf(type1, type2);
  NearestPoints nearest = {limit, Zero3<double>(), Zero3<double>()};
  if (IsOfTriangles(TriangleMeshes(m), kind, geom1, geom2)) {
    FindByTriangles(m, d, geom1, geom2, nearest);
  } else if (kind == PairKind::kBoxBox || kind == PairKind::kConvex || has_no_formula) {
    FindByConvexity(m, d, geom1, geom2, nearest);
  } else if (kind == PairKind::kHeightField) {
    FindInHeightField(m, d, geom1, geom2, nearest);
  } else if (const mjfCollision collide = mjCOLLISIONFUNC[type1][type2]) {
    FindByContacts(m, d, collide, geom1, geom2, nearest);
  }
  if (swapped) std::swap(nearest.from, nearest.to);
  if (fromto) {
    StoreVec3(nearest.from, fromto);
    StoreVec3(nearest.to, fromto + 3);
  }
  return nearest.distance;
}

int MaxContacts(const mjModel* m, int geom1, int geom2, int has_margin) {
  const auto [type1, type2] = std::minmax({m->geom_type[geom1], m->geom_type[geom2]});
  const bool margin = has_margin < 0 ? m->geom_margin[geom1] + m->geom_margin[geom2] > 0 : has_margin > 0;
  if (!mjCOLLISIONFUNC[type1][type2]) return 0;
  if (IsOfTriangles(TriangleMeshes(m), KindOfPair(type1, type2), geom1, geom2)) return mjMAXCONPAIR;
  if (type2 == mjGEOM_SDF) return std::clamp(m->opt.sdf_initpoints, 0, mjMAXCONPAIR);
  if (type1 == mjGEOM_HFIELD) return mjMAXCONPAIR;
  static constexpr int kOnPlane[] = {0, 0, 1, 2, 1, 4, 4, 3, 3};
  if (type1 == mjGEOM_PLANE) return kOnPlane[type2];
  if (IsRound(type1) || IsRound(type2)) return 1;
  if (type1 == mjGEOM_CAPSULE && type2 == mjGEOM_CAPSULE) return 2;
  if (type1 == mjGEOM_CAPSULE && type2 == mjGEOM_BOX) return 4;
  if (type1 == mjGEOM_BOX && type2 == mjGEOM_BOX) return 8;
  if (m->opt.disableflags & mjDSBL_MULTICCD) return 1;
  return type1 >= mjGEOM_BOX && !margin ? 4 : 5;
}

}  // namespace sinew::inline collision
