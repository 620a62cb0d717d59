// A spatial tendon runs from site to site, straight or around a geom. Each straight piece from p (on body A) to q (on
// body B), with direction u = (q - p) / |q - p|, has length |q - p| and Jacobian u' (J_B(q) - J_A(p)); the curved piece
// on a geom has both ends on one body and constant shape to first order, so it adds length only. Behind a pulley with
// divisor s lengths and Jacobians count 1/s.
#include "kinematics/tendon.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/warning.h"
#include "kinematics/tendon_kernel.h"
#include "kinematics/tendon_path.h"
#include "kinematics/wrap.h"
#include "kinematics/wrap_row.h"
#include "math/mat3.h"
#include "math/rows.h"
#include "math/spatial.h"
#include "model/state/awake.h"
#include "model/text/object_text.h"
#include "model/view/wrap_types.h"

namespace sinew::inline kinematics {
namespace {

// Marks in wrap_obj; other values are ids of the geoms that the tendon touches.
constexpr int kSiteMark = -1, kPulleyMark = -2;

// Writes the points of all paths, numbered through.
class PathRecorder {
 public:
  explicit PathRecorder(mjData* d) : d_(d) {}
  int count() const { return count_; }

  void Add(const Vec3<mjtNum>& point, int object) {
    StoreVec3(point, Row3(d_->wrap_xpos, count_));
    d_->wrap_obj[count_] = object;
    ++count_;
  }

 private:
  mjData* d_;
  int count_ = 0;
};

// The way from one site of the path to the next, around geoms in between.
struct PathSegment {
  static constexpr int kMostPoints = 2 + 2 * kMostGeomsInRow;

  std::array<PathPoint<mjtNum>, kMostPoints> points;
  std::array<int, kMostPoints> geom;  // that a point lies on, or kSiteMark
  int count = 0;
  mjtNum curve_length = 0;  // between points on the same geom
  int steps = 1;            // of the path, up to the site at the end

  void Append(const PathPoint<mjtNum>& point, int on_geom) {
    points[count] = point;
    geom[count] = on_geom;
    ++count;
  }
  bool IsCurved(int k) const { return geom[k] != kSiteMark && geom[k] == geom[k + 1]; }
};

void AppendCurve(const ModelView<mjtNum>& m, int geom, const Vec3<mjtNum>& arrive, const Vec3<mjtNum>& leave,
                 mjtNum length, PathSegment& segment) {
  segment.curve_length += length;
  segment.Append({arrive, m.geom_bodyid(geom)}, geom);
  segment.Append({leave, m.geom_bodyid(geom)}, geom);
}

// Around one sphere or cylinder there is a formula.
void AppendWrap(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, int step, const Vec3<mjtNum>& start,
                const Vec3<mjtNum>& end, PathSegment& segment) {
  // solve in the geom's frame
  const int geom = m.wrap_objid(step), side_site = SideSite(m, step);
  const Vec3<mjtNum> center = d.geom_xpos(geom);
  const Mat3<mjtNum>& R = d.geom_xmat(geom);
  const auto to_geom = [&](const Vec3<mjtNum>& p) { return MulTransposed(R, p - center); };
  Vec3<mjtNum> side{};
  if (side_site >= 0) side = to_geom(d.site_xpos(side_site));
  const WrapPath wrap = WrapAround(ShapeOf(m, step), m.geom_size(geom)[0], to_geom(start), to_geom(end),
                                   side_site >= 0 ? &side : nullptr);
  if (wrap.touches) AppendCurve(m, geom, center + R * wrap.arrive, center + R * wrap.leave, wrap.length, segment);
}

Obstacle ObstacleOf(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, int step) {
  const int geom = m.wrap_objid(step), type = m.wrap_type(step), side_site = SideSite(m, step);
  const auto size = m.geom_size(geom);
  const auto inverse_square = [&](int axis) { return 1 / std::max(size[axis] * size[axis], kMinVal); };
  Obstacle obstacle = {{inverse_square(0), inverse_square(0), inverse_square(0)},
                       d.geom_xpos(geom),
                       d.geom_xmat(geom),
                       side_site >= 0,
                       side_site >= 0 ? Vec3<mjtNum>(d.site_xpos(side_site)) : Zero3<mjtNum>()};
  if (type == kWrapEllipsoid) obstacle.D = {inverse_square(0), inverse_square(1), inverse_square(2)};
  if (type == mjWRAP_CYLINDER) obstacle.D.z = 0;
  return obstacle;
}

// Paths that are not the shortest are reported once for each tendon of a model on a thread: a counter would have to be
// a field of mjData that 3.8.0 does not have, and at every step they would bury all else.
void WarnOfPath(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, int first_step, PathQuality quality) {
  constexpr int kMostTold = 64;
  thread_local struct {
    uint64_t signature = 0;
    int count = 0, tendon[kMostTold] = {};
  } told;
  if (told.signature != m.raw()->signature) told.signature = m.raw()->signature, told.count = 0;
  int tendon = 0;
  while (m.tendon_adr(tendon) + m.tendon_num(tendon) <= first_step) ++tendon;
  if (told.count == kMostTold || std::find(told.tendon, told.tendon + told.count, tendon) != told.tendon + told.count) {
    return;
  }
  told.tendon[told.count++] = tendon;
  const int geom = m.wrap_objid(first_step);
  const bool slips = quality == PathQuality::kSlipping;
  Warn("The path of tendon %s %s geom %s. Time = %.4f. Its length may jump: %s.",
       NameOf(*m.raw(), mjOBJ_TENDON, tendon).chars, slips ? "slips off" : "has no smooth way around",
       NameOf(*m.raw(), mjOBJ_GEOM, geom).chars, d.time(),
       slips ? "make the geom wider across the path, or put a site behind it"
             : "give a sidesite, move obstacles of a row apart, or put a site between them");
}

void AppendRow(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, int first, int count, const Vec3<mjtNum>& start,
               const Vec3<mjtNum>& end, PathSegment& segment) {
  Obstacle obstacles[kMostGeomsInRow];
  ObstaclePath paths[kMostGeomsInRow];
  for (int i = 0; i < count; ++i) obstacles[i] = ObstacleOf(m, d, first + i);
  const PathQuality quality = WrapAroundRow(obstacles, count, start, end, paths);
  if (quality != PathQuality::kShortest) WarnOfPath(m, d, first, quality);
  for (int i = 0; i < count; ++i) {
    if (paths[i].touches) {
      AppendCurve(m, m.wrap_objid(first + i), paths[i].arrive, paths[i].leave, paths[i].length, segment);
    }
  }
}

PathSegment FindSegment(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, const PathRanges& ranges, int first_step,
                        int end_step) {
  PathSegment segment;
  const int last_step = NextStop(m, d, ranges, first_step, end_step);
  segment.steps = last_step - first_step;
  const PathPoint<mjtNum> site0 = SiteOfStep(m, d, first_step), site1 = SiteOfStep(m, d, last_step);
  const Vec3<mjtNum>&start = site0.p, &end = site1.p;

  segment.Append(site0, kSiteMark);
  int geoms = 0;
  while (m.wrap_type(first_step + 1 + geoms) != mjWRAP_SITE) ++geoms;
  if (geoms == 1 && m.wrap_type(first_step + 1) != kWrapEllipsoid) {
    AppendWrap(m, d, first_step + 1, start, end, segment);
  } else if (geoms > 0) {
    AppendRow(m, d, first_step + 1, geoms, start, end, segment);
  }
  segment.Append(site1, kSiteMark);
  return segment;
}

// Records a segment's points but the last, which the next segment or the end of the path records.
void RecordSegment(const PathSegment& segment, PathRecorder& recorder) {
  for (int k = 0; k + 1 < segment.count; ++k) recorder.Add(segment.points[k].p, segment.geom[k]);
}

// Adds the segment, times `scale`, to the tendon's row of the Jacobian; returns its length.
mjtNum AddSegment(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, const PointMotions& points, int tendon,
                  const PathSegment& segment, mjtNum scale) {
  mjtNum length = segment.curve_length;
  for (int k = 0; k + 1 < segment.count; ++k) {
    if (segment.IsCurved(k)) continue;  // both ends on one body
    length += AddStraightPiece(m, d, points, tendon, segment.points[k], segment.points[k + 1], scale);
  }
  return length;
}

void WrappedTendon(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, const PathMotions& moving, int tendon,
                   PathRecorder& recorder) {
  Zero(d.ten_J_data() + m.ten_J_rowadr(tendon), m.ten_J_rownnz(tendon));
  mjtNum length = 0, divisor = 1;
  const int end = m.tendon_adr(tendon) + m.tendon_num(tendon);
  for (int step = m.tendon_adr(tendon); step < end;) {
    // a pulley replaces the divisor
    if (m.wrap_type(step) == mjWRAP_PULLEY) {
      divisor = m.wrap_prm(step);
      recorder.Add(Zero3<mjtNum>(), kPulleyMark);
      ++step;
      continue;
    }
    // the last site before a pulley or the end closes this branch of the path
    if (step + 1 == end || m.wrap_type(step + 1) == mjWRAP_PULLEY) {
      recorder.Add(d.site_xpos(m.wrap_objid(step)), kSiteMark);
      ++step;
      continue;
    }
    const PathSegment segment = FindSegment(m, d, moving.ranges, step, end);
    RecordSegment(segment, recorder);
    length += AddSegment(m, d, moving.points, tendon, segment, 1 / divisor) / divisor;
    step += segment.steps;
  }
  d.ten_length(tendon) = length;
}

void RecordStraightPath(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, const PathRanges& ranges, int tendon,
                        PathRecorder& recorder) {
  const int end = m.tendon_adr(tendon) + m.tendon_num(tendon);
  for (int step = m.tendon_adr(tendon), next; step < end; step = next) {
    next = step + 1;
    if (m.wrap_type(step) == mjWRAP_PULLEY) {
      recorder.Add(Zero3<mjtNum>(), kPulleyMark);
      continue;
    }
    recorder.Add(d.site_xpos(m.wrap_objid(step)), kSiteMark);
    if (next < end && m.wrap_type(next) == mjWRAP_SITE) next = NextStop(m, d, ranges, step, end);
  }
}

// No length and no Jacobian; the path stays.
void SleepingTendon(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, int tendon) {
  Zero(d.ten_J_data() + m.ten_J_rowadr(tendon), m.ten_J_rownnz(tendon));
  d.ten_length(tendon) = 0;
}

// `only_paths`: of tendons around no geom.
void ComputeTendons(const mjModel* m, mjData* d, bool only_paths) {
  const ModelView<mjtNum> model(m);
  const DataView<mjtNum> data(d);
  PathRecorder recorder(d);
  const PathMotions moving(m);
  for (int t = 0; t < m->ntendon; ++t) {
    if (IsAsleep(m, d, mjOBJ_TENDON, t)) {
      SleepingTendon(model, data, t);
      continue;
    }
    const int start = recorder.count();
    if (IsFixedTendon(model, t)) {
      if (!only_paths) FixedTendon(model, data, t);
    } else if (IsStraightTendon(model, t)) {
      RecordStraightPath(model, data, moving.ranges, t, recorder);
      if (!only_paths) StraightTendon(model, data, moving, t);
    } else {
      WrappedTendon(model, data, moving, t, recorder);
    }
    d->ten_wrapadr[t] = start;
    d->ten_wrapnum[t] = recorder.count() - start;
  }
}

}  // namespace

void Tendon(const mjModel* m, mjData* d) { ComputeTendons(m, d, /*only_paths=*/false); }
void TendonPaths(const mjModel* m, mjData* d) { ComputeTendons(m, d, /*only_paths=*/true); }

}  // namespace sinew::inline kinematics
