#include "batch/pairs/lane_separations.h"

#include <algorithm>

#include "collision/convex/gjk.h"
#include "collision/pairs.h"
#include "math/rows.h"

namespace sinew::inline batch {
namespace {

constexpr int kMaxVertices = 2000;  // of a hull whose vertices lanes search one by one; walks on larger ones are faster
constexpr int kMaxIterations = 128;

int VerticesOf(const mjModel& m, int geom) {
  return m.geom_type[geom] == mjGEOM_MESH ? Hull(&m, m.geom_dataid[geom]).Count() : 0;
}

}  // namespace

// The larger hull is the base: how far it reaches along a direction is known with the direction.
LaneSeparation* LaneSeparations::Add(const mjModel& m, const ItemPair& pair) {
  const int geom1 = pair.first.id, geom2 = pair.second.id;
  const auto [base, other] =
      VerticesOf(m, geom1) > VerticesOf(m, geom2) ? std::pair(geom1, geom2) : std::pair(geom2, geom1);
  if (VerticesOf(m, other) > kMaxVertices) return nullptr;
  types_.insert({m.geom_type[geom1], m.geom_type[geom2]});
  separations_.push_back({base, other, HullOf(m, base), HullOf(m, other), 0, {}});
  return &separations_.back();
}

bool LaneSeparations::Hold(const mjModel& m) const {
  if (m.opt.disableflags & mjDSBL_NATIVECCD) return false;
  return std::all_of(types_.begin(), types_.end(), [](const auto& types) {
    const PairKind kind = KindOfPair(types.first, types.second);
    return kind == PairKind::kConvex || kind == PairKind::kBoxBox;
  });
}

const LaneHull* LaneSeparations::HullOf(const mjModel& m, int geom) {
  if (m.geom_type[geom] != mjGEOM_MESH) return nullptr;
  const int mesh = m.geom_dataid[geom];
  const auto [found, is_new] = hulls_.try_emplace(mesh);
  Hull& hull = found->second;
  if (!is_new) return &hull.table;
  const sinew::Hull source(&m, mesh);
  for (int i = 0; i < source.Count(); ++i) {
    const Vec3<double> vertex = source.Vertex(i);
    for (int k = 0; k < 3; ++k) {
      hull.vertices.push_back(vertex[k]);
      hull.singles.push_back(static_cast<float>(vertex[k]));
    }
  }
  hull.table = {source.Count(), hull.vertices.data(), hull.singles.data()};
  return &hull.table;
}

// From the nearest points of both geoms: along that direction they may come closest to each other before it fails.
void LaneSeparations::NoteDirection(const mjModel& m, const mjData& d, const ItemPair& pair,
                                    LaneSeparation& separation) {
  constexpr double kEverything = 1e10;  // [m]
  HullCache hulls(&m);
  const ConvexShape base(&m, &d, separation.base, hulls), other(&m, &d, separation.other, hulls, &base);
  const CoreDistance cores = FindCoreDistance(base, other, kEverything, {0, kMaxIterations});
  const double distance = cores.distance - base.radius() - other.radius();
  const double least = pair.margin + 10 * m.opt.ccd_tolerance;  // what lanes need to be sure, and some more
  if (cores.result != GjkResult::kApart || !(distance > least)) return;
  const Vec3<double> axis = MulTransposed(base.geom().mat, (cores.b - cores.a) * (1 / cores.distance));
  LaneSeparation::Direction found = {{axis.x, axis.y, axis.z}, 0};
  if (const LaneHull* hull = separation.base_hull) {
    found.reach = -kEverything;
    for (int i = 0; i < hull->count; ++i) {
      found.reach = std::max(found.reach, Dot(axis, LoadVec3(Row3(hull->vertices, i))));
    }
  }
  // the last one, which has served least, makes room
  separation.known = std::min(separation.known + 1, LaneSeparation::kDirections);
  separation.direction[separation.known - 1] = found;
}

}  // namespace sinew::inline batch
