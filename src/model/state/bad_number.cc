#include "model/state/bad_number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/warning.h"
#include "model/kinds/names.h"
#include "model/state/cause.h"
#include "model/state/finite.h"
#include "model/view/fields.h"

namespace sinew::inline model {
namespace {

// ---- which arrays

// No step reads these: numbers of users, keyframes, appearance.
constexpr std::string_view kUnread[] = {"numeric_data", "tuple_objprm", "tex_data", "mat_", "key_", "skin_"};

// Vertices, elevations, trees of boxes, which may be long: then they are looked at once something has gone wrong.
constexpr std::string_view kAssets[] = {"mesh_", "hfield_data", "bvh_", "oct_", "flex_texcoord"};
constexpr mjtSize kLong = 4096;

template <size_t n>
constexpr bool BeginsWithOne(const std::string_view (&beginnings)[n], std::string_view name) {
  return std::any_of(std::begin(beginnings), std::end(beginnings),
                     [&](std::string_view beginning) { return name.starts_with(beginning); });
}

// Colours are read by pictures alone.
constexpr bool IsRead(std::string_view name) {
  return !BeginsWithOne(kUnread, name) && !name.ends_with("_user") && !name.ends_with("_rgba");
}

constexpr bool IsNumeric(ElementKind kind) { return kind == ElementKind::kNum || kind == ElementKind::kFloat; }

// Arrays of numbers that a step may read: indices into kModelFields.
constexpr auto kWatched = [] {
  constexpr auto is_watched = [](const ModelArray& field) { return IsNumeric(field.kind) && IsRead(field.name); };
  std::array<short, std::count_if(std::begin(kModelFields), std::end(kModelFields), is_watched)> watched = {};
  size_t count = 0;
  for (size_t i = 0; i < std::size(kModelFields); ++i) {
    if (is_watched(kModelFields[i])) watched[count++] = static_cast<short>(i);
  }
  return watched;
}();

// Fields that programs write into a world between steps, and those that it carries from one step to the next.
constexpr std::string_view kInputs[] = {"qpos",           "qvel",         "act",         "history",
                                        "qacc_warmstart", "ctrl",         "mocap_pos",   "mocap_quat",
                                        "xfrc_applied",   "qfrc_applied", "plugin_state"};

// ---- numbers

// A range is a lower and an upper limit. Either may be infinite, away from the other: there is none then.
bool IsRange(std::string_view name) { return name.ends_with("range"); }
bool IsNoLimit(double x, mjtSize i) { return i % 2 == 0 ? x < -mjMAXVAL : x > mjMAXVAL; }

// The first number that is not finite, or -1.
template <class T>
mjtSize FirstBad(const T* x, mjtSize n, bool is_range) {
  if (AreFinite(x, n)) return -1;
  for (mjtSize i = 0; i < n; ++i) {
    const double value = static_cast<double>(x[i]);
    if (!std::isfinite(value) && !(is_range && IsNoLimit(value, i))) return i;
  }
  return -1;
}

// The largest of those that are larger than mjMAXVAL in size, or -1. Mostly there are none, which a count tells in
// lanes.
template <class T>
mjtSize LargestHuge(const T* x, mjtSize n, bool is_range) {
  constexpr T kLimit = static_cast<T>(mjMAXVAL);
  mjtSize huge = 0;
  for (mjtSize i = 0; i < n; ++i) huge += std::abs(x[i]) > kLimit;
  if (huge == 0) return -1;
  mjtSize largest = -1;
  for (mjtSize i = 0; i < n; ++i) {
    if (is_range && IsNoLimit(static_cast<double>(x[i]), i)) continue;
    if (largest < 0 || std::abs(x[i]) > std::abs(x[largest])) largest = i;
  }
  return largest;
}

// An array, whatever it belongs to.
struct Numbers {
  const char* name;
  BadNumber::Place place;
  const void* memory;
  ElementKind kind;
  mjtSize count;
  mjtSize columns = 1;
  mjtSize mjModel::*rows = nullptr;  // the count of what each row belongs to

  // Calls function(pointer to the first number).
  template <class Function>
  auto Typed(const Function& function) const {
    return kind == ElementKind::kFloat ? function(static_cast<const float*>(memory))
                                       : function(static_cast<const double*>(memory));
  }
  mjtSize FirstBad() const {
    return Typed([this](const auto* x) { return sinew::FirstBad(x, count, IsRange(name)); });
  }
  mjtSize LargestHuge() const {
    return Typed([this](const auto* x) { return sinew::LargestHuge(x, count, IsRange(name)); });
  }
  double operator[](mjtSize i) const {
    return Typed([i](const auto* x) { return static_cast<double>(x[i]); });
  }
};

// ---- whose number it is

struct Owner {
  mjtSize mjModel::*rows;
  mjtObj object;
};
constexpr Owner kOwners[] = {
    {&mjModel::nbody, mjOBJ_BODY},  {&mjModel::njnt, mjOBJ_JOINT},     {&mjModel::nv, mjOBJ_DOF},
    {&mjModel::ngeom, mjOBJ_GEOM},  {&mjModel::nsite, mjOBJ_SITE},     {&mjModel::ncam, mjOBJ_CAMERA},
    {&mjModel::nflex, mjOBJ_FLEX},  {&mjModel::nlight, mjOBJ_LIGHT},   {&mjModel::nmesh, mjOBJ_MESH},
    {&mjModel::npair, mjOBJ_PAIR},  {&mjModel::nhfield, mjOBJ_HFIELD}, {&mjModel::neq, mjOBJ_EQUALITY},
    {&mjModel::nu, mjOBJ_ACTUATOR}, {&mjModel::ntendon, mjOBJ_TENDON}, {&mjModel::nsensor, mjOBJ_SENSOR},
};

// A dof belongs to its joint, a coordinate to the last joint that begins at or before it.
void SetOwner(const mjModel& m, mjtSize mjModel::*rows, mjtSize row, BadNumber* bad) {
  for (const Owner& owner : kOwners) {
    if (rows != owner.rows) continue;
    bad->object = owner.object;
    bad->id = static_cast<int>(row);
  }
  if (rows == &mjModel::nv) {
    bad->object = mjOBJ_JOINT;
    bad->id = m.dof_jntid[row];
  } else if (rows == &mjModel::nq) {
    bad->object = mjOBJ_JOINT;
    bad->id = static_cast<int>(std::upper_bound(m.jnt_qposadr, m.jnt_qposadr + m.njnt, row) - m.jnt_qposadr) - 1;
  }
}

// ---- the search

// Call visit(numbers) for one array after the other until it returns true.
template <class Visit>
bool VisitModelArray(const mjModel& m, const ModelArray& field, const Visit& visit) {
  const Numbers numbers = {
      field.name,       BadNumber::Place::kModel, field.Pointer(m), field.kind, static_cast<mjtSize>(field.Count(m)),
      field.columns(m), field.rows.size};
  return numbers.count > 0 && visit(numbers);
}

template <class Visit>
bool VisitMembers(const mjModel& m, const Visit& visit) {
  const auto visit_all = [&](BadNumber::Place place, const auto& members, const auto& object) {
    return std::any_of(std::begin(members), std::end(members), [&](const StructMember& member) {
      return IsNumeric(member.kind) &&
             visit(Numbers{member.name, place, member.In(object), member.kind, static_cast<mjtSize>(member.count)});
    });
  };
  return visit_all(BadNumber::Place::kOption, kOptionFields, m.opt) ||
         visit_all(BadNumber::Place::kStatistic, kStatisticFields, m.stat);
}

template <class Visit>
bool VisitModel(const mjModel& m, const Visit& visit) {
  return VisitMembers(m, visit) || std::any_of(std::begin(kWatched), std::end(kWatched),
                                               [&](short i) { return VisitModelArray(m, kModelFields[i], visit); });
}

template <class Visit>
bool VisitInputs(const mjModel& m, const mjData& d, std::string_view except, const Visit& visit) {
  constexpr auto kPlace = BadNumber::Place::kWorld;
  if (visit(Numbers{"time", kPlace, &d.time, ElementKind::kNum, 1})) return true;
  return std::any_of(std::begin(kDataFields), std::end(kDataFields), [&](const DataArray& field) {
    if (field.name == except ||
        std::find(std::begin(kInputs), std::end(kInputs), std::string_view(field.name)) == std::end(kInputs))
      return false;
    const Numbers numbers = {
        field.name,    kPlace,          field.Pointer(d), field.kind, static_cast<mjtSize>(field.Count(m, d)),
        field.columns, field.rows.model};
    return numbers.count > 0 && visit(numbers);
  });
}

BadNumber Describe(const mjModel& m, const Numbers& numbers, mjtSize i) {
  BadNumber bad = {numbers.name, numbers.place, i, numbers[i]};
  if (numbers.rows) SetOwner(m, numbers.rows, i / numbers.columns, &bad);
  return bad;
}

// Visits until a number is not finite.
auto FindNotFinite(const mjModel& m, BadNumber* found) {
  return [&m, found](const Numbers& numbers) {
    const mjtSize i = numbers.FirstBad();
    if (i >= 0) *found = Describe(m, numbers, i);
    return i >= 0;
  };
}

// The same without vertices and trees of meshes, whose check takes longer than a step.
auto FindNotFiniteButInLongAssets(const mjModel& m, BadNumber* found) {
  return [visit = FindNotFinite(m, found)](const Numbers& numbers) {
    const bool is_left_out = numbers.count > kLong && BeginsWithOne(kAssets, numbers.name);
    return !is_left_out && visit(numbers);
  };
}

// Visits all, and keeps the largest number.
auto FindHuge(const mjModel& m, BadNumber* found) {
  return [&m, found](const Numbers& numbers) {
    const mjtSize i = numbers.LargestHuge();
    if (i >= 0 && std::abs(numbers[i]) > std::max(mjMAXVAL, std::abs(found->value))) *found = Describe(m, numbers, i);
    return false;
  };
}

thread_local BadNumber last_cause;
thread_local bool are_causes_left_out = false;

}  // namespace

BadNumber TakeCause() { return std::exchange(last_cause, {}); }

void LeaveCausesOut(bool left_out) { are_causes_left_out = left_out; }

BadNumber FindBadNumber(const mjModel& m, const mjData& d, const char* except) {
  BadNumber found;
  if (are_causes_left_out) return found;
  const auto not_finite = FindNotFinite(m, &found);
  if (VisitModel(m, not_finite) || VisitInputs(m, d, except, not_finite)) return found;
  const auto huge = FindHuge(m, &found);
  VisitModel(m, huge);
  if (!found) VisitInputs(m, d, except, huge);
  return found;
}

BadNumber FindBadModelNumber(const mjModel& m) {
  BadNumber found;
  VisitModel(m, FindNotFiniteButInLongAssets(m, &found));
  return found;
}

BadNumber FindBadModelNumber(const mjModel& m, int turn) {
  BadNumber found;
  const auto not_finite = FindNotFiniteButInLongAssets(m, &found);
  const size_t place = static_cast<size_t>(turn) % (kWatched.size() + 1);
  if (place == kWatched.size()) {
    VisitMembers(m, not_finite);
  } else {
    VisitModelArray(m, kModelFields[kWatched[place]], not_finite);
  }
  return found;
}

const char* TextOf(const mjModel& m, const BadNumber& bad) {
  thread_local char text[256];
  char owner[128] = "";
  if (bad.object != mjOBJ_UNKNOWN) {
    const char *name = Id2Name(m, bad.object, bad.id), *kind = TypeToString(bad.object);
    if (name) {
      std::snprintf(owner, sizeof(owner), " of %s '%.80s'", kind, name);
    } else {
      std::snprintf(owner, sizeof(owner), " of %s %d", kind, bad.id);
    }
  }
  const char* prefix = bad.place == BadNumber::Place::kOption      ? "opt."
                       : bad.place == BadNumber::Place::kStatistic ? "stat."
                                                                   : "";
  std::snprintf(text, sizeof(text), "%s%.60s[%lld]%s is %g", prefix, bad.array, static_cast<long long>(bad.index),
                owner, bad.value);
  return text;
}

void RaiseBadNumber(const mjModel& m, mjData* d, const BadState& state, const char* owner) {
  char details[512] = "";
  if (d->warning[state.kind].number == 0) {
    const BadNumber cause = last_cause = FindBadNumber(m, *d, state.array);
    const char* remedy = cause.place == BadNumber::Place::kWorld ? "" : " in the model, which a reset does not mend";
    std::snprintf(details, sizeof(details), "%s%s%s%s%s", owner, cause ? " Cause: " : "", cause ? TextOf(m, cause) : "",
                  cause ? remedy : "", cause ? "." : "");
  }
  RaiseWarning(d, state.kind, state.info, details);
}

}  // namespace sinew::inline model
