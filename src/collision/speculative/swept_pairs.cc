// A box holds what a geom sweeps over: its bounding box, wider by what rotation moves a point, from the start of the
// step to its end. Fast geoms are swept against all others that come near them, by sweep and prune
// (collision/broad/sweep.h). Planes have no box, and are asked one by one.
#include "collision/speculative/swept_pairs.h"

#include <algorithm>

#include "collision/broad/box_test.h"
#include "collision/broad/filter.h"
#include "collision/broad/sweep.h"
#include "math/sort.h"
#include "model/kinds/surface.h"
#include "model/view/view_of.h"

namespace sinew::inline collision {
namespace {

SweepBox SweptBox(const mjModel* m, mjData* d, int geom, const GeomMotion& motion) {
  const OrientedBox<double> box = BoxOfGeom(m, d, geom).Load();
  const Vec3<double> centre = box.origin + box.axes * box.centre;
  const double around = GeomMargin(m, geom) + Norm(motion.turn) * motion.radius;
  SweepBox swept;
  swept.id = geom;
  for (int k = 0; k < 3; ++k) {
    const double reach = Dot(Absolute(box.axes.Row(k)), box.half) + around;
    swept.low[k] = centre[k] - reach + std::min(motion.shift[k], 0.0);
    swept.high[k] = centre[k] + reach + std::max(motion.shift[k], 0.0);
  }
  return swept;
}

bool Overlap(const SweepBox& a, const SweepBox& b) {
  for (int k = 0; k < 3; ++k) {
    if (!(a.low[k] <= b.high[k] && b.low[k] <= a.high[k])) return false;
  }
  return true;
}

class SweptPairs {
 public:
  SweptPairs(const mjModel* m, mjData* d, const StepMotions& motions, StackFrame& frame, StackList<ItemPair>& pairs)
      : m_(m), d_(d), motions_(motions), frame_(frame), filter_(m, d, frame), pairs_(pairs) {}

  void Find() {
    const auto fast = static_cast<int>(motions_.fast().size());
    char* is_fast = frame_.Alloc<char>(m_->ngeom);
    SweepBox* boxes = frame_.Alloc<SweepBox>(m_->ngeom);
    if (frame_.full()) return;
    std::fill_n(is_fast, m_->ngeom, char{0});
    SweepBox whole = {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}, -1};
    for (int i = 0; i < fast; ++i) {
      const int geom = motions_.fast()[static_cast<size_t>(i)];
      is_fast[geom] = 1;
      boxes[i] = SweptBox(m_, d_, geom, motions_.Of(geom));
      for (int k = 0; k < 3; ++k) {
        whole.low[k] = std::min(whole.low[k], boxes[i].low[k]);
        whole.high[k] = std::max(whole.high[k], boxes[i].high[k]);
      }
    }
    int count = fast;
    for (int geom = 0; geom < m_->ngeom; ++geom) {
      if (is_fast[geom] || !MayCollide(geom)) continue;
      if (m_->geom_type[geom] == mjGEOM_PLANE) {
        AddPairsOfPlane(geom);
        continue;
      }
      boxes[count] = SweptBox(m_, d_, geom, motions_.Of(geom));
      count += Overlap(boxes[count], whole);
    }
    const Sweep sweep(boxes, fast, count, frame_);
    if (frame_.full() || !sweep.Fits()) return;
    sweep.ForEachOverlap([this](int geom1, int geom2) { Add(std::min(geom1, geom2), std::max(geom1, geom2)); });
  }

 private:
  bool MayCollide(int geom) const { return m_->geom_contype[geom] || m_->geom_conaffinity[geom] || m_->npair > 0; }

  void AddPairsOfPlane(int plane) {
    const DataView<double> d = ViewOf(d_);
    const Vec3<double> n = d.geom_xmat(plane).Column(2);
    for (const int geom : motions_.fast()) {
      const double height = Dot(n, d.geom_xpos(geom) - d.geom_xpos(plane));
      const double below = std::min(Dot(n, motions_.Of(geom).shift), 0.0);
      if (height + below <= m_->geom_rbound[geom] + PairMargin(m_, plane, geom)) Add(plane, geom);
    }
  }

  // Of equal types, the first geom of the model comes first.
  void Add(int geom1, int geom2) {
    const int body1 = m_->geom_bodyid[geom1], body2 = m_->geom_bodyid[geom2];
    const int explicit_pair = m_->npair > 0 ? FindExplicitPair(m_, geom1, geom2) : -1;
    const ItemPair pair = MakeGeomPair(m_, geom1, geom2, explicit_pair);
    const bool may_collide = explicit_pair >= 0
                                 ? PairIsAwake(m_, d_, body1, body2, true)
                                 : filter_(body1, body2) && GeomsMayCollide(m_, d_, pair.first.id, pair.second.id);
    if (may_collide) pairs_.Add(pair);
  }

  const mjModel* m_;
  mjData* d_;
  const StepMotions& motions_;
  StackFrame& frame_;
  BodyFilter filter_;
  StackList<ItemPair>& pairs_;
};

}  // namespace

void FindSweptPairs(const mjModel* m, mjData* d, const StepMotions& motions, StackFrame& frame,
                    StackList<ItemPair>& pairs) {
  SweptPairs(m, d, motions, frame, pairs).Find();
  if (frame.full()) return;
  Sort(pairs.begin(), pairs.size(), [](const ItemPair& a, const ItemPair& b) {
    return a.first.id != b.first.id ? a.first.id < b.first.id : a.second.id < b.second.id;
  });
}

}  // namespace sinew::inline collision
