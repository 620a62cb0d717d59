// A height field is met where the first of the prisms below its triangles is: from outside, the nearest point of all
// prisms lies on the surface. Signed distance fields are met by points of the other geom, by sphere tracing in time (J.
// C. Hart, Sphere tracing, The Visual Computer 12, 1996): a point that is that far from the surface cannot meet it
// before it has gone so far.
#include "collision/speculative/field_impact.h"

#include <algorithm>
#include <optional>

#include "collision/convex/gjk.h"
#include "collision/field/field_surface.h"
#include "collision/field/sdf.h"
#include "math/quat.h"
#include "model/view/view_of.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

constexpr int kAdvances = 32;
constexpr double kOnSurface = 1e-4;  // of the first distance
constexpr double kFarther = 2;       // steps: points that another contact may make faster
constexpr int kMostPoints = 256;     // of a mesh

// A geom whose distance from a point is known, at any part of the step.
class MovingField {
 public:
  MovingField(const mjModel* m, const mjData* d, int geom, const GeomMotion& motion)
      : motion_(motion), start_(LoadGeom(ModelView<double>(m), ViewOf(d), geom)) {
    if (DistanceField::IsKnown(m, geom)) field_.emplace(DistanceField::OfGeom(m, d, geom));
  }
  explicit operator bool() const { return field_.has_value(); }

  const Vec& pos() const { return start_.pos; }
  const GeomMotion& motion() const { return motion_; }
  Vec InFrame(const Vec& world, double part) const {
    return MulTransposed(AxesAt(part), world - start_.pos - motion_.shift * part);
  }
  double Distance(const Vec& world, double part) const { return field_->Distance(InFrame(world, part)); }
  Vec Normal(const Vec& world, double part) const {
    return Normalized(AxesAt(part) * field_->Gradient(InFrame(world, part)));
  }

 private:
  Mat3<double> AxesAt(double part) const { return ToMat3(ExpRotation(motion_.turn, part)) * start_.mat; }

  const GeomMotion& motion_;
  PlacedGeom<double> start_;
  std::optional<DistanceField> field_;
};

// Calls visit(point) for points of a geom's surface, in the world: vertices of meshes, supports of other shapes.
template <class Visit>
void ForEachPoint(const mjModel* m, const mjData* d, int geom, const Visit& visit) {
  const PlacedGeom<double> frame = LoadGeom(ModelView<double>(m), ViewOf(d), geom);
  const int type = m->geom_type[geom];
  if ((type == mjGEOM_MESH || type == mjGEOM_SDF) && m->geom_dataid[geom] >= 0) {
    const int mesh = m->geom_dataid[geom], count = m->mesh_vertnum[mesh];
    const int step = std::max(1, count / kMostPoints);
    const float* vertex = m->mesh_vert + 3 * static_cast<ptrdiff_t>(m->mesh_vertadr[mesh]);
    for (int i = 0; i < count; i += step) {
      visit(frame.ToWorld({vertex[3 * i], vertex[3 * i + 1], vertex[3 * i + 2]}));
    }
  } else if (type != mjGEOM_SDF) {
    const ConvexShape shape(m, d, geom);
    for (int i = 0; i < 27; ++i) {
      const Vec direction = {i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0};
      if (i == 13) continue;
      const Vec unit = Normalized(frame.mat * direction);
      visit(shape.Support(unit) + unit * shape.radius());
    }
  }
}

// Where a point of a geom meets a field: at once where it is inside, up to `depth`. False where it does not.
bool TracePoint(const MovingField& field, const Vec& point, const Vec& centre, const GeomMotion& motion, double depth,
                ContactPoint<double>& out) {
  const Vec arm = point - centre;
  const GeomMotion& other = field.motion();
  const double sweeps = motion.Sweep() + other.Sweep();
  const double speed = Norm(motion.shift - other.shift) + Norm(motion.turn) * Norm(arm) +
                       Norm(other.turn) * (Norm(point - field.pos()) + sweeps);
  double part = 0, first = 0;
  for (int i = 0; i < kAdvances; ++i) {
    const Vec at = centre + motion.shift * part + Rotate(ExpRotation(motion.turn, part), arm);
    const double distance = field.Distance(at, part);
    if (!(distance > -depth)) return false;
    if (i == 0) first = std::max(distance, 0.0);
    if (distance <= kOnSurface * first) {
      out = {part, at, field.Normal(at, part)};
      return true;
    }
    part += distance / speed;
    if (!(part < kFarther)) return false;
  }
  return false;
}

}  // namespace

bool FindImpactOnField(const mjModel* m, mjData* d, int geom, MovingShape& shape, double margin, Impact& out) {
  const HeightField field(m, d, geom);
  const GeomMotion& motion = shape.motion();
  const Vec from = field.frame().ToLocal(shape.shape().Centre());
  const Vec to = from + MulTransposed(field.frame().mat, motion.shift);
  LocalBox box;
  for (int k = 0; k < 3; ++k) {
    box.low[k] = std::min(from[k], to[k]) - motion.radius - margin;
    box.high[k] = std::max(from[k], to[k]) + motion.radius + margin;
  }
  out.part = 1;
  bool found = false;
  field.ForEachTriangle(box, [&](const FieldTriangle& triangle) {
    MovingShape prism(field.PrismBelow(triangle));
    Impact impact;
    shape.MoveTo(0);
    if (!FindImpact(m->opt, prism, shape, margin, out.part, impact) || impact.point.dist <= 0) return;
    out = impact;
    found = true;
  });
  shape.MoveTo(found ? out.part : 0);
  return found;
}

void FindPointImpacts(const mjModel* m, mjData* d, const ItemPair& pair, const GeomMotion& first,
                      const GeomMotion& second, StackList<ContactPoint<double>>& out) {
  const int geoms[2] = {pair.first.id, pair.second.id};
  const GeomMotion* motions[2] = {&first, &second};
  for (int side = 0; side < 2; ++side) {
    const MovingField field(m, d, geoms[side], *motions[side]);
    if (!field) continue;
    const int other = geoms[1 - side];
    const Vec centre = ViewOf(d).geom_xpos(other);
    const double depth = HalfThickness(m, geoms[side]);  // farther inside, the nearest surface is the other side
    ForEachPoint(m, d, other, [&](const Vec& point) {
      ContactPoint<double> hit;
      if (!TracePoint(field, point, centre, *motions[1 - side], depth, hit)) return;
      if (side == 1) hit.normal = -hit.normal;
      out.Add(hit);
    });
  }
}

}  // namespace sinew::inline collision
