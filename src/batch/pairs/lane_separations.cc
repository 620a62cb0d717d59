#include "batch/pairs/lane_separations.h"

#include <algorithm>

#include "collision/convex/gjk.h"
#include "collision/convex/hull_support.h"
#include "collision/pairs.h"

namespace sinew::inline batch {
namespace {

constexpr int kMaxIterations = 128;

bool IsMesh(const mjModel& m, int geom) { return m.geom_type[geom] == mjGEOM_MESH; }

const HullLists* HullOf(const mjModel& m, int geom) {
  return IsMesh(m, geom) ? HullListsOf(m, m.geom_dataid[geom]) : nullptr;
}

}  // namespace

// How far the base reaches along a direction is known with the direction: it is a mesh if one of both is.
LaneSeparation* LaneSeparations::Add(const mjModel& m, const ItemPair& pair) {
  const int geom1 = pair.first.id, geom2 = pair.second.id;
  const auto [base, other] = IsMesh(m, geom1) ? std::pair(geom1, geom2) : std::pair(geom2, geom1);
  const HullLists *base_hull = HullOf(m, base), *other_hull = HullOf(m, other);
  if ((IsMesh(m, base) && !base_hull) || (IsMesh(m, other) && !other_hull)) return nullptr;
  AddTypes(m, pair);
  separations_.push_back({base, other, base_hull, other_hull, 0, {}});
  return &separations_.back();
}

bool LaneSeparations::Hold(const mjModel& m) const {
  if (m.opt.disableflags & mjDSBL_NATIVECCD) return false;
  return std::all_of(types_.begin(), types_.end(), [](const auto& types) {
    const PairKind kind = KindOfPair(types.first, types.second);
    return kind == PairKind::kConvex || kind == PairKind::kBoxBox || kind == PairKind::kFormula;
  });
}

// From the nearest points of both geoms: along that direction they may come closest to each other before it fails.
void LaneSeparations::NoteDirection(const mjModel& m, const mjData& d, const ItemPair& pair,
                                    LaneSeparation& separation) {
  constexpr double kEverything = 1e10;  // [m]
  const ConvexShape base(&m, &d, separation.base), other(&m, &d, separation.other);
  const CoreDistance cores = FindCoreDistance(base, other, kEverything, {0, kMaxIterations});
  const double distance = cores.distance - base.radius() - other.radius();
  const double least = pair.margin + 10 * m.opt.ccd_tolerance;  // what lanes need to be sure, and some more
  if (cores.result != GjkResult::kApart || !(distance > least)) return;
  const Vec3<double> axis = MulTransposed(base.geom().mat, (cores.b - cores.a) * (1 / cores.distance));
  LaneSeparation::Direction found = {{axis.x, axis.y, axis.z}, 0};
  if (separation.base_hull) {
    const HullWithLists hull(&m, m.geom_dataid[separation.base]);
    found.reach = Dot(axis, hull.FindSupport(axis).point);
  }
  // the last one, which has served least, makes room
  separation.known = std::min(separation.known + 1, LaneSeparation::kDirections);
  separation.direction[separation.known - 1] = found;
}

}  // namespace sinew::inline batch
