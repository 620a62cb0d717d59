// Contacts of a cylinder, the first shape, and another one, from the sides that they turn to each other
// (cylinder_sides_kernel.h), in the cylinder's frame.
#ifndef SINEW_COLLISION_ANALYTIC_CYLINDER_CONTACTS_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_CYLINDER_CONTACTS_KERNEL_H_

#include "collision/analytic/cylinder_sides_kernel.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {
namespace cylinder {

template <class S, class Face>
class Meeting {
 public:
  // Sides, the face of the second shape, the normal from the first to the second, by how much the shapes overlap along
  // it, a length that is no less than theirs, and the margin.
  Meeting(S radius, const Side<S>& first, const Side<S>& second, const Face& face, const Vec3<S>& normal, S overlap,
          S size, S margin)
      : r_(radius),
        first_(first),
        second_(second),
        face_(face),
        normal_(normal),
        overlap_(overlap),
        size_(size),
        margin_(margin) {}

  // Contacts in the cylinder's frame.
  ContactPoints<S, 4> Find() const {
    ContactPoints<S, 4> out;
    SetAtPoint(out);
    const MaskOf<S> near = -overlap_ < margin_;
    out.hit[0] = near;
    for (int i = 1; i < 4; ++i) {
      out.point[i] = out.point[0];
      out.hit[i] = Never<S>();
    }
    const MaskOf<S> flat = near & !first_.IsPoint() & !second_.IsPoint();
    if (!Any(flat)) return out;
    SetAlongSegment(flat, out);
    if constexpr (!std::is_same_v<Face, NoFace<S>>) {
      const MaskOf<S> faces = flat & first_.is_face & second_.is_face;
      if (Any(faces)) SetAcrossFaces(faces, out);
    }
    return out;
  }

 private:
  static constexpr double kMissing = 1e-6;    // of the sizes: up to which loss of depth clipping has kept the deepest
  static constexpr double kSamePlace = 1e-9;  // of the sizes

  // Distances along the normal from a point to the plane of the other shape's face.
  S ToSecond(const Vec3<S>& x) const { return Ratio(Dot(second_.normal, second_.middle - x), second_.normal); }
  S ToFirst(const Vec3<S>& x) const { return Ratio(Dot(first_.normal, x - first_.middle), first_.normal); }
  S Ratio(S height, const Vec3<S>& face_normal) const {
    const S slope = Dot(face_normal, normal_);
    return height / Select(Abs(slope) > S(0.5), slope, S(1));
  }

  // Where one of the sides is a point, and where two segments cross.
  void SetAtPoint(ContactPoints<S, 4>& out) const {
    Vec3<S> on1 = first_.farthest, on2 = second_.farthest;
    const MaskOf<S> crossing = first_.is_segment & second_.is_segment;
    if (Any(crossing)) {
      // moved out by the overlap, the second one crosses the first
      const Vec3<S> offset = second_.middle + normal_ * overlap_ - first_.middle;
      const S aa = Dot(first_.half, first_.half), bb = Dot(second_.half, second_.half);
      const S ab = Dot(first_.half, second_.half), u = Dot(first_.half, offset), v = Dot(second_.half, offset);
      const S det = aa * bb - ab * ab;
      S s = Clamp((u * bb - v * ab) / Select(det > S(0), det, S(1)), S(-1), S(1));
      const S t = Clamp((s * ab - v) / bb, S(-1), S(1));
      s = Clamp((t * ab + u) / aa, S(-1), S(1));
      on1 = Select<S>(crossing, first_.middle + first_.half * s, on1);
      on2 = Select<S>(crossing, second_.middle + second_.half * t, on2);
    }
    const Vec3<S> half = normal_ * (S(0.5) * overlap_), from1 = on1 - half, from2 = on2 + half;
    const MaskOf<S> by_second = second_.IsPoint() & !first_.IsPoint(), by_both = crossing;
    out.point[0] = {-overlap_, Select<S>(by_both, (from1 + from2) * S(0.5), Select<S>(by_second, from2, from1)),
                    normal_};
  }

  // A segment over a face, or beside another one.
  void SetAlongSegment(MaskOf<S> flat, ContactPoints<S, 4>& out) const {
    const MaskOf<S> over_second = flat & first_.is_segment & second_.is_face;
    const MaskOf<S> over_first = flat & first_.is_face & second_.is_segment;
    const Vec3<S> across = Cross(first_.half, second_.half);
    const S lengths2 = Dot(first_.half, first_.half) * Dot(second_.half, second_.half);
    const MaskOf<S> beside =
        flat & first_.is_segment & second_.is_segment & (Dot(across, across) < S(kFlat * kFlat) * lengths2);
    const MaskOf<S> any = over_second | over_first | beside;
    if (!Any(any)) return;

    const Vec3<S> middle = Select<S>(over_first, second_.middle, first_.middle);
    const Vec3<S> half = Select<S>(over_first, second_.half, first_.half);
    Part<S> part;
    face_.Clip(middle - second_.middle, half, over_second, part);
    const Vec3<S> from_first = middle - first_.middle;
    part.ClipToDisc({from_first.x, from_first.y, S(0)}, {half.x, half.y, S(0)}, r_, over_first);
    const S other2 = Dot(second_.half, second_.half);
    part.ClipToSlab(Dot(middle - second_.middle, second_.half), Dot(half, second_.half), other2, beside);

    const auto distance_at = [&](const Vec3<S>& x) {
      const Vec3<S> way = second_.middle - x;
      const S along = Dot(way, second_.half) / Max(other2, S(kMinVal * kMinVal));
      const S to_line = Dot(normal_, way - second_.half * along);
      return Select(over_second, ToSecond(x), Select(over_first, ToFirst(x), to_line));
    };
    const Vec3<S> low = middle + half * part.low, high = middle + half * part.high;
    const S dist_low = distance_at(low), dist_high = distance_at(high);
    const MaskOf<S> low_first = !(dist_high < dist_low);
    const Vec3<S> x[2] = {Select<S>(low_first, low, high), Select<S>(low_first, high, low)};
    const S dist[2] = {Min(dist_low, dist_high), Max(dist_low, dist_high)};
    const MaskOf<S> kept = any & (part.low <= part.high) & (dist[0] < S(kMissing) * size_ - overlap_);
    const S length = (part.high - part.low) * Norm(half);
    const MaskOf<S> has_second = kept & (dist[1] < margin_) & (length > S(kSamePlace) * size_);
    const S side = Select(over_first, S(-0.5), S(0.5));
    Set(0, x[0], side, -overlap_, kept, out);
    Set(1, x[1], side, Max(dist[1], -overlap_), has_second, out);
  }

  // A contact at a point of a surface; `side` is half the way to the other one along the normal, as part of `dist`.
  void Set(int i, const Vec3<S>& x, S side, S dist, MaskOf<S> where, ContactPoints<S, 4>& out) const {
    ContactPoint<S>& point = out.point[i];
    point.dist = Select(where, dist, point.dist);
    point.pos = Select<S>(where, x + normal_ * (side * dist), point.pos);
    out.hit[i] = out.hit[i] | where;
  }

  void SetAcrossFaces(MaskOf<S> faces, ContactPoints<S, 4>& out) const {
    constexpr double kUpright = 1e-6;                             // slope from which a cap has a lowest point
    const Vec2<S> down = {-second_.normal.x, -second_.normal.y};  // where the other face is nearer
    const S slope = Sqrt(Dot(down, down));
    const MaskOf<S> is_inclined = slope > S(kUpright);
    SharedArea<S> area = {r_, Vec2<S>::Choose(is_inclined, down * (S(1) / Max(slope, S(kUpright))), {S(1), S(0)}), {}};
    area.Add(second_.middle, face_);
    Vec2<S> four[4];
    MaskOf<S> is_there[4];
    area.points.ChooseFour(area.along, S(kSamePlace) * size_, four, is_there);
    MaskOf<S> kept = faces & is_there[0];
    for (int i = 0; i < 4; ++i) {
      const Vec3<S> x = {four[i].x, four[i].y, first_.middle.z};
      const S dist = ToSecond(x);
      if (i == 0) kept = kept & (dist < S(kMissing) * size_ - overlap_);
      Set(i, x, S(0.5), i == 0 ? -overlap_ : Max(dist, -overlap_),
          kept & is_there[i] & ((dist < margin_) | (i == 0 ? kept : Never<S>())), out);
    }
  }

  S r_;  // of the cylinder
  Side<S> first_, second_;
  Face face_;
  Vec3<S> normal_;
  S overlap_, size_, margin_;
};

// The same contacts in the world.
template <class S>
void ToWorld(const PlacedGeom<S>& frame, ContactPoints<S, 4>& out) {
  const Vec3<S> normal = frame.mat * out.point[0].normal;
  for (ContactPoint<S>& point : out.point) {
    point.pos = frame.ToWorld(point.pos);
    point.normal = normal;
  }
}

// Contacts of shapes that are too far apart.
template <class S>
ContactPoints<S, 4> NoContacts() {
  ContactPoints<S, 4> out;
  for (int i = 0; i < 4; ++i) {
    out.point[i] = {S(0), Zero3<S>(), Zero3<S>()};
    out.hit[i] = Never<S>();
  }
  return out;
}

}  // namespace cylinder
}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_CYLINDER_CONTACTS_KERNEL_H_
