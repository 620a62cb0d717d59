// Packs of rays against shapes.
//
// A ray is p = o + t d with |d| = 1. Against a shape, its origin is first moved to the point nearest to the shape's
// middle, so that coordinates are as small as the shape (E. Haines et al., Precision improvements for ray/sphere
// intersection, Ray Tracing Gems, 2019, chapter 7). Shapes are convex or made of triangles: where a ray enters is what
// is seen, and what is entered behind the origin is not seen.
#ifndef SINEW_RENDER_RAYS_TRACE_KERNEL_H_
#define SINEW_RENDER_RAYS_TRACE_KERNEL_H_

#include "math/vec3.h"
#include "render/rays/ray_scene.h"
#include "simd/float_lanes.h"

namespace sinew::inline render::rays {
inline namespace SINEW_ISA {

// The distance that means no hit: larger than any distance [m] of a scene.
inline constexpr float kNoHit = 1e30f;
inline constexpr float kFlat = 1e-12f;  // stands for slopes that are zero

// RayPack is W rays; directions have length one, so that t is a distance in metres. Lanes that are not active are
// carried along, and their results mean nothing.
template <int W>
struct RayPack {
  using F = Floats<W>;
  using M = Mask<float, W>;

  Vec3<F> o, d;
  F least;  // t from which the ray is looked at
  M active;
};

// HitPack is what rays have met so far: distance, number of the shape, and of a triangle in it. Numbers are -1 for
// nothing.
template <int W>
struct HitPack {
  Floats<W> t;
  Ints<W> shape, triangle;
  Floats<W> u, v;  // of the triangle's second and third corner
};

// Keeps a divisor away from zero without changing its sign.
template <class F>
F NotFlat(F x) {
  return Select(Abs(x) < F(kFlat), CopySign(F(kFlat), x), x);
}

// Bounds a colour to 0..1, as it is after each sum of lights.
template <class F>
F Saturate(F x) {
  return Least(Most(x, F(0.0f)), F(1.0f));
}
template <class F>
Vec3<F> Saturate(const Vec3<F>& c) {
  return {Saturate(c.x), Saturate(c.y), Saturate(c.z)};
}
template <class F>
Vec3<F> Times(const Vec3<F>& a, const Vec3<F>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
// The bound keeps a vector without length at zero.
template <class F>
Vec3<F> Unit(const Vec3<F>& v) {
  return v * (F(1.0f) / Sqrt(Most(Dot(v, v), F(1e-30f))));
}

// Puts the same vector into all lanes.
template <int W>
Vec3<Floats<W>> Broadcast(const float* v) {
  return {Floats<W>(v[0]), Floats<W>(v[1]), Floats<W>(v[2])};
}
// transpose(mat) v
template <int W>
Vec3<Floats<W>> ToLocal(const float* mat, const Vec3<Floats<W>>& v) {
  using F = Floats<W>;
  return {F(mat[0]) * v.x + F(mat[3]) * v.y + F(mat[6]) * v.z, F(mat[1]) * v.x + F(mat[4]) * v.y + F(mat[7]) * v.z,
          F(mat[2]) * v.x + F(mat[5]) * v.y + F(mat[8]) * v.z};
}
// Returns mat v, from the frame of a shape into that of the model.
template <int W>
Vec3<Floats<W>> ToWorld(const float* mat, const Vec3<Floats<W>>& v) {
  using F = Floats<W>;
  return {F(mat[0]) * v.x + F(mat[1]) * v.y + F(mat[2]) * v.z, F(mat[3]) * v.x + F(mat[4]) * v.y + F(mat[5]) * v.z,
          F(mat[6]) * v.x + F(mat[7]) * v.y + F(mat[8]) * v.z};
}

// ---- where a line enters a convex shape, kNoHit where it misses

// (o + t d) / s on the unit sphere: with f the point nearest to the middle, t = t_f - sqrt((1 - f.f) / a).
template <class F>
F EnterEllipsoid(const Vec3<F>& o, const Vec3<F>& d, const float* s) {
  const Vec3<F> inverse = {F(1 / s[0]), F(1 / s[1]), F(1 / s[2])};
  const Vec3<F> p = {o.x * inverse.x, o.y * inverse.y, o.z * inverse.z},
                q = {d.x * inverse.x, d.y * inverse.y, d.z * inverse.z};
  const F a = F(1.0f) / Dot(q, q), nearest = -Dot(p, q) * a;
  const Vec3<F> f = p + q * nearest;
  const F inside = F(1.0f) - Dot(f, f);
  return Select(inside > F(0.0f), nearest - Sqrt(Most(inside, F(0.0f)) * a), F(kNoHit));
}

// |o + t d| = radius has the roots -+ sqrt(radius^2 - o.o), as o.d = 0 there.
template <class F>
F EnterSphere(const Vec3<F>& o, F radius) {
  const F inside = radius * radius - Dot(o, o);  // o is the point nearest to the middle
  return Select(inside > F(0.0f), -Sqrt(Most(inside, F(0.0f))), F(kNoHit));
}

// Of a cylinder without ends: discriminant, and the roots' middle and slope in t.
template <class F>
struct Tube {
  F discriminant, enter, leave;
};
// Solves (o_x + t d_x)^2 + (o_y + t d_y)^2 = radius^2. The roots mean something where the discriminant is positive.
template <class F>
Tube<F> MeetTube(const Vec3<F>& o, const Vec3<F>& d, float radius) {
  const F a = Most(d.x * d.x + d.y * d.y, F(kFlat)), b = o.x * d.x + o.y * d.y;
  const F c = o.x * o.x + o.y * o.y - F(radius * radius);
  const F h = b * b - a * c, root = Sqrt(Most(h, F(0.0f))), inverse = F(1.0f) / a;
  return {h, (-b - root) * inverse, (root - b) * inverse};
}

// The cylinder's side, or the half sphere at the end that the ray comes from.
template <class F>
F EnterCapsule(const Vec3<F>& o, const Vec3<F>& d, const float* s) {
  const Tube<F> tube = MeetTube(o, d, s[0]);
  const F z = o.z + tube.enter * d.z, half(s[2]);
  const Vec3<F> end = {o.x, o.y, o.z - CopySign(half, z)};
  const F b = Dot(end, d);
  const Vec3<F> nearest = end - d * b;
  const F inside = F(s[0] * s[0]) - Dot(nearest, nearest);
  const F cap = Select(inside > F(0.0f), -b - Sqrt(Most(inside, F(0.0f))), F(kNoHit));
  return Select(tube.discriminant > F(0.0f), Select(Abs(z) <= half, tube.enter, cap), F(kNoHit));
}

// The ray is inside where it is between both end planes and in the tube at once.
template <class F>
F EnterCylinder(const Vec3<F>& o, const Vec3<F>& d, const float* s) {
  const Tube<F> tube = MeetTube(o, d, s[0]);
  const F inverse = F(1.0f) / NotFlat(d.z), reach = Abs(F(s[2]) * inverse), middle = -o.z * inverse;
  const F enter = Most(tube.enter, middle - reach), leave = Least(tube.leave, middle + reach);
  return Select((tube.discriminant > F(0.0f)) & (enter < leave), enter, F(kNoHit));
}

// A box is three pairs of planes (T. Kay and J. Kajiya, Ray tracing complex scenes, 1986): the ray is in the box
// while it is between all of them.
template <class F>
F EnterBox(const Vec3<F>& o, const Vec3<F>& d, const float* s) {
  F enter(-kNoHit), leave(kNoHit);
  for (int i = 0; i < 3; ++i) {
    const F inverse = F(1.0f) / NotFlat(d[i]), reach = Abs(F(s[i]) * inverse), middle = -o[i] * inverse;
    enter = Most(enter, middle - reach);
    leave = Least(leave, middle + reach);
  }
  return Select(enter < leave, enter, F(kNoHit));
}

// x^2 + y^2 = k^2 w^2 with w = length - z, k = radius / length, and the base.
template <class F>
F EnterCone(const Vec3<F>& o, const Vec3<F>& d, const float* s) {
  const F k2(s[0] * s[0] / (s[2] * s[2])), length(s[2]), w = length - o.z;
  const F a = NotFlat(d.x * d.x + d.y * d.y - k2 * d.z * d.z), b = o.x * d.x + o.y * d.y + k2 * w * d.z;
  const F c = o.x * o.x + o.y * o.y - k2 * w * w, h = b * b - a * c, root = Sqrt(Most(h, F(0.0f)));
  F best(kNoHit);
  const auto side = [&](F t) {
    const F z = o.z + t * d.z;
    const auto on = (h > F(0.0f)) & (z >= F(0.0f)) & (z <= length);
    best = Least(best, Select(on, t, F(kNoHit)));
  };
  side((-b - root) / a);
  side((root - b) / a);
  const F t = -o.z / NotFlat(d.z), x = o.x + t * d.x, y = o.y + t * d.y;
  return Least(best, Select(x * x + y * y <= F(s[0] * s[0]), t, F(kNoHit)));
}

// Only from the front, unless both sides are seen, or only the back.
template <class F>
F EnterPlane(const Vec3<F>& o, const Vec3<F>& d, const RayShape& shape) {
  const F t = -o.z / NotFlat(d.z), x = o.x + t * d.x, y = o.y + t * d.y;
  const auto within = (Abs(x) <= F(shape.size[0])) & (Abs(y) <= F(shape.size[1]));
  const F slope = shape.flipped ? -d.z : d.z;
  const F hit = Select(within, t, F(kNoHit));
  return shape.two_sided ? hit : Select(slope < F(0.0f), hit, F(kNoHit));
}

// The distance at which a ray enters a shape with its frame as coordinates; it may be negative. All lanes have one
// shape, so that the choice is a plain one.
template <class F>
F EnterConvex(const RayShape& shape, const Vec3<F>& o, const Vec3<F>& d) {
  switch (shape.kind) {
    case DrawShape::kPlane:
      return EnterPlane(o, d, shape);
    case DrawShape::kEllipsoid:
      return shape.sphere ? EnterSphere(o, F(shape.size[0])) : EnterEllipsoid(o, d, shape.size);
    case DrawShape::kCapsule:
      return EnterCapsule(o, d, shape.size);
    case DrawShape::kCylinder:
      return EnterCylinder(o, d, shape.size);
    case DrawShape::kCone:
      return EnterCone(o, d, shape.size);
    default:
      return EnterBox(o, d, shape.size);
  }
}

// ---- trees

// Slabs holds rays prepared for many boxes: a division for each axis once, a product and a difference for each plane.
template <class F>
struct Slabs {
  Vec3<F> inverse, shift;  // t = plane * inverse - shift

  Slabs(const Vec3<F>& o, const Vec3<F>& d) {
    for (int i = 0; i < 3; ++i) {
      inverse[i] = F(1.0f) / NotFlat(d[i]);
      shift[i] = o[i] * inverse[i];
    }
  }
  // Lanes that pass through a box between two values of t.
  auto Meets(const RayNode& node, F least, F most) const {
    F enter = least, leave = most;
    for (int i = 0; i < 3; ++i) {
      const F a = F(node.low[i]) * inverse[i] - shift[i], b = F(node.high[i]) * inverse[i] - shift[i];
      enter = Most(enter, Least(a, b));
      leave = Least(leave, Most(a, b));
    }
    return enter <= leave + Abs(leave) * F(4e-7f);  // boxes without thickness count, whatever rounding does
  }
};

// Visits the leaves that rays meet, the nearer child first. visit(node) returns the lanes that go on, limit() how far.
template <int W, class Limit, class Visit>
void WalkTree(const RayNode* nodes, const Vec3<Floats<W>>& o, const Vec3<Floats<W>>& d, Floats<W> least,
              Mask<float, W> active, Limit limit, Visit visit) {
  const Slabs<Floats<W>> slabs(o, d);
  const unsigned bits = LaneBits(active);
  if (bits == 0) return;
  // The first active ray decides for all which child is nearer: packs are of neighbouring pixels, and a wrong order
  // costs time only.
  const int lane = __builtin_ctz(bits);
  const bool down[3] = {d.x[lane] < 0, d.y[lane] < 0, d.z[lane] < 0};
  int stack[2 * kRayTreeDepth], depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const RayNode& node = nodes[stack[--depth]];
    if (!Any(slabs.Meets(node, least, limit()) & active)) continue;
    if (node.count > 0) {
      active = visit(node);
      if (!Any(active)) return;
      continue;
    }
    const int first = node.first + (down[node.axis] ? 1 : 0), second = node.first + (down[node.axis] ? 0 : 1);
    stack[depth++] = second;
    stack[depth++] = first;
  }
}

// Whether a shape at t hides what was found: of two in one place, the later one of the scene is seen, as where a
// rasterizer draws over equal depth.
template <int W>
Mask<float, W> Hides(Floats<W> t, int number, const HitPack<W>& hit) {
  return (t < hit.t) | ((t == hit.t) & Mask<float, W>{hit.shape < (Ints<W>{} + number)});
}

// T. Moeller and B. Trumbore, Fast, minimum storage ray-triangle intersection, 1997.
template <int W>
void MeetTriangle(const float* p, int number, bool two_sided, const Vec3<Floats<W>>& o, const Vec3<Floats<W>>& d,
                  Floats<W> least, Mask<float, W> active, int shape, HitPack<W>& hit, Floats<W> shift) {
  using F = Floats<W>;
  const Vec3<F> edge1 = {F(p[3] - p[0]), F(p[4] - p[1]), F(p[5] - p[2])},
                edge2 = {F(p[6] - p[0]), F(p[7] - p[1]), F(p[8] - p[2])};
  const Vec3<F> across = Cross(d, edge2);
  const F det = Dot(edge1, across);  // positive from the front
  const auto faces = two_sided ? det != F(0.0f) : det > F(0.0f);
  const F inverse = F(1.0f) / Select(faces, det, F(1.0f));
  const Vec3<F> from = o - Broadcast<W>(p);
  const F u = Dot(from, across) * inverse;
  const Vec3<F> q = Cross(from, edge1);
  const F v = Dot(d, q) * inverse, t = Dot(edge2, q) * inverse;
  constexpr float kEdge = -1e-6f;  // neighbours overlap by more than rounding, so that no ray slips between them
  const auto within = faces & active & (u >= F(kEdge)) & (v >= F(kEdge)) & (u + v <= F(1 - kEdge));
  const auto nearer = within & (t > least) & Hides<W>(t + shift, shape, hit);
  if (!Any(nearer)) return;
  hit.t = Select(nearer, t + shift, hit.t);
  hit.u = Select(nearer, u, hit.u);
  hit.v = Select(nearer, v, hit.v);
  hit.shape = SelectInts<W>(nearer, Ints<W>{} + shape, hit.shape);
  hit.triangle = SelectInts<W>(nearer, Ints<W>{} + number, hit.triangle);
}

// Nearer hits with one shape.
// Lanes keep the nearer of the old and the new hit. `two_sided` says whether backs of triangles count.
template <int W>
void MeetShape(const RayShape& shape, int number, const RayPack<W>& rays, HitPack<W>& hit, bool two_sided) {
  using F = Floats<W>;
  const Vec3<F> to_shape = Broadcast<W>(shape.pos) - rays.o;
  // From here on, t is measured from the point nearest to the shape's middle.
  const F shift = Dot(to_shape, rays.d);
  const Vec3<F> nearest = rays.d * shift - to_shape;  // from the shape's middle
  const Vec3<F> o = shape.sphere ? nearest : ToLocal<W>(shape.mat, nearest);
  const Vec3<F> d = shape.sphere ? rays.d : ToLocal<W>(shape.mat, rays.d);
  if (shape.nodes) {
    WalkTree<W>(
        shape.nodes, o, d, rays.least - shift, rays.active, [&] { return hit.t - shift; },
        [&](const RayNode& node) {
          for (int i = node.first; i < node.first + node.count; ++i) {
            MeetTriangle<W>(shape.positions + 9 * i, i, two_sided, o, d, rays.least - shift, rays.active, number, hit,
                            shift);
          }
          return rays.active;
        });
    return;
  }
  F t = EnterConvex(shape, o, d) + shift;
  if (shape.two_sided && shape.kind != DrawShape::kPlane) {
    // A ray that starts inside sees the inner side, where the ray from the other direction enters.
    const F leave = shift - EnterConvex(shape, o, -d);
    t = Select((t <= rays.least) & (leave > rays.least), leave, t);
  }
  const auto nearer = rays.active & (t > rays.least) & Hides<W>(t, number, hit);
  if (!Any(nearer)) return;
  hit.t = Select(nearer, t, hit.t);
  hit.shape = SelectInts<W>(nearer, Ints<W>{} + number, hit.shape);
}

// Returns what rays start with: nothing up to a limit [m].
template <int W>
HitPack<W> NoHit(Floats<W> limit) {
  const Ints<W> none = Ints<W>{} - 1;
  return {limit, none, none, Floats<W>(0.0f), Floats<W>(0.0f)};
}

// The nearest hits with a group of shapes, between rays.least and what `hit` already has.
template <int W>
void FindNearest(const RaySceneView& scene, const RayGroup& group, const RayPack<W>& rays, HitPack<W>& hit) {
  for (int i = 0; i < group.plane_count; ++i) {
    const RayShape& plane = scene.shapes[group.planes[i]];
    MeetShape<W>(plane, group.planes[i], rays, hit, plane.two_sided);
  }
  if (group.node_count == 0) return;
  WalkTree<W>(
      group.nodes, rays.o, rays.d, rays.least, rays.active, [&] { return hit.t; },
      [&](const RayNode& node) {
        for (int i = node.first; i < node.first + node.count; ++i) {
          const RayShape& shape = scene.shapes[group.order[i]];
          MeetShape<W>(shape, group.order[i], rays, hit, shape.two_sided);
        }
        return rays.active;
      });
}

// Lanes that meet anything which casts shadows before `limit`.
template <int W>
Mask<float, W> FindShadowed(const RaySceneView& scene, RayPack<W> rays, Floats<W> limit) {
  using F = Floats<W>;
  HitPack<W> hit = NoHit<W>(limit);
  const auto active = rays.active;
  const auto remaining = [&] { return active & (hit.t >= limit); };
  const RayGroup* const groups[] = {&scene.opaque, &scene.transparent};
  for (const RayGroup* group : groups) {
    for (int i = 0; i < group->plane_count; ++i) {
      const RayShape& plane = scene.shapes[group->planes[i]];
      if (plane.casts) MeetShape<W>(plane, group->planes[i], rays, hit, true);
    }
    rays.active = remaining();
    if (group->node_count == 0 || !Any(rays.active)) continue;
    WalkTree<W>(
        group->nodes, rays.o, rays.d, rays.least, rays.active, [&] { return Least(limit, F(kNoHit)); },
        [&](const RayNode& node) {
          for (int i = node.first; i < node.first + node.count; ++i) {
            const RayShape& shape = scene.shapes[group->order[i]];
            if (shape.casts) MeetShape<W>(shape, group->order[i], rays, hit, true);
          }
          rays.active = remaining();
          return rays.active;
        });
  }
  return active & (hit.t < limit);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline render::rays

#endif  // SINEW_RENDER_RAYS_TRACE_KERNEL_H_
