// Spatial tendons along their paths, and the rods of slider-cranks.
#include <algorithm>
#include <cmath>

#include "model/view/view_of.h"
#include "scene/color.h"
#include "scene/parts.h"
#include "scene/tendon_segments.h"

namespace sinew::inline scene {
namespace {

using Vec = Vec3<double>;

constexpr float kDefaultColor[4] = {0.5f, 0.5f, 0.5f, 1};

// TendonLimitNearness is computed as for joints, from the length of the tendon [m].
double TendonLimitNearness(const SceneBuilder& s, int id) {
  const mjModel* m = s.m;
  if (!m->tendon_limited[id]) return 0;
  const double length = s.d->ten_length[id];
  const double distance = std::min(length - m->tendon_range[2 * id], m->tendon_range[2 * id + 1] - length);
  return LimitNearness(distance, m->tendon_margin[id], m->tendon_solimp_lim + mjNIMP * id);
}

// Tendons without a colour of their own take on that of constraints where they reach their limits.
void PaintTendon(const SceneBuilder& s, int id, mjvGeom* geom) {
  const float* own = s.m->tendon_rgba + 4 * id;
  float rgba[4];
  std::copy_n(own, 4, rgba);
  if (s.m->tendon_matid[id] < 0 && std::equal(own, own + 4, kDefaultColor)) {
    MixColors(own, s.m->vis.rgba.constraint, TendonLimitNearness(s, id), rgba);
  }
  s.Paint(geom, s.m->tendon_matid[id], rgba);
  if (!s.Shows(mjVIS_ISLAND)) return;
  geom->matid = -1;
  SetTendonIslandColor(s.d, id, geom->rgba);
  geom->rgba[3] = 1;
}

// Pieces on a geom are thinner, so that they do not sink into it; the first piece has the label.
void AddTendon(SceneBuilder& s, int id) {
  bool first = true;
  const double width = s.m->tendon_width[id];
  ForEachTendonSegment(s.d, id, [&](const TendonSegment& segment) {
    mjvGeom geom = s.Connector({mjCAT_DYNAMIC, mjOBJ_TENDON, id}, mjGEOM_CAPSULE, segment.on_geom ? width / 2 : width,
                               segment.from, segment.to, nullptr);
    PaintTendon(s, id, &geom);
    if (first && s.Labels(mjLABEL_TENDON)) s.Name(&geom, mjOBJ_TENDON, id);
    first = false;
    s.Push(geom);
  });
}

// The slider moves along the z axis of its site; its end is where the rod, of given length, reaches the crank:
//   |v - x a| = r,  v = crank - slider,  a the axis
void AddSliderCrank(SceneBuilder& s, int id) {
  const mjModel* m = s.m;
  const int crank = ViewOf(m).actuator_trnid(id)[0], slider = ViewOf(m).actuator_trnid(id)[1];
  const Vec start = s.data.site_xpos(slider), axis = s.data.site_xmat(slider).Column(2), pin = s.data.site_xpos(crank);
  const Vec offset = pin - start;
  const double rod = m->actuator_cranklength[id], along = Dot(offset, axis);
  const double square = along * along + rod * rod - Dot(offset, offset);
  const bool broken = square < 0;
  const Vec end = start + axis * (along - (broken ? 0 : std::sqrt(square)));

  const SceneTag tag = {mjCAT_DYNAMIC, mjOBJ_ACTUATOR, id};
  const double width = s.Scaled(m->vis.scale.slidercrank);
  mjvGeom geom = s.Connector(tag, mjGEOM_CYLINDER, width, start, end, m->vis.rgba.slidercrank);
  if (s.Labels(mjLABEL_ACTUATOR)) s.Name(&geom, mjOBJ_ACTUATOR, id);
  s.Push(geom);
  s.PushConnector(tag, mjGEOM_CAPSULE, width / 2, end, pin, broken ? m->vis.rgba.crankbroken : m->vis.rgba.slidercrank);
}

}  // namespace

void AddTendons(SceneBuilder& s) {
  if (!s.Shows(mjVIS_TENDON)) return;
  for (int id = 0; id < s.m->ntendon; ++id) {
    if (ShowsGroup(s.option.tendongroup, s.m->tendon_group[id])) AddTendon(s, id);
  }
}

void AddSliderCranks(SceneBuilder& s) {
  for (int id = 0; id < s.m->nu; ++id) {
    if (s.m->actuator_trntype[id] == mjTRN_SLIDERCRANK) AddSliderCrank(s, id);
  }
}

}  // namespace sinew::inline scene
