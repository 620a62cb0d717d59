// Two boxes that touch with a face of one, the reference: what the other box turns towards it, a vertex, an edge or a
// face, is clipped to the face's rectangle.
#ifndef SINEW_COLLISION_ANALYTIC_BOX_FACE_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_BOX_FACE_KERNEL_H_

#include "collision/analytic/box_pair_kernel.h"
#include "collision/analytic/box_reference.h"
#include "simd/unroll.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {

namespace box_box {

// The incident feature in the face frame: its lowest vertex and its spans to the opposite vertices.
template <class S>
struct Incident {
  Vec3<S> vertex, u, v;
  MaskOf<S> has_u, has_v;  // v only with u

  // Of a box with this centre, axes and half sizes.
  Incident(const Vec3<S>& centre, const Mat3<S>& axes, const Vec3<S>& size, const BoxFace<S>& face)
      : vertex(face.ToFace(centre)) {
    Vec3<S> span[3];
    MaskOf<S> flat[3];
    Unroll<0, 3>([&](auto k) {
      const Vec3<S> axis = face.Turned(axes.Column(k));
      const Vec3<S> half = axis * Select(axis.z >= S(0), size[k], -size[k]);
      vertex -= half;
      span[k] = half * S(2);
      flat[k] = Abs(axis.z) < S(0.5);
    });
    u = Select<S>(flat[0], span[0], Select<S>(flat[1], span[1], span[2]));
    v = Select<S>(flat[0] & flat[1], span[1], span[2]);
    has_u = flat[0] | flat[1] | flat[2];
    has_v = (flat[0] & flat[1]) | (flat[2] & (flat[0] | flat[1]));
  }
};

// Calls add(where, p) for every candidate point: p is on the incident feature, in the face frame. The lowest vertex is
// one up to a small way beside the face, as in MuJoCo 3.8.0, so that boxes on boxes of the same size keep their
// corners; anywhere in lanes `apart`.
template <class S, class Add>
void ClipToFace(const BoxFace<S>& f, const Incident<S>& feature, MaskOf<S> apart, Add add) {
  const Vec3<S> V = feature.vertex, u = feature.u, v = feature.v;
  const auto cross = [&](MaskOf<S> exists, const Vec3<S>& start, const Vec3<S>& span) {
    CrossSides(f, start, span, [&](MaskOf<S> where, S t) { add(exists & where, start + span * t); });
  };
  if (Any(feature.has_u)) cross(feature.has_u, V, u);
  if (Any(feature.has_v)) {
    cross(feature.has_v, V, v);
    cross(feature.has_v, V + u, v);
    cross(feature.has_v, V + v, u);
    const PlaneCoordinates<S> plane(u, v);
    const auto corner = [&](S x, S y) {
      const Vec3<S> offset = Vec3<S>{x, y, S(0)} - V;
      const S s = plane.U(offset) / plane.det, t = plane.V(offset) / plane.det;
      add(feature.has_v & (s > S(0)) & (s < S(1)) & (t > S(0)) & (t < S(1)), {x, y, V.z + s * u.z + t * v.z});
    };
    corner(-f.x, -f.y);
    corner(-f.x, f.y);
    corner(f.x, -f.y);
    corner(f.x, f.y);
  }
  constexpr double kSlack = BoxReference<S>::kSlack;
  add(apart | ((Abs(V.x) <= f.x * S(kSlack)) & (Abs(V.y) <= f.y * S(kSlack))), V);
  const auto vertex = [&](MaskOf<S> exists, const Vec3<S>& p) { add(exists & f.HasStrictlyInside(p), p); };
  vertex(feature.has_u, V + u);
  vertex(feature.has_v, V + v);
  vertex(feature.has_v, V + u + v);
}

}  // namespace box_box

template <class S>
class BoxFaceContacts {
 public:
  // The decisive face is numbered as in BoxSeparation.
  BoxFaceContacts(const PlacedGeom<S>& box1, const PlacedGeom<S>& box2, const BoxPair<S>& p, S decisive_face, S overlap,
                  S margin)
      : of_second_((decisive_face == S(1)) | (decisive_face == S(3)) | (decisive_face == S(5))) {
    const auto choose = [&](const S& of_first, const S& of_second) { return Select(of_second_, of_second, of_first); };
    Unroll<0, 9>([&](auto i) {
      at_.box.mat.m[i] = choose(box1.mat.m[i], box2.mat.m[i]);
      at_.R.m[i] = choose(p.R.m[i], p.R(i % 3, i / 3));
    });
    at_.box.pos = Select<S>(of_second_, box2.pos, box1.pos);
    at_.box.size = Select<S>(of_second_, p.b, p.a);
    at_.other = Select<S>(of_second_, p.a, p.b);
    at_.D = Select<S>(of_second_, box2.ToLocal(box1.pos), p.D);
    at_.overlap = overlap;
    at_.margin = margin;
    at_.face = BoxFace<S>(at_.box.size, (decisive_face - choose(S(0), S(1))) * S(0.5), at_.D);
  }

  const BoxReference<S>& reference() const { return at_; }

  // Calls add(where, dist, p) for every candidate: p is midway between the surfaces, in the face's frame.
  template <class Add>
  void ForEachCandidate(Add add) const {
    const box_box::Incident<S> incident(at_.D, at_.R, at_.other, at_.face);
    box_box::ClipToFace(at_.face, incident, at_.IsApart(), [&](MaskOf<S> where, const Vec3<S>& p) {
      add(where & !(p.z > at_.margin), p.z, Vec3<S>{p.x, p.y, p.z - S(0.5) * p.z});
    });
  }

  // The normal from box 1 to box 2, in the world.
  Vec3<S> Normal() const {
    const BoxFace<S>& face = at_.face;
    const S zero = S(0), side = Select(of_second_, -face.side, face.side);
    return at_.box.mat * Vec3<S>{Select(face.is_x, side, zero), Select(face.is_y, side, zero),
                                 Select(face.is_x | face.is_y, zero, side)};
  }

 private:
  MaskOf<S> of_second_;  // the reference is box 2
  BoxReference<S> at_;
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_BOX_FACE_KERNEL_H_
