// Pairs of bodies whose bounds overlap, by sweep and prune (collision/broad/sweep.h), and which may collide.
//
// The world's own geoms and planes have no useful bounds: those bodies meet everything that moves.
#include "collision/broad/broadphase.h"

#include <algorithm>

#include "collision/broad/bounds.h"
#include "collision/broad/filter.h"
#include "collision/broad/sweep.h"
#include "collision/broad/sweep_frame.h"
#include "math/block.h"
#include "math/mat3.h"
#include "math/sort.h"
#include "math/vec3.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"
#include "simd/functions.h"
#include "simd/pack.h"

namespace sinew::inline collision {
namespace {

// ---- bodies that meet everything

// Pairs of a static body with all others; the filter leaves out those that are static themselves.
SINEW_DISPATCH void AddPairsWithAll(const BodyFilter& filter, int body, int nbody, StackList<uint32_t>& pairs) {
  uint32_t* next = pairs.Room(nbody);
  if (!next) return;
  const uint32_t* const begin = next;
  for (int other = 1; other < nbody; ++other) {
    *next = PairSignature(body, other);
    next += filter(body, other);
  }
  pairs.Take(static_cast<int>(next - begin));
}

// ---- bounds

// Bounds along the axes of the sweep frame.
template <class S>
struct Bounds {
  Vec3<S> low, high;

  void Cut(const Vec3<S>& from, const Vec3<S>& to) {
    low = {Max(from.x, low.x), Max(from.y, low.y), Max(from.z, low.z)};
    high = {Min(to.x, high.x), Min(to.y, high.y), Min(to.z, high.z)};
  }
};

using Lanes = Block<double>;  // geoms, one in each lane
using LaneItems = FourItems;
constexpr int kLanes = kBlockSize<double>;

// For a sphere, the box is widened until it contains the sphere in any orientation, since it adds nothing.
double Roundness(const mjModel* m, int geom) { return m->geom_type[geom] == mjGEOM_SPHERE ? m->geom_rbound[geom] : 0; }

// The boxes of geoms in their frames: centres and half sizes.
struct LocalBoxes {
  Vec3<Lanes> centre, half;

  LocalBoxes(const mjModel* m, const LaneItems& geoms) {
    Lanes column[6];
    const double* row[kLanes];
    const ModelView<double> model(m);
    for (int lane = 0; lane < kLanes; ++lane) row[lane] = model.geom_aabb(geoms.id[lane]);
    block::LoadRows<6>(row, column, std::make_index_sequence<3>());
    centre = {column[0], column[1], column[2]};
    half = {column[3], column[4], column[5]};
  }
};

// The part that a geom's bounding sphere and its bounding box have in common, and its margin.
Bounds<Lanes> BoundsOfGeoms(const mjModel* m, const DataView<double>& d, const Mat3<Lanes>* axes,
                            const LaneItems& geoms) {
  const auto gather = [&](auto value) { return Gather(geoms, value); };
  Vec3<Lanes> pos = gather([&](int g) -> const Vec3<double>& { return d.geom_xpos(g); });
  if (axes) pos = *axes * pos;
  const Lanes r = gather([&](int g) { return m->geom_rbound[g]; });
  const Vec3<Lanes> radius = {r, r, r};
  Bounds<Lanes> bounds = {pos - radius, pos + radius};
  const auto is_sphere = [m](int g) { return m->geom_type[g] == mjGEOM_SPHERE; };
  if (!std::all_of(geoms.id, geoms.id + kLanes, is_sphere)) {
    Mat3<Lanes> mat = gather([&](int g) -> const Mat3<double>& { return d.geom_xmat(g); });
    if (axes) mat = *axes * mat;
    const LocalBoxes box(m, geoms);
    const Vec3<Lanes> centre = pos + mat * box.centre;
    const auto reach = [&](int k) {
      return Abs(mat(k, 0)) * box.half.x + Abs(mat(k, 1)) * box.half.y + Abs(mat(k, 2)) * box.half.z;
    };
    const Lanes round = gather([&](int g) { return Roundness(m, g); });
    const Vec3<Lanes> extent = {reach(0) + round, reach(1) + round, reach(2) + round};
    bounds.Cut(centre - extent, centre + extent);
  }
  const Lanes margin = gather([&](int g) { return GeomMargin(m, g); });
  const Vec3<Lanes> widening = {margin, margin, margin};
  return {bounds.low - widening, bounds.high + widening};
}

// Widens the bounds of a body to those of a geom in a lane; the body's first geom sets them.
void Include(const Bounds<Lanes>& bounds, int lane, bool is_first, SweepBox& box) {
  for (int k = 0; k < 3; ++k) {
    const double low = bounds.low[k][lane], high = bounds.high[k][lane];
    box.low[k] = is_first ? low : std::min(box.low[k], low);
    box.high[k] = is_first ? high : std::max(box.high[k], high);
  }
}

// Bounds of bodies. All geoms count, colliding or not: which body trees are compared, and their nodes marked, depends
// on it.
void SetBounds(const mjModel* m, mjData* d, const Mat3<Lanes>* axes, SweepBox* boxes, int count, StackFrame& frame) {
  int* geoms = frame.Ints(m->ngeom + kLanes);
  int* owner = frame.Ints(m->ngeom + kLanes);
  if (frame.full()) return;
  int ngeom = 0;
  for (int i = 0; i < count; ++i) {
    const int first = m->body_geomadr[boxes[i].id];
    for (int geom = first; geom < first + m->body_geomnum[boxes[i].id]; ++geom) {
      geoms[ngeom] = geom;
      owner[ngeom++] = i;
    }
  }
  std::fill_n(geoms + ngeom, kLanes, geoms[ngeom - 1]);  // for lanes without a geom
  std::fill_n(owner + ngeom, kLanes, -1);

  const DataView<double> data(d);
  for (int i = 0, last = -1; i < ngeom; i += kLanes) {
    const Bounds<Lanes> bounds = BoundsOfGeoms(m, data, axes, {geoms[i], geoms[i + 1], geoms[i + 2], geoms[i + 3]});
    for (int lane = 0; lane < kLanes && owner[i + lane] >= 0; ++lane) {
      const int body = owner[i + lane];
      Include(bounds, lane, body != last, boxes[body]);
      last = body;
    }
  }
}

// Whether the midphase may compare bounding volume trees of these bodies, and mark nodes in mjData. One geom has none.
bool MayMarkTrees(const mjModel* m, const SweepBox* boxes, int count) {
  if (!m->vis.global.bvactive || (m->opt.disableflags & mjDSBL_MIDPHASE)) return false;
  return std::any_of(boxes, boxes + count, [m](const SweepBox& box) { return m->body_geomnum[box.id] > 1; });
}

// Bounds of bodies along the axes of the world or, where trees may be marked, of the sweep frame.
const SweepBox* BoundsOf(const mjModel* m, mjData* d, const int* bodies, int count, StackFrame& frame) {
  SweepBox* boxes = frame.Alloc<SweepBox>(count);
  if (frame.full()) return nullptr;
  for (int i = 0; i < count; ++i) boxes[i].id = bodies[i];
  if (MayMarkTrees(m, boxes, count)) {
    const Mat3<double> axes = SweepFrame(m, d);
    Mat3<Lanes> wide_axes;
    for (int i = 0; i < 9; ++i) wide_axes.m[i] = Lanes(axes.m[i]);
    SetBounds(m, d, &wide_axes, boxes, count, frame);
  } else {
    SetBounds(m, d, nullptr, boxes, count, frame);
  }
  return boxes;
}

// Moves the bodies without conaffinity to the end: they do not collide with each other. Most of a hand's bodies are of
// this kind, and a sixth of its time would go into comparing them. Returns how many others there are.
int PutWithConaffinityFirst(const mjModel* m, int* bodies, int count) {
  const auto has_conaffinity = [m](int body) { return m->body_conaffinity[body] != 0; };
  return static_cast<int>(std::partition(bodies, bodies + count, has_conaffinity) - bodies);
}

// Pairs of bodies whose bounds overlap.
SINEW_DISPATCH void SweepBodies(const mjModel* m, mjData* d, const BodyFilter& filter, int* bodies, int count,
                                StackFrame& frame, StackList<uint32_t>& pairs) {
  const int meeting = PutWithConaffinityFirst(m, bodies, count);
  const SweepBox* boxes = BoundsOf(m, d, bodies, count, frame);
  if (frame.full()) return;
  const Sweep sweep(boxes, meeting, count, frame);
  if (frame.full()) return;
  sweep.ForEachOverlap([&](int body1, int body2) {
    pairs.Room() = PairSignature(body1, body2);
    pairs.TakeIf(filter(body1, body2));
  });
}

// Distributes the pairs by a body of each, which `body_of` names; pairs of the same keep their order.
template <class BodyOf>
void Distribute(const uint32_t* from, int count, uint32_t* to, int* end, int nbody, const BodyOf& body_of) {
  std::fill_n(end, nbody + 1, 0);
  for (int i = 0; i < count; ++i) ++end[body_of(from[i]) + 1];
  for (int body = 0; body < nbody; ++body) end[body + 1] += end[body];
  for (int i = 0; i < count; ++i) to[end[body_of(from[i])]++] = from[i];
}

// Sorts by the second body, then by the first, by counting: branches of comparisons of many are hard to predict.
void SortBySignature(uint32_t* pairs, int count, int nbody, StackFrame& frame) {
  if (count <= kShortList) return Sort(pairs, count);
  uint32_t* by_second = frame.Alloc<uint32_t>(count);
  int* end = frame.Ints(nbody + 1);
  if (frame.full()) return;
  Distribute(pairs, count, by_second, end, nbody, HighBodyOf);
  Distribute(by_second, count, pairs, end, nbody, LowBodyOf);
}

}  // namespace

void BroadPhase(const mjModel* m, mjData* d, StackFrame& frame, StackList<uint32_t>& pairs) {
  const int nbody = static_cast<int>(m->nbody);
  int* swept = frame.Ints(nbody);
  int nswept = 0;
  const BodyFilter filter(m, d, frame);
  if (frame.full()) return;
  if (m->body_geomnum[0] > 0 && IsCollidable(m, 0)) AddPairsWithAll(filter, 0, nbody, pairs);
  const int world_pairs = pairs.size();
  for (int body = 1; body < nbody; ++body) {
    if (m->body_geomnum[body] == 0 || !IsCollidable(m, body)) continue;
    if (HasFixedPlane(m, body)) {
      AddPairsWithAll(filter, body, nbody, pairs);
    } else {
      swept[nswept++] = body;
    }
  }
  if (nswept > 1) SweepBodies(m, d, filter, swept, nswept, frame, pairs);
  if (frame.full()) return;

  // every pair is there once; those of the world are in order and come first
  SortBySignature(pairs.begin() + world_pairs, pairs.size() - world_pairs, nbody, frame);
}

}  // namespace sinew::inline collision
