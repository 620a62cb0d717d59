// Functions of a table of BoxLanes, for a pack of W pairs.
#ifndef SINEW_COLLISION_ANALYTIC_BOX_LANES_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_BOX_LANES_KERNEL_H_

#include "collision/analytic/box_edge_kernel.h"
#include "collision/analytic/box_face_kernel.h"
#include "collision/analytic/box_lanes.h"
#include "collision/analytic/box_pair_kernel.h"
#include "collision/contact_frame.h"
#include "collision/item.h"
#include "math/lanes.h"
#include "simd/bits.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {
namespace box_box {

template <int W>
struct Pairs {
  using Lanes = Pack<double, W>;

  const ItemPair* const* pair;

  PlacedGeom<Lanes> First(const mjModel* m, mjData* d) const {
    return GatherGeoms(m, d, [this](int lane) { return pair[lane]->first.id; });
  }
  PlacedGeom<Lanes> Second(const mjModel* m, mjData* d) const {
    return GatherGeoms(m, d, [this](int lane) { return pair[lane]->second.id; });
  }
  Lanes Margin() const {
    return GatherLanes<W>([this](int lane) -> const double& { return pair[lane]->margin; });
  }

 private:
  template <class GeomOf>
  static PlacedGeom<Lanes> GatherGeoms(const mjModel* m, mjData* d, GeomOf geom) {
    const ModelView<double> model(m);
    const DataView<double> data(d);
    return {GatherLanes<W>([&](int lane) -> const Vec3<double>& { return data.geom_xpos(geom(lane)); }),
            GatherLanes<W>([&](int lane) -> const Mat3<double>& { return data.geom_xmat(geom(lane)); }),
            GatherLanes<W>([&](int lane) -> const Vec3<double>& { return model.geom_size(geom(lane)); })};
  }
};

template <int W>
unsigned Decide(const mjModel* m, mjData* d, const ItemPair* const* pair, BoxDecision* out) {
  const Pairs<W> pairs = {pair};
  const BoxPair<Pack<double, W>> p(pairs.First(m, d), pairs.Second(m, d));
  const BoxSeparation<Pack<double, W>> separation = FindLeastOverlap(p, pairs.Margin());
  for (int lane = 0; lane < W; ++lane) {
    out[lane] = {separation.overlap[lane],
                 separation.face[lane],
                 separation.edges[lane],
                 {separation.axis.x[lane], separation.axis.y[lane], separation.axis.z[lane]}};
  }
  return LaneBits(!separation.apart);
}

// ---- contacts

template <int W>
double* CandidateRow(BoxContacts& out, int i) {
  return out.candidate + BoxContacts::kCandidateRows * W * i;
}
template <int W>
void StoreVector(const Vec3<Pack<double, W>>& v, double* rows) {
  StoreLanes(v.x, rows);
  StoreLanes(v.y, rows + W);
  StoreLanes(v.z, rows + 2 * W);
}
template <int W>
Vec3<Pack<double, W>> LoadVector(const double* rows) {
  return {LoadLanes<W>(rows), LoadLanes<W>(rows + W), LoadLanes<W>(rows + 2 * W)};
}

// Points of a pair at the same place count once, the last of them.
template <int W>
void DropDoubles(BoxContacts& points, int i, int count) {
  const auto position = [&](int k) { return LoadVector<W>(CandidateRow<W>(points, k) + W); };
  const Vec3<Pack<double, W>> p = position(i);
  for (int j = i + 1; j < count; ++j) {
    const unsigned doubles = LaneBits(IsZero(position(j) - p)) & points.where[j];
    points.where[i] &= static_cast<uint8_t>(~doubles);
  }
}

template <int W, class Contacts>
void Collect(const Contacts& contacts, BoxContacts& out) {
  using Lanes = Pack<double, W>;
  const ContactFrame<Lanes> frame = CompletedFrame(contacts.Normal(), Zero3<Lanes>());
  StoreVector(frame.normal, out.frame);
  StoreVector(frame.first, out.frame + 3 * W);
  StoreVector(frame.second, out.frame + 6 * W);

  for (uint8_t& bits : out.where) bits = 0;
  int count = 0;
  contacts.ForEachCandidate([&](MaskOf<Lanes> near, const Lanes& dist, const Vec3<Lanes>& p) {
    const unsigned bits = LaneBits(near);
    if (bits == 0) return;
    out.where[count] = static_cast<uint8_t>(bits);
    double* row = CandidateRow<W>(out, count++);
    StoreLanes(dist, row);
    StoreVector(p, row + W);
  });
  for (int i = 0; i < count; ++i) {
    double* row = CandidateRow<W>(out, i) + W;
    Vec3<Lanes> pos = LoadVector<W>(row);
    out.where[i] &= static_cast<uint8_t>(LaneBits(contacts.reference().Complete(pos)));
    StoreVector(pos, row);
  }
  for (int i = 0; i < count; ++i) {
    const Lanes x = LoadLanes<W>(CandidateRow<W>(out, i) + W);
    MaskOf<Lanes> same = x != x;
    for (int j = i + 1; j < count; ++j) same = same | (x == LoadLanes<W>(CandidateRow<W>(out, j) + W));
    if (LaneBits(same) & out.where[i]) DropDoubles<W>(out, i, count);
  }
}

template <int W>
Pack<double, W> OverlapOf(const BoxDecision* const* decision) {
  return GatherLanes<W>([&](int lane) -> const double& { return decision[lane]->overlap; });
}

template <int W>
void ContactsAtFaces(const mjModel* m, mjData* d, const ItemPair* const* pair, const BoxDecision* const* decision,
                     BoxContacts& out) {
  using Lanes = Pack<double, W>;
  const Pairs<W> pairs = {pair};
  const PlacedGeom<Lanes> box1 = pairs.First(m, d), box2 = pairs.Second(m, d);
  const Lanes face = GatherLanes<W>([&](int lane) -> const double& { return decision[lane]->face; });
  const Lanes overlap = OverlapOf<W>(decision);
  Collect<W>(BoxFaceContacts<Lanes>(box1, box2, BoxPair<Lanes>(box1, box2), face, overlap, pairs.Margin()), out);
}

template <int W>
void ContactsAtEdges(const mjModel* m, mjData* d, const ItemPair* const* pair, const BoxDecision* const* decision,
                     BoxContacts& out) {
  using Lanes = Pack<double, W>;
  const Pairs<W> pairs = {pair};
  const PlacedGeom<Lanes> box1 = pairs.First(m, d), box2 = pairs.Second(m, d);
  const Lanes edges = GatherLanes<W>([&](int lane) -> const double& { return decision[lane]->edges; });
  const auto axis = GatherLanes<W>(
      [&](int lane) -> const Vec3<double>& { return *reinterpret_cast<const Vec3<double>*>(decision[lane]->axis); });
  const Lanes overlap = OverlapOf<W>(decision);
  Collect<W>(BoxEdgeContacts<Lanes>(box1, BoxPair<Lanes>(box1, box2), edges, axis, overlap, pairs.Margin()), out);
}

}  // namespace box_box
}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_BOX_LANES_KERNEL_H_
