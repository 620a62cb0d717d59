// Names of fields are looked up in the tables that also make the headers (tables/), so that a new field needs no line
// here. Errors name the field and the nearest name that exists.
#include "batch/plan/worlds_fields.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <vector>

#include "core/error.h"
#include "core/suggest.h"

namespace sinew::inline batch {
namespace {

// Names stand in the order of the bits of mjtState.
constexpr const char* kComponents[mjNSTATE] = {
    "time",         "qpos",         "qvel",      "act",       "history",    "qacc_warmstart", "ctrl",
    "qfrc_applied", "xfrc_applied", "eq_active", "mocap_pos", "mocap_quat", "userdata",       "plugin_state"};

// kCounts holds counts of mjData that may be outputs: they change from step to step, unlike sizes of the model.
constexpr const char* kCounts[] = {"ncon", "ne", "nf", "nl", "nefc", "nJ", "nA", "nisland", "nidof"};

// Fields that all worlds share: assets, hierarchies over them, names and texts, and fields that only the compiler
// reads. Heights of a height field may differ: nothing is derived from them, since its box is that of its size. So may
// the boxes of hierarchies, which belong to the sizes of geoms.
constexpr const char* kShared[] = {"mesh_",  "hfield_size", "hfield_nrow", "hfield_ncol", "hfield_adr",
                                   "tex_",   "skin_",       "bvh_child",   "bvh_depth",   "bvh_nodeid",
                                   "oct_",   "name",        "paths",       "hfield_path", "text_",
                                   "tuple_", "plugin",      "numeric_",    "key_"};

template <class Name, size_t n>
bool IsAmong(const Name (&names)[n], std::string_view name) {
  return std::find(names, names + n, name) != names + n;
}

// Writes the problem's text for a name that is not known.
std::string Missing(const char* what, std::string_view name, const std::vector<std::string_view>& known) {
  return std::string("there is no ") + what + " '" + std::string(name) + "'" +
         (Nearest(name, known).empty() ? "" : "; did you mean '" + std::string(Nearest(name, known)) + "'?");
}

template <size_t n>
const StructMember* FindMember(const StructMember (&members)[n], std::string_view name) {
  const auto* found = std::find_if(members, members + n, [&](const auto& member) { return member.name == name; });
  return found == members + n ? nullptr : found;
}

// Options and statistics are members of structs in mjModel, found by their offsets.
std::optional<ModelParameter> FindSetting(std::string_view name) {
  const bool option = name.starts_with("opt."), statistic = name.starts_with("stat.");
  if (!option && !statistic) return std::nullopt;
  name.remove_prefix(option ? 4 : 5);
  const StructMember* member = option ? FindMember(kOptionFields, name) : FindMember(kStatisticFields, name);
  if (!member) return std::nullopt;
  const size_t base = option ? offsetof(mjModel, opt) : offsetof(mjModel, stat);
  return ModelParameter{member->name, member->kind, member->count, nullptr, base + member->offset};
}

}  // namespace

std::string FullName(const ModelParameter& parameter) {
  if (parameter.array) return parameter.name;
  const bool is_option =
      parameter.offset >= offsetof(mjModel, opt) && parameter.offset < offsetof(mjModel, opt) + sizeof(mjOption);
  return (is_option ? "opt." : "stat.") + std::string(parameter.name);
}

namespace {

// ---- what values a parameter may have

enum class Sign { kAny, kNotNegative, kPositive };

// Tells the sign that a field's values must have; for fields that are not named here, any finite number is right.
Sign SignOf(std::string_view name) {
  constexpr std::string_view kPositiveFields[] = {"timestep", "impratio"};
  constexpr std::string_view kNotNegativeFields[] = {
      "body_mass",         "body_inertia",     "body_subtreemass", "dof_armature",
      "dof_damping",       "dof_frictionloss", "dof_M0",           "geom_size",
      "geom_friction",     "geom_rbound",      "geom_solmix",      "pair_friction",
      "site_size",         "tendon_armature",  "tendon_damping",   "tendon_frictionloss",
      "actuator_armature", "density",          "viscosity",        "tolerance",
      "ls_tolerance",      "actuator_delay",   "sensor_delay",     "tendon_width"};
  if (IsAmong(kPositiveFields, name)) return Sign::kPositive;
  if (IsAmong(kNotNegativeFields, name)) return Sign::kNotNegative;
  return Sign::kAny;
}

// Throws an Error such as "body_mass[1] is -1", with the rule as remedy.
[[noreturn]] void Refuse(const ModelParameter& field, size_t element, double value, const char* rule) {
  char number[32];
  std::snprintf(number, sizeof(number), "%g", value);
  throw Error(std::string(field.name) + "[" + std::to_string(element) + "] is " + number, rule);
}

template <class T>
void CheckNumbers(const ModelParameter& field, const T* values) {
  const Sign sign = SignOf(field.name);
  for (size_t i = 0; i < field.size; ++i) {
    const double value = values[i];
    if (!std::isfinite(value)) Refuse(field, i, value, "values must be finite");
    if (sign == Sign::kPositive && !(value > 0)) Refuse(field, i, value, "values must be positive");
    if (sign == Sign::kNotNegative && value < 0) Refuse(field, i, value, "values must not be negative");
  }
}

bool HasQuaternions(std::string_view name) { return name.ends_with("_quat") || name.ends_with("_iquat"); }

// Lengths other than one are normalized where they are used; zero has no direction.
void CheckQuaternions(const ModelParameter& field, const mjtNum* q) {
  for (size_t i = 0; i + 4 <= field.size; i += 4) {
    const double square = q[i] * q[i] + q[i + 1] * q[i + 1] + q[i + 2] * q[i + 2] + q[i + 3] * q[i + 3];
    if (!(square > mjMINVAL)) Refuse(field, i, q[i], "quaternions must have a length");
  }
}

// Principal moments of inertia of any body: none is larger than the sum of the others. The slack is what rounding
// leaves of a flat body's.
void CheckInertias(const ModelParameter& field, const mjtNum* inertia) {
  constexpr double kSlack = 1 + 1e-6;
  for (size_t i = 0; i + 3 <= field.size; i += 3) {
    std::array<mjtNum, 3> moment = {inertia[i], inertia[i + 1], inertia[i + 2]};
    std::sort(moment.begin(), moment.end());
    if (moment[2] > kSlack * (moment[0] + moment[1])) {
      Refuse(field, i, inertia[i], "no moment of inertia may be larger than the sum of the other two");
    }
  }
}

void CheckDimensions(const ModelParameter& field, const int* dimensions) {
  for (size_t i = 0; i < field.size; ++i) {
    const int n = dimensions[i];
    if (n != 1 && n != 3 && n != 4 && n != 6) Refuse(field, i, n, "contacts have dimension 1, 3, 4 or 6");
  }
}

}  // namespace

const char* StateComponentName(int component) { return kComponents[component]; }

int FindStateComponent(std::string_view name) {
  const auto* found = std::find(std::begin(kComponents), std::end(kComponents), name);
  return found == std::end(kComponents) ? -1 : static_cast<int>(found - kComponents);
}

DataField FindDataField(const mjModel& m, std::string_view name) {
  if (FindStateComponent(name) >= 0) {
    throw Error("'" + std::string(name) + "' is part of the state", "read and write it there");
  }
  if (IsAmong(kCounts, name)) {
    const StructMember* member = FindMember(kDataScalars, name);
    return {member->name, member->kind, member->count, nullptr, member->offset};
  }
  std::vector<std::string_view> known(std::begin(kCounts), std::end(kCounts));
  // Arrays outside of the arena have sizes that follow from the model alone.
  const mjData none{};
  for (const DataArray& array : kDataFields) {
    if (array.name == name) return {array.name, array.kind, array.Count(m, none), &array, 0};
    known.emplace_back(array.name);
  }
  for (const DataArray& array : kArenaFields) {
    if (array.name == name) {
      throw Error("'" + std::string(name) + "' has another size at every step", "look at one world at a time");
    }
  }
  throw Error(Missing("field of mjData", name, known));
}

// Pointers are no arrays of numbers, and are not counted.
void AddTo(ArraySet& set, const DataArray& array) {
  const auto index = static_cast<size_t>(
      std::count_if(kDataFields, &array, [](const DataArray& before) { return before.kind != ElementKind::kPointer; }));
  set.words[index / 64] |= 1ull << index % 64;
}

ModelParameter FindModelParameter(const mjModel& m, std::string_view name) {
  if (const auto setting = FindSetting(name)) return *setting;
  std::vector<std::string_view> known;
  for (const ModelArray& array : kModelFields) {
    if (array.name != name) {
      known.emplace_back(array.name);
      continue;
    }
    // Prefixes stand for whole families of fields.
    if (std::any_of(std::begin(kShared), std::end(kShared),
                    [&](const char* prefix) { return name.starts_with(prefix); })) {
      throw Error("all worlds share '" + std::string(name) + "'",
                  "give worlds models of their own, or make a batch for each");
    }
    return {array.name, array.kind, array.Count(m), &array, 0};
  }
  throw Error(Missing("field of mjModel", name, known));
}

// Integers other than contact dimensions are checked with the whole model (Validate), since they refer to other
// fields.
void CheckParameter(const ModelParameter& field, const void* values) {
  if (field.kind == ElementKind::kFloat) CheckNumbers(field, static_cast<const float*>(values));
  if (std::string_view(field.name) == "geom_condim") CheckDimensions(field, static_cast<const int*>(values));
  if (field.kind != ElementKind::kNum) return;
  const auto* numbers = static_cast<const mjtNum*>(values);
  CheckNumbers(field, numbers);
  if (HasQuaternions(field.name)) CheckQuaternions(field, numbers);
  if (std::string_view(field.name) == "body_inertia") CheckInertias(field, numbers);
}

// DerivesConstants names the fields that mj_setConst reads: changing one of them makes derived fields wrong.
bool DerivesConstants(const ModelParameter& field) {
  constexpr std::string_view kInputs[] = {"qpos0",
                                          "qpos_spring",
                                          "body_pos",
                                          "body_quat",
                                          "body_ipos",
                                          "body_iquat",
                                          "body_mass",
                                          "body_inertia",
                                          "jnt_pos",
                                          "jnt_axis",
                                          "dof_armature",
                                          "site_pos",
                                          "site_quat",
                                          "cam_pos",
                                          "cam_quat",
                                          "light_pos",
                                          "light_dir",
                                          "geom_pos",
                                          "geom_quat",
                                          "eq_data",
                                          "tendon_armature",
                                          "wrap_prm",
                                          "actuator_gear",
                                          "actuator_cranklength",
                                          "actuator_armature"};
  return IsAmong(kInputs, field.name);
}

void CheckSameLayout(const mjModel& m, const mjModel& other) {
  // Names, paths, texts and pixels may differ: worlds do not compute with them.
  constexpr std::string_view kFree[] = {"nnames", "nnames_map", "npaths", "ntexdata", "ntextdata", "nbuffer"};
  for (const ModelSize& size : kModelSizes) {
    if (m.*size.member == other.*size.member) continue;
    if (IsAmong(kFree, size.name)) continue;
    throw Error(std::string(size.name) + " is " + std::to_string(other.*size.member) + " and not " +
                    std::to_string(m.*size.member),
                "models of a batch must have the same sizes");
  }
}

}  // namespace sinew::inline batch
