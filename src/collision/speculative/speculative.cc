// Pairs that touch already keep their contacts, and get the corners that the step would carry through; pairs that are
// apart get the place where they meet, and the corners around it.
#include "collision/speculative/speculative.h"

#include <algorithm>

#include "collision/pairs.h"
#include "collision/ray/ray_geom.h"
#include "collision/speculative/advance.h"
#include "collision/speculative/field_impact.h"
#include "collision/speculative/landing.h"
#include "collision/speculative/motion.h"
#include "collision/speculative/patch.h"
#include "collision/speculative/swept_pairs.h"
#include "collision/spread.h"
#include "core/warning.h"
#include "model/kinds/contact_exclude.h"
#include "model/kinds/speculative.h"
#include "model/kinds/triangle_meshes.h"
#include "model/view/view_of.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

// How a pair is looked at: both as convex shapes, or the first as what it is.
enum class PairShape { kNone, kConvex, kPlane, kHeightField, kField };

PairShape ShapeOfPair(const mjModel* m, const ItemPair& pair) {
  const int type1 = m->geom_type[pair.first.id], type2 = m->geom_type[pair.second.id];
  if (TriangleMeshes(m).HavePair(pair.first.id, pair.second.id)) return PairShape::kNone;
  switch (KindOfPair(type1, type2)) {
    case PairKind::kNone:
    case PairKind::kCustom:
      return PairShape::kNone;
    case PairKind::kHeightField:
      return PairShape::kHeightField;
    case PairKind::kField:
      return type1 == mjGEOM_HFIELD ? PairShape::kNone : PairShape::kField;
    default:
      return type1 == mjGEOM_PLANE ? PairShape::kPlane : PairShape::kConvex;
  }
}

// The contacts that a pair has already, which stand side by side.
struct Touching {
  const mjContact* deepest = nullptr;  // null: none of them pushes
  bool lands = false;                  // any of them
};

Touching FindTouching(const mjData* d, int count, const ItemPair& pair) {
  const auto is_of_pair = [&](const mjContact& c) { return c.geom[0] == pair.first.id && c.geom[1] == pair.second.id; };
  const mjContact* const end = d->contact + count;
  Touching touching;
  for (const mjContact* c = std::find_if<const mjContact*>(d->contact, end, is_of_pair); c < end && is_of_pair(*c);
       ++c) {
    if (c->exclude != contact_exclude::kActive) continue;
    if (!touching.deepest || c->dist < touching.deepest->dist) touching.deepest = c;
    touching.lands |= IsLanding(*c);
  }
  return touching;
}

class Speculation {
 public:
  Speculation(const mjModel* m, mjData* d, const StepMotions& motions)
      : m_(m), d_(d), motions_(motions), touching_(d->ncon) {}

  void Add(const ItemPair& pair) {
    const PairShape shape = ShapeOfPair(m_, pair);
    Landings landings(m_, d_, motions_, pair);
    if (shape == PairShape::kNone) return;
    const bool is_flat = shape == PairShape::kPlane || shape == PairShape::kHeightField;
    if (is_flat && landings.first().Sweep() > 0) return;  // they stand still
    const Touching touching = FindTouching(d_, touching_, pair);
    if (touching.lands) landings.SetLanding();
    if (shape == PairShape::kField) {
      AddPoints(pair, landings);
    } else if (shape == PairShape::kConvex) {
      AddConvex(pair, touching.deepest, landings);
    } else {
      AddOnFlat(pair, shape, touching.deepest, landings);
    }
    landings.Finish();
  }

 private:
  static Vec NormalOf(const mjContact& contact) { return LoadVec3(contact.frame); }

  void AddConvex(const ItemPair& pair, const mjContact* touching, Landings& landings) {
    MovingShape A(m_, d_, pair.first.id, landings.first()), B(m_, d_, pair.second.id, landings.second());
    Impact impact = {0, {}};
    if (touching) {
      impact.point.normal = NormalOf(*touching);
    } else {
      if (!FindImpact(m_->opt, A, B, landings.margin(), 1, impact)) return;
      landings.AddPoint(impact.part, impact.point);
    }
    if (IsSphere(pair.first.id) || IsSphere(pair.second.id)) return;
    const Vec n = impact.point.normal;
    const Mat3<double> axes = AxesAlong(n);
    const Outline outline = Outline::Common(Outline(A.shape(), axes), Outline(B.shape(), axes));
    PatchCorner corner[kPatchCorners];
    const int count = FindPatch(
        m_->opt, A.shape(), outline, axes,
        [&](const Vec& from, Vec& out) { return FirstPointOn(m_->opt, B.shape(), from, n, out); }, corner);
    for (int i = 0; i < count; ++i) landings.AddPoint(impact.part, corner[i].own, corner[i].other, n);
  }

  // On a plane or a height field that stands still.
  void AddOnFlat(const ItemPair& pair, PairShape kind, const mjContact* touching, Landings& landings) {
    MovingShape shape(m_, d_, pair.second.id, landings.second());
    const PlacedGeom<double> flat = LoadGeom(ViewOf(m_), ViewOf(d_), pair.first.id);
    const bool is_plane = kind == PairShape::kPlane;
    Impact impact = {0, {}};
    if (touching) {
      impact.point.normal = NormalOf(*touching);
    } else {
      if (!(is_plane ? FindImpactOnPlane(flat, shape, landings.margin(), impact)
                     : FindImpactOnField(m_, d_, pair.first.id, shape, landings.margin(), impact))) {
        return;
      }
      landings.AddPoint(impact.part, impact.point);
    }
    if (IsSphere(pair.second.id)) return;
    const Vec n = impact.point.normal;
    const Mat3<double> axes = AxesAlong(-n);
    const auto meet = [&](const Vec& from, Vec& out) {
      const double along = is_plane ? Dot(n, from - flat.pos) : RayGeom(m_, d_, pair.first.id, {from, -n}).x;
      out = from - n * along;
      return is_plane || along >= 0;
    };
    PatchCorner corner[kPatchCorners];
    const int count = FindPatch(m_->opt, shape.shape(), Outline(shape.shape(), axes), axes, meet, corner);
    for (int i = 0; i < count; ++i) landings.AddPoint(impact.part, corner[i].other, corner[i].own, n);
  }

  void AddPoints(const ItemPair& pair, Landings& landings) {
    StackFrame frame(d_, WhenFull::kReport);
    StackList<ContactPoint<double>> points(frame);
    FindPointImpacts(m_, d_, pair, landings.first(), landings.second(), points);
    if (frame.full()) return RaiseWarning(d_, mjWARN_CONTACTFULL, d_->ncon);
    if (points.size() > kPatchCorners) KeepSpread(points, frame, kPatchCorners);
    for (int i = 0; i < points.size(); ++i) {
      const Vec at = points[i].pos - points[i].normal * (0.5 * landings.margin());
      landings.AddPoint(points[i].dist, at, at + points[i].normal * landings.margin(), points[i].normal);
    }
  }

  bool IsSphere(int geom) const { return m_->geom_type[geom] == mjGEOM_SPHERE; }

  const mjModel* m_;
  mjData* d_;
  const StepMotions& motions_;
  int touching_;  // contacts that were there before
};

}  // namespace

void AddSpeculativeContacts(const mjModel* m, mjData* d) {
  StackFrame frame(d, WhenFull::kReport);
  const StepMotions motions(m, d, frame);
  if (!frame.full()) LandTouchingContacts(m, d, motions);
  if (!frame.full() && motions.fast().empty()) return;
  StackList<ItemPair> pairs(frame);
  if (!frame.full()) FindSweptPairs(m, d, motions, frame, pairs);
  if (frame.full()) return RaiseWarning(d, mjWARN_CONTACTFULL, d->ncon);
  Speculation speculation(m, d, motions);
  for (const ItemPair& pair : pairs) speculation.Add(pair);
}

}  // namespace sinew::inline collision
