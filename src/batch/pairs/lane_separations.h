// Directions along which convex geoms were found apart. Most geoms that are near each other by their spheres never
// touch, and stay apart along much the same direction, seen from one of them: a step that tries the directions of
// earlier ones needs no search (batch/rows/separation_kernel.h). A direction proves that there is no contact, and is
// never more than that: no number depends on which directions are known.
#ifndef SINEW_BATCH_PAIRS_LANE_SEPARATIONS_H_
#define SINEW_BATCH_PAIRS_LANE_SEPARATIONS_H_

#include <mujoco/mujoco.h>

#include <deque>
#include <set>
#include <utility>

#include "batch/fallback/lane_worlds.h"
#include "collision/item.h"

namespace sinew::inline batch {

class LaneSeparations {
 public:
  // Room for separating directions of a pair of two convex geoms, or null: lanes have no lists of a hull.
  LaneSeparation* Add(const mjModel& m, const ItemPair& pair);

  // Counts the types of a pair whose boxes lanes compare among those of Hold.
  void AddTypes(const mjModel& m, const ItemPair& pair) {
    types_.insert({m.geom_type[pair.first.id], m.geom_type[pair.second.id]});
  }

  // Whether pairs without contact are those whose geoms are apart: a program may have put functions of its own in the
  // place of those that find contacts.
  bool Hold(const mjModel& m) const;

  // Finds a direction for a pair of which a world has found no contact.
  static void NoteDirection(const mjModel& m, const mjData& d, const ItemPair& pair, LaneSeparation& separation);

 private:
  std::deque<LaneSeparation> separations_;  // which stay where they are
  std::set<std::pair<int, int>> types_;     // of the pairs
};

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PAIRS_LANE_SEPARATIONS_H_
