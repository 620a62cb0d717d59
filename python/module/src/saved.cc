// Worlds as bytes, for pickles.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "element.h"
#include "worlds.h"

namespace sinew::module {
namespace {

// Members that say where memory is, or how large: those of the new world stay.
bool IsPlace(const Field& field) {
  for (const char* name : {"narena", "nbuffer", "nplugin", "pstack", "pbase"}) {
    if (std::strcmp(field.name, name) == 0) return true;
  }
  return field.kind == Kind::kPointer || field.kind == Kind::kStructPointers;
}

char* Pointer(const Object* data, const Field& field) {
  char* at = nullptr;
  std::memcpy(&at, data->base + field.offset, sizeof(at));
  return at;
}

size_t SizeOfMember(const Object* data, const Field& field) {
  const auto rows = static_cast<size_t>(field.kind == Kind::kNumber ? 1 : Count(field.rows, data, nullptr));
  if (field.kind == Kind::kStructs) return rows * StructNamed(field.of)->size;
  return rows * (field.columns.empty() ? 1 : static_cast<size_t>(Count(field.columns, data, nullptr))) *
         SizeOf(field.element);
}

// Bytes: members of the struct, the buffer, the used part of the arena, and where in it arrays begin, or -1.
PyObject* SaveData(PyObject*, PyObject* object) {
  const mjData* d = TakeData(object);
  if (!d) return nullptr;
  const auto* data = reinterpret_cast<const Object*>(object);
  std::string bytes;
  for (size_t i = 0; i < data->type->count; ++i) {
    const Field& field = data->type->fields[i];
    if (!IsPlace(field)) bytes.append(data->base + field.offset, SizeOfMember(data, field));
    if (field.kind != Kind::kPointer && field.kind != Kind::kStructPointers) continue;
    const char* arena = static_cast<const char*>(d->arena);
    const char* at = Pointer(data, field);
    const int64_t place = at >= arena && at < arena + d->narena ? at - arena : -1;
    bytes.append(reinterpret_cast<const char*>(&place), sizeof(place));
  }
  bytes.append(static_cast<const char*>(d->buffer), static_cast<size_t>(d->nbuffer));
  bytes.append(static_cast<const char*>(d->arena), d->parena);
  return PyBytes_FromStringAndSize(bytes.data(), static_cast<Py_ssize_t>(bytes.size()));
}

class Reader {
 public:
  Reader(const char* at, size_t size) : at_(at), left_(size) {}
  bool Read(void* into, size_t size) {
    if (size > left_) return false;
    std::memcpy(into, at_, size);
    at_ += size;
    left_ -= size;
    return true;
  }

 private:
  const char* at_;
  size_t left_;
};

bool ReadMembers(Reader* reader, const Object* data, mjData* d) {
  for (size_t i = 0; i < data->type->count; ++i) {
    const Field& field = data->type->fields[i];
    if (!IsPlace(field) && !reader->Read(data->base + field.offset, SizeOfMember(data, field))) return false;
    if (field.kind != Kind::kPointer && field.kind != Kind::kStructPointers) continue;
    int64_t place = -1;
    if (!reader->Read(&place, sizeof(place)) || place >= d->narena) return false;
    if (place < 0) continue;
    char* at = static_cast<char*>(d->arena) + place;
    std::memcpy(data->base + field.offset, &at, sizeof(at));
  }
  return true;
}

PyObject* LoadData(PyObject*, PyObject* arguments) {
  PyObject* object = nullptr;
  const char* bytes = nullptr;
  Py_ssize_t size = 0;
  if (!PyArg_ParseTuple(arguments, "Oy#", &object, &bytes, &size)) return nullptr;
  mjData* d = TakeData(object);
  if (!d) return nullptr;
  // memory that plugins keep for themselves is that of the new world
  const std::vector<uintptr_t> plugins(d->plugin_data, d->plugin_data + d->nplugin);
  Reader reader(bytes, static_cast<size_t>(size));
  const bool read = ReadMembers(&reader, reinterpret_cast<Object*>(object), d) &&
                    d->parena <= static_cast<size_t>(d->narena) &&
                    reader.Read(d->buffer, static_cast<size_t>(d->nbuffer)) && reader.Read(d->arena, d->parena);
  if (!read) {
    mj_resetData(reinterpret_cast<Object*>(object)->block->model, d);
    return PyErr_SetString(PyExc_ValueError, "the bytes are no world of this model"), nullptr;
  }
  std::copy(plugins.begin(), plugins.end(), d->plugin_data);
  Py_RETURN_NONE;
}

}  // namespace

bool DefineSaved(PyObject* module) {
  static PyMethodDef methods[] = {{"save_data", SaveData, METH_O, "A world as bytes."},
                                  {"load_data", LoadData, METH_VARARGS, "Takes a world from bytes."},
                                  {}};
  return PyModule_AddFunctions(module, methods) == 0;
}

}  // namespace sinew::module
