// Joints, tendons, sites and bodies on which actuators act, coloured by their controls or activations.
#include <algorithm>

#include "model/view/view_of.h"
#include "scene/color.h"
#include "scene/joint_shape.h"
#include "scene/parts.h"
#include "scene/tendon_segments.h"

namespace sinew::inline scene {
namespace {

using Vec = Vec3<double>;

constexpr int kSwitchedGroups = 31;   // groups that a bit of mjOption.disableactuator switches off
constexpr double kCover = 1.05;       // sites and geoms under an actuator are covered by larger ones
constexpr double kBlockShare = 0.33;  // boxes and spheres of joints, relative to the length of joint arrows

// A signal at `low` has the negative colour, at `rest` the resting one, at `high` the positive one.
struct ColorRange {
  double low, rest, high;
};

// The range of a signal, with the value at which the actuator rests; [-1, 1] about 0 unless it is limited.
ColorRange RangeOf(const double* range, bool limited) {
  if (!limited) return {-1, 0, 1};
  if (range[0] >= 0) return {-1, range[0], range[1]};
  if (range[1] <= 0) return {range[0], range[1], 1};
  return {range[0], 0, range[1]};
}

// From the negative over the resting to the positive colour. The range of controls, where there is one, also scales
// activations.
void SetActuatorColor(const SceneBuilder& s, int id, float rgba[4]) {
  const mjModel* m = s.m;
  const bool by_activation = s.Shows(mjVIS_ACTIVATION) && m->actuator_actnum[id] > 0;
  const ColorRange range = by_activation && !m->actuator_ctrllimited[id]
                               ? RangeOf(m->actuator_actrange + 2 * id, m->actuator_actlimited[id] != 0)
                               : RangeOf(m->actuator_ctrlrange + 2 * id, m->actuator_ctrllimited[id] != 0);
  const double signal = by_activation ? s.d->act[m->actuator_actadr[id] + m->actuator_actnum[id] - 1] : s.d->ctrl[id];
  const double value = std::clamp(signal, range.low, range.high);
  const auto& colors = m->vis.rgba;
  if (value <= range.rest) {
    const double share = (range.rest - value) / std::max(range.rest - range.low, kMinVal);
    MixColors(colors.actuator, colors.actuatornegative, share, rgba);
  } else {
    const double share = (value - range.rest) / std::max(range.high - range.rest, kMinVal);
    MixColors(colors.actuator, colors.actuatorpositive, share, rgba);
  }
}

// The object of an actuator is drawn once more in the actuator's colour. An actuator may have several geoms, of which
// the first has its name.
class ActuatorDecor {
 public:
  ActuatorDecor(SceneBuilder& s, int id) : s_(s), id_(id), target_(ViewOf(s.m).actuator_trnid(id)[0]) {
    SetActuatorColor(s, id, rgba_);
  }

  void Add() {
    switch (s_.m->actuator_trntype[id_]) {
      case mjTRN_JOINT:
      case mjTRN_JOINTINPARENT:
        return AddJoint();
      case mjTRN_SITE:
        return AddSite();
      case mjTRN_BODY:
        return AddBody();
      case mjTRN_TENDON:
        return AddTendon();
      default:
        return;  // the rods of slider-cranks are always shown
    }
  }

 private:
  SceneTag Tag() const { return Decor(id_, mjOBJ_ACTUATOR); }

  void PushLabelled(mjvGeom geom) {
    if (!labelled_ && s_.Labels(mjLABEL_ACTUATOR)) s_.Name(&geom, mjOBJ_ACTUATOR, id_);
    labelled_ = true;
    s_.Push(geom);
  }

  void AddJoint() {
    const auto& scale = s_.m->vis.scale;
    PushLabelled(JointShape(s_, Tag(), target_, s_.Scaled(scale.actuatorwidth), s_.Scaled(scale.actuatorlength),
                            kBlockShare * s_.Scaled(scale.jointlength), rgba_));
  }

  void AddSite() {
    PushLabelled(s_.Shape(Tag(), s_.m->site_type[target_], ViewOf(s_.m).site_size(target_) * kCover,
                          s_.data.site_xpos(target_), s_.data.site_xmat(target_), rgba_));
  }

  // Only simple geoms of the body are shown: meshes and planes have no larger copy.
  void AddBody() {
    for (int i = 0; i < s_.m->body_geomnum[target_]; ++i) {
      const int geom = s_.m->body_geomadr[target_] + i, type = s_.m->geom_type[geom];
      if (type < mjGEOM_SPHERE || type > mjGEOM_BOX) continue;
      s_.PushShape(Tag(), type, ViewOf(s_.m).geom_size(geom) * kCover, s_.data.geom_xpos(geom), s_.data.geom_xmat(geom),
                   rgba_);
    }
  }

  void AddTendon() {
    const double width = s_.m->tendon_width[target_] * static_cast<double>(s_.m->vis.map.actuatortendon);
    ForEachTendonSegment(s_.d, target_, [&](const TendonSegment& segment) {
      PushLabelled(
          s_.Connector(Tag(), mjGEOM_CAPSULE, segment.on_geom ? width / 2 : width, segment.from, segment.to, rgba_));
    });
  }

  SceneBuilder& s_;
  int id_, target_;
  float rgba_[4];
  bool labelled_ = false;
};

// Actuators of a group that is switched off have no colour, as they do nothing.
bool IsDisabled(const mjModel* m, int id) {
  const int group = m->actuator_group[id];
  return group >= 0 && group < kSwitchedGroups && (m->opt.disableactuator & (1 << group));
}

}  // namespace

void AddActuators(SceneBuilder& s) {
  if (!s.Shows(mjVIS_ACTUATOR)) return;
  for (int id = 0; id < s.m->nu; ++id) {
    if (IsDisabled(s.m, id) || !ShowsGroup(s.option.actuatorgroup, s.m->actuator_group[id])) continue;
    ActuatorDecor(s, id).Add();
  }
}

}  // namespace sinew::inline scene
