#include "compile/check_numbers.h"

#include <cmath>
#include <string>

#include "core/error.h"
#include "model/fields_generated.h"

namespace sinew {
namespace {

bool IsUserData(const std::string& field) { return field.ends_with("_user") || field.ends_with("_data"); }

bool HasNaN(const ModelArray& field, const mjModel& m) {
  const auto* values = static_cast<const mjtNum*>(field.Pointer(m));
  const size_t count = field.Bytes(m) / sizeof(mjtNum);
  for (size_t i = 0; i < count; ++i) {
    if (std::isnan(values[i])) return true;
  }
  return false;
}

[[noreturn]] void Fail(const Spec& spec, const std::string& field) {
  if (spec.first_nan.element.empty())
    throw Error("field '" + field + "' of the model has a value that is not a number");
  throw Error("the value is not a number (nan)", "give a number, or leave the attribute out").At(spec.first_nan);
}

}  // namespace

void CheckNumbers(const Spec& spec, const mjModel& m) {
  for (const ModelArray& field : kModelFields) {
    if (field.kind == ElementKind::kNum && !IsUserData(field.name) && HasNaN(field, m)) Fail(spec, field.name);
  }
  if (std::isnan(m.opt.timestep)) Fail(spec, "opt.timestep");
  for (const mjtNum component : m.opt.gravity) {
    if (std::isnan(component)) Fail(spec, "opt.gravity");
  }
}

}  // namespace sinew
