// Light at vertices, as fixed pipelines have it: colours are worked out at the corners of the triangles that a shape is
// made of, and pixels lie between them. Rays meet round shapes themselves; here is which triangle of the polyhedron
// that a rasterizer would draw lies at the point.
//
// Surfaces are grids of cells, u to the right and v upwards seen from outside, whose triangles meet along the diagonal
// from the upper left to the lower right corner. Numbers of cells are those of the model's visual/quality; those of a
// plane are its own. Measured on MuJoCo 3.8.0.
#ifndef SINEW_RENDER_RAYS_FACET_KERNEL_H_
#define SINEW_RENDER_RAYS_FACET_KERNEL_H_

#include "render/rays/trace_kernel.h"

namespace sinew::inline render::rays {
inline namespace SINEW_ISA {

// The corners of triangles where rays meet shapes, and how much each counts there.
template <int W>
struct FacetPack {
  Vec3<Floats<W>> point[3], normal[3];
  Floats<W> weight[3];
};

// A place on a grid: the cell, and where in it, 0..1.
template <int W>
struct GridPlace {
  Ints<W> column, row;
  Floats<W> u, v;
};

// Cells from 0 to count - 1; places on the border belong to the cell beside it.
template <int W>
Ints<W> CellAt(Floats<W> at, Floats<W> count) {
  using F = Floats<W>;
  return Truncate(Most(Least(Floor(at), count - F(1.0f)), F(0.0f)));
}
template <int W>
GridPlace<W> PlaceAt(Floats<W> column, Floats<W> columns, Floats<W> row, Floats<W> rows) {
  GridPlace<W> place;
  place.column = CellAt<W>(column, columns);
  place.row = CellAt<W>(row, rows);
  place.u = column - ToFloats<W>(place.column);
  place.v = row - ToFloats<W>(place.row);
  return place;
}

// The angle of (x, y) from the x axis, 0..1 for a whole turn: the arctangent of 0..1 by a polynomial that is good to
// 1e-5 (M. Abramowitz and I. Stegun, Handbook of mathematical functions, 1964, 4.4.47).
template <int W>
Floats<W> TurnOf(Floats<W> x, Floats<W> y) {
  using F = Floats<W>;
  const F ax = Abs(x), ay = Abs(y), z = Least(ax, ay) / Most(Most(ax, ay), F(1e-30f)), z2 = z * z;
  const F angle =
      z * (F(0.9998660f) + z2 * (F(-0.3302995f) + z2 * (F(0.1801410f) + z2 * (F(-0.0851330f) + z2 * F(0.0208351f)))));
  F turn = angle * F(0.159154943f);
  turn = Select(ay > ax, F(0.25f) - turn, turn);
  turn = Select(x < F(0.0f), F(0.5f) - turn, turn);
  return Select(y < F(0.0f), F(1.0f) - turn, turn);
}

// Chooses a triangle of a cell, fetches its corners by at(column, row, point, normal), and weighs them by where the
// point lies in its plane. Triangles of which two corners coincide are not chosen: those above the diagonal of the last
// row, or below that of the first, where rows end in one point.
template <int W, class At>
void FindFacet(const GridPlace<W>& place, Mask<float, W> ends_above, Mask<float, W> ends_below,
               const Vec3<Floats<W>>& p, At at, FacetPack<W>& facet) {
  using F = Floats<W>;
  const Ints<W> zero = {}, one = zero + 1;
  const auto lower = ((place.u + place.v <= F(1.0f)) | ends_above) & !ends_below;
  const Ints<W> high = SelectInts<W>(lower, zero, one);  // of the corner that only this triangle has
  at(place.column + high, place.row + high, facet.point[0], facet.normal[0]);
  at(place.column + 1 - high, place.row + high, facet.point[1], facet.normal[1]);
  at(place.column + high, place.row + 1 - high, facet.point[2], facet.normal[2]);
  const Vec3<F> e1 = facet.point[1] - facet.point[0], e2 = facet.point[2] - facet.point[0], way = p - facet.point[0];
  const Vec3<F> n = Cross(e1, e2);
  const F inverse = F(1.0f) / Most(Dot(n, n), F(1e-30f));
  const F u = Saturate(Dot(n, Cross(way, e2)) * inverse), v = Saturate(Dot(n, Cross(e1, way)) * inverse);
  const F sum = Most(u + v, F(1.0f));  // round shapes bulge beyond their polyhedra
  facet.weight[1] = u / sum;
  facet.weight[2] = v / sum;
  facet.weight[0] = Most(F(1.0f) - facet.weight[1] - facet.weight[2], F(0.0f));
}

// Lines of a plane's grid lie at multiples of the cell, and on its borders.
template <int W>
void FindPlaneFacet(const RayShape& shape, const Vec3<Floats<W>>& p, FacetPack<W>& facet) {
  using F = Floats<W>;
  const F zero(0.0f), one(1.0f);
  const auto line = [&](int axis, F number) {
    return Least(Most(number * F(shape.cell[axis]), F(-shape.size[axis])), F(shape.size[axis]));
  };
  F low[2], share[2];
  for (int i = 0; i < 2; ++i) {
    low[i] = Floor(p[i] * F(1 / shape.cell[i]));
    const F from = line(i, low[i]), to = line(i, low[i] + one);
    share[i] = (p[i] - from) / Most(to - from, F(1e-30f));
  }
  const GridPlace<W> place = {Truncate(low[0]), Truncate(low[1]), share[0], share[1]};
  const Mask<float, W> none = zero > one;
  FindFacet<W>(
      place, none, none, p,
      [&](Ints<W> column, Ints<W> row, Vec3<F>& point, Vec3<F>& normal) {
        point = {line(0, ToFloats<W>(column)), line(1, ToFloats<W>(row)), zero};
        normal = {zero, zero, one};
      },
      facet);
}

// The sides of a box: x and y have z upwards, z has y.
template <int W>
void FindBoxFacet(const RayShape& shape, int quads, const Vec3<Floats<W>>& p, const Vec3<Floats<W>>& n,
                  FacetPack<W>& facet) {
  using F = Floats<W>;
  const F zero(0.0f), one(1.0f), half(0.5f), count(static_cast<float>(quads));
  const auto is_x = Abs(n.x) > half, is_y = Abs(n.y) > half, is_z = Abs(n.z) > half;
  const F sx(shape.size[0]), sy(shape.size[1]), sz(shape.size[2]);
  const F side = n.x + n.y + n.z;  // one or minus one
  const F turn = Select(is_y, -side, side);
  const F across = Select(is_x, sy, sx) * turn, upward = Select(is_z, sy, sz);
  const F u = Select(is_x, p.y, p.x) / across, v = Select(is_z, p.y, p.z) / upward;
  const GridPlace<W> place = PlaceAt<W>((u + one) * half * count, count, (v + one) * half * count, count);
  const Mask<float, W> none = zero > one;
  FindFacet<W>(
      place, none, none, p,
      [&](Ints<W> column, Ints<W> row, Vec3<F>& point, Vec3<F>& normal) {
        const F a = (ToFloats<W>(column) * F(2.0f / static_cast<float>(quads)) - one) * across,
                b = (ToFloats<W>(row) * F(2.0f / static_cast<float>(quads)) - one) * upward;
        point = {Select(is_x, sx * side, a), Select(is_x, a, Select(is_y, sy * side, b)), Select(is_z, sz * side, b)};
        normal = n;
      },
      facet);
}

// Shapes of revolution: columns are longitudes, rows are circles. Ends that are seen from below have longitudes that
// run the other way round, so that u goes to the right there too.
template <int W>
void FindRoundFacet(const RayShape& shape, const RayFacets& facets, const Vec3<Floats<W>>& p, const Vec3<Floats<W>>& n,
                    FacetPack<W>& facet) {
  using F = Floats<W>;
  const F zero(0.0f), one(1.0f), half(0.5f), slices(static_cast<float>(facets.slices)),
      stacks(static_cast<float>(facets.stacks)), half_stacks(static_cast<float>(facets.half_stacks));
  const F radius(shape.size[0]), length(shape.size[2]);
  const Mask<float, W> none = zero > one;
  const bool ball = shape.kind == DrawShape::kEllipsoid, capsule = shape.kind == DrawShape::kCapsule,
             cone = shape.kind == DrawShape::kCone;
  // a point of the unit sphere, for ellipsoids and the caps of capsules
  const Vec3<F> on_ball =
      ball ? Vec3<F>{p.x * F(1 / shape.size[0]), p.y * F(1 / shape.size[1]), p.z * F(1 / shape.size[2])} : n;
  const auto round = ball ? !none : capsule ? Abs(p.z) > length : none;
  const auto disk = ball || capsule ? none : cone ? n.z < F(-0.5f) : Abs(n.z) > half;
  const F flip = Select(disk & (n.z < zero), -one, one);
  const Vec3<F> q = ball ? on_ball : p;

  const F elevation =
      TurnOf<W>(Sqrt(Most(one - on_ball.z * on_ball.z, zero)), Abs(on_ball.z)) * F(4.0f);  // 0..1 to a pole
  const F signed_elevation = CopySign(elevation, on_ball.z);
  const F from_axis = Sqrt(p.x * p.x + p.y * p.y) / radius;
  F rows = stacks, row = cone ? p.z / length * stacks : (p.z / length + one) * half * stacks;
  if (ball) {
    row = (signed_elevation + one) * half * stacks;
  } else {
    rows = Select(round | disk, half_stacks, stacks);
    const F cap = Select(p.z < zero, (signed_elevation + one), signed_elevation) * half_stacks;
    row = Select(round, cap, Select(disk, (one - from_axis) * half_stacks, row));
  }
  const GridPlace<W> place = PlaceAt<W>(TurnOf<W>(q.x, q.y * flip) * slices, slices, row, rows);
  const F last = rows - one, at_row = ToFloats<W>(place.row);
  const auto to_point = at_row >= last;
  const auto above = to_point & (ball ? !none : capsule ? round & (p.z > zero) : cone ? !none : disk);
  const auto below = (at_row < half) & (ball ? !none : capsule ? round & (p.z < zero) : none);

  FindFacet<W>(
      place, above, below, p,
      [&](Ints<W> column, Ints<W> number, Vec3<F>& point, Vec3<F>& normal) {
        const F c = LookUp<W>(facets.ring, column * 2), s = LookUp<W>(facets.ring, column * 2 + 1) * flip;
        const F share = ToFloats<W>(number) / rows;
        if (ball) {
          const F across = LookUp<W>(facets.arc, number * 2), up = LookUp<W>(facets.arc, number * 2 + 1);
          point = {c * across * F(shape.size[0]), s * across * F(shape.size[1]), up * F(shape.size[2])};
          normal = Unit(
              Vec3<F>{c * across * F(1 / shape.size[0]), s * across * F(1 / shape.size[1]), up * F(1 / shape.size[2])});
          return;
        }
        F wide = one, z = (share * F(2.0f) - one) * length, out = one, up = zero;
        if (cone) {
          wide = one - share;
          z = share * length;
          // The normals of a cone of size one rise by 45 degrees; scaling turns them.
          const Vec3<F> mantle = Unit(Vec3<F>{F(1 / shape.size[0]), zero, F(1 / shape.size[2])});
          out = mantle.x;
          up = mantle.z;
        }
        wide = Select(disk, one - share, wide);
        z = Select(disk, cone ? zero : length * flip, z);
        out = Select(disk, zero, out);
        up = Select(disk, flip, up);
        if (capsule) {
          // rows of the lower cap are counted from its pole
          const auto low = p.z < zero;
          const Ints<W> turned = SelectInts<W>(low, Truncate(rows) - number, number);
          const Ints<W> safe = SelectInts<W>(round, turned, Ints<W>{});
          const F across = LookUp<W>(facets.cap, safe * 2), rise = LookUp<W>(facets.cap, safe * 2 + 1);
          wide = Select(round, across, wide);
          z = Select(round, CopySign(length + rise * radius, p.z), z);
          out = Select(round, across, out);
          up = Select(round, CopySign(rise, p.z), up);
        }
        point = {c * wide * radius, s * wide * radius, z};
        normal = {c * out, s * out, up};
      },
      facet);
}

// The facets of one shape, in its frame. n: the outward normal at p
template <int W>
FacetPack<W> FacetOf(const RayShape& shape, const RayFacets& facets, const HitPack<W>& hit, Ints<W> triangle,
                     const Vec3<Floats<W>>& p, const Vec3<Floats<W>>& n) {
  using F = Floats<W>;
  FacetPack<W> facet;
  if (shape.nodes) {
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 3; ++i) {
        facet.point[k][i] = LookUp<W>(shape.positions, triangle * 9 + (3 * k + i));
        facet.normal[k][i] = LookUp<W>(shape.normals, triangle * 9 + (3 * k + i));
      }
    }
    facet.weight[0] = F(1.0f) - hit.u - hit.v;
    facet.weight[1] = hit.u;
    facet.weight[2] = hit.v;
  } else if (shape.kind == DrawShape::kPlane) {
    FindPlaneFacet<W>(shape, p, facet);
  } else if (shape.kind == DrawShape::kBox) {
    FindBoxFacet<W>(shape, facets.quads, p, n, facet);
  } else {
    FindRoundFacet<W>(shape, facets, p, n, facet);
  }
  return facet;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline render::rays

#endif  // SINEW_RENDER_RAYS_FACET_KERNEL_H_
