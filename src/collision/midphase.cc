#include "collision/midphase.h"

#include <algorithm>

#include "collision/body_tree.h"
#include "collision/bounds.h"
#include "collision/filter.h"
#include "collision/world_planes.h"

namespace sinew {
namespace {

// Collects the geom pairs of a world, body pair by body pair.
class GeomPairCollector {
 public:
  GeomPairCollector(const mjModel* m, mjData* d, StackList<GeomPair>& out)
      : m_(m), d_(d), out_(out), planes_(m, d), by_trees_(!(m->opt.disableflags & mjDSBL_MIDPHASE)) {}

  // Explicit pairs of bodies up to this pair.
  void AddExplicitUpTo(uint32_t signature) {
    first_explicit_ = next_explicit_;
    for (; next_explicit_ < m_->npair; ++next_explicit_) {
      const uint32_t bodies = static_cast<uint32_t>(m_->pair_signature[next_explicit_]);
      if (bodies > signature) break;
      if (bodies != signature) first_explicit_ = next_explicit_ + 1;
      AddExplicit(next_explicit_);
    }
  }

  void AddBodies(int body1, int body2) {
    const int first1 = m_->body_geomadr[body1], count1 = m_->body_geomnum[body1];
    const int first2 = m_->body_geomadr[body2], count2 = m_->body_geomnum[body2];
    const int root1 = m_->body_bvhadr[body1], root2 = m_->body_bvhadr[body2];
    if (by_trees_ && count1 * count2 > 1 && root1 >= 0 && root2 >= 0) {
      const int begin = out_.size();
      if (body1 == 0 && planes_.Any() && IsBvhLeaf(m_, root2)) {
        ComparePlanes(root2);
      } else {
        CompareBodyTrees(m_, d_, body1, body2, [this](int g1, int g2, double margin) { AddNear(g1, g2, margin); });
      }
      if (out_.size() - begin < 2) return;
      std::sort(out_.begin() + begin, out_.end(), [](const GeomPair& a, const GeomPair& b) {
        return a.geom1 != b.geom1 ? a.geom1 < b.geom1 : a.geom2 < b.geom2;
      });
      return;
    }
    for (int g1 = first1; g1 < first1 + count1; ++g1) {
      for (int g2 = first2; g2 < first2 + count2; ++g2) Add(g1, g2);
    }
  }

 private:
  // All planes with a body of one geom.
  void ComparePlanes(int leaf) {
    if (m_->vis.global.bvactive) {
      if (!planes_marked_) planes_.MarkInnerNodes(m_, d_);
      planes_marked_ = true;
      d_->bvh_active[leaf] = 1;
    }
    const auto add = [this](int g1, int g2, double margin) { AddNear(g1, g2, margin); };
    planes_.ForEachNear(m_, d_, m_->bvh_nodeid[leaf], [&](int plane) { CompareLeaves(m_, d_, plane, leaf, add); });
  }

  void Add(int geom1, int geom2) {
    const double margin = PairMargin(m_, geom1, geom2);
    if (SpheresOverlap(m_, d_, geom1, geom2, margin)) AddNear(geom1, geom2, margin);
  }

  // Of geoms whose bounds overlap.
  void AddNear(int geom1, int geom2, double margin) {
    if (m_->geom_type[geom1] > m_->geom_type[geom2]) std::swap(geom1, geom2);
    if (!GeomsMayCollide(m_, d_, geom1, geom2) || IsExplicit(geom1, geom2)) return;
    GeomPair& pair = out_.Next();  // field by field: a copy would wait for all of them
    pair.geom1 = geom1;
    pair.geom2 = geom2;
    pair.pair = -1;
    pair.margin = margin;
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
  const bool by_trees_;
  bool planes_marked_ = false;
  int first_explicit_ = 0, next_explicit_ = 0;  // explicit pairs of the current bodies
};

}  // namespace

GeomPair MakeGeomPair(const mjModel* m, int geom1, int geom2, int pair) {
  if (m->geom_type[geom1] > m->geom_type[geom2]) std::swap(geom1, geom2);
  const bool is_given = pair >= 0 && !(m->opt.enableflags & mjENBL_OVERRIDE);
  return {geom1, geom2, pair, is_given ? m->pair_margin[pair] : PairMargin(m, geom1, geom2)};
}

SINEW_DISPATCH void MidPhase(const mjModel* m, mjData* d, StackList<uint32_t>& body_pairs,
                             StackList<GeomPair>& geom_pairs) {
  GeomPairCollector collector(m, d, geom_pairs);
  for (const uint32_t signature : body_pairs) {
    collector.AddExplicitUpTo(signature);
    collector.AddBodies(LowBodyOf(signature), HighBodyOf(signature));
  }
  collector.AddExplicitUpTo(UINT32_MAX);
}

}  // namespace sinew
