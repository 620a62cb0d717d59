// Pairs of boxes of one world, several at a time in the lanes of a pack.
#ifndef SINEW_COLLISION_ANALYTIC_BOX_BOX_H_
#define SINEW_COLLISION_ANALYTIC_BOX_BOX_H_

#include <mujoco/mujoco.h>

#include <span>

#include "collision/analytic/box_lanes.h"
#include "collision/item.h"

namespace sinew::inline collision {

class BoxPairs {
 public:
  // Pairs of geoms in the order in which they will be asked for; others than boxes are passed over.
  BoxPairs(const mjModel* m, mjData* d, std::span<const ItemPair> pairs) : m_(m), d_(d), pairs_(pairs) {}
  // Writes contacts of one of the pairs, with whole frames, and returns their number.
  int Collide(mjContact* con, const ItemPair& pair);

 private:
  // Where the contacts of a pair are.
  struct Item {
    const ItemPair* pair;
    int group;  // -1: they are apart
    int lane;
  };
  // The contacts of pairs in the lanes of a pack.
  struct Group {
    int width;
    BoxContacts contacts;
  };
  static constexpr int kWindow = 16;
  static constexpr int kMaxGroups = kWindow / 4 + 1;  // faces and edges

  void ComputeFrom(const ItemPair& pair);
  template <class Compute>
  void ForPacks(unsigned items, const Compute& compute);

  const mjModel* m_;
  mjData* d_;
  std::span<const ItemPair> pairs_;
  int count_ = 0, next_ = 0;  // of the items; the next to be asked for
  Item item_[kWindow];
  int groups_;
  Group group_[kMaxGroups];
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_BOX_BOX_H_
