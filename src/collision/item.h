// The output of the broad phase for the narrow phase: pairs of items. An item is a geom, or a part of a flex.
//
// All phases after the pairs of bodies deal with items. A new kind of item needs its owner here, its bounding box in
// broad/box_test.h, and the function that finds its contacts in pairs.cc.
#ifndef SINEW_COLLISION_ITEM_H_
#define SINEW_COLLISION_ITEM_H_

#include <mujoco/mujoco.h>

#include <utility>

#include "collision/broad/bounds.h"

namespace sinew::inline collision {

enum class ItemKind : int { kGeom, kFlexElement, kFlexVertex };

struct Item {
  ItemKind kind;
  int id;    // of the geom, or of the flex
  int part;  // the element or vertex of the flex; -1 of a geom
};

inline Item GeomItem(int geom) { return {ItemKind::kGeom, geom, -1}; }
inline Item FlexElementItem(int flex, int elem) { return {ItemKind::kFlexElement, flex, elem}; }
inline Item FlexVertexItem(int flex, int vert) { return {ItemKind::kFlexVertex, flex, vert}; }

// Two items for the narrow phase; geoms are in the order of their types.
struct ItemPair {
  Item first, second;
  int explicit_pair;  // number of the <pair>, -1 without
  double margin;      // distance below which contacts are detected
};

// Two geoms in the order of their types. Which of them comes first is hard to predict, and chosen without a branch.
inline std::pair<int, int> InOrderOfTypes(const mjModel* m, int geom1, int geom2) {
  const bool in_order = m->geom_type[geom1] <= m->geom_type[geom2];
  return {in_order ? geom1 : geom2, in_order ? geom2 : geom1};
}

// The geoms in the order of their types, with the margin that applies to them.
inline ItemPair MakeGeomPair(const mjModel* m, int geom1, int geom2, int explicit_pair) {
  const auto [first, second] = InOrderOfTypes(m, geom1, geom2);
  const bool is_given = explicit_pair >= 0 && !(m->opt.enableflags & mjENBL_OVERRIDE);
  const double margin = is_given ? m->pair_margin[explicit_pair] : PairMargin(m, first, second);
  return {GeomItem(first), GeomItem(second), explicit_pair, margin};
}

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ITEM_H_
