// Fields of the public structs as data: what allocation, copies, MJB files, printing and named access loop over.
//
//   for (const ModelArray& field : kModelFields) {
//     std::memcpy(field.Pointer(to), field.Pointer(from), field.Bytes(*from));
//   }
//
// The lists themselves (kModelFields, kDataFields, ...) are in model/view/fields_generated.h.
#ifndef SINEW_MODEL_VIEW_FIELDS_H_
#define SINEW_MODEL_VIEW_FIELDS_H_

#include <mujoco/mujoco.h>

#include <cstddef>
#include <cstring>

namespace sinew::inline model {

// The C type of an element: mjtNum, int, float, mjtByte, char, mjtSize, uintptr_t, mjContact.
enum class ElementKind { kNum, kInt, kFloat, kByte, kChar, kSize, kPointer, kContact };

// Bytes of one element.
constexpr size_t ElementSize(ElementKind kind) {
  switch (kind) {
    case ElementKind::kNum:
      return sizeof(mjtNum);
    case ElementKind::kInt:
      return sizeof(int);
    case ElementKind::kFloat:
      return sizeof(float);
    case ElementKind::kByte:
      return sizeof(mjtByte);
    case ElementKind::kChar:
      return sizeof(char);
    case ElementKind::kSize:
      return sizeof(mjtSize);
    case ElementKind::kPointer:
      return sizeof(uintptr_t);
    case ElementKind::kContact:
      return sizeof(mjContact);
  }
  return 0;
}

// A size of mjModel, such as nbody.
struct ModelSize {
  const char* name;
  mjtSize mjModel::*member;
};

// A count of rows or columns: a multiple of a size of the model, or a constant when `size` is null.
struct ModelExtent {
  mjtSize mjModel::*size;
  mjtSize factor;

  mjtSize operator()(const mjModel& m) const { return size ? m.*size * factor : factor; }
};

// A count of rows in mjData: a size of the model, or a count of mjData such as nefc.
struct DataExtent {
  mjtSize mjModel::*model;
  int mjData::*data;
  mjtSize factor;

  mjtSize operator()(const mjModel& m, const mjData& d) const { return (model ? m.*model : d.*data) * factor; }
};

// The pointer that stands `offset` bytes into an object. Reading it through memcpy keeps to the aliasing rules.
inline void* PointerAt(const void* object, size_t offset) {
  void* pointer;
  std::memcpy(&pointer, static_cast<const char*>(object) + offset, sizeof(pointer));
  return pointer;
}
// Writes the pointer in the same way.
inline void SetPointerAt(void* object, size_t offset, void* pointer) {
  std::memcpy(static_cast<char*>(object) + offset, &pointer, sizeof(pointer));
}

// An array of mjModel's buffer.
struct ModelArray {
  const char* name;
  size_t offset;  // of the pointer in mjModel
  ElementKind kind;
  ModelExtent rows, columns;
  bool scene = true;  // read when a scene is built

  // These work on any model, also on one whose arrays are not yet allocated, since only sizes are read.
  size_t Count(const mjModel& m) const { return static_cast<size_t>(rows(m) * columns(m)); }
  size_t Bytes(const mjModel& m) const { return Count(m) * ElementSize(kind); }
  void* Pointer(const mjModel& m) const { return PointerAt(&m, offset); }
  void SetPointer(mjModel& m, void* pointer) const { SetPointerAt(&m, offset, pointer); }
};

// An array of mjData's main buffer or of its arena.
struct DataArray {
  const char* name;
  size_t offset;  // of the pointer in mjData
  ElementKind kind;
  DataExtent rows;
  mjtSize columns;
  bool scene = true;  // read when a scene is built

  size_t Count(const mjModel& m, const mjData& d) const { return static_cast<size_t>(rows(m, d) * columns); }
  size_t Bytes(const mjModel& m, const mjData& d) const { return Count(m, d) * ElementSize(kind); }
  void* Pointer(const mjData& d) const { return PointerAt(&d, offset); }
  void SetPointer(mjData& d, void* pointer) const { SetPointerAt(&d, offset, pointer); }
};

// A member of a struct: `count` consecutive elements.
struct StructMember {
  const char* name;
  size_t offset;
  ElementKind kind;
  size_t count;

  size_t Bytes() const { return count * ElementSize(kind); }
  template <class Struct>
  const void* In(const Struct& object) const {
    return reinterpret_cast<const char*>(&object) + offset;
  }
  template <class Struct>
  void* In(Struct& object) const {
    return reinterpret_cast<char*>(&object) + offset;
  }
};

}  // namespace sinew::inline model

#include "model/view/fields_generated.h"

#endif  // SINEW_MODEL_VIEW_FIELDS_H_
