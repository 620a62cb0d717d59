// Structs of the engine as objects of Python, described by a table of fields (docs/how/module.md).
#ifndef SINEW_MODULE_OBJECT_H_
#define SINEW_MODULE_OBJECT_H_

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <mujoco/mujoco.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

#include "versions.h"

namespace sinew::module {

struct Object;

union Value {
  double number;
  int64_t integer;
  void* pointer;
};

// ---- tables

enum class Source : uint8_t { kNone, kModel, kData, kSelf, kParameter };

// A number of rows or columns: constant + factor * number + ...; numbers stand in a struct or are parameters of a call.
struct Extent {
  struct Term {
    int factor = 0;
    Source source = Source::kNone;
    uint32_t at = 0;
    bool wide = false;
  };
  int constant = 0;
  Term terms[2] = {};
  int64_t (*function)(const Object* self, const Value* values) = nullptr;

  constexpr bool empty() const { return !constant && terms[0].source == Source::kNone && !function; }
};

enum class Kind : uint8_t {
  kNumber,
  kArray,           // numbers in the struct
  kPointer,         // numbers elsewhere
  kText,            // characters in the struct, with a closing zero
  kTexts,           // several of them
  kStruct,          // a struct in the struct
  kStructs,         // several of them
  kStructPointer,   // a struct elsewhere
  kStructPointers,  // several of them
  kString,          // mjString
  kStrings,         // mjStringVec
  kVector,          // mjDoubleVec, mjFloatVec, mjIntVec
  kBytes,           // mjByteVec
  kVectors,         // mjFloatVecVec, mjIntVecVec
  kChars,           // letters without a closing zero
};

struct Field {
  const char* name;
  size_t offset;
  Kind kind;
  char element;  // type of the numbers, a letter of element.h
  bool writable;
  Extent rows, columns;
  const char* of;  // struct or enumeration
};

// Whether letters elsewhere are a text of the model: names, paths.
bool IsText(const Field& field);

struct Struct {
  const char* name;
  size_t size;
  const Field* fields;
  size_t count;
};

// ---- objects

// Memory of the engine, which is freed when nothing in Python refers to it.
struct Block {
  PyObject_HEAD void* memory;
  void (*free)(void* memory);
  const mjModel* model;  // of whose sizes arrays are
  PyObject* kept;        // what must live as long
};

// What was handed out of a field, and of which memory and length.
struct Cached {
  PyObject* value;
  const char* at;
  int64_t rows;
};

// A struct in a block. `cache` has one entry for each field.
struct Object {
  PyObject_HEAD char* base;  // null when an element was deleted from its specification
  const Struct* type;
  Block* block;
  Cached* cache;
  PyObject* weak;
  PyObject* views;  // of named access, by kind and number
  PyObject* extra;  // the MjModel of an MjData
  void* element;    // of a specification: the mjsElement, whose address stays known when it is gone
};

// All throw nothing: a null pointer is an error of Python that is set. Without `free`, `kept` keeps the memory.
PyObject* NewBlock(void* memory, void (*free)(void*), const mjModel* model, PyObject* kept);
PyObject* NewObject(const Struct* type, void* base, PyObject* block);

// The object of an element of a specification, the same as long as it is in use.
PyObject* ElementObject(const Struct* type, void* base, PyObject* block);

// The class of a struct, and the struct of a name.
PyTypeObject* ClassOf(const Struct* type);
const Struct* StructNamed(std::string_view name);

// The object, if it is one of this struct and not deleted; null and no error otherwise.
Object* ObjectOf(PyObject* object, const Struct* type);
bool IsObject(PyObject* object);

// Whether the class of an object is one of the package sinew, which derives its own from those here.
bool IsOfSinew(PyObject* object);

// A new object over the struct that an object of the package `sinew` shares (share.h): a model, a world or a
// specification. Null and no error when it shares none of this type.
PyObject* SharedObject(PyObject* given, const Struct* type);

// The object that there is over a model or a world, so that both packages see one; null and no error when there is
// none. It is known from Remember until it is invalidated.
PyObject* KnownObject(const void* base, const Struct* type);
void Remember(Object* object);

// Forgets the object of an element, of which another one may be made.
void Unregister(Object* object);

// Drops what was handed out of an object, and of its parts when its memory is gone.
void Invalidate(Object* object, bool gone);

int64_t Count(const Extent& extent, const Object* self, const Value* values);

PyObject* GetField(Object* self, const Field& field);
int SetField(Object* self, const Field& field, PyObject* value);

bool DefineObjects(PyObject* module);

// ---- parts

// Where the buffer of a block begins. It is as long as all memory, so that an array can be anywhere in it: numpy then
// holds the block itself.
inline constexpr intptr_t kOrigin = 1;

// An array over memory that the block keeps; element is a letter of element.h. Null and an error when that fails.
PyObject* ArrayOver(void* memory, char element, const int64_t* shape, int rank, PyObject* block);

// The same over rows that are `step` bytes apart.
PyObject* ColumnOver(void* memory, char element, const int64_t* shape, int rank, int64_t step, PyObject* block);
bool DefineArrays(PyObject* module);

// A list of structs in memory that the block keeps; and one of what a field of a struct says whenever it is asked.
PyObject* ListOver(const Struct* type, char* base, int64_t count, PyObject* block);
PyObject* ListOf(const Object* self, const Field& field);
bool DefineLists(PyObject* module);

PyObject* GetSpecField(Object* self, const Field& field);
int SetSpecField(Object* self, const Field& field, PyObject* value);

// The enumeration of a name; null when the module has none.
PyObject* EnumerationNamed(const char* name);

bool DefineFunctions(PyObject* module);
bool DefineWorlds(PyObject* module);
bool DefineNamed(PyObject* module);
bool DefineSpecs(PyObject* module);
bool DefineCallbacks(PyObject* module);
bool DefineVectors(PyObject* module);
bool DefineScenes(PyObject* module);
bool DefineSaved(PyObject* module);
bool DefineSharing(PyObject* module);
bool DefineExtras(PyObject* module);
bool DefineRollout(PyObject* module);

extern PyObject* fatal_error;  // mujoco.FatalError

// Null and an error when it is no text.
inline const char* Utf8(PyObject* text) { return PyUnicode_AsUTF8AndSize(text, nullptr); }

// A class derived from another one.
inline PyTypeObject* DerivedClass(PyType_Spec* spec, PyTypeObject* base) {
  PyObject* bases = PyTuple_Pack(1, reinterpret_cast<PyObject*>(base));
  PyObject* made = bases ? PyType_FromSpecWithBases(spec, bases) : nullptr;
  Py_XDECREF(bases);
  return reinterpret_cast<PyTypeObject*>(made);
}

// The name of a class without its module.
std::string NameOf(PyTypeObject* cls);

}  // namespace sinew::module

#endif  // SINEW_MODULE_OBJECT_H_
