#include "collision/broad/midphase.h"

#include <algorithm>
#include <span>
#include <utility>

#include "collision/broad/body_pair_run.h"
#include "collision/broad/filter.h"
#include "collision/broad/world_planes.h"

namespace sinew {
namespace {

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
    if (IsGeneral(m, geom1, geom2)) break;
    const double margin = PairMargin(m, geom1, geom2);
    const bool near = OrderedSpheresOverlap(m, d, geom1, geom2, margin);
    *next = {geom1, geom2, -1, margin};
    next += near & GeomMasksMatch(m, geom1, geom2);  // chance: no branch
  }
  out.Take(static_cast<int>(next - first));
  return passed;
}

// Collects the geom pairs of a world in the order of the body pairs.
class GeomPairCollector {
 public:
  GeomPairCollector(const mjModel* m, mjData* d, StackFrame& frame, StackList<GeomPair>& out)
      : m_(m), d_(d), out_(out), planes_(m, d), run_(m, d, planes_, frame) {}

  // Adds those at the front of the list; returns how many.
  size_t AddFrontOf(std::span<const uint32_t> pairs) {
    pairs = pairs.first(std::min(pairs.size(), BodyPairRun::kMost));
    size_t added = 0;
    if (m_->npair == 0 && !mjcb_contactfilter) {
      added = AddPlanesThatAreNear(pairs);
      added += AddSpheresThatAreNear(m_, d_, pairs.subspan(added), out_);
    }
    return added > 0 ? added : AddRunAtFrontOf(pairs);
  }

  // Explicit pairs of bodies up to this pair: they come first, and decide about these bodies' own.
  void AddExplicitUpTo(uint32_t signature) {
    for (; next_explicit_ < m_->npair && ExplicitSignature(next_explicit_) <= signature; ++next_explicit_) {
      AddExplicit(next_explicit_);
    }
  }

 private:
  // The world's planes with bodies of one geom each.
  size_t AddPlanesThatAreNear(std::span<const uint32_t> pairs) {
    size_t passed = 0;
    for (; passed < pairs.size() && run_.IsOfPlanes(pairs[passed]); ++passed) {
      run_.ForPlanesNear(HighBodyOf(pairs[passed]), [this](int plane, int geom) { Add(plane, geom); });
    }
    return passed;
  }

  // Pairs of the world are apart from all others: planes are compared with planes.
  size_t AddRunAtFrontOf(std::span<const uint32_t> pairs) {
    const bool of_world = LowBodyOf(pairs.front()) == 0;
    size_t count = 1;
    while (count < pairs.size() && (LowBodyOf(pairs[count]) == 0) == of_world) ++count;
    for (const auto& [geom1, geom2, place] : run_.Find(pairs.first(count))) {
      if (m_->npair > 0) AddExplicitUpTo(pairs[static_cast<size_t>(place)]);
      Add(geom1, geom2);
    }
    return count;
  }

  // In the order of their types.
  void Add(int geom1, int geom2) {
    GeomPair& pair = out_.Room();  // field by field: a copy would wait for all of them
    pair.geom1 = geom1;
    pair.geom2 = geom2;
    pair.pair = -1;
    pair.margin = PairMargin(m_, geom1, geom2);
    if (mjcb_contactfilter || m_->npair > 0) {
      out_.TakeIf(GeomsMayCollide(m_, d_, geom1, geom2) && !IsExplicit(geom1, geom2));
    } else {
      out_.TakeIf(GeomMasksMatch(m_, geom1, geom2));
    }
  }

  void AddExplicit(int pair) {
    const int geom1 = m_->pair_geom1[pair], geom2 = m_->pair_geom2[pair];
    if (!PairIsAwake(m_, d_, m_->geom_bodyid[geom1], m_->geom_bodyid[geom2], true)) return;
    const GeomPair geoms = MakeGeomPair(m_, geom1, geom2, pair);
    if (SpheresOverlap(m_, d_, geoms.geom1, geoms.geom2, geoms.margin)) out_.Add(geoms);
  }

  uint32_t ExplicitSignature(int pair) const { return static_cast<uint32_t>(m_->pair_signature[pair]); }

  // Whether the geoms, of the bodies that were last given to AddExplicitUpTo, have an explicit pair.
  bool IsExplicit(int geom1, int geom2) const {
    const uint32_t bodies = PairSignature(m_->geom_bodyid[geom1], m_->geom_bodyid[geom2]);
    for (int i = next_explicit_ - 1; i >= 0 && ExplicitSignature(i) == bodies; --i) {
      const int pair1 = m_->pair_geom1[i], pair2 = m_->pair_geom2[i];
      if ((pair1 == geom1 && pair2 == geom2) || (pair1 == geom2 && pair2 == geom1)) return true;
    }
    return false;
  }

  const mjModel* m_;
  mjData* d_;
  StackList<GeomPair>& out_;
  const WorldPlanes planes_;
  BodyPairRun run_;
  int next_explicit_ = 0;  // of the explicit pairs
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
  GeomPairCollector collector(m, d, frame, geom_pairs);
  while (!pairs.empty()) pairs = pairs.subspan(collector.AddFrontOf(pairs));
  collector.AddExplicitUpTo(UINT32_MAX);
}

}  // namespace sinew
