// Values of the option element beyond the public struct: a number array of the specification keeps them, so that
// programs that do not have them keep them, too.
#ifndef SINEW_MJCF_OPTION_NUMBERS_H_
#define SINEW_MJCF_OPTION_NUMBERS_H_

#include <initializer_list>
#include <vector>

#include "compile/diagnose.h"
#include "mjcf/read/sections.h"
#include "mjcf/write/write_sections.h"
#include "spec/lists.h"

namespace sinew::mjcf {

// The numbers of an array to be read into, as many as there are defaults, of which it is made where there is none so
// far.
inline std::vector<double>& OptionNumbers(Context& context, const ElementReader& reader, const char* array,
                                          std::initializer_list<double> defaults) {
  Numeric* numbers = context.spec.Find<Numeric>(array);
  if (!numbers) {
    numbers = &context.spec.Add<Numeric>();
    context.spec.SetName(*numbers, array);
    numbers->where = reader.Location();
    *numbers->data = defaults;
  }
  numbers->data->resize(defaults.size());
  return *numbers->data;
}

// Those to be written, whose count is right; null where there are none.
inline const std::vector<double>* OptionNumbers(const WriteContext& context, const char* array) {
  const auto* numbers = context.spec.Find<Numeric>(array);
  if (!numbers) return nullptr;
  At(*numbers, [&] { CheckLists(*numbers); });
  return &*numbers->data;
}

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_OPTION_NUMBERS_H_
