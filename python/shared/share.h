// How the packages `sinew` and `mujoco` hand a model, a world or a specification to each other without a copy.
//
// Each package has classes of its own for the structs of the engine. An object of either has a method `_share()`, which
// returns a capsule of Python: the address of the struct and a share in its memory. The other package makes an object
// of its class over that address and keeps the capsule, so that the memory lives as long as either object needs it.
#ifndef SINEW_PYTHON_SHARE_H_
#define SINEW_PYTHON_SHARE_H_

#include <mujoco/mujoco.h>

#include "versions.h"

namespace sinew {

// What a capsule points to. Its name is that of the struct: "mjModel", "mjData" or "mjSpec". `drop` gives up the share;
// the interpreter's lock is held.
struct Share {
  void* memory;
  void* owner;
  void (*drop)(void* owner);
  const void* engine;  // of a process that has loaded two, one does not free what the other has made
};

inline const void* ThisEngine() { return reinterpret_cast<const void*>(&mj_versionString); }

// The capsule of a share, which it takes over; null with an error of Python, after the share was given up.
inline PyObject* MakeShare(const char* type, void* memory, void* owner, void (*drop)(void*)) {
  auto* share = new Share{memory, owner, drop, ThisEngine()};
  PyObject* capsule = PyCapsule_New(share, type, [](PyObject* self) {
    auto* of = static_cast<Share*>(PyCapsule_GetPointer(self, PyCapsule_GetName(self)));
    of->drop(of->owner);
    delete of;
  });
  if (capsule) return capsule;
  drop(owner);
  delete share;
  return nullptr;
}

// The capsule that an object shares its struct by, or that it is itself, if it is one of this type and of this engine.
// Null without an error when it is not.
inline PyObject* TakeShare(PyObject* object, const char* type) {
  PyObject* capsule = PyCapsule_CheckExact(object) ? Py_NewRef(object) : PyObject_CallMethod(object, "_share", nullptr);
  const bool fits = capsule && PyCapsule_IsValid(capsule, type) &&
                    static_cast<Share*>(PyCapsule_GetPointer(capsule, type))->engine == ThisEngine();
  PyErr_Clear();
  if (fits) return capsule;
  Py_XDECREF(capsule);
  return nullptr;
}

// The struct of a capsule that was taken.
template <class T>
T* Shared(PyObject* capsule, const char* type) {
  return static_cast<T*>(static_cast<Share*>(PyCapsule_GetPointer(capsule, type))->memory);
}

// What the extension module of the package mujoco offers to that of the package sinew, in its capsule `interface`: the
// struct of an object of its classes ("mjData", "mjModel"), and the model whose sizes the object has; null for others.
struct Interface {
  void* (*memory)(PyObject* object, const char* type);
  mjModel* (*model)(PyObject* object);
  const void* engine;
};

}  // namespace sinew

#endif  // SINEW_PYTHON_SHARE_H_
