#include "collision/analytic/box_box.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "collision/analytic/analytic.h"
#include "math/block.h"
#include "simd/bits.h"
#include "simd/dispatch.h"

namespace sinew::inline collision {
namespace {

// The lanes for that many pairs; all give the same bits.
const BoxLanes& LanesFor([[maybe_unused]] int pairs) {
#if defined(__x86_64__)
  if (pairs > kFourBoxes.width && CanRun(InstructionSet::kAvx512)) return kEightBoxes;
#endif
  return kFourBoxes;
}

// Contacts of the pair in a lane: dist, pos, and the whole frame.
SINEW_DISPATCH int WriteLane(const BoxContacts& contacts, int width, int lane, mjContact* con) {
  static_assert(offsetof(mjContact, pos) == offsetof(mjContact, dist) + sizeof(double));  // they are stored together
  const auto four = [width](const double* row) {
    return block::Join(row[0], row[width], row[2 * width], row[3 * width]);
  };
  const double* frame = contacts.frame + lane;
  const Four frame0 = four(frame), frame4 = four(frame + 4 * width);
  const double frame8 = frame[8 * width];
  int count = 0;
  for (unsigned where = ColumnOfBits(contacts.where, lane); where; where &= where - 1) {
    const double* candidate = contacts.candidate + BoxContacts::kCandidateRows * width * std::countr_zero(where);
    mjContact& contact = con[count++];
    StoreFour(four(candidate + lane), &contact.dist);
    StoreFour(frame0, contact.frame);
    StoreFour(frame4, contact.frame + 4);
    contact.frame[8] = frame8;
  }
  return count;
}

}  // namespace

int BoxPairs::Collide(mjContact* con, const ItemPair& pair) {
  while (next_ < count_ && item_[next_].pair != &pair) ++next_;
  if (next_ == count_) ComputeFrom(pair);
  const Item& item = item_[next_++];
  if (item.group < 0) return 0;
  const Group& group = group_[item.group];
  return WriteLane(group.contacts, group.width, item.lane, con);
}

// That pair, and those of boxes that come next.
void BoxPairs::ComputeFrom(const ItemPair& pair) {
  const auto is_boxes = [this](const ItemPair& p) {
    return m_->geom_type[p.first.id] == mjGEOM_BOX && m_->geom_type[p.second.id] == mjGEOM_BOX;
  };
  count_ = next_ = groups_ = 0;
  item_[count_++] = {&pair, -1, 0};
  for (const ItemPair* p = &pair + 1; p != pairs_.data() + pairs_.size() && count_ < kWindow; ++p) {
    if (is_boxes(*p)) item_[count_++] = {p, -1, 0};
  }

  // which touch, and how
  BoxDecision decision[kWindow];
  unsigned faces = 0, edges = 0;  // bit i for item i
  ForPacks((1U << count_) - 1, [&](const BoxLanes& lanes, const int* item, int count, const ItemPair* const* pairs) {
    BoxDecision of_lane[kMaxBoxLanes];
    const unsigned near = lanes.decide(m_, d_, pairs, of_lane);
    for (int lane = 0; lane < count; ++lane) {
      decision[item[lane]] = of_lane[lane];
      (of_lane[lane].face >= 0 ? faces : edges) |= (near >> lane & 1) << item[lane];
    }
  });

  // where
  const auto compute = [&](auto function) {
    return
        [this, &decision, function](const BoxLanes& lanes, const int* item, int count, const ItemPair* const* pairs) {
          const BoxDecision* of_lane[kMaxBoxLanes];
          for (int lane = 0; lane < lanes.width; ++lane) of_lane[lane] = &decision[item[lane]];
          for (int lane = 0; lane < count; ++lane) {
            item_[item[lane]].group = groups_;
            item_[item[lane]].lane = lane;
          }
          Group& group = group_[groups_++];
          group.width = lanes.width;
          (lanes.*function)(m_, d_, pairs, of_lane, group.contacts);
        };
  };
  ForPacks(faces, compute(&BoxLanes::contacts_at_faces));
  ForPacks(edges, compute(&BoxLanes::contacts_at_edges));
}

// Calls compute(lanes, items, their number, pairs) for those with bits in `items`. Lanes without an item repeat the
// first.
template <class Compute>
void BoxPairs::ForPacks(unsigned items, const Compute& compute) {
  while (items) {
    const BoxLanes& lanes = LanesFor(std::popcount(items));
    int item[kMaxBoxLanes], count = 0;
    const ItemPair* pair[kMaxBoxLanes];
    for (int lane = 0; lane < lanes.width; ++lane) {
      item[lane] = items ? std::countr_zero(items) : item[0];
      if (items) ++count;
      items &= items - 1;
      pair[lane] = item_[item[lane]].pair;
    }
    compute(lanes, item, count, pair);
  }
}

int BoxBox(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const ItemPair pair = {GeomItem(g1), GeomItem(g2), -1, margin};
  const int count = BoxPairs(m, d, {&pair, 1}).Collide(con, pair);
  for (int i = 0; i < count; ++i) std::fill_n(con[i].frame + 3, 3, 0);
  return count;
}

}  // namespace sinew::inline collision
