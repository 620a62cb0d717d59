// The direction of least overlap of a cylinder with a shape that has edges: a box, or the axis of a capsule
// (cylinder_search_kernel.h).
#ifndef SINEW_COLLISION_ANALYTIC_CYLINDER_EDGES_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_CYLINDER_EDGES_KERNEL_H_

#include "collision/analytic/cylinder_search_kernel.h"
#include "math/block.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {
namespace cylinder {

// A cylinder and a box in the cylinder's frame. A box without width is the axis of a capsule, which has edges along
// its own axis alone.
template <class S, int kFirstEdge>
struct CylinderAndBox {
  S r, h;
  Vec3<S> b;  // half sizes
  Mat3<S> R;  // axes of the box as columns
  Vec3<S> d;  // centre of the box
  Vec3<S> D;  // the same along the box's axes
  S size;     // no less than what is summed to an overlap

  CylinderAndBox(const PlacedGeom<S>& cylinder, const PlacedGeom<S>& box)
      : r(cylinder.size.x),
        h(cylinder.size.y),
        b(box.size),
        R(Transpose(cylinder.mat) * box.mat),
        d(cylinder.ToLocal(box.pos)),
        D(MulTransposed(R, d)) {
    size = r + h + b.x + b.y + b.z + Abs(D.x) + Abs(D.y) + Abs(D.z);
  }

  // The direction of least overlap, from the cylinder to the box. Lanes whose shapes are apart by more than the margin
  // may end with any direction that separates them.
  Least<S> FindLeast(S margin) const {
    Least<S> least(size);
    TryFaces(least);
    TryAcrossAxis(least);
    if (All(least.overlap < -margin)) return least;
    TryCorners(least);
    if (All(least.overlap < -margin)) return least;
    TryRims(least);
    return least;
  }

 private:
  void TryFaces(Least<S>& least) const {
    Unroll<kFirstEdge == 0 ? 0 : 3, 3>([&](auto k) {
      const S slope = R(2, k), side = Sqrt(R(0, k) * R(0, k) + R(1, k) * R(1, k));
      const S overlap = r * side + h * Abs(slope) + b[k] - Abs(D[k]);
      least.Compare(overlap, R.Column(k) * SignOf(D[k]));
    });
    const S reach = b.x * Abs(R(2, 0)) + b.y * Abs(R(2, 1)) + b.z * Abs(R(2, 2));
    least.Compare(h + reach - Abs(d.z), {S(0), S(0), SignOf(d.z)});
  }
  // The direction u of the xy plane.
  void TryAcross(S x, S y, Least<S>& least) const {
    const S length2 = x * x + y * y;
    const MaskOf<S> is_point = length2 < S(kMinVal * kMinVal);
    const S inverse = S(1) / Sqrt(Select(is_point, S(1), length2));
    Vec3<S> u = {Select(is_point, S(1), x * inverse), Select(is_point, S(0), y * inverse), S(0)};
    const S along = u.x * d.x + u.y * d.y;
    S reach = S(0);
    Unroll<kFirstEdge, 3>([&](auto k) { reach += b[k] * Abs(u.x * R(0, k) + u.y * R(1, k)); });
    least.Compare(r + reach - Abs(along), u * SignOf(along));
  }
  void TryAcrossAxis(Least<S>& least) const {
    Unroll<kFirstEdge, 3>([&](auto k) { TryAcross(-R(1, k), R(0, k), least); });
  }

  // The corner that is nearest to the cylinder, and the one that is nearest to its axis.
  void TryCorners(Least<S>& least) const {
    S nearest(kInfinity), nearest_to_axis(kInfinity);
    Vec3<S> corner = Zero3<S>();
    Vec2<S> foot = {S(0), S(0)};
    const auto consider = [&](const Vec3<S>& c) {
      const S square = c.x * c.x + c.y * c.y;
      const S beside = Max(Sqrt(square) - r, S(0)), above = Max(Abs(c.z) - h, S(0));
      const S distance = beside * beside + above * above;
      const MaskOf<S> nearer = distance < nearest, inner = square < nearest_to_axis;
      nearest = Select(nearer, distance, nearest);
      corner = Select<S>(nearer, c, corner);
      nearest_to_axis = Select(inner, square, nearest_to_axis);
      foot = Vec2<S>::Choose(inner, {c.x, c.y}, foot);
    };
    if constexpr (kFirstEdge == 0) {
      const Vec3<S> x = R.Column(0) * b.x, y = R.Column(1) * b.y, z = R.Column(2) * b.z;
      const Vec3<S> sides[4] = {d + x + y, d + x - y, d - x + y, d - x - y};
      for (const Vec3<S>& side : sides) {
        consider(side + z);
        consider(side - z);
      }
    } else {
      const Vec3<S> z = R.Column(2) * b.z;
      consider(d + z);
      consider(d - z);
    }
    TryAcross(foot.x, foot.y, least);
    const S rho = Sqrt(corner.x * corner.x + corner.y * corner.y), inside = Min(S(1), r / Max(rho, S(kMinVal)));
    const Vec3<S> on_cylinder = {corner.x * inside, corner.y * inside, Clamp(corner.z, -h, h)};
    Try(corner - on_cylinder, nearest > S(0), least);
  }
  void Try(Vec3<S> u, MaskOf<S> where, Least<S>& least) const {
    if (!Any(where)) return;
    Normalize(u);
    const S along = Dot(u, d);
    S reach = S(0);
    Unroll<kFirstEdge, 3>([&](auto k) { reach += b[k] * Abs(Dot(u, R.Column(k))); });
    least.Compare(r * Sqrt(u.x * u.x + u.y * u.y) + h * Abs(u.z) + reach - Abs(along), u * SignOf(along), where);
  }

  void TryRims(Least<S>& least) const {
    if constexpr (kFirstEdge == 2) {
      RimAndLine<S>(r, h, R.Column(2), d)
          .ForEachArc([&] { return least.overlap - least.preference; },
                      [&](MaskOf<S> where, const Vec3<S>& u) { Try(u, where, least); });
    } else {
      TryRimsOfBox(least);
    }
  }

  // Arcs across the three axes: those of one world in the lanes of a pack.
  void TryRimsOfBox(Least<S>& least) const {
    using B = Block<S>;
    constexpr bool kAlone = kBlockSize<S> == 1;
    RimAndEdges<B> rims[kAlone ? 3 : 1];
    const auto set = [&](int i, const B& zx, const B& zy, const B& beside, const B& bx, const B& by, const B& dx,
                         const B& dy) {
      rims[i] = RimAndEdges<B>(InBlock(r), InBlock(h), {zx, zy}, beside, {bx, by}, {dx, dy});
    };
    if constexpr (kAlone) {
      Unroll<0, 3>([&](auto k) {
        constexpr int l = (k + 1) % 3, m = (k + 2) % 3;
        set(k, R(2, l), R(2, m), R(2, k), b[l], b[m], D[l], D[m]);
      });
    } else {
      const auto from = [](const S& x, const S& y, const S& z) { return block::Join(x, y, z, z); };
      set(0, from(R(2, 1), R(2, 2), R(2, 0)), from(R(2, 2), R(2, 0), R(2, 1)), from(R(2, 0), R(2, 1), R(2, 2)),
          from(b.y, b.z, b.x), from(b.z, b.x, b.y), from(D.y, D.z, D.x), from(D.z, D.x, D.y));
    }
    for (int index = 0; index < RimAndEdges<B>::kArcs; ++index) {
      const B limit = InBlock(least.overlap - least.preference);
      const auto visit = [&](const RimAndEdges<B>& rim, const auto& found) {
        const typename RimAndEdges<B>::Arc arc = rim.GetArc(index);
        const MaskOf<B> may = rim.MayLead(arc, limit);
        if (Any(may)) found(may, rim.FindLeast(arc, limit, may));
      };
      if constexpr (kAlone) {
        Unroll<0, 3>([&](auto k) {
          visit(rims[k], [&](const MaskOf<S>& where, const Vec2<S>& u) { TryAcrossEdge(k, u.x, u.y, where, least); });
        });
      } else {
        visit(rims[0], [&](const MaskOf<B>& where, const Vec2<B>& u) {
          for (int k = 0; k < 3; ++k) {
            if (where.Lane(k)) TryAcrossEdge(k, u.x[k], u.y[k], true, least);
          }
        });
      }
    }
  }
  void TryAcrossEdge(int k, S x, S y, MaskOf<S> where, Least<S>& least) const {
    Try(R.Column((k + 1) % 3) * x + R.Column((k + 2) % 3) * y, where, least);
  }
  static Block<S> InBlock(const S& x) {
    if constexpr (kBlockSize<S> == 1) {
      return x;
    } else {
      return InAllLanes(x);
    }
  }
};

}  // namespace cylinder
}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_CYLINDER_EDGES_KERNEL_H_
