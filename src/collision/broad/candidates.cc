#include "collision/broad/candidates.h"

#include <algorithm>
#include <bit>

#include "collision/broad/bounds.h"
#include "math/block.h"
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

bool IsPlane(const mjModel* m, int geom) { return m->geom_type[geom] == mjGEOM_PLANE; }

// Bits of those that are near.
unsigned NearOneByOne(const mjModel* m, const mjData* d, const Candidate* const (&four)[4]) {
  unsigned near = 0;
  for (unsigned lane = 0; lane < 4; ++lane) {
    const int g1 = four[lane]->geom1, g2 = four[lane]->geom2;
    const double margin = PairMargin(m, g1, g2);
    const bool is_near = SpheresOverlap(m, d, g1, g2, margin) && GeomBoxesOverlap(m, d, g1, g2, margin);
    near |= static_cast<unsigned>(is_near) << lane;
  }
  return near;
}

// Geoms in the lanes. (Candidates are not copied: what was written number by number would have to be waited for.)
struct FourCandidates {
  FourItems geoms1, geoms2;
  Lanes margin, reach;
  Vec3<Lanes> pos1, pos2;

  FourCandidates(const mjModel* m, const mjData* d, const Candidate* const (&four)[4])
      : geoms1{{four[0]->geom1, four[1]->geom1, four[2]->geom1, four[3]->geom1}},
        geoms2{{four[0]->geom2, four[1]->geom2, four[2]->geom2, four[3]->geom2}} {
    const bool is_given = m->opt.enableflags & mjENBL_OVERRIDE;
    margin = is_given ? InAllLanes(0.5 * m->opt.o_margin + 0.5 * m->opt.o_margin)
                      : GatherNumbers(m->geom_margin, geoms1) + GatherNumbers(m->geom_margin, geoms2);
    reach = margin + GatherNumbers(m->geom_rbound, geoms1) + GatherNumbers(m->geom_rbound, geoms2);
    const auto pos = [d](int g) -> const Vec3<double>& {
      return *reinterpret_cast<const Vec3<double>*>(d->geom_xpos + 3 * static_cast<ptrdiff_t>(g));
    };
    pos1 = Gather(geoms1, pos);
    pos2 = Gather(geoms2, pos);
  }
};

unsigned NearPlanes(const mjModel* m, const mjData* d, const FourCandidates& pairs) {
  const Vec3<Lanes> normal = Gather(pairs.geoms1, [d](int g) { return PlaneNormal(d, g); });
  const unsigned near = LaneBits(IsNearPlane(pairs.pos1, normal, pairs.pos2, pairs.reach));
  if (!near) return near;
  return near & LaneBits(ReachesBelow(pairs.pos1, normal, GatherGeomBoxes(m, d, pairs.geoms2), pairs.margin));
}

unsigned NearShapes(const mjModel* m, const mjData* d, const FourCandidates& pairs) {
  const unsigned near = LaneBits(AreNear(pairs.pos1, pairs.pos2, pairs.reach));
  if (!near) return near;
  const PlacedBox<Lanes> box1 = GatherGeomBoxes(m, d, pairs.geoms1), box2 = GatherGeomBoxes(m, d, pairs.geoms2);
  return near & OverlappingBoxes(box1, box2, pairs.margin);
}

// Calls compare(four) for four items at a time, the last of them repeated, and stores the bits that it returns.
template <class T, class Compare>
void InFours(const T* items, int count, bool* out, const Compare& compare) {
  for (int i = 0; i < count; i += 4) {
    const auto at = [&](int lane) { return items + std::min(i + lane, count - 1); };
    const unsigned bits = compare({at(0), at(1), at(2), at(3)});
    for (int lane = 0; lane < 4 && i + lane < count; ++lane) out[i + lane] = bits >> lane & 1;
  }
}

}  // namespace

SINEW_DISPATCH void FindNear(const mjModel* m, const mjData* d, const Candidate* candidates, int count, bool* near) {
  InFours(candidates, count, near, [m, d](const Candidate* const(&four)[4]) {
    int first_planes = 0, second_planes = 0;
    for (const Candidate* c : four) {
      first_planes += IsPlane(m, c->geom1);
      second_planes += IsPlane(m, c->geom2);
    }
    const bool all_planes = first_planes == 4;
    if (second_planes > 0 || (first_planes > 0 && !all_planes)) return NearOneByOne(m, d, four);
    const FourCandidates pairs(m, d, four);
    return all_planes ? NearPlanes(m, d, pairs) : NearShapes(m, d, pairs);
  });
}

SINEW_DISPATCH void FindNearRoots(const mjModel* m, const mjData* d, const BodyCandidate* candidates,
                                  int count_of_world, int count, bool* near) {
  const auto roots = [m](const FourItems& b) {
    return FourItems{{m->body_bvhadr[b[0]], m->body_bvhadr[b[1]], m->body_bvhadr[b[2]], m->body_bvhadr[b[3]]}};
  };
  const auto boxes = [m, d, &roots](const FourItems& bodies) {
    return GatherBoxes(d->xipos, d->ximat, bodies, m->bvh_aabb, roots(bodies));
  };
  const bool is_given = m->opt.enableflags & mjENBL_OVERRIDE;
  const auto margins = [m, is_given](const FourItems& bodies1, const FourItems& bodies2) {
    return is_given ? InAllLanes(m->opt.o_margin)
                    : GatherNumbers(m->body_margin, bodies1) + GatherNumbers(m->body_margin, bodies2);
  };
  const auto first = [](const BodyCandidate* const(&four)[4]) {
    return FourItems{{four[0]->body1, four[1]->body1, four[2]->body1, four[3]->body1}};
  };
  const auto second = [](const BodyCandidate* const(&four)[4]) {
    return FourItems{{four[0]->body2, four[1]->body2, four[2]->body2, four[3]->body2}};
  };
  InFours(candidates, count_of_world, near, [&](const BodyCandidate* const(&four)[4]) {
    const double* world = m->bvh_aabb + 6 * static_cast<ptrdiff_t>(m->body_bvhadr[0]);
    const Lanes centre = InAllLanes(world[2]), half = InAllLanes(world[5]);
    return LaneBits(AreNearAlongZ(centre, half, boxes(second(four)), margins(first(four), second(four))));
  });
  InFours(candidates + count_of_world, count - count_of_world, near + count_of_world,
          [&](const BodyCandidate* const(&four)[4]) {
            const FourItems bodies1 = first(four), bodies2 = second(four);
            return OverlappingBoxes(boxes(bodies1), boxes(bodies2), margins(bodies1, bodies2));
          });
}

}  // namespace sinew
