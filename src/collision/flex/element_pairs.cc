// Pairs of elements of one flex are found by sweep and prune, as those of bodies are, and those of two flexes by their
// trees. Most are neighbours: pairs with a common body
// are left out by their numbers, and those that are apart along one of a few directions four at a time in lanes, so
// that few are left for the distance of convex shapes.
#include "collision/flex/element_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/broad/filter.h"
#include "collision/broad/sweep.h"
#include "collision/broad/tree_pairs.h"
#include "collision/flex/element_gap_kernel.h"
#include "collision/flex/geom_element.h"
#include "model/kinds/bvh.h"
#include "simd/four.h"

namespace sinew::inline collision {
namespace {

constexpr int kMostPairs = 1'000'000;  // as MuJoCo 3.8.0: elements that all lie in one place have no end of them

// Two elements by their corners, in the lanes of packs.
template <int kCorners>
using LaneCorners = Vec3<Four>[kCorners];

// Four pairs of elements; bit i of the result is set where those of pair i are certainly apart.
template <int kA, int kB>
unsigned ApartInLanes(const FlexElement (&a)[4], const FlexElement (&b)[4], double reach) {
  LaneCorners<kA> corner_a;
  LaneCorners<kB> corner_b;
  for (int lane = 0; lane < 4; ++lane) {
    const Vec3<double> origin = a[lane].corner[0];
    const auto set = [&](const Vec3<double>& p, Vec3<Four>& corner) {
      for (int k = 0; k < 3; ++k) corner[k].Set(lane, p[k] - origin[k]);
    };
    Unroll<0, kA>([&](auto i) { set(a[lane].corner[i], corner_a[i]); });
    Unroll<0, kB>([&](auto i) { set(b[lane].corner[i], corner_b[i]); });
  }
  return LaneBits(AreApart(corner_a, corner_b, InAllLanes(reach)));
}

SINEW_DISPATCH unsigned AreFourApart(const FlexElement (&a)[4], const FlexElement (&b)[4], double reach) {
  if (a[0].corners == 3 && b[0].corners == 3) return ApartInLanes<3, 3>(a, b, reach);
  if (a[0].corners == 4 && b[0].corners == 4) return ApartInLanes<4, 4>(a, b, reach);
  if (a[0].corners == 3 && b[0].corners == 4) return ApartInLanes<3, 4>(a, b, reach);
  if (a[0].corners == 4 && b[0].corners == 3) return ApartInLanes<4, 3>(a, b, reach);
  return 0;  // segments have formulas
}

// The elements of the first flex have their own numbers, those of the second follow.
class ElementPairs {
 public:
  ElementPairs(const mjModel* m, mjData* d, int flex1, int flex2, double margin, FlexContactList& contacts,
               StackFrame& frame)
      : m_(m),
        d_(d),
        flex_{flex1, flex2},
        first_of_second_(m->flex_elemnum[flex1]),
        margin_(margin),
        contacts_(contacts),
        frame_(frame),
        points_(frame) {}

  void Collide();

 private:
  struct Carriers {
    double body[4];  // of the corners; NaN where there is none
  };
  struct Pair {
    int a, b;
  };
  struct FourPairs {
    FlexElement a[4], b[4];
  };

  bool IsSelf() const { return flex_[0] == flex_[1]; }
  bool HasMidphase() const {
    if (IsSelf() && m_->flex_selfcollide[flex_[0]] == mjFLEXSELF_NARROW) return false;
    return !(m_->opt.disableflags & mjDSBL_MIDPHASE);
  }
  int FlexOf(int id) const { return flex_[id >= first_of_second_]; }
  int NumberOf(int id) const { return id < first_of_second_ ? id : id - first_of_second_; }
  FlexElement Load(int id) const { return FlexElement(m_, d_, FlexOf(id), NumberOf(id)); }
  // The last one fills the lanes that are left.
  FourPairs LoadPairs(const Pair* pair, int count) const {
    const Pair &p = pair[0], &q = pair[std::min(1, count - 1)], &r = pair[std::min(2, count - 1)], &s = pair[count - 1];
    return {{Load(p.a), Load(q.a), Load(r.a), Load(s.a)}, {Load(p.b), Load(q.b), Load(r.b), Load(s.b)}};
  }

  void AddBoxes(int side);
  void SetCarriers();
  void RankByLeaves();
  void RankAlongLongestAxis();
  Pair InOrder(const Pair& pair) const;
  void CollideByTrees();
  void CollideBySweep(int count);
  bool ShareBody(int a, int b) const;
  void Visit(int id1, int id2);
  static void VisitAll(const Sweep& sweep, ElementPairs& pairs);
  void CollideWaiting();
  void SelectOfFour(const Pair* pair, int count);
  void CollideNear();

  const mjModel* m_;
  mjData* d_;
  const int flex_[2];
  const int first_of_second_;
  const double margin_;
  FlexContactList& contacts_;
  StackFrame& frame_;
  StackList<ContactPoint<double>> points_;

  SweepBox* box_ = nullptr;
  int nbox_ = 0;
  Carriers* carriers_ = nullptr;  // by element; none where nodes move one of both, whose vertices have no bodies
  double* rank_ = nullptr;        // by element: the lower one is a contact's first side; none: by their numbers
  static constexpr int kWaiting = 256;
  Pair waiting_[kWaiting];
  int nwaiting_ = 0, npair_ = 0;
  Pair near_[4];
  int nnear_ = 0;
};

// The boxes of a side; those of the first are widened by the margin.
void ElementPairs::AddBoxes(int side) {
  const int flex = flex_[side];
  const double grow = side == 0 ? margin_ : 0;
  const bool takes_all = !IsSelf() && !HasMidphase();
  for (int e = 0; e < m_->flex_elemnum[flex]; ++e) {
    if (!takes_all && !IsActive(m_, flex, e)) continue;
    const double* box = d_->flexelem_aabb + 6 * static_cast<ptrdiff_t>(m_->flex_elemadr[flex] + e);
    SweepBox& added = box_[nbox_++];
    for (int k = 0; k < 3; ++k) {
      added.low[k] = box[k] - box[3 + k] - grow;
      added.high[k] = box[k] + box[3 + k] + grow;
    }
    added.id = side * first_of_second_ + e;
  }
}

void ElementPairs::SetCarriers() {
  for (int side = 0; side < (IsSelf() ? 1 : 2); ++side) {
    const int flex = flex_[side], corners = m_->flex_dim[flex] + 1;
    const int* vertex = m_->flex_elem + m_->flex_elemdataadr[flex];
    const int* bodies = m_->flex_vertbodyid + m_->flex_vertadr[flex];
    Carriers* to = carriers_ + side * first_of_second_;
    for (int e = 0; e < m_->flex_elemnum[flex]; ++e, vertex += corners) {
      for (int i = 0; i < 4; ++i) {
        const int body = bodies[vertex[std::min(i, corners - 1)]];
        to[e].body[i] = body >= 0 ? body : std::numeric_limits<double>::quiet_NaN();
      }
    }
  }
}

void ElementPairs::RankByLeaves() {
  const int root = m_->flex_bvhadr[flex_[0]];
  for (int node = root; node < root + m_->flex_bvhnum[flex_[0]]; ++node) {
    if (IsBvhLeaf(m_, node)) rank_[m_->bvh_nodeid[node]] = node;
  }
}

// Of equal lengths, the last axis. Where elements begin is compared in single precision, as MuJoCo 3.8.0 does: those
// of a lattice begin in one place whatever the rounding of their vertices, and are in the order of their numbers.
void ElementPairs::RankAlongLongestAxis() {
  const double* half = NodeBox(m_, d_, m_->flex_bvhadr[flex_[0]]) + 3;
  int axis = 2;
  for (int k = 1; k >= 0; --k) {
    if (half[k] > half[axis]) axis = k;
  }
  const double* box = d_->flexelem_aabb + 6 * static_cast<ptrdiff_t>(m_->flex_elemadr[flex_[0]]);
  for (int e = 0; e < first_of_second_; ++e, box += 6) rank_[e] = static_cast<float>(box[axis] - box[3 + axis]);
}

ElementPairs::Pair ElementPairs::InOrder(const Pair& pair) const {
  return rank_ && rank_[pair.b] < rank_[pair.a] ? Pair{pair.b, pair.a} : pair;
}

// Elements with a body in common would push against each other for ever.
bool ElementPairs::ShareBody(int a, int b) const {
  if (!carriers_) return false;
  const Four bodies = LoadFour(carriers_[b].body);
  const double* other = carriers_[a].body;
  return LaneBits((bodies == InAllLanes(other[0])) | (bodies == InAllLanes(other[1])) |
                  (bodies == InAllLanes(other[2])) | (bodies == InAllLanes(other[3]))) != 0;
}

// Whether a pair counts is hard to predict, so that there is no branch on it.
inline void ElementPairs::Visit(int id1, int id2) {
  const Pair pair = {std::min(id1, id2), std::max(id1, id2)};
  const bool of_one_flex = (pair.a < first_of_second_) == (pair.b < first_of_second_);
  waiting_[nwaiting_] = pair;
  nwaiting_ += static_cast<int>(of_one_flex == IsSelf()) & static_cast<int>(!ShareBody(pair.a, pair.b));
  if (nwaiting_ == kWaiting) CollideWaiting();
}

SINEW_DISPATCH void ElementPairs::VisitAll(const Sweep& sweep, ElementPairs& pairs) {
  sweep.ForEachOverlap([&pairs](int id1, int id2) { pairs.Visit(id1, id2); });
}

void ElementPairs::CollideWaiting() {
  npair_ += nwaiting_;
  if (npair_ > kMostPairs) {
    nwaiting_ = 0;
    return frame_.SetFull();
  }
  for (int first = 0; first < nwaiting_; first += 4) SelectOfFour(waiting_ + first, std::min(4, nwaiting_ - first));
  nwaiting_ = 0;
}

// Pairs that stay are collected, so that all lanes of the next test are in use.
void ElementPairs::SelectOfFour(const Pair* pair, int count) {
  constexpr double kTie = 1e-9;  // [m] more than the rounding of a gap
  const FourPairs four = LoadPairs(pair, count);
  const unsigned apart = AreFourApart(four.a, four.b, four.a[0].radius + four.b[0].radius + margin_ + kTie);
  for (int lane = 0; lane < count; ++lane) {
    if (apart >> lane & 1) continue;
    near_[nnear_++] = InOrder(pair[lane]);
    if (nnear_ == 4) CollideNear();
  }
}

void ElementPairs::CollideNear() {
  if (nnear_ == 0) return;
  const FourPairs four = LoadPairs(near_, nnear_);
  const FourContacts found = CollideFourElements(m_->opt, four.a, four.b, margin_);
  for (int lane = 0; lane < nnear_; ++lane) {
    const FlexElement &a = four.a[lane], &b = four.b[lane];
    if (!(found.known >> lane & 1)) {
      CollideElements(m_->opt, a, b, margin_, points_);
    }
    for (int i = 0; i < found.count[lane]; ++i) points_.Add(found.point[lane][i]);
    contacts_.Add(points_, FlexElementItem(a.flex, a.id), FlexElementItem(b.flex, b.id), margin_);
  }
  nnear_ = 0;
}

// Descends the trees of two flexes at once. Nodes that overlap are marked for display, and leaves whose parents do.
void ElementPairs::CollideByTrees() {
  const auto nbody = static_cast<int>(m_->nbody);
  const uint32_t flexes = PairSignature(nbody + flex_[0], nbody + flex_[1]);
  const auto visit = [this](int leaf1, int leaf2, int) {
    if (m_->vis.global.bvactive) d_->bvh_active[leaf1] = d_->bvh_active[leaf2] = 1;
    const double *box1 = NodeBox(m_, d_, leaf1), *box2 = NodeBox(m_, d_, leaf2);
    for (int k = 0; k < 3; ++k) {
      if (std::fabs(box1[k] - box2[k]) > box1[3 + k] + box2[3 + k] + margin_) return;
    }
    Visit(m_->bvh_nodeid[leaf1], first_of_second_ + m_->bvh_nodeid[leaf2]);
  };
  TreePairs trees(m_, d_, frame_);
  trees.Add(flexes, 0, visit);
  trees.Descend(&flexes, visit);
}

void ElementPairs::CollideBySweep(int count) {
  box_ = frame_.Alloc<SweepBox>(count);
  if (frame_.full()) return;
  AddBoxes(0);
  if (!IsSelf()) AddBoxes(1);
  if (nbox_ < 2) return;
  const Sweep sweep(box_, /*meeting=*/nbox_, nbox_, frame_);
  if (frame_.full()) return;
  if (!sweep.Fits()) return frame_.SetFull();
  VisitAll(sweep, *this);
}

void ElementPairs::Collide() {
  const int count = IsSelf() ? first_of_second_ : first_of_second_ + m_->flex_elemnum[flex_[1]];
  if (m_->flex_interp[flex_[0]] == 0 && m_->flex_interp[flex_[1]] == 0) {
    carriers_ = frame_.Alloc<Carriers>(count);
    if (frame_.full()) return;
    SetCarriers();
  }
  if (IsSelf() && HasMidphase() && m_->flex_bvhnum[flex_[0]] > 0) {
    rank_ = frame_.Alloc<double>(count);
    if (frame_.full()) return;
    SearchesTree(m_, flex_[0]) ? RankByLeaves() : RankAlongLongestAxis();
  }
  const bool by_trees = !IsSelf() && HasMidphase() && m_->flex_bvhnum[flex_[0]] > 0 && m_->flex_bvhnum[flex_[1]] > 0;
  if (by_trees) {
    CollideByTrees();
  } else {
    CollideBySweep(count);
  }
  CollideWaiting();
  CollideNear();
}

}  // namespace

bool SearchesTree(const mjModel* m, int flex) {
  const int mode = m->flex_selfcollide[flex];
  if (m->opt.disableflags & mjDSBL_MIDPHASE) return false;
  return mode == mjFLEXSELF_BVH || (mode == mjFLEXSELF_AUTO && m->flex_dim[flex] == 3);
}

void CollideElementPairs(const mjModel* m, mjData* d, int flex1, int flex2, double margin, FlexContactList& contacts,
                         StackFrame& frame) {
  ElementPairs(m, d, flex1, flex2, margin, contacts, frame).Collide();
}

void CollideElementsOfFlex(const mjModel* m, mjData* d, int flex, FlexContactList& contacts, StackFrame& frame) {
  ElementPairs(m, d, flex, flex, /*margin=*/0, contacts, frame).Collide();
}

}  // namespace sinew::inline collision
