// What the parts of the extension module share.
#ifndef SINEW_PYTHON_COMMON_H_
#define SINEW_PYTHON_COMMON_H_

#include <mujoco/mujoco.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <sinew/batch.h>
#include <sinew/error.h>

#include <memory>
#include <string>
#include <vector>

#include "model/view/fields.h"
#include "share.h"

namespace sinew::python {

namespace nb = nanobind;

// A world, of a sinew.Data (python/sinew/_data.py) while a function has it, or a new one. `model` is the Python object
// of a new one.
struct Data {
  nb::object model;
  std::shared_ptr<mjModel> m;
  std::shared_ptr<mjData> d;
};

// Fills the world of a sinew.Data or a mujoco.MjData; false for other objects.
bool TakeData(nb::handle object, Data* data);

// A new sinew.Data over a world.
nb::object WrapData(const Data& data);

// Many worlds.
struct Batch {
  nb::object model;
  std::vector<std::shared_ptr<mjModel>> models;  // of each world, where they have their own
  std::shared_ptr<sinewBatch> b;
};

// An array over memory of `owner`, which lives as long as the array.
nb::object ArrayOver(void* memory, ElementKind kind, const std::vector<size_t>& shape, nb::handle owner,
                     const std::vector<int64_t>& strides = {});

// The same for characters of the batch interface ('d', 'f', 'i', 'l', 'B', 'c').
ElementKind KindOf(char type);

// Raises sinew.ModelError, which takes the text apart.
[[noreturn]] void RaiseModelError(const std::string& text);

// Raises a Python exception of a built-in type.
[[noreturn]] void RaiseValueError(const std::string& text);

// Numbers of an array, a list or a number, copied where they have another type; TypeError that names the argument.
using Numbers = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
Numbers NumbersOf(nb::handle object, const char* name);

// The struct that an object shares (share.h), whichever of the two packages has made it; null when it shares none of
// this type.
template <class T>
std::shared_ptr<T> SharedBy(nb::handle object, const char* type) {
  nb::object capsule = nb::steal(TakeShare(object.ptr(), type));
  if (!capsule.is_valid()) return nullptr;
  // the last one to drop it may be a thread of the engine
  const auto drop = [](T*, nb::object& kept) {
    if (!Py_IsInitialized()) return void(kept.release());
    const nb::gil_scoped_acquire gil;
    kept.reset();
  };
  T* shared = Shared<T>(capsule.ptr(), type);
  return {shared, [capsule = std::move(capsule), drop](T* of) mutable { drop(of, capsule); }};
}

// The capsule that shares a struct.
template <class T>
nb::object ShareOf(const char* type, const std::shared_ptr<T>& of) {
  const auto drop = [](void* owner) { delete static_cast<std::shared_ptr<T>*>(owner); };
  PyObject* capsule = MakeShare(type, of.get(), new std::shared_ptr<T>(of), drop);
  if (!capsule) throw nb::python_error();
  return nb::steal(capsule);
}

// Objects over the same memory are equal, as there may be several.
template <class Object, auto member>
bool IsSame(const Object& a, nb::handle other) {
  return nb::isinstance<Object>(other) && a.*member == nb::cast<const Object&>(other).*member;
}
template <class Object, auto member>
size_t HashOf(const Object& of) {
  return std::hash<const void*>()((of.*member).get());
}

// The model of a Python object: a sinew.Model or a mujoco.MjModel; TypeError when it is none.
std::shared_ptr<mjModel> ModelOf(nb::handle object);

// The same of an object of these classes alone, which has to live as long as the model is used.
mjModel& ModelIn(nb::handle object);

// The same as a sinew.Model: the object itself where it is one.
nb::object ModelObject(nb::handle object);

// A new sinew.Model (python/sinew/_model.py) over a model.
nb::object WrapModel(const std::shared_ptr<mjModel>& m);

// A class of Python that gets methods of C++, as nb::class_ does.
struct Methods {
  nb::object cls;

  template <class Function, class... Extra>
  Methods& def(const char* name, Function&& function, const Extra&... extra) {
    nb::cpp_function_def(std::forward<Function>(function), nb::scope(cls), nb::name(name), nb::is_method(), extra...);
    return *this;
  }
};

// Files in memory that a model may name: bytes by name.
class Memory {
 public:
  explicit Memory(const nb::dict& files);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  mjVFS* get() { return &vfs_; }

 private:
  mjVFS vfs_;
};

// Keeps what the engine warns of in this thread while it reads and compiles a model, instead of the handlers being
// told.
class ModelWarnings {
 public:
  ModelWarnings();
  ~ModelWarnings();
  ModelWarnings(const ModelWarnings&) = delete;
  ModelWarnings& operator=(const ModelWarnings&) = delete;

  // Warns of each text once (sinew.ModelWarning); throws where the program has made errors of warnings.
  void Raise();

 private:
  std::vector<std::string> texts_;
  std::vector<std::string>* outer_;
  void (*previous_)(const char*);
};

// The name of a file, from a text or a path; TypeError when it is neither.
std::string PathOf(nb::handle path);

// Rooms for texts of the C interface.
inline constexpr int kTextSize = 8000;

void DefineModel(nb::module_& module);
void DefineData(nb::module_& module);
void DefineErrorControl(Methods& cls);
void DefineSpec(nb::module_& module);
void DefineBatch(nb::module_& module);
void DefineRenderer(nb::module_& module);
void DefineViewing(nb::module_& module);

}  // namespace sinew::python

namespace nanobind::detail {

template <>
struct type_caster<sinew::python::Data> {
  NB_TYPE_CASTER(sinew::python::Data, const_name("Data"))

  bool from_python(handle object, uint8_t, cleanup_list*) { return sinew::python::TakeData(object, &value); }
  static handle from_cpp(const sinew::python::Data& data, rv_policy, cleanup_list*) {
    return sinew::python::WrapData(data).release();
  }
};

}  // namespace nanobind::detail

#endif  // SINEW_PYTHON_COMMON_H_
