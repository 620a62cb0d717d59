// The bias force of tendon armature needs the rates of change of tendons' Jacobians: a piece of the path changes its
// direction as well as its ends. Where the path touches a geom, the point of contact slides over the surface.
#include <algorithm>

#include "core/stack.h"
#include "kinematics/actuator_link_kernel.h"
#include "kinematics/jacobian.h"
#include "kinematics/tendon.h"
#include "kinematics/tendon_kernel.h"
#include "kinematics/tendon_path.h"
#include "kinematics/wrap.h"
#include "math/dense.h"
#include "math/rows.h"
#include "math/sparse.h"
#include "model/state/awake.h"

namespace sinew::inline kinematics {
namespace {

// A point of the path; the velocity is its own in the world, whichever body carries it.
struct MovingPoint {
  PathPoint<mjtNum> at;
  Vec3<mjtNum> velocity;
};

Vec3<mjtNum> VelocityOnBody(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, const PathPoint<mjtNum>& point) {
  return PointVelocity(d.cvel(point.body), point.p - TreeCenter(m, d, point.body));
}

MovingPoint Site(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, const PointMotions& points, int step) {
  const PathPoint<mjtNum> point = SiteOfStep(m, d, step);
  MovingPoint result = {point, VelocityOnBody(m, d, point)};
  ForPointRates(m, d, points, point.site,
                [&](int dof, const Vec3<mjtNum>& u, const Vec3<mjtNum>&) { result.velocity += u * d.qvel(dof); });
  return result;
}

// Adds d/dt [force' u] for the coordinates that move a point in its body, where u turns with the body and changes with
// its coordinate.
void AddPointMotionDot(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, const PointMotions& points,
                       const MovingPoint& point, const Vec3<mjtNum>& force, const Vec3<mjtNum>& force_dot,
                       mjtNum* dot) {
  ForPointRates(m, d, points, point.at.site, [&](int dof, const Vec3<mjtNum>& u, const Vec3<mjtNum>& rate) {
    const Vec3<mjtNum> u_dot = Cross(d.cvel(point.at.body).rot, u) + rate * d.qvel(dof);
    dot[dof] += Dot(force_dot, u) + Dot(force, u_dot);
  });
}

// Adds scale * d/dt [u' (J_B(q) - J_A(p))] to `dot`, with
//   u' = (1 - u u') w / |q - p|,   w = velocity of q - velocity of p.
void AddPieceDot(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, const PointMotions& points,
                 const MovingPoint& from, const MovingPoint& to, mjtNum scale, mjtNum* dot) {
  Vec3<mjtNum> u = to.at.p - from.at.p;
  const mjtNum length = Normalize(u);
  const Vec3<mjtNum> w = to.velocity - from.velocity;
  const Vec3<mjtNum> u_dot = length < kMinVal ? Zero3<mjtNum>() : (w - u * Dot(u, w)) * (1 / length);

  ForUncommonDofs(m, from.at.body, to.at.body, [&](int dof, bool at_end) {
    const MovingPoint& point = at_end ? to : from;
    const Vec3<mjtNum> offset = point.at.p - TreeCenter(m, d, point.at.body);
    const Vec3<mjtNum> column = PointVelocity(d.cdof(dof), offset);
    const Vec3<mjtNum> column_dot = PointJacobianDot(m, d, dof, offset, point.velocity);
    const mjtNum rate = Dot(u_dot, column) + Dot(u, column_dot);
    dot[dof] += at_end ? scale * rate : -scale * rate;
  });
  AddPointMotionDot(m, d, points, from, u * -scale, u_dot * -scale, dot);
  AddPointMotionDot(m, d, points, to, u * scale, u_dot * scale, dot);
}

// ---- points on geoms

// Velocities over the surface, in the world's axes, of the points where the path arrives and leaves.
struct Slide {
  Vec3<mjtNum> arrive = {}, leave = {};
};

// Between two sites around one sphere or cylinder: by a central difference along the motion of the sites in the geom's
// frame, over a millionth of their distance. It is exact but for squares of that and for rounding of 1e-10. The side
// site only decides on which side the path runs.
Slide SlideOverGeom(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, int step, const MovingPoint& start,
                    const MovingPoint& end) {
  const int geom = m.wrap_objid(step), body = m.geom_bodyid(geom), side_site = SideSite(m, step);
  const Vec3<mjtNum> center = d.geom_xpos(geom);
  const Mat3<mjtNum>& R = d.geom_xmat(geom);
  const auto place = [&](const Vec3<mjtNum>& p) { return MulTransposed(R, p - center); };
  const auto velocity = [&](const MovingPoint& point) {
    return MulTransposed(R, point.velocity - VelocityOnBody(m, d, {point.at.p, body}));
  };
  const Vec3<mjtNum> p0 = place(start.at.p), p1 = place(end.at.p), v0 = velocity(start), v1 = velocity(end);
  const mjtNum speed = std::max(Norm(v0), Norm(v1)), h = 1e-6 * Norm(p1 - p0) / std::max(speed, kMinVal);
  Vec3<mjtNum> side{};
  if (side_site >= 0) side = place(d.site_xpos(side_site));
  const auto path_after = [&](mjtNum time) {
    return WrapAround(ShapeOf(m, step), m.geom_size(geom)[0], p0 + v0 * time, p1 + v1 * time,
                      side_site >= 0 ? &side : nullptr);
  };
  const WrapPath before = path_after(-h), after = path_after(h);
  if (speed < kMinVal || !before.touches || !after.touches) return {};
  return {R * ((after.arrive - before.arrive) * (0.5 / h)), R * ((after.leave - before.leave) * (0.5 / h))};
}

// The way from the site at one step of the path to that at another, with up to two points on each geom in between,
// which the world has in `points` and `geoms`. Points on geoms of other shapes, and on several in a row, count as fixed
// to their bodies; that is exact where the path stays in one plane of the geom, as a slide along the path changes no
// direction.
void AddSegmentDot(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, const PointMotions& moving, int first,
                   int last, const mjtNum* points, const int* geoms, int count, mjtNum scale, mjtNum* dot) {
  const MovingPoint start = Site(m, d, moving, first), end = Site(m, d, moving, last);
  const int type = m.wrap_type(first + 1);
  const bool has_formula = (type == mjWRAP_SPHERE || type == mjWRAP_CYLINDER) && m.wrap_type(first + 2) == mjWRAP_SITE;
  const Slide slide = has_formula && count == 2 ? SlideOverGeom(m, d, first + 1, start, end) : Slide{};
  MovingPoint previous = start;
  for (int i = 0; i < count; ++i) {
    const PathPoint<mjtNum> at = {LoadVec3(Row3(points, i)), m.geom_bodyid(geoms[i])};
    const MovingPoint point = {at, VelocityOnBody(m, d, at) + (i == 0 ? slide.arrive : slide.leave)};
    const bool is_curve = i % 2 == 1;  // both ends are on one geom: it adds length only
    if (!is_curve) AddPieceDot(m, d, moving, previous, point, scale, dot);
    previous = point;
  }
  AddPieceDot(m, d, moving, previous, end, scale, dot);
}

}  // namespace

// Steps of the path and the points that the world has of it are gone through side by side.
void TendonDot(const mjModel* model, mjData* data, int tendon, mjtNum* dot) {
  const ModelView<mjtNum> m(model);
  const DataView<mjtNum> d(data);
  Zero(dot, m.nv());
  if (IsFixedTendon(m, tendon)) return;

  const PathMotions moving(model);
  mjtNum divisor = 1;
  const int end = m.tendon_adr(tendon) + m.tendon_num(tendon);
  int point = data->ten_wrapadr[tendon];
  for (int step = m.tendon_adr(tendon); step < end; ++step, ++point) {
    if (m.wrap_type(step) == mjWRAP_PULLEY) divisor = m.wrap_prm(step);
    if (m.wrap_type(step) == mjWRAP_PULLEY || step + 1 == end || m.wrap_type(step + 1) == mjWRAP_PULLEY) continue;
    const int first = step;
    step = NextStop(m, d, moving.ranges, first, end) - 1;  // the loop takes the last step
    const int* geoms = data->wrap_obj + point + 1;
    int count = 0;
    while (geoms[count] >= 0) ++count;
    AddSegmentDot(m, d, moving.points, first, step + 1, Row3(data->wrap_xpos, point + 1), geoms, count, 1 / divisor,
                  dot);
    point += count;
  }
}

// The bias force is that of the inertia a J'J: its derivative by time, times the velocity.
void TendonBias(const mjModel* model, mjData* data, mjtNum* qfrc) {
  const ModelView<mjtNum> m(model);
  for (int t = 0; t < m.ntendon(); ++t) {
    const mjtNum armature = TotalTendonArmature(m, t);
    if (armature == 0 || IsFixedTendon(m, t) || IsAsleep(model, data, mjOBJ_TENDON, t)) continue;
    StackFrame frame(data);
    mjtNum* dot = frame.Doubles(m.nv());
    TendonDot(model, data, t, dot);
    const int adr = m.ten_J_rowadr(t);
    AddSparse(qfrc, data->ten_J + adr, model->ten_J_colind + adr, m.ten_J_rownnz(t),
              armature * Dot(dot, data->qvel, m.nv()));
  }
}

}  // namespace sinew::inline kinematics
