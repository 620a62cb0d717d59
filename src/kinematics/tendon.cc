// A spatial tendon runs from site to site, straight or around a geom. Each straight piece from p (on body A) to q (on
// body B), with direction u = (q - p) / |q - p|, has length |q - p| and Jacobian u' (J_B(q) - J_A(p)); the curved piece
// on a geom has both ends on one body and constant shape to first order, so it adds length only. Behind a pulley with
// divisor s lengths and Jacobians count 1/s.
#include "kinematics/tendon.h"

#include <array>

#include "kinematics/tendon_kernel.h"
#include "kinematics/tendon_path.h"
#include "kinematics/wrap.h"
#include "math/mat3.h"
#include "math/rows.h"
#include "math/spatial.h"
#include "model/awake.h"

namespace sinew {
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

// Adds scale * u' (J_B(q) - J_A(p)) to the tendon's row. Dofs that move both ends together cannot change the distance:
// going up from both bodies, the first common dof ends the work. Dofs and the columns of the row descend alike.
void AddPieceJacobian(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, int tendon, const StraightPiece& piece,
                      mjtNum scale) {
  const Vec3<mjtNum> u = Normalized(piece.to.p - piece.from.p) * scale;
  const int adr = m.ten_J_rowadr(tendon);
  const int* column = m.raw()->ten_J_colind + adr;
  mjtNum* row = d.ten_J_data() + adr;

  int k = m.ten_J_rownnz(tendon) - 1;
  ForUncommonDofs(m, piece.from.body, piece.to.body, [&](int dof, bool at_end) {
    const PathPoint& point = at_end ? piece.to : piece.from;
    const Vec3<mjtNum> velocity = PointVelocity(d.cdof(dof), point.p - TreeCenter(m, d, point.body));
    while (column[k] != dof) --k;
    row[k] += at_end ? Dot(u, velocity) : -Dot(u, velocity);
  });
}

// The side site of a step that wraps around a geom: -1 without one, and where a program has written what is no site.
int SideSite(const ModelView<mjtNum>& m, int step) {
  const mjtNum site = m.wrap_prm(step);
  return site >= 0 && site < static_cast<mjtNum>(m.nsite()) ? static_cast<int>(site) : -1;
}

// The way from one site of the path to the next, with up to one geom in between.
struct PathSegment {
  std::array<PathPoint, 4> points;
  int count = 0;
  int geom = -1;            // that points 1 and 2 lie on, when there are four
  mjtNum curve_length = 0;  // between them

  void Append(const Vec3<mjtNum>& p, int body) { points[count++] = {p, body}; }
};

PathSegment FindSegment(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, int first_step) {
  const int site0 = m.wrap_objid(first_step);
  const bool has_geom = m.wrap_type(first_step + 1) != mjWRAP_SITE;
  const int site1 = m.wrap_objid(first_step + (has_geom ? 2 : 1));
  const Vec3<mjtNum> start = d.site_xpos(site0), end = d.site_xpos(site1);

  PathSegment segment;
  segment.Append(start, m.site_bodyid(site0));
  if (has_geom) {
    // solve in the geom's frame
    const int geom = m.wrap_objid(first_step + 1), side_site = SideSite(m, first_step + 1);
    const Vec3<mjtNum> center = d.geom_xpos(geom);
    const Mat3<mjtNum>& R = d.geom_xmat(geom);
    const auto to_geom = [&](const Vec3<mjtNum>& p) { return MulTransposed(R, p - center); };
    const bool sphere = m.wrap_type(first_step + 1) == mjWRAP_SPHERE;
    Vec3<mjtNum> side{};
    if (side_site >= 0) side = to_geom(d.site_xpos(side_site));
    const WrapPath wrap = WrapAround(sphere ? WrapShape::kSphere : WrapShape::kCylinder, m.geom_size(geom)[0],
                                     to_geom(start), to_geom(end), side_site >= 0 ? &side : nullptr);
    if (wrap.touches) {
      segment.geom = geom;
      segment.curve_length = wrap.length;
      segment.Append(center + R * wrap.arrive, m.geom_bodyid(geom));
      segment.Append(center + R * wrap.leave, m.geom_bodyid(geom));
    }
  }
  segment.Append(end, m.site_bodyid(site1));
  return segment;
}

// Records a segment's points but the last, which the next segment or the end of the path records.
void RecordSegment(const PathSegment& segment, PathRecorder& recorder) {
  recorder.Add(segment.points[0].p, kSiteMark);
  for (int k = 1; k + 1 < segment.count; ++k) recorder.Add(segment.points[k].p, segment.geom);
}

mjtNum SegmentLength(const PathSegment& segment) {
  mjtNum length = segment.curve_length;
  for (int k = 0; k + 1 < segment.count; ++k) {
    const bool curved = segment.geom >= 0 && k == 1;
    if (!curved) length += Norm(segment.points[k + 1].p - segment.points[k].p);
  }
  return length;
}

void SpatialTendon(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, int tendon, PathRecorder& recorder) {
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
    const PathSegment segment = FindSegment(m, d, step);
    RecordSegment(segment, recorder);
    length += SegmentLength(segment) / divisor;
    for (int k = 0; k + 1 < segment.count; ++k) {
      AddPieceJacobian(m, d, tendon, {segment.points[k], segment.points[k + 1]}, 1 / divisor);
    }
    step += m.wrap_type(step + 1) == mjWRAP_SITE ? 1 : 2;
  }
  d.ten_length(tendon) = length;
}

// No length and no Jacobian; the path stays.
void SleepingTendon(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, int tendon) {
  Zero(d.ten_J_data() + m.ten_J_rowadr(tendon), m.ten_J_rownnz(tendon));
  d.ten_length(tendon) = 0;
}

}  // namespace

void Tendon(const mjModel* m, mjData* d) {
  const ModelView<mjtNum> model(m);
  const DataView<mjtNum> data(d);
  PathRecorder recorder(d);
  for (int t = 0; t < m->ntendon; ++t) {
    if (IsAsleep(m, d, mjOBJ_TENDON, t)) {
      SleepingTendon(model, data, t);
      continue;
    }
    const int start = recorder.count();
    if (IsFixedTendon(model, t)) {
      FixedTendon(model, data, t);
    } else {
      SpatialTendon(model, data, t, recorder);
    }
    d->ten_wrapadr[t] = start;
    d->ten_wrapnum[t] = recorder.count() - start;
  }
}

}  // namespace sinew
