// The geoms that are near each other, of a run of body pairs. Who is near whom, and how many geoms a body has, is hard
// to predict: pairs are taken apart by what is done with them, without branches, each kind is gone through in a loop of
// its own, and what was found is put in the order of the body pairs again.
#ifndef SINEW_COLLISION_BROAD_BODY_PAIR_RUN_H_
#define SINEW_COLLISION_BROAD_BODY_PAIR_RUN_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "collision/broad/body_tree.h"
#include "collision/broad/bounds.h"
#include "collision/broad/candidates.h"
#include "collision/broad/filter.h"
#include "collision/broad/world_planes.h"
#include "collision/convex/convex_pair.h"
#include "collision/stack_list.h"
#include "math/sort.h"

namespace sinew {

// Two geoms in the order of their types.
inline std::pair<int, int> InOrder(const mjModel* m, int geom1, int geom2) {
  const int exchange = m->geom_type[geom1] > m->geom_type[geom2];  // chance: no branch
  const int difference = (geom1 ^ geom2) & -exchange;
  return {geom1 ^ difference, geom2 ^ difference};
}

inline bool OfOneGeomEach(const mjModel* m, uint32_t pair) {
  return m->body_geomnum[LowBodyOf(pair)] * m->body_geomnum[HighBodyOf(pair)] == 1;
}

// Whether the general algorithm finds their contacts: boxes are worth their time before it.
inline bool IsGeneral(const mjModel* m, int ordered1, int ordered2) {
  return mjCOLLISIONFUNC[m->geom_type[ordered1]][m->geom_type[ordered2]] == ConvexConvex;
}

class BodyPairRun {
 public:
  static constexpr size_t kMost = 128;  // pairs of a run

  // Two geoms in the order of their types, of a pair of bodies by its place in the run.
  struct Found {
    int geom1, geom2, place;
  };

  // The frame must outlive the object.
  BodyPairRun(const mjModel* m, mjData* d, const WorldPlanes& planes, StackFrame& frame)
      : m_(m),
        d_(d),
        planes_(planes),
        by_trees_(!(m->opt.disableflags & mjDSBL_MIDPHASE)),
        candidates_(frame),
        found_(frame),
        sorted_(frame) {}

  // The pairs of geoms, by pair of bodies and then by geoms. Either all body pairs are of the world or none.
  std::span<const Found> Find(std::span<const uint32_t> run) {
    pairs_ = run.data();
    found_.Truncate(0);
    int one[kMost], other[kMost], ones = 0, others = 0;
    for (int i = 0; i < static_cast<int>(run.size()); ++i) {
      const bool is_one = OfOneGeomEach(m_, pairs_[i]);
      one[ones] = other[others] = i;
      ones += is_one;
      others += !is_one;
    }
    for (int i = 0; i < ones; ++i) {
      AddOrTest(m_->body_geomadr[Body1(one[i])], m_->body_geomadr[Body2(one[i])], one[i]);
    }
    const bool in_order = others == 0 && (found_.size() == 0 || candidates_.size() == 0);
    AddOthers(other, others);
    TestCandidates();
    const Found* found = in_order ? found_.begin() : Sorted(static_cast<int>(run.size()));
    return {found, static_cast<size_t>(found_.size())};
  }

  // Whether a pair of bodies is the world, of planes and nothing else, and a body with one geom that can collide.
  bool IsOfPlanes(uint32_t pair) const {
    return planes_.Any() && planes_.Others().empty() && LowBodyOf(pair) == 0 &&
           KindOf(0, HighBodyOf(pair)) == Kind::kPlanes;
  }
  // Calls add(plane, geom) for the planes that such a body is near.
  template <class Add>
  void ForPlanesNear(int body, const Add& add) {
    if (!planes_marked_ && m_->vis.global.bvactive) planes_.MarkInnerNodes(m_, d_);
    planes_marked_ = true;
    const int leaf = m_->body_bvhadr[body], geom = m_->bvh_nodeid[leaf];
    if (m_->vis.global.bvactive) d_->bvh_active[leaf] = 1;
    planes_.ForEachNear(m_, d_, geom, [&](int plane) {
      MarkNodes(m_, d_, plane, leaf);
      add(m_->bvh_nodeid[plane], geom);
    });
  }

 private:
  static constexpr int kMany = 64;  // candidates that wait

  int Body1(int place) const { return LowBodyOf(pairs_[place]); }
  int Body2(int place) const { return HighBodyOf(pairs_[place]); }

  // ---- kinds of pairs

  enum class Kind { kAll, kPlanes, kLeaves, kTrees };

  // Of bodies of which one, at least, has several geoms.
  Kind KindOf(int body1, int body2) const {
    const int root1 = m_->body_bvhadr[body1], root2 = m_->body_bvhadr[body2];
    if (!by_trees_ || root1 < 0 || root2 < 0) return Kind::kAll;
    const bool leaf2 = IsBvhLeaf(m_, root2);
    if (body1 == 0 && leaf2 && planes_.Any()) return Kind::kPlanes;
    return leaf2 && IsBvhLeaf(m_, root1) ? Kind::kLeaves : Kind::kTrees;
  }

  void AddOthers(const int* places, int count) {
    BodyCandidate trees[kMost];
    int place_of[kMost], ntree = 0;
    for (int i = 0; i < count; ++i) {
      const int place = places[i], body1 = Body1(place), body2 = Body2(place);
      switch (KindOf(body1, body2)) {
        case Kind::kAll:
          AddAll(body1, body2, place);
          break;
        case Kind::kPlanes:
          ForPlanesNear(body2, [&](int plane, int geom) { found_.Add({plane, geom, place}); });
          for (const int leaf : planes_.Others()) AddLeaves(leaf, m_->body_bvhadr[body2], place);
          break;
        case Kind::kLeaves:
          AddLeaves(m_->body_bvhadr[body1], m_->body_bvhadr[body2], place);
          break;
        case Kind::kTrees:
          place_of[ntree] = place;
          trees[ntree++] = {body1, body2};
      }
    }
    bool near[kMost];
    const int count_of_world = ntree > 0 && trees[0].body1 == 0 ? ntree : 0;
    FindNearRoots(m_, d_, trees, count_of_world, ntree, near);
    AddTrees(trees, place_of, near, ntree);
  }

  // Those whose roots are near; most are a leaf and a root of two.
  void AddTrees(const BodyCandidate* trees, const int* place_of, const bool* near, int count) {
    int small[kMost], large[kMost], nsmall = 0, nlarge = 0;
    for (int i = 0; i < count; ++i) {
      const bool is_small = AreLeafAndTwo(m_, trees[i].body1, trees[i].body2);
      small[nsmall] = large[nlarge] = i;
      nsmall += near[i] & is_small;
      nlarge += near[i] & !is_small;
    }
    for (int i = 0; i < nsmall; ++i) {
      const int place = place_of[small[i]];
      ForLeafAndTwo(m_, d_, trees[small[i]].body1, trees[small[i]].body2,
                    [&](int leaf1, int leaf2) { AddLeaves(leaf1, leaf2, place); });
    }
    for (int i = 0; i < nlarge; ++i) {
      const int place = place_of[large[i]];
      DescendTrees(m_, d_, trees[large[i]].body1, trees[large[i]].body2,
                   [&](int leaf1, int leaf2) { AddLeaves(leaf1, leaf2, place); });
      if (candidates_.size() >= kMany) TestCandidates();
    }
  }

  void AddAll(int body1, int body2, int place) {
    const int first1 = m_->body_geomadr[body1], count1 = m_->body_geomnum[body1];
    const int first2 = m_->body_geomadr[body2], count2 = m_->body_geomnum[body2];
    for (int g1 = first1; g1 < first1 + count1; ++g1) {
      for (int g2 = first2; g2 < first2 + count2; ++g2) AddOrTest(g1, g2, place);
    }
    if (candidates_.size() >= kMany) TestCandidates();
  }

  // ---- pairs of geoms

  void AddOrTest(int geom1, int geom2, int place) {
    const auto [g1, g2] = InOrder(m_, geom1, geom2);
    if (IsGeneral(m_, g1, g2)) {
      Set(candidates_.Next(), g1, g2, -1, -1, place);
    } else {
      Set(found_.Room(), g1, g2, place);
      found_.TakeIf(OrderedSpheresOverlap(m_, d_, g1, g2, PairMargin(m_, g1, g2)));
    }
  }

  void AddLeaves(int leaf1, int leaf2, int place) {
    const int geom1 = m_->bvh_nodeid[leaf1], geom2 = m_->bvh_nodeid[leaf2];
    Set(candidates_.Room(), geom1, geom2, leaf1, leaf2, place);
    candidates_.TakeIf(SpheresOverlap(m_, d_, geom1, geom2, PairMargin(m_, geom1, geom2)));
  }

  // Finds out which candidates are near.
  void TestCandidates() {
    bool near[kMany];
    for (int begin = 0; begin < candidates_.size(); begin += kMany) {
      const Candidate* const some = candidates_.begin() + begin;
      const int count = std::min(kMany, candidates_.size() - begin);
      FindNear(m_, d_, some, count, near);
      for (int i = 0; i < count; ++i) {
        const auto [geom1, geom2] = InOrder(m_, some[i].geom1, some[i].geom2);
        MarkIf(near[i], some[i]);
        Set(found_.Room(), geom1, geom2, some[i].place);
        found_.TakeIf(near[i]);
      }
    }
    candidates_.Truncate(0);
  }

  // What a visualization shows as active. Which leaves are near is chance: no branch.
  void MarkIf(bool near, const Candidate& c) {
    if (!m_->vis.global.bvactive || m_->nbvhstatic == 0) return;
    const bool mark = near & (c.leaf1 >= 0);
    d_->bvh_active[std::max(c.leaf1, 0)] |= mark;
    d_->bvh_active[std::max(c.leaf2, 0)] |= mark;
  }

  // By place, and then by geoms.
  static bool Before(const Found& a, const Found& b) {
    return a.place != b.place ? a.place < b.place : a.geom1 != b.geom1 ? a.geom1 < b.geom1 : a.geom2 < b.geom2;
  }
  const Found* Sorted(int places) {
    constexpr int kFew = 12;
    if (found_.size() <= kFew) {
      InsertionSort(found_.begin(), found_.size(), Before);
      return found_.begin();
    }
    // counted by place
    int end[kMost + 1];
    std::fill_n(end, places + 1, 0);
    for (const Found& f : found_) ++end[f.place + 1];
    for (int i = 0; i < places; ++i) end[i + 1] += end[i];
    Found* const sorted = sorted_.Room(found_.size());
    for (const Found& f : found_) sorted[end[f.place]++] = f;
    for (int i = 0, begin = 0; i < places; begin = end[i++]) InsertionSort(sorted + begin, end[i] - begin, Before);
    return sorted;
  }

  // Field by field: a copy would wait for all of them.
  static void Set(Found& found, int geom1, int geom2, int place) {
    found.geom1 = geom1;
    found.geom2 = geom2;
    found.place = place;
  }
  static void Set(Candidate& candidate, int geom1, int geom2, int leaf1, int leaf2, int place) {
    candidate.geom1 = geom1;
    candidate.geom2 = geom2;
    candidate.leaf1 = leaf1;
    candidate.leaf2 = leaf2;
    candidate.place = place;
  }

  const mjModel* m_;
  mjData* d_;
  const WorldPlanes& planes_;
  const bool by_trees_;
  const uint32_t* pairs_ = nullptr;
  bool planes_marked_ = false;
  StackList<Candidate> candidates_;
  StackList<Found> found_, sorted_;
};

}  // namespace sinew

#endif  // SINEW_COLLISION_BROAD_BODY_PAIR_RUN_H_
