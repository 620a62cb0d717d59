#include "collision/box_box.h"

#include <algorithm>
#include <bit>

#include "collision/analytic.h"
#include "collision/box_edge_kernel.h"
#include "collision/box_face_kernel.h"
#include "collision/box_pair_kernel.h"

namespace sinew {
namespace {

using Lanes = FourPairs::Lanes;

// ---- in lanes

// How the boxes of a pair touch; as BoxSeparation.
struct Decision {
  double face, edges;
  Vec3<double> axis;
};

// Decides of four pairs; returns the bits of those that are not apart.
SINEW_DISPATCH unsigned Decide(const mjModel* m, mjData* d, const FourPairs& pairs, Decision* out) {
  const BoxPair<Lanes> p(pairs.First(m, d), pairs.Second(m, d));
  const BoxSeparation<Lanes> separation = FindLeastOverlap(p, pairs.Margin());
  for (int lane = 0; lane < 4; ++lane) {
    out[lane] = {separation.face[lane],
                 separation.edges[lane],
                 {separation.axis.x[lane], separation.axis.y[lane], separation.axis.z[lane]}};
  }
  return LaneBits(!separation.apart);
}

// Points of a pair at the same place count once, the last of them.
void DropDoubles(const FourBoxTouches& touches, int i, int count, unsigned (&where)[kMostBoxCandidates]) {
  const Vec3<Lanes> p = LoadVectors(touches.pos[i]);
  for (int j = i + 1; j < count; ++j) where[i] &= ~(LaneBits(IsZero(LoadVectors(touches.pos[j]) - p)) & where[j]);
}

template <class Touch>
void Collect(const Touch& touch, FourBoxTouches& out) {
  unsigned where[kMostBoxCandidates];
  int count = 0;
  touch.ForEachCandidate([&](MaskOf<Lanes> near, const Lanes& dist, const Vec3<Lanes>& p) {
    where[count] = LaneBits(near);
    if (where[count] == 0) return;
    StoreFour(dist, out.dist[count]);
    StoreVectors(p, out.pos[count++]);
  });
  for (int i = 0; i < count; ++i) {
    Vec3<Lanes> pos = LoadVectors(out.pos[i]);
    where[i] &= LaneBits(touch.reference().Complete(pos));
    StoreVectors(pos, out.pos[i]);
  }

  std::fill_n(out.points, 4, 0U);
  for (int i = 0; i < count; ++i) {
    const Lanes x = LoadFour(out.pos[i][0]);
    MaskOf<Lanes> same = x != x;
    for (int j = i + 1; j < count; ++j) same = same | (x == LoadFour(out.pos[j][0]));
    if (LaneBits(same) & where[i]) DropDoubles(out, i, count, where);
    for (int lane = 0; lane < 4; ++lane) out.points[lane] |= (where[i] >> lane & 1) << i;
  }
  StoreVectors(touch.Normal(), out.normal);
}

SINEW_DISPATCH void TouchFaces(const mjModel* m, mjData* d, const FourPairs& pairs,
                               const Decision* const (&decision)[4], FourBoxTouches& out) {
  const Geom<Lanes> box1 = pairs.First(m, d), box2 = pairs.Second(m, d);
  const Lanes face = block::Join(decision[0]->face, decision[1]->face, decision[2]->face, decision[3]->face);
  Collect(BoxFaceTouch<Lanes>(box1, box2, BoxPair<Lanes>(box1, box2), face, pairs.Margin()), out);
}

SINEW_DISPATCH void TouchEdges(const mjModel* m, mjData* d, const FourPairs& pairs,
                               const Decision* const (&decision)[4], FourBoxTouches& out) {
  const Geom<Lanes> box1 = pairs.First(m, d), box2 = pairs.Second(m, d);
  const Lanes edges = block::Join(decision[0]->edges, decision[1]->edges, decision[2]->edges, decision[3]->edges);
  const Vec3<Lanes> axis = block::JoinRows(decision[0]->axis, decision[1]->axis, decision[2]->axis, decision[3]->axis);
  Collect(BoxEdgeTouch<Lanes>(box1, BoxPair<Lanes>(box1, box2), edges, axis, pairs.Margin()), out);
}

// ---- contacts

int WriteLane(const FourBoxTouches& touches, int lane, mjContact* con) {
  const Vec3<double> normal = VectorOf(touches.normal, lane);
  int count = 0;
  for (unsigned points = touches.points[lane]; points; points &= points - 1) {
    const int i = std::countr_zero(points);
    WriteTouch({touches.dist[i][lane], VectorOf(touches.pos[i], lane), normal}, Zero3<double>(), con[count++]);
  }
  return count;
}

}  // namespace

int BoxPairs::Collide(mjContact* con, const GeomPair& pair) {
  while (next_ < count_ && item_[next_].pair != &pair) ++next_;
  if (next_ == count_) ComputeFrom(pair);
  const Item& item = item_[next_++];
  return item.group < 0 ? 0 : WriteLane(group_[item.group], item.lane, con);
}

// That pair, and those of boxes that come next.
void BoxPairs::ComputeFrom(const GeomPair& pair) {
  const auto is_boxes = [this](const GeomPair& p) {
    return m_->geom_type[p.geom1] == mjGEOM_BOX && m_->geom_type[p.geom2] == mjGEOM_BOX;
  };
  count_ = next_ = groups_ = 0;
  item_[count_++] = {&pair, -1, 0};
  for (const GeomPair* p = &pair + 1; p != pairs_.data() + pairs_.size() && count_ < kWindow; ++p) {
    if (is_boxes(*p)) item_[count_++] = {p, -1, 0};
  }

  // which touch, and how
  Decision decision[kWindow];
  unsigned faces = 0, edges = 0;  // bit i for item i
  for (int first = 0; first < count_; first += kLanes) {
    const auto pair_of = [&](int lane) { return item_[std::min(first + lane, count_ - 1)].pair; };
    const unsigned near = Decide(m_, d_, {{pair_of(0), pair_of(1), pair_of(2), pair_of(3)}}, decision + first);
    for (int lane = 0; lane < kLanes && first + lane < count_; ++lane) {
      const unsigned bit = (near >> lane & 1) << (first + lane);
      (decision[first + lane].face >= 0 ? faces : edges) |= bit;
    }
  }
  const auto touch = [&](auto function) {
    return [this, &decision, function](const int(&item)[kLanes], FourBoxTouches& out) {
      function(m_, d_, {{item_[item[0]].pair, item_[item[1]].pair, item_[item[2]].pair, item_[item[3]].pair}},
               {&decision[item[0]], &decision[item[1]], &decision[item[2]], &decision[item[3]]}, out);
    };
  };
  TouchGroups(faces, touch(TouchFaces));
  TouchGroups(edges, touch(TouchEdges));
}

// Those with bits in `items`, in groups of four.
template <class Touch>
void BoxPairs::TouchGroups(unsigned items, const Touch& touch) {
  while (items) {
    int item[kLanes], lanes = 0;
    for (; items && lanes < kLanes; items &= items - 1) {
      item[lanes] = std::countr_zero(items);
      item_[item[lanes]].group = groups_;
      item_[item[lanes]].lane = lanes;
      ++lanes;
    }
    std::fill(item + lanes, item + kLanes, item[0]);
    touch(item, group_[groups_++]);
  }
}

int BoxBox(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const GeomPair pair = {g1, g2, -1, margin};
  return BoxPairs(m, d, {&pair, 1}).Collide(con, pair);
}

}  // namespace sinew
