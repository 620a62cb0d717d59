// The table of parameters that lanes may have of their own. Kernels read each of them through their view of the model,
// and scalar code reads the lane's model (lane_worlds.h), which has the same row.
#include "batch/plan/lane_parameters.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "model/kinds/surface.h"

namespace sinew::inline batch {
namespace {

struct LaneField {
  std::string_view name;
  ModelField field;
  bool zeros_decide;  // whether a number of zero leaves work out
};

#define SINEW_FIELD(name, zeros_decide) \
  { #name, ModelField::name, zeros_decide }
constexpr LaneField kLaneArrays[] = {SINEW_FIELD(qpos_spring, false),
                                     SINEW_FIELD(body_pos, false),
                                     SINEW_FIELD(body_quat, false),
                                     SINEW_FIELD(jnt_pos, false),
                                     SINEW_FIELD(jnt_axis, false),
                                     SINEW_FIELD(jnt_range, false),
                                     SINEW_FIELD(geom_pos, false),
                                     SINEW_FIELD(geom_quat, false),
                                     SINEW_FIELD(geom_size, false),
                                     SINEW_FIELD(geom_rbound, false),
                                     SINEW_FIELD(geom_aabb, false),
                                     SINEW_FIELD(bvh_aabb, false),
                                     SINEW_FIELD(site_pos, false),
                                     SINEW_FIELD(site_quat, false),
                                     SINEW_FIELD(tendon_range, false),
                                     SINEW_FIELD(body_mass, true),
                                     SINEW_FIELD(body_subtreemass, true),
                                     SINEW_FIELD(body_inertia, false),
                                     SINEW_FIELD(body_ipos, false),
                                     SINEW_FIELD(body_iquat, false),
                                     SINEW_FIELD(body_invweight0, false),
                                     SINEW_FIELD(body_gravcomp, true),
                                     SINEW_FIELD(jnt_stiffness, true),
                                     SINEW_FIELD(jnt_actfrcrange, false),
                                     SINEW_FIELD(dof_armature, true),
                                     SINEW_FIELD(dof_damping, true),
                                     SINEW_FIELD(dof_frictionloss, true),
                                     SINEW_FIELD(dof_invweight0, false),
                                     SINEW_FIELD(dof_M0, false),
                                     SINEW_FIELD(dof_length, false),
                                     SINEW_FIELD(geom_friction, false),
                                     SINEW_FIELD(geom_solmix, false),
                                     SINEW_FIELD(geom_solref, false),
                                     SINEW_FIELD(geom_solimp, false),
                                     SINEW_FIELD(geom_margin, false),
                                     SINEW_FIELD(geom_gap, false),
                                     SINEW_FIELD(body_margin, false),
                                     SINEW_FIELD(pair_friction, false),
                                     SINEW_FIELD(pair_solref, false),
                                     SINEW_FIELD(pair_solreffriction, false),
                                     SINEW_FIELD(pair_solimp, false),
                                     SINEW_FIELD(pair_margin, false),
                                     SINEW_FIELD(pair_gap, false),
                                     SINEW_FIELD(jnt_solref, false),
                                     SINEW_FIELD(jnt_solimp, false),
                                     SINEW_FIELD(jnt_margin, false),
                                     SINEW_FIELD(dof_solref, false),
                                     SINEW_FIELD(dof_solimp, false),
                                     SINEW_FIELD(tendon_solref_lim, false),
                                     SINEW_FIELD(tendon_solimp_lim, false),
                                     SINEW_FIELD(tendon_solref_fri, false),
                                     SINEW_FIELD(tendon_solimp_fri, false),
                                     SINEW_FIELD(tendon_margin, false),
                                     SINEW_FIELD(eq_solref, false),
                                     SINEW_FIELD(eq_solimp, false),
                                     SINEW_FIELD(tendon_invweight0, false),
                                     SINEW_FIELD(tendon_length0, false),
                                     SINEW_FIELD(tendon_lengthspring, false),
                                     SINEW_FIELD(tendon_stiffness, true),
                                     SINEW_FIELD(tendon_damping, true),
                                     SINEW_FIELD(tendon_frictionloss, true),
                                     SINEW_FIELD(tendon_actfrcrange, false),
                                     SINEW_FIELD(actuator_gear, true),
                                     SINEW_FIELD(actuator_ctrlrange, false),
                                     SINEW_FIELD(actuator_forcerange, false),
                                     SINEW_FIELD(actuator_actrange, false),
                                     SINEW_FIELD(actuator_gainprm, true),
                                     SINEW_FIELD(actuator_biasprm, true),
                                     SINEW_FIELD(actuator_acc0, false),
                                     SINEW_FIELD(actuator_length0, false),
                                     SINEW_FIELD(cam_pos, false),
                                     SINEW_FIELD(cam_quat, false),
                                     SINEW_FIELD(light_pos, false),
                                     SINEW_FIELD(light_dir, false),
                                     SINEW_FIELD(cam_pos0, false),
                                     SINEW_FIELD(cam_poscom0, false),
                                     SINEW_FIELD(cam_mat0, false),
                                     SINEW_FIELD(light_pos0, false),
                                     SINEW_FIELD(light_poscom0, false),
                                     SINEW_FIELD(light_dir0, false),
                                     SINEW_FIELD(eq_data, false),
                                     SINEW_FIELD(flexedge_length0, false),
                                     SINEW_FIELD(flexedge_invweight0, false)};
#undef SINEW_FIELD
// Of options and statistics, which have the names of their members.
constexpr LaneField kLaneMembers[] = {{"gravity", ModelField::opt_gravity, true},
                                      {"timestep", ModelField::opt_timestep, false},
                                      {"meaninertia", ModelField::stat_meaninertia, false},
                                      {"meanmass", ModelField::stat_meanmass, false},
                                      {"meansize", ModelField::stat_meansize, false},
                                      {"extent", ModelField::stat_extent, false},
                                      {"center", ModelField::stat_center, false}};

// Arrays that no step reads.
constexpr std::string_view kSeenArrays[] = {
    "geom_rgba",     "geom_matid",    "geom_group",        "site_rgba",    "site_matid",      "site_group",
    "tendon_rgba",   "tendon_matid",  "tendon_group",      "tendon_width", "jnt_group",       "light_type",
    "light_texid",   "light_active",  "light_castshadow",  "light_range",  "light_intensity", "light_bulbradius",
    "light_ambient", "light_diffuse", "light_attenuation", "light_cutoff", "light_exponent",  "light_specular"};

const LaneField* FindByName(std::span<const LaneField> fields, std::string_view name) {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const LaneField& field) { return field.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

bool IsSeenArray(std::string_view name) {
  constexpr std::string_view kKinds[] = {"mat_", "tex_", "skin_"};
  return std::find(std::begin(kSeenArrays), std::end(kSeenArrays), name) != std::end(kSeenArrays) ||
         name.ends_with("_user") || std::any_of(std::begin(kKinds), std::end(kKinds), [name](std::string_view kind) {
           return name.starts_with(kind);
         });
}

// What lanes do with an array of the model. All of them are found once, since worlds of each call ask for theirs.
struct ArrayUse {
  const LaneField* field = nullptr;
  bool is_only_seen = false;
};
const ArrayUse& UseOf(const ModelArray& array) {
  static const auto uses = [] {
    std::array<ArrayUse, std::size(kModelFields)> result;
    for (size_t i = 0; i < result.size(); ++i) {
      result[i] = {FindByName(kLaneArrays, kModelFields[i].name), IsSeenArray(kModelFields[i].name)};
    }
    return result;
  }();
  return uses[static_cast<size_t>(&array - kModelFields)];
}

const LaneField* Find(const ModelParameter& parameter) {
  return parameter.array ? UseOf(*parameter.array).field : FindByName(kLaneMembers, parameter.name);
}

// Gains and biases whose numbers are not all real quantities: some select the formula.
bool HasCodedActuators(const mjModel& m) {
  for (int u = 0; u < m.nu; ++u) {
    if (m.actuator_gaintype[u] != mjGAIN_FIXED && m.actuator_gaintype[u] != mjGAIN_AFFINE) return true;
    if (m.actuator_biastype[u] != mjBIAS_NONE && m.actuator_biastype[u] != mjBIAS_AFFINE) return true;
  }
  return false;
}

// Options override margins, and contacts that stick have another number of rows in the gap.
bool IsDistance(ModelField field) {
  return field == ModelField::geom_margin || field == ModelField::geom_gap || field == ModelField::pair_margin ||
         field == ModelField::pair_gap;
}

}  // namespace

std::optional<ModelField> FindLaneField(const ModelParameter& parameter) {
  const LaneField* field = Find(parameter);
  return field ? std::optional(field->field) : std::nullopt;
}

bool IsOnlySeen(const ModelParameter& parameter) { return parameter.array && UseOf(*parameter.array).is_only_seen; }

bool MayDifferInLanes(const mjModel& m, const ModelParameter& parameter) {
  const LaneField* field = Find(parameter);
  if (!field) return false;
  if (IsDistance(field->field)) return !(m.opt.enableflags & mjENBL_OVERRIDE) && !HasAdhesion(&m, FindSurfaces(&m));
  const bool is_actuators =
      field->field == ModelField::actuator_gainprm || field->field == ModelField::actuator_biasprm;
  return !is_actuators || !HasCodedActuators(m);
}

bool IsSharedInPacks(const mjModel& m, const ModelParameter& parameter) {
  return !MayDifferInLanes(m, parameter) && !IsOnlySeen(parameter);
}

bool MayAgreeInPacks(const ModelParameter& parameter) {
  constexpr std::string_view kDecisions[] = {
      "geom_condim",           "geom_contype",       "geom_conaffinity", "geom_priority",        "pair_dim",
      "jnt_limited",           "jnt_actfrclimited",  "tendon_limited",   "tendon_actfrclimited", "actuator_ctrllimited",
      "actuator_forcelimited", "actuator_actlimited"};
  return parameter.kind == ElementKind::kNum || !parameter.array ||
         std::find(std::begin(kDecisions), std::end(kDecisions), parameter.name) != std::end(kDecisions);
}

bool IsSizeOrBound(const ModelParameter& parameter) {
  const std::optional<ModelField> field = FindLaneField(parameter);
  return field == ModelField::geom_size || field == ModelField::geom_rbound || field == ModelField::geom_aabb ||
         field == ModelField::bvh_aabb || field == ModelField::geom_margin || field == ModelField::body_margin;
}

bool HasZerosOf(const mjModel& m, const ModelParameter& parameter, const void* row) {
  const LaneField* field = Find(parameter);
  if (!field || !field->zeros_decide) return true;
  const auto* own = static_cast<const mjtNum*>(row);
  const auto* shared = static_cast<const mjtNum*>(parameter.In(m));
  return std::equal(own, own + parameter.size, shared, [](mjtNum a, mjtNum b) { return (a == 0) == (b == 0); });
}

}  // namespace sinew::inline batch
