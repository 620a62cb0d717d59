// Steps of bounded error: states within a step, and what the steps of a world were.
#include <sinew/dense_output.h>
#include <sinew/extensions.h>

#include "common.h"

namespace sinew::python {
namespace {

using Times = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Rows of qpos, qvel and act, one for each time.
nb::object StepDense(Data& data, const Times& times) {
  const mjModel& m = *data.m;
  const size_t rows = times.size(), columns = static_cast<size_t>(m.nq + m.nv + m.na);
  auto* states = new double[rows * columns + 1]();
  const nb::capsule owner(states, [](void* memory) noexcept { delete[] static_cast<double*>(memory); });
  {
    const nb::gil_scoped_release released;
    Checked([&] { sinew_stepDense(&m, data.d.get(), times.data(), static_cast<int>(rows), states); });
  }
  return ArrayOver(states, ElementKind::kNum, {rows, columns}, owner);
}

// The state of the error control, or None where the model has none.
nb::object ErrorControl(const Data& data) {
  constexpr int kNumbers = sizeof(sinewErrorControl) / sizeof(double);
  if (mj_name2id(data.m.get(), mjOBJ_NUMERIC, sinewACCURACY) < 0 || data.m->nhistory < kNumbers) return nb::none();
  const double* numbers = data.d->history + data.m->nhistory - kNumbers;
  nb::dict control;
  control["step"] = numbers[0];
  const char* names[] = {"accepted", "rejected", "forced"};
  for (int i = 0; i < 3; ++i) control[names[i]] = static_cast<long long>(numbers[i + 1]);
  return control;
}

}  // namespace

void DefineErrorControl(Methods& cls) {
  cls.def("step_dense", &StepDense, nb::arg("times")).def("_error_control", &ErrorControl);
}

}  // namespace sinew::python
