// Three passes: all pairs of bodies are taken apart into candidates, pairs of geoms whose bounding spheres overlap; the
// boxes of candidates are compared, four at a time; what is left is put into the order of contacts.
//
// Two bodies of one geom each are a candidate. Of other bodies, trees of boxes are compared first. How many geoms the
// next pair of bodies has is hard to predict: pairs of each kind are gone through in a loop of their own.
#include "collision/broad/midphase.h"

#include <algorithm>

#include "collision/broad/filter.h"
#include "collision/broad/tree_pairs.h"
#include "collision/pairs.h"
#include "math/sort.h"

namespace sinew::inline collision {
namespace {

// Two geoms, in the order of their types, of a pair of bodies by its index.
struct Candidate {
  int first, second;
  int leaf1, leaf2;  // their nodes in the trees of bodies; -1: none
  int index;
};

// Writes number by number: a copy of a whole struct would wait for the numbers that it was just made of.
void SetGeom(int geom, Item& item) {
  item.kind = ItemKind::kGeom;
  item.id = geom;
  item.part = -1;
}

class CandidateCollector {
 public:
  CandidateCollector(const mjModel* m, mjData* d, StackFrame& frame, const uint32_t* pairs, int count)
      : m_(m), d_(d), frame_(frame), pairs_(pairs), count_(count), to_compare_(frame), found_(frame) {}

  // The candidates whose bounds overlap, in the order of contacts; of no use when the frame is full.
  const Candidate* Collect() {
    int *single = frame_.Ints(count_), *several = frame_.Ints(count_), nsingle = 0, nseveral = 0;
    if (frame_.full()) return nullptr;
    for (int i = 0; i < count_; ++i) {
      const bool is_single = m_->body_geomnum[Body1(i)] == 1 && m_->body_geomnum[Body2(i)] == 1;
      single[nsingle] = several[nseveral] = i;
      nsingle += is_single;
      nseveral += !is_single;
    }
    // the world, which comes first, mostly has several geoms: then the candidates are in order as they are found
    if (nseveral > 0) AddBodiesOfSeveralGeoms(several, nseveral);
    CompareBoxesOfCandidates();
    for (int i = 0; i < nsingle; ++i) {
      AddGeoms(m_->body_geomadr[Body1(single[i])], m_->body_geomadr[Body2(single[i])], single[i]);
    }
    CompareBoxesOfCandidates();
    return InOrder();
  }
  int size() const { return found_.size(); }

 private:
  int Body1(int index) const { return LowBodyOf(pairs_[index]); }
  int Body2(int index) const { return HighBodyOf(pairs_[index]); }

  // ---- candidates

  void AddBodiesOfSeveralGeoms(const int* indices, int count) {
    const bool by_trees = !(m_->opt.disableflags & mjDSBL_MIDPHASE);
    const auto has_tree = [this](int body) { return m_->body_bvhadr[body] >= 0; };
    const auto add_leaves = [this](int leaf1, int leaf2, int index) { AddLeaves(leaf1, leaf2, index); };
    TreePairs trees(m_, d_, frame_);
    for (int i = 0; i < count; ++i) {
      const int index = indices[i];
      if (by_trees && has_tree(Body1(index)) && has_tree(Body2(index))) {
        trees.Add(pairs_[index], index, add_leaves);
      } else {
        AddAllGeoms(index);
      }
    }
    trees.Descend(pairs_, add_leaves);
  }

  void AddAllGeoms(int index) {
    const int first1 = m_->body_geomadr[Body1(index)], end1 = first1 + m_->body_geomnum[Body1(index)];
    const int first2 = m_->body_geomadr[Body2(index)], end2 = first2 + m_->body_geomnum[Body2(index)];
    for (int geom1 = first1; geom1 < end1; ++geom1) {
      for (int geom2 = first2; geom2 < end2; ++geom2) AddGeoms(geom1, geom2, index);
    }
  }

  // Geoms without leaves: boxes are compared before the general algorithm only, whose time is worth it.
  void AddGeoms(int geom1, int geom2, int index) {
    const auto [first, second] = InOrderOfTypes(m_, geom1, geom2);
    const bool is_general = KindOfPair(m_->geom_type[first], m_->geom_type[second]) == PairKind::kConvex;
    AddIfNear(first, second, -1, -1, index, is_general ? to_compare_ : found_);
  }
  void AddLeaves(int leaf1, int leaf2, int index) {
    const auto [first, second] = InOrderOfTypes(m_, m_->bvh_nodeid[leaf1], m_->bvh_nodeid[leaf2]);
    AddIfNear(first, second, leaf1, leaf2, index, to_compare_);
  }
  // Which geoms are near is hard to predict: the candidate is written in any case, and then counted or not.
  void AddIfNear(int first, int second, int leaf1, int leaf2, int index, StackList<Candidate>& list) {
    Candidate& candidate = list.Room();
    candidate.first = first;
    candidate.second = second;
    candidate.leaf1 = leaf1;
    candidate.leaf2 = leaf2;
    candidate.index = index;
    list.TakeIf(SpheresOverlap(m_, d_, first, second, PairMargin(m_, first, second)));
  }

  // ---- boxes

  void CompareBoxesOfCandidates() {
    CompareInFours(
        to_compare_.size(),
        [this](int i, BoxSource& box1, BoxSource& box2, double& margin) {
          const Candidate& c = to_compare_[i];
          box1 = BoxOfGeom(m_, d_, c.first);
          box2 = BoxOfGeom(m_, d_, c.second);
          margin = PairMargin(m_, c.first, c.second);
        },
        [this](int i, bool overlap) {
          const Candidate& c = to_compare_[i];
          found_.Room() = c;
          found_.TakeIf(overlap);
          MarkLeaf(c.leaf1, overlap);
          MarkLeaf(c.leaf2, overlap);
        });
    to_compare_.Truncate(0);
  }

  // Marks a leaf as active, for visualizations.
  void MarkLeaf(int leaf, bool active) {
    if (m_->vis.global.bvactive && leaf >= 0) d_->bvh_active[leaf] |= active;
  }

  // ---- order

  static bool Before(const Candidate& a, const Candidate& b) {
    if (a.index != b.index) return a.index < b.index;
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  }

  // Candidates are distributed by pairs of bodies, then sorted in each.
  const Candidate* InOrder() {
    if (std::is_sorted(found_.begin(), found_.end(), Before)) return found_.begin();
    int* end = frame_.Ints(count_ + 1);
    Candidate* sorted = frame_.Alloc<Candidate>(found_.size());
    if (frame_.full()) return nullptr;
    std::fill_n(end, count_ + 1, 0);
    for (const Candidate& c : found_) ++end[c.index + 1];
    for (int i = 0; i < count_; ++i) end[i + 1] += end[i];
    for (const Candidate& c : found_) sorted[end[c.index]++] = c;
    for (int i = 0, begin = 0; i < count_; begin = end[i++]) Sort(sorted + begin, end[i] - begin, Before);
    return sorted;
  }

  const mjModel* m_;
  mjData* d_;
  StackFrame& frame_;
  const uint32_t* pairs_;
  int count_;
  StackList<Candidate> to_compare_, found_;
};

// Merges the explicit pairs with what was found.
class PairMerger {
 public:
  PairMerger(const mjModel* m, mjData* d, StackList<ItemPair>& out)
      : m_(m), d_(d), is_plain_(m->npair == 0 && !mjcb_contactfilter), out_(out) {}

  // Explicit pairs of bodies up to this pair: they come first, and decide about these bodies' own.
  void AddExplicitUpTo(uint32_t signature) {
    if (is_plain_) return;
    for (; next_explicit_ < m_->npair && ExplicitSignature(next_explicit_) <= signature; ++next_explicit_) {
      AddExplicit(next_explicit_);
    }
  }

  void Add(int geom1, int geom2) {
    ItemPair& pair = out_.Room();
    SetGeom(geom1, pair.first);
    SetGeom(geom2, pair.second);
    pair.explicit_pair = -1;
    pair.margin = PairMargin(m_, geom1, geom2);
    if (is_plain_) return out_.TakeIf(GeomMasksMatch(m_, geom1, geom2));
    out_.TakeIf(GeomsMayCollide(m_, d_, geom1, geom2) && !IsExplicit(geom1, geom2));
  }

 private:
  void AddExplicit(int pair) {
    const int geom1 = m_->pair_geom1[pair], geom2 = m_->pair_geom2[pair];
    if (!PairIsAwake(m_, d_, m_->geom_bodyid[geom1], m_->geom_bodyid[geom2], true)) return;
    const ItemPair geoms = MakeGeomPair(m_, geom1, geom2, pair);
    if (SpheresOverlap(m_, d_, geoms.first.id, geoms.second.id, geoms.margin)) out_.Add(geoms);
  }

  uint32_t ExplicitSignature(int pair) const { return static_cast<uint32_t>(m_->pair_signature[pair]); }

  // Whether the geoms, of the bodies that were last given to AddExplicitUpTo, have an explicit pair.
  bool IsExplicit(int geom1, int geom2) const {
    if (m_->npair == 0) return false;
    const uint32_t bodies = PairSignature(m_->geom_bodyid[geom1], m_->geom_bodyid[geom2]);
    for (int i = next_explicit_ - 1; i >= 0 && ExplicitSignature(i) == bodies; --i) {
      const int pair1 = m_->pair_geom1[i], pair2 = m_->pair_geom2[i];
      if ((pair1 == geom1 && pair2 == geom2) || (pair1 == geom2 && pair2 == geom1)) return true;
    }
    return false;
  }

  const mjModel* m_;
  mjData* d_;
  bool is_plain_;  // nothing but the masks of geoms decides
  StackList<ItemPair>& out_;
  int next_explicit_ = 0;
};

}  // namespace

SINEW_DISPATCH void MidPhase(const mjModel* m, mjData* d, StackFrame& frame, StackList<uint32_t>& body_pairs,
                             StackList<ItemPair>& item_pairs) {
  PairMerger merger(m, d, item_pairs);
  if (body_pairs.size() > 0) {
    CandidateCollector collector(m, d, frame, body_pairs.begin(), body_pairs.size());
    const Candidate* candidates = collector.Collect();
    if (frame.full()) return;
    for (int i = 0; i < collector.size(); ++i) {
      merger.AddExplicitUpTo(body_pairs[candidates[i].index]);
      merger.Add(candidates[i].first, candidates[i].second);
    }
  }
  merger.AddExplicitUpTo(UINT32_MAX);
}

}  // namespace sinew::inline collision
