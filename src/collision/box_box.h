// Pairs of boxes of one world, four at a time in the lanes of a pack.
#ifndef SINEW_COLLISION_BOX_BOX_H_
#define SINEW_COLLISION_BOX_BOX_H_

#include <mujoco/mujoco.h>

#include <span>

#include "collision/box_reference.h"
#include "collision/four_pairs.h"

namespace sinew {

// Contacts of four pairs of boxes that touch in one way. Each candidate is a contact of some of the pairs.
struct FourBoxTouches {
  unsigned points[4];  // bits of the candidates that are contacts of a pair
  double dist[kMostBoxCandidates][4];
  FourVectors pos[kMostBoxCandidates], normal;
};

class BoxPairs {
 public:
  // Pairs of geoms in the order in which they will be asked for; others than boxes are passed over.
  BoxPairs(const mjModel* m, mjData* d, std::span<const GeomPair> pairs) : m_(m), d_(d), pairs_(pairs) {}
  // Contacts of one of the pairs, as a collision function writes them.
  int Collide(mjContact* con, const GeomPair& pair);

 private:
  // How two boxes touch, and where the contacts are.
  struct Item {
    const GeomPair* pair;
    int group = -1;  // -1: they are apart
    int lane;
  };
  static constexpr int kWindow = 16, kLanes = 4;
  static constexpr int kMostGroups = kWindow / kLanes + 1;  // faces and edges

  void ComputeFrom(const GeomPair& pair);
  template <class Touch>
  void TouchGroups(unsigned items, const Touch& touch);

  const mjModel* m_;
  mjData* d_;
  std::span<const GeomPair> pairs_;
  int count_ = 0, next_ = 0;  // of the items; the next to be asked for
  Item item_[kWindow];
  int groups_;
  FourBoxTouches group_[kMostGroups];
};

}  // namespace sinew

#endif  // SINEW_COLLISION_BOX_BOX_H_
