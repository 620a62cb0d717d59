#include "collision/midphase.h"

#include <algorithm>
#include <span>
#include <utility>

#include "collision/body_tree.h"
#include "collision/candidates.h"
#include "collision/convex_pair.h"
#include "collision/filter.h"
#include "collision/world_planes.h"
#include "math/sort.h"

namespace sinew {
namespace {

// How two bodies are compared.
enum class BodyPairKind { kAll, kPlanes, kLeaves, kTrees };

// Tells the kind of body pairs, and of trees whether their roots are near: many pairs at a time, in their order.
class BodyPairs {
 public:
  BodyPairs(const mjModel* m, const mjData* d, std::span<const uint32_t> pairs, bool planes_apart)
      : m_(m), d_(d), pairs_(pairs), by_trees_(!(m->opt.disableflags & mjDSBL_MIDPHASE)), planes_apart_(planes_apart) {}

  BodyPairKind Kind(uint32_t pair) const {
    const int body1 = LowBodyOf(pair), body2 = HighBodyOf(pair);
    const int root1 = m_->body_bvhadr[body1], root2 = m_->body_bvhadr[body2];
    const bool single = m_->body_geomnum[body1] * m_->body_geomnum[body2] <= 1;
    if (!by_trees_ || single || root1 < 0 || root2 < 0) return BodyPairKind::kAll;
    const bool leaf2 = IsBvhLeaf(m_, root2);
    if (body1 == 0 && leaf2 && planes_apart_) return BodyPairKind::kPlanes;
    return leaf2 && IsBvhLeaf(m_, root1) ? BodyPairKind::kLeaves : BodyPairKind::kTrees;
  }

  // Of a pair of trees. To be asked in order.
  bool RootsAreNear(const uint32_t& pair) {
    if (next_ == count_) CompareFrom(&pair);
    return near_[next_++];
  }

 private:
  static constexpr int kMost = 32;

  // That pair and those of trees that come next.
  void CompareFrom(const uint32_t* pair) {
    BodyCandidate candidates[kMost];
    int count_of_world = 0;
    count_ = next_ = 0;
    for (; pair != pairs_.data() + pairs_.size() && count_ < kMost; ++pair) {
      if (Kind(*pair) != BodyPairKind::kTrees) continue;
      candidates[count_++] = {LowBodyOf(*pair), HighBodyOf(*pair)};
      count_of_world += LowBodyOf(*pair) == 0;
    }
    FindNearRoots(m_, d_, candidates, count_of_world, count_, near_);
  }

  const mjModel* m_;
  const mjData* d_;
  std::span<const uint32_t> pairs_;
  const bool by_trees_, planes_apart_;
  int next_ = 0, count_ = 0;  // of the pairs that were compared
  bool near_[kMost];
};

// Two geoms in the order of their types.
std::pair<int, int> InOrder(const mjModel* m, int geom1, int geom2) {
  const int exchange = m->geom_type[geom1] > m->geom_type[geom2];  // chance: no branch
  const int difference = (geom1 ^ geom2) & -exchange;
  return {geom1 ^ difference, geom2 ^ difference};
}

bool OfOneGeomEach(const mjModel* m, uint32_t pair) {
  return m->body_geomnum[LowBodyOf(pair)] == 1 && m->body_geomnum[HighBodyOf(pair)] == 1;
}

// Geoms of pairs of such bodies, from the first pair on, until one needs more than a comparison of spheres; returns how
// many were passed. Out of line: inlined with the rest, its numbers would be kept in memory.
SINEW_DISPATCH size_t AddSpheresThatAreNear(const mjModel* m, const mjData* d, std::span<const uint32_t> pairs,
                                            StackList<GeomPair>& out) {
  GeomPair* const first = out.Room(static_cast<int>(pairs.size()));
  GeomPair* next = first;
  size_t passed = 0;
  for (; passed < pairs.size() && OfOneGeomEach(m, pairs[passed]); ++passed) {
    const auto [geom1, geom2] =
        InOrder(m, m->body_geomadr[LowBodyOf(pairs[passed])], m->body_geomadr[HighBodyOf(pairs[passed])]);
    if (mjCOLLISIONFUNC[m->geom_type[geom1]][m->geom_type[geom2]] == ConvexConvex) break;
    const double margin = PairMargin(m, geom1, geom2);
    const bool near = OrderedSpheresOverlap(m, d, geom1, geom2, margin);
    *next = {geom1, geom2, -1, margin};
    next += near & GeomMasksMatch(m, geom1, geom2);  // chance: no branch
  }
  out.Take(static_cast<int>(next - first));
  return passed;
}

// Collects the geom pairs of a world, body pair by body pair.
class GeomPairCollector {
 public:
  GeomPairCollector(const mjModel* m, mjData* d, StackFrame& frame, std::span<const uint32_t> body_pairs,
                    StackList<GeomPair>& out)
      : m_(m), d_(d), out_(out), planes_(m, d), bodies_(m, d, body_pairs, planes_.Any()), candidates_(frame) {}

  // Explicit pairs of bodies up to this pair.
  void AddExplicitUpTo(uint32_t signature) {
    const bool is_next =
        next_explicit_ < m_->npair && static_cast<uint32_t>(m_->pair_signature[next_explicit_]) <= signature;
    if (!is_next && first_explicit_ == next_explicit_) return;
    Flush();  // they come first, and decide about these bodies' own
    first_explicit_ = next_explicit_;
    for (; next_explicit_ < m_->npair; ++next_explicit_) {
      const uint32_t bodies = static_cast<uint32_t>(m_->pair_signature[next_explicit_]);
      if (bodies > signature) break;
      if (bodies != signature) first_explicit_ = next_explicit_ + 1;
      AddExplicit(next_explicit_);
    }
  }

  // Adds those at the front that need nothing of what others do; returns how many.
  size_t AddFrontOf(std::span<const uint32_t> pairs) {
    const bool plain = m_->npair == 0 && !mjcb_contactfilter && candidates_.size() == 0;
    if (!plain || !OfOneGeomEach(m_, pairs.front())) return 0;
    return AddSpheresThatAreNear(m_, d_, pairs.first(std::min(pairs.size(), size_t{kMany})), out_);
  }

  void AddBodies(const uint32_t& pair) {
    const int body1 = LowBodyOf(pair), body2 = HighBodyOf(pair);
    if (body1 > 0 && body0_) Flush();  // planes apart from all others
    body0_ = body1 == 0;
    if (m_->body_geomnum[body1] == 1 && m_->body_geomnum[body2] == 1) {
      return AddOrTest(m_->body_geomadr[body1], m_->body_geomadr[body2]);
    }
    const int begin = candidates_.size();
    const auto add_leaves = [this](int leaf1, int leaf2) {
      const int geom1 = m_->bvh_nodeid[leaf1], geom2 = m_->bvh_nodeid[leaf2];
      if (!SpheresOverlap(m_, d_, geom1, geom2, PairMargin(m_, geom1, geom2))) return;
      AddCandidate({geom1, geom2, leaf1, leaf2, true});
    };
    switch (bodies_.Kind(pair)) {
      case BodyPairKind::kAll:
        return AddAll(body1, body2);
      case BodyPairKind::kPlanes:
        return AddPlanes(m_->body_bvhadr[body2]);
      case BodyPairKind::kLeaves:
        add_leaves(m_->body_bvhadr[body1], m_->body_bvhadr[body2]);
        break;
      case BodyPairKind::kTrees:
        if (bodies_.RootsAreNear(pair)) DescendTrees(m_, d_, body1, body2, add_leaves);
    }
    to_sort_ |= candidates_.size() - begin > 1;
    if (candidates_.size() >= kMany) Flush();
  }

  // Those of the candidates that are near become pairs.
  void Flush() {
    const int first = out_.size();
    bool near[kMany];
    for (int begin = 0; begin < candidates_.size(); begin += kMany) {
      const Candidate* const some = candidates_.begin() + begin;
      const int count = std::min(kMany, candidates_.size() - begin);
      FindNear(m_, d_, some, count, near);
      for (int i = 0; i < count; ++i) {
        const auto [geom1, geom2] = InOrder(m_, some[i].geom1, some[i].geom2);
        Mark(near[i] & (some[i].leaf1 >= 0), some[i]);
        AddIf(near[i], geom1, geom2, PairMargin(m_, geom1, geom2));
      }
    }
    candidates_.Truncate(0);
    if (to_sort_) SortFrom(first);
    to_sort_ = false;
  }

 private:
  static constexpr int kMany = 64;

  // Pairs of the same bodies by their geoms.
  void SortFrom(int begin) {
    const auto bodies = [this](int i) {
      return PairSignature(m_->geom_bodyid[out_[i].geom1], m_->geom_bodyid[out_[i].geom2]);
    };
    for (int end; begin < out_.size(); begin = end) {
      for (end = begin + 1; end < out_.size() && bodies(end) == bodies(begin);) ++end;
      Sort(out_.begin() + begin, end - begin, [](const GeomPair& a, const GeomPair& b) {
        return a.geom1 != b.geom1 ? a.geom1 < b.geom1 : a.geom2 < b.geom2;
      });
    }
  }

  void AddCandidate(const Candidate& c) {
    Candidate& candidate = candidates_.Next();  // field by field: a copy would wait for all of them
    candidate.geom1 = c.geom1;
    candidate.geom2 = c.geom2;
    candidate.leaf1 = c.leaf1;
    candidate.leaf2 = c.leaf2;
    candidate.boxes = c.boxes;
  }

  void AddAll(int body1, int body2) {
    const int first1 = m_->body_geomadr[body1], count1 = m_->body_geomnum[body1];
    const int first2 = m_->body_geomadr[body2], count2 = m_->body_geomnum[body2];
    for (int g1 = first1; g1 < first1 + count1; ++g1) {
      for (int g2 = first2; g2 < first2 + count2; ++g2) AddOrTest(g1, g2);
    }
  }

  // A comparison of spheres alone does not have to wait for others, unless some are waiting. Before the general
  // algorithm, boxes are worth their time, too.
  void AddOrTest(int geom1, int geom2) {
    const auto [g1, g2] = InOrder(m_, geom1, geom2);
    const bool boxes = mjCOLLISIONFUNC[m_->geom_type[g1]][m_->geom_type[g2]] == ConvexConvex;
    if (boxes || candidates_.size() > 0) return AddCandidate({geom1, geom2, -1, -1, boxes});
    const double margin = PairMargin(m_, geom1, geom2);
    AddIf(OrderedSpheresOverlap(m_, d_, g1, g2, margin), g1, g2, margin);
  }

  // All planes with a body of one geom.
  void AddPlanes(int leaf) {
    if (m_->vis.global.bvactive) {
      if (!planes_marked_) planes_.MarkInnerNodes(m_, d_);
      planes_marked_ = true;
      d_->bvh_active[leaf] = 1;
    }
    const int geom = m_->bvh_nodeid[leaf];
    planes_.ForEachNear(m_, d_, geom, [&](int plane) {
      const Candidate near = {m_->bvh_nodeid[plane], geom, plane, leaf, true};
      if (candidates_.size() > 0) return AddCandidate(near);
      Mark(true, near);
      AddIf(true, near.geom1, geom, PairMargin(m_, near.geom1, geom));
    });
  }

  // What a visualization shows as active. Which leaves are near is chance: no branch.
  void Mark(bool mark, const Candidate& c) {
    if (!m_->vis.global.bvactive || m_->nbvhstatic == 0) return;
    d_->bvh_active[std::max(c.leaf1, 0)] |= mark;
    d_->bvh_active[std::max(c.leaf2, 0)] |= mark;
  }

  // In the order of their types.
  void AddIf(bool is_near, int geom1, int geom2, double margin) {
    GeomPair& pair = out_.Room();  // field by field: a copy would wait for all of them
    pair.geom1 = geom1;
    pair.geom2 = geom2;
    pair.pair = -1;
    pair.margin = margin;
    if (mjcb_contactfilter || first_explicit_ < next_explicit_) {
      out_.TakeIf(is_near && GeomsMayCollide(m_, d_, geom1, geom2) && !IsExplicit(geom1, geom2));
    } else {
      out_.TakeIf(is_near & GeomMasksMatch(m_, geom1, geom2));
    }
  }

  void AddExplicit(int pair) {
    const int geom1 = m_->pair_geom1[pair], geom2 = m_->pair_geom2[pair];
    if (!PairIsAwake(m_, d_, m_->geom_bodyid[geom1], m_->geom_bodyid[geom2], true)) return;
    const GeomPair geoms = MakeGeomPair(m_, geom1, geom2, pair);
    if (SpheresOverlap(m_, d_, geoms.geom1, geoms.geom2, geoms.margin)) out_.Add(geoms);
  }

  // Whether the geoms, of the bodies that were last given to AddExplicitUpTo, have an explicit pair.
  bool IsExplicit(int geom1, int geom2) const {
    for (int i = first_explicit_; i < next_explicit_; ++i) {
      const int pair1 = m_->pair_geom1[i], pair2 = m_->pair_geom2[i];
      if ((pair1 == geom1 && pair2 == geom2) || (pair1 == geom2 && pair2 == geom1)) return true;
    }
    return false;
  }

  const mjModel* m_;
  mjData* d_;
  StackList<GeomPair>& out_;
  const WorldPlanes planes_;
  BodyPairs bodies_;
  StackList<Candidate> candidates_;
  bool to_sort_ = false;  // some candidates have the same bodies
  bool planes_marked_ = false;
  bool body0_ = true;                           // the last pair was one of the world's body
  int first_explicit_ = 0, next_explicit_ = 0;  // explicit pairs of the current bodies
};

}  // namespace

GeomPair MakeGeomPair(const mjModel* m, int geom1, int geom2, int pair) {
  if (m->geom_type[geom1] > m->geom_type[geom2]) std::swap(geom1, geom2);
  const bool is_given = pair >= 0 && !(m->opt.enableflags & mjENBL_OVERRIDE);
  return {geom1, geom2, pair, is_given ? m->pair_margin[pair] : PairMargin(m, geom1, geom2)};
}

SINEW_DISPATCH void MidPhase(const mjModel* m, mjData* d, StackFrame& frame, StackList<uint32_t>& body_pairs,
                             StackList<GeomPair>& geom_pairs) {
  std::span<const uint32_t> pairs(body_pairs.begin(), static_cast<size_t>(body_pairs.size()));
  GeomPairCollector collector(m, d, frame, pairs, geom_pairs);
  while (!pairs.empty()) {
    if (const size_t added = collector.AddFrontOf(pairs)) {
      pairs = pairs.subspan(added);
      continue;
    }
    if (m->npair > 0) collector.AddExplicitUpTo(pairs.front());
    collector.AddBodies(pairs.front());
    pairs = pairs.subspan(1);
  }
  collector.AddExplicitUpTo(UINT32_MAX);
  collector.Flush();
}

}  // namespace sinew
