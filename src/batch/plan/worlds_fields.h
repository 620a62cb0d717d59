// Fields of mjModel and mjData by name, as worlds have them: where they are, how many numbers, and what they may be.
#ifndef SINEW_BATCH_PLAN_WORLDS_FIELDS_H_
#define SINEW_BATCH_PLAN_WORLDS_FIELDS_H_

#include <mujoco/mujoco.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "batch/plan/lane_ops.h"
#include "model/view/fields.h"

namespace sinew::inline batch {

// An array of the main buffer of mjData, or a count such as ncon.
struct DataField {
  const char* name;
  ElementKind kind;
  size_t size;             // numbers of a world
  const DataArray* array;  // null for a count
  size_t offset;           // of a count

  size_t Bytes() const { return size * ElementSize(kind); }
  const void* In(const mjData& d) const {
    return array ? array->Pointer(d) : reinterpret_cast<const char*>(&d) + offset;
  }
};

// Throws with the nearest name when there is none, and when the field is part of the state.
DataField FindDataField(const mjModel& m, std::string_view name);

void AddTo(ArraySet& set, const DataArray& array);

// An array of mjModel, "opt.name", or "stat.name".
struct ModelParameter {
  const char* name;  // without "opt." and "stat."
  ElementKind kind;
  size_t size;
  const ModelArray* array;  // null for options and statistics
  size_t offset;            // of those in mjModel

  size_t Bytes() const { return size * ElementSize(kind); }
  void* In(mjModel& m) const { return array ? array->Pointer(m) : reinterpret_cast<char*>(&m) + offset; }
  const void* In(const mjModel& m) const { return In(const_cast<mjModel&>(m)); }
};

// As programs ask for it: with "opt." or "stat.".
std::string FullName(const ModelParameter& parameter);

// Throws with the nearest name when there is none, and for fields that all worlds share: meshes, sizes of
// height fields, textures, skins, hierarchies, names and texts.
ModelParameter FindModelParameter(const mjModel& m, std::string_view name);

// Throws when the values that a world would have for a field are none that a model may have: not finite, a negative
// mass, a quaternion of no length. The error names field, element and value.
void CheckParameter(const ModelParameter& field, const void* values);

// Whether mj_setConst derives other fields from this one.
bool DerivesConstants(const ModelParameter& field);

// The number of a state component (0 to mjNSTATE - 1) by its name in mjData, -1 when there is none.
int FindStateComponent(std::string_view name);
const char* StateComponentName(int component);

// Throws, naming the first size that differs, when worlds of `other` would not have the layout of those of `m`.
void CheckSameLayout(const mjModel& m, const mjModel& other);

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PLAN_WORLDS_FIELDS_H_
