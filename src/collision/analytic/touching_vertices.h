// The vertices of a mesh that touch a plane, as points of the plane: they are found block by block
// (collision/convex/hull_blocks.h), and those outside of a polygon four at a time.
#ifndef SINEW_COLLISION_ANALYTIC_TOUCHING_VERTICES_H_
#define SINEW_COLLISION_ANALYTIC_TOUCHING_VERTICES_H_

#include <bit>
#include <cstring>
#include <utility>

#include "collision/analytic/support_polygon.h"
#include "collision/convex/hull_blocks.h"
#include "core/stack.h"
#include "simd/functions.h"
#include "simd/lane_bits.h"

namespace sinew::inline collision {

// A plane in the frame of a mesh. Its axes are unit vectors; a vertex v has the height `centre` - down . v.
struct PlaneUnderMesh {
  Vec3<double> down, first, second;
  double centre;

  double Height(const Vec3<double>& v) const { return centre - Dot(down, v); }
  Foot At(const Vec3<double>& v) const { return {Dot(first, v), Dot(second, v)}; }
};

class TouchingVertices {
 public:
  struct Vertex {
    Foot foot;
    int id;  // -1: none
  };

  // Those lower than `margin`, of all or of blocks. The frame must outlive the list; it tells whether there was room.
  TouchingVertices(const Hull& hull, const PlaneUnderMesh& plane, double margin, StackFrame& frame) {
    const int count = hull.Count();
    if (!Allocate(count, frame)) return;
    for (int i = 0; i < count; ++i) {
      const Vec3<double> v = hull.Vertex(i);
      Put(plane.At(v), i, plane.Height(v) < margin);
    }
    FillLastLanes();
  }
  TouchingVertices(const HullBlocks& blocks, const PlaneUnderMesh& plane, double margin, StackFrame& frame) {
    int* near = frame.Alloc<int>(blocks.count() + kWidth);
    if (!near) return;
    const int count = FindBlocks(blocks, plane, margin, near);
    if (!Allocate(PointBlock::kPoints * count, frame)) return;
    for (int i = 0; i < count; ++i) Take(blocks.block(near[i]), blocks.SizeOf(near[i]), plane, margin);
    FillLastLanes();
  }

  int count() const { return count_; }

  // Returns the square of their largest distance from a point.
  double SquareOfWidth(const Foot& centre) const {
    Feet most(0.0);
    for (int i = 0; i < count_; i += kWidth) {
      most = Max(most, SquareOfDistance(FeetAt(i), {Feet(centre.x), Feet(centre.y)}));
    }
    return Max(Max(most[0], most[1]), Max(most[2], most[3]));
  }

  // The vertex that is farthest outside of a polygon, of equal ones the first of the hull; none where the square of the
  // distance is `tolerance` at most. Those that are not outside leave the list: a polygon only grows.
  Vertex TakeFarthest(const SupportPolygon& polygon, double tolerance) {
    const int count = std::exchange(count_, 0);
    Feet most(tolerance), id(kInfinity);
    FootOf<Feet> farthest = {Feet(0.0), Feet(0.0)};
    for (int i = 0; i < count; i += kWidth) {
      const FootOf<Feet> feet = FeetAt(i);
      const Feet ids = Load(id_ + i), beyond = polygon.SquareBeyond(feet);
      const auto is_farther = (beyond > most) | ((beyond == most) & (ids < id));
      most = Select(is_farther, beyond, most);
      id = Select(is_farther, ids, id);
      farthest = {Select(is_farther, feet.x, farthest.x), Select(is_farther, feet.y, farthest.y)};
      Keep(feet, ids, LaneBits(beyond > Feet(tolerance)) & LanesOf(count - i), i);
    }
    FillLastLanes();
    if (count_ == 0) return {{}, -1};
    int best = 0;
    for (int lane = 1; lane < kWidth; ++lane) {
      const bool is_better = most[lane] > most[best] || (most[lane] == most[best] && id[lane] < id[best]);
      if (is_better) best = lane;
    }
    return {{farthest.x[best], farthest.y[best]}, static_cast<int>(id[best])};
  }

 private:
  static constexpr int kWidth = 4;
  using Feet = Pack<double, kWidth>;

  // Blocks whose balls reach below the margin.
  static int FindBlocks(const HullBlocks& blocks, const PlaneUnderMesh& plane, double margin, int* near) {
    int count = 0, first = 0;
    for (const BallBlock& balls : blocks.balls()) {
      for (int half = 0; half < PointBlock::kPoints; half += kWidth, first += kWidth) {
        const auto load = [half](const double* x) { return Load(x + half); };
        const Feet along = Feet(plane.down.x) * load(balls.x) + Feet(plane.down.y) * load(balls.y) +
                           Feet(plane.down.z) * load(balls.z);
        const unsigned below = LaneBits(Feet(plane.centre) - along - load(balls.radius) < Feet(margin));
        for (unsigned rest = below; rest != 0; rest &= rest - 1) near[count++] = first + std::countr_zero(rest);
      }
    }
    return count;
  }

  void Take(const PointBlock& block, int size, const PlaneUnderMesh& plane, double margin) {
    for (int half = 0; half < size; half += kWidth) {
      const Vec3<Feet> v = {Load(block.x + half), Load(block.y + half), Load(block.z + half)};
      const auto along = [&v](const Vec3<double>& u) { return Dot(Vec3<Feet>{Feet(u.x), Feet(u.y), Feet(u.z)}, v); };
      const Feet height = Feet(plane.centre) - along(plane.down);
      Feet ids(0.0);
      for (int lane = 0; lane < kWidth; ++lane) ids.Set(lane, block.name[half + lane]);
      const unsigned below = LaneBits(height < Feet(margin)) & LanesOf(size - half);
      if (below != 0) Keep({along(plane.first), along(plane.second)}, ids, below, -1);
    }
  }

  // Appends the items of some lanes; those at `place` may be there already.
  void Keep(const FootOf<Feet>& feet, Feet ids, unsigned lanes, int place) {
    if (place == count_ && lanes == LanesOf(kWidth)) {
      count_ += kWidth;
      return;
    }
    for (int lane = 0; lane < kWidth; ++lane) Put({feet.x[lane], feet.y[lane]}, ids[lane], lanes >> lane & 1);
  }

  bool Allocate(int most, StackFrame& frame) {
    x_ = frame.Alloc<double>(most + kWidth);
    y_ = frame.Alloc<double>(most + kWidth);
    id_ = frame.Alloc<double>(most + kWidth);
    return !frame.full();
  }
  // Writes an item, and counts it or not.
  void Put(const Foot& foot, double id, bool counts) {
    x_[count_] = foot.x;
    y_[count_] = foot.y;
    id_[count_] = id;
    count_ += counts;
  }

  static Feet Load(const double* x) {
    Feet feet;
    std::memcpy(&feet.v, x, sizeof(feet.v));
    return feet;
  }
  FootOf<Feet> FeetAt(int i) const { return {Load(x_ + i), Load(y_ + i)}; }
  // Bits of the lanes that have one of so many items.
  static unsigned LanesOf(int items) { return items < kWidth ? (1u << items) - 1 : (1u << kWidth) - 1; }
  // Lanes behind the last item repeat the first.
  void FillLastLanes() {
    for (int i = count_; i % kWidth != 0; ++i) {
      x_[i] = x_[0];
      y_[i] = y_[0];
      id_[i] = id_[0];
    }
  }

  double *x_ = nullptr, *y_ = nullptr, *id_ = nullptr;  // numbers of vertices are exact
  int count_ = 0;
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_TOUCHING_VERTICES_H_
