// Arguments of a call: objects of Python as values of C.
#ifndef SINEW_MODULE_ARGUMENTS_H_
#define SINEW_MODULE_ARGUMENTS_H_

#include "call.h"

namespace sinew::module {

inline constexpr int kMostParameters = 20;

class Arguments {
 public:
  explicit Arguments(const Function& function) : function_(function) {}
  ~Arguments();
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  // False with an error of Python, which a call with arguments of other types gets as the table's signature.
  bool Take(PyObject* const* given, Py_ssize_t count, PyObject* names);

  const Value* values() const { return values_; }
  PyObject* given(int i) const { return given_[i]; }

  // The block of the first struct, which keeps what the function returns.
  PyObject* block() const;

 private:
  bool Assign(PyObject* const* given, Py_ssize_t count, PyObject* names);
  bool Convert(int i);
  bool ConvertNumber(int i);
  bool ConvertArray(int i);
  bool ConvertStruct(int i);
  bool CheckArrays(bool of_functions);
  bool CheckArray(int i);
  bool CheckLength(int i, const Extent& extent, int64_t length);
  bool RaiseShape(int i);
  bool RaiseSignature(PyObject* const* given, Py_ssize_t count, PyObject* names);

  const Function& function_;
  PyObject* given_[kMostParameters] = {};
  PyObject* converted_[kMostParameters] = {};
  Py_buffer views_[kMostParameters] = {};
  bool viewed_[kMostParameters] = {};
  bool bound_[kMostParameters] = {};
  int binder_[kMostParameters] = {};
  Value values_[kMostParameters] = {};
};

// "mj_step(m: MjModel, d: MjData, nstep: int = 1) -> None"
std::string SignatureOf(const Function& function);

}  // namespace sinew::module

#endif  // SINEW_MODULE_ARGUMENTS_H_
