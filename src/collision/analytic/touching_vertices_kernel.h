// The vertices of a mesh that touch a plane, as points of the plane: they are found block by block
// (collision/convex/ball_blocks.h), and those outside of a polygon W at a time.
#ifndef SINEW_COLLISION_ANALYTIC_TOUCHING_VERTICES_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_TOUCHING_VERTICES_KERNEL_H_

#include "collision/analytic/support_polygon_kernel.h"
#include "collision/convex/ball_blocks.h"
#include "math/vec3.h"
#include "simd/compress.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {

// A plane in the frame of a mesh. Its axes are unit vectors; a vertex v has the height `centre` - down . v.
struct PlaneUnderMesh {
  Vec3<double> down, first, second;
  double centre;

  Foot At(const Vec3<double>& v) const { return {Dot(first, v), Dot(second, v)}; }
};

template <int W>
class TouchingVertices {
 public:
  struct Vertex {
    Foot foot;
    int id;  // -1: none
  };

  // Those lower than `margin`, and the largest distance of one from a point that all polygons have. `room` has 3 (8
  // blocks + W) numbers.
  TouchingVertices(const BlocksInBalls& blocks, const PlaneUnderMesh& plane, double margin, const Foot& centre,
                   double* room)
      : blocks_(blocks), plane_(plane), margin_(margin), centre_{Items(centre.x), Items(centre.y)} {
    const int most = PointBlock::kPoints * blocks.count + W;
    x_ = room;
    y_ = x_ + most;
    id_ = y_ + most;
    if (blocks.ball) {
      TakeFromBalls();
    } else {
      for (int i = 0; i < blocks.count; ++i) TakeBlock(i);
    }
    Put(centre_, Items(0.0), count_);  // in the lanes behind the last one
    listed_ = (count_ + W - 1) / W * W;
  }

  int count() const { return count_; }
  double SquareOfWidth() const { return Largest(width_); }

  // The vertex that is farthest outside of a polygon, of equal ones the first of the hull; none where the square of the
  // distance is `tolerance` at most. Packs of which none is outside leave the list: a polygon only grows.
  Vertex TakeFarthest(const SupportPolygon<W>& polygon, double tolerance) {
    int kept = 0;
    Items most(tolerance), id(kInfinity);
    FootOf<Items> farthest = {Items(0.0), Items(0.0)};
    for (int i = 0; i < listed_; i += W) {
      const FootOf<Items> feet = {Load(x_ + i), Load(y_ + i)};
      const Items ids = Load(id_ + i), beyond = polygon.SquareBeyond(feet);
      const auto is_farther = (beyond > most) | ((beyond == most) & (ids < id));
      most = Select(is_farther, beyond, most);
      id = Select(is_farther, ids, id);
      farthest = {Select(is_farther, feet.x, farthest.x), Select(is_farther, feet.y, farthest.y)};
      Put(feet, ids, kept);
      kept += LaneBits(beyond > Items(tolerance)) != 0 ? W : 0;
    }
    listed_ = kept;
    if (kept == 0) return {{}, -1};
    int best = -1;
    for (unsigned rest = LaneBits(most == Items(Largest(most))); rest != 0; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      if (best < 0 || id[lane] < id[best]) best = lane;
    }
    return {{farthest.x[best], farthest.y[best]}, static_cast<int>(id[best])};
  }

 private:
  using Items = Pack<double, W>;

  static Items Load(const double* x) { return LoadNumbers<Items>(x); }
  static double Largest(const Items& x) {
    double most[W];
    StoreNumbers(x, most);
    for (int width = W / 2; width > 0; width /= 2) {
      for (int i = 0; i < width; ++i) most[i] = Max(most[i], most[i + width]);
    }
    return most[0];
  }

  // The blocks whose balls reach below the margin.
  void TakeFromBalls() {
    for (int i = 0; i < blocks_.count; i += W) {
      const BallBlock& balls = blocks_.ball[i / PointBlock::kPoints];
      const int at = i % PointBlock::kPoints;
      const Items along = Along(plane_.down, balls.x + at, balls.y + at, balls.z + at);
      const Items low = Items(plane_.centre) - along - Load(balls.radius + at);
      for (unsigned rest = LaneBits(low < Items(margin_)); rest != 0; rest &= rest - 1) {
        TakeBlock(i + __builtin_ctz(rest));
      }
    }
  }
  // Appends the vertices of a block that touch.
  void TakeBlock(int i) {
    const PointBlock& block = blocks_.block[i];
    const int size = i + 1 < blocks_.count ? PointBlock::kPoints : blocks_.size_of_last;
    for (int at = 0; at < size; at += W) {
      const auto along = [&](const Vec3<double>& u) { return Along(u, block.x + at, block.y + at, block.z + at); };
      const auto is_below = Items(plane_.centre) - along(plane_.down) < Items(margin_);
      const unsigned below = LaneBits(is_below) & LanesOf(size - at);
      if (below == 0) continue;
      const FootOf<Items> feet = {along(plane_.first), along(plane_.second)};
      width_ = Max(width_, Select(is_below, SquareOfDistance(feet, centre_), Items(0.0)));
      Items ids;
      for (int lane = 0; lane < W; ++lane) ids.Set(lane, block.name[at + lane]);
      Append(feet, ids, below);
    }
  }
  static Items Along(const Vec3<double>& u, const double* x, const double* y, const double* z) {
    const auto all = [](const double& a) { return Items(a); };
    return all(u.x) * Load(x) + all(u.y) * Load(y) + all(u.z) * Load(z);
  }

  void Put(const FootOf<Items>& feet, const Items& ids, int place) {
    StoreNumbers(feet.x, x_ + place);
    StoreNumbers(feet.y, y_ + place);
    StoreNumbers(ids, id_ + place);
  }
  // Appends the items of some lanes.
  void Append(const FootOf<Items>& feet, const Items& ids, unsigned lanes) {
    Put({Compressed(feet.x, lanes), Compressed(feet.y, lanes)}, Compressed(ids, lanes), count_);
    count_ += __builtin_popcount(lanes);
  }
  // Bits of the lanes that have one of so many items.
  static unsigned LanesOf(int items) { return items < W ? (1u << items) - 1 : (1u << W) - 1; }

  const BlocksInBalls& blocks_;
  const PlaneUnderMesh& plane_;
  double margin_;
  FootOf<Items> centre_;
  Items width_ = Items(0.0);  // squares of distances from there
  double *x_, *y_, *id_;      // numbers of vertices are exact
  int count_ = 0, listed_ = 0;
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_TOUCHING_VERTICES_KERNEL_H_
