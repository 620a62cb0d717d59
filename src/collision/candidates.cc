#include "collision/candidates.h"

#include <bit>

#include "collision/bounds.h"
#include "simd/four.h"

namespace sinew {
namespace {

using Lanes = Block<double>;

// The box of rows of six numbers, in the frames of other rows.
PlacedBox<Lanes> GatherBoxes(const double* origins, const double* axes, const FourItems& frames, const double* boxes,
                             const FourItems& items) {
  const auto at = [](const double* rows, ptrdiff_t stride, int i) { return rows + stride * i; };
  const auto vec = [&](const double* rows, int i) -> const Vec3<double>& {
    return *reinterpret_cast<const Vec3<double>*>(at(rows, 3, i));
  };
  PlacedBox<Lanes> placed;
  placed.origin = Gather(frames, [&](int i) -> const Vec3<double>& { return vec(origins, i); });
  placed.axes = Gather(
      frames, [&](int i) -> const Mat3<double>& { return *reinterpret_cast<const Mat3<double>*>(at(axes, 9, i)); });
  const double* const row[4] = {at(boxes, 6, items[0]), at(boxes, 6, items[1]), at(boxes, 6, items[2]),
                                at(boxes, 6, items[3])};
  Lanes column[6];
  block::LoadRows<6>(row, column, std::make_index_sequence<3>());
  placed.centre = {column[0], column[1], column[2]};
  placed.half = {column[3], column[4], column[5]};
  return placed;
}

PlacedBox<double> LaneOf(const PlacedBox<Lanes>& box, int lane) {
  const auto vec = [lane](const Vec3<Lanes>& v) { return Vec3<double>{v.x[lane], v.y[lane], v.z[lane]}; };
  PlacedBox<double> out = {vec(box.origin), {}, vec(box.centre), vec(box.half)};
  for (int i = 0; i < 9; ++i) out.axes.m[i] = box.axes.m[i][lane];
  return out;
}

// Bits of the pairs whose boxes overlap, or are within the margin.
unsigned OverlappingBoxes(const PlacedBox<Lanes>& box1, const PlacedBox<Lanes>& box2, const Lanes& margin) {
  const BoxComparison<Lanes> comparison = CompareBoxes(box1, box2, margin);
  unsigned overlapping = LaneBits(!comparison.apart);
  for (unsigned ties = LaneBits(comparison.tie); ties; ties &= ties - 1) {
    const int lane = std::countr_zero(ties);
    if (!ProjectionsOverlap(LaneOf(box1, lane), LaneOf(box2, lane), margin[lane])) overlapping &= ~(1U << lane);
  }
  return overlapping;
}

PlacedBox<Lanes> GatherGeomBoxes(const mjModel* m, const mjData* d, const FourItems& geoms) {
  return GatherBoxes(d->geom_xpos, d->geom_xmat, geoms, m->geom_aabb, geoms);
}
Lanes GatherNumbers(const double* numbers, const FourItems& items) {
  return block::Join(numbers[items[0]], numbers[items[1]], numbers[items[2]], numbers[items[3]]);
}

// One by one, of planes and others.
unsigned NearOneByOne(const mjModel* m, const mjData* d, const Candidate* const (&four)[4], bool boxes) {
  unsigned near = 0;
  for (unsigned lane = 0; lane < 4; ++lane) {
    const int g1 = four[lane]->geom1, g2 = four[lane]->geom2;
    const double margin = PairMargin(m, g1, g2);
    const bool is_near = SpheresOverlap(m, d, g1, g2, margin) && (!boxes || GeomBoxesOverlap(m, d, g1, g2, margin));
    near |= static_cast<unsigned>(is_near) << lane;
  }
  return near;
}

}  // namespace

SINEW_DISPATCH unsigned NearCandidates(const mjModel* m, const mjData* d, const Candidate* const (&four)[4],
                                       bool boxes) {
  const auto is_plane = [m](int geom) { return m->geom_type[geom] == mjGEOM_PLANE; };
  int first_planes = 0, second_planes = 0;
  for (const Candidate* c : four) {
    first_planes += is_plane(c->geom1);
    second_planes += is_plane(c->geom2);
  }
  if (second_planes > 0 || (first_planes > 0 && first_planes < 4)) return NearOneByOne(m, d, four, boxes);

  const FourItems geoms1 = {{four[0]->geom1, four[1]->geom1, four[2]->geom1, four[3]->geom1}};
  const FourItems geoms2 = {{four[0]->geom2, four[1]->geom2, four[2]->geom2, four[3]->geom2}};
  const bool is_given = m->opt.enableflags & mjENBL_OVERRIDE;
  const Lanes margin = is_given ? InAllLanes(0.5 * m->opt.o_margin + 0.5 * m->opt.o_margin)
                                : GatherNumbers(m->geom_margin, geoms1) + GatherNumbers(m->geom_margin, geoms2);
  const Lanes reach = margin + GatherNumbers(m->geom_rbound, geoms1) + GatherNumbers(m->geom_rbound, geoms2);
  const auto pos = [d](int g) -> const Vec3<double>& {
    return *reinterpret_cast<const Vec3<double>*>(d->geom_xpos + 3 * static_cast<ptrdiff_t>(g));
  };
  const Vec3<Lanes> pos1 = Gather(geoms1, pos), pos2 = Gather(geoms2, pos);
  if (first_planes > 0) {
    const Vec3<Lanes> normal = Gather(geoms1, [d](int g) { return PlaneNormal(d, g); });
    const unsigned near = LaneBits(IsNearPlane(pos1, normal, pos2, reach));
    return boxes && near ? near & LaneBits(ReachesBelow(pos1, normal, GatherGeomBoxes(m, d, geoms2), margin)) : near;
  }
  const unsigned near = LaneBits(AreNear(pos1, pos2, reach));
  if (!boxes || !near) return near;
  return near & OverlappingBoxes(GatherGeomBoxes(m, d, geoms1), GatherGeomBoxes(m, d, geoms2), margin);
}

SINEW_DISPATCH unsigned NearRoots(const mjModel* m, const mjData* d, const FourItems& bodies1,
                                  const FourItems& bodies2) {
  const auto roots = [m](const FourItems& b) {
    return FourItems{{m->body_bvhadr[b[0]], m->body_bvhadr[b[1]], m->body_bvhadr[b[2]], m->body_bvhadr[b[3]]}};
  };
  const Lanes margin = m->opt.enableflags & mjENBL_OVERRIDE
                           ? InAllLanes(m->opt.o_margin)
                           : GatherNumbers(m->body_margin, bodies1) + GatherNumbers(m->body_margin, bodies2);
  const PlacedBox<Lanes> box2 = GatherBoxes(d->xipos, d->ximat, bodies2, m->bvh_aabb, roots(bodies2));
  if (bodies1[0] == 0) {
    const double* world = m->bvh_aabb + 6 * static_cast<ptrdiff_t>(m->body_bvhadr[0]);
    return LaneBits(AreNearAlongZ(InAllLanes(world[2]), InAllLanes(world[5]), box2, margin));
  }
  return OverlappingBoxes(GatherBoxes(d->xipos, d->ximat, bodies1, m->bvh_aabb, roots(bodies1)), box2, margin);
}

}  // namespace sinew
