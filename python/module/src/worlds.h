// Models, worlds and what belongs to them: how they are made.
#ifndef SINEW_MODULE_WORLDS_H_
#define SINEW_MODULE_WORLDS_H_

#include <atomic>
#include <set>
#include <string>

#include "object.h"

namespace sinew::module {

// The object of a model that has just been made; takes it over.
PyObject* WrapModel(mjModel* m);

// The object of a world of a model; takes it over.
PyObject* WrapData(mjData* d, PyObject* model);

// The model of an object; null and an error when it is none.
mjModel* TakeModel(PyObject* object);
mjData* TakeData(PyObject* object);

// Runs code of the engine without the interpreter's lock; false with an error of Python when the engine reports one.
template <class Code>
bool RunReleased(Code&& code);

// The level of specifications that the module makes (docs/how/module.md), as sinew_setLevel has it.
extern std::atomic<int> module_level;

// Whether flags are of type bool at this level; else they are bytes, as in 3.8.
inline bool HasBool() { return module_level >= 309; }

// The same for code that makes specifications: they get the level of the module.
template <class Code>
bool RunAtLevel(Code&& code);

// Files in memory that a model may name: a dict of bytes by name, or None. `distinct`: their names are to differ
// without their folders, too.
class Files {
 public:
  explicit Files(bool distinct = true);
  ~Files();
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  // Adds files from a mapping of names to bytes. Returns false, with an error of Python set, where one cannot be added.
  bool Add(PyObject* assets);
  mjVFS* get() { return empty_ ? nullptr : &vfs_; }
  // Returns the file system, to which the caller adds files.
  mjVFS* Take() {
    empty_ = false;
    return &vfs_;
  }

 private:
  mjVFS vfs_;
  bool distinct_;
  std::set<std::string> names_;
  bool empty_ = true;
};

inline constexpr int kTextSize = 4000;

}  // namespace sinew::module

#include <sinew/error.h>
#include <sinew/level.h>

namespace sinew::module {

template <class Code>
bool RunReleased(Code&& code) {
  std::string error;
  bool failed = false;
  PyThreadState* state = PyEval_SaveThread();
  try {
    Checked(code);
  } catch (const EngineError& e) {
    error = e.what();
    failed = true;
  } catch (const std::exception& e) {
    error = e.what();
    failed = true;
  }
  PyEval_RestoreThread(state);
  if (failed) PyErr_SetString(fatal_error, error.c_str());
  return !failed;
}

template <class Code>
bool RunAtLevel(Code&& code) {
  struct Scope {
    const int before = sinew_setLevel(module_level);
    ~Scope() { sinew_setLevel(before); }
  };
  return RunReleased([&] {
    const Scope scope;
    code();
  });
}

}  // namespace sinew::module

#endif  // SINEW_MODULE_WORLDS_H_
