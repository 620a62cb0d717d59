// Models and data as text, for people. The layout is no interface: new fields appear by themselves, from the tables.
#ifndef SINEW_MODEL_TEXT_PRINT_H_
#define SINEW_MODEL_TEXT_PRINT_H_

#include <mujoco/mujoco.h>

#include <string>

namespace sinew::inline model {

inline constexpr char kDefaultNumberFormat[] = "% -9.2g";

// Whether a text is a printf format of exactly one real number: '%', flags of "-+ #0" each once, width, precision, one
// of fFgGeE, at most 20 letters.
bool IsNumberFormat(const std::string& format);

// `format` is one of those.
std::string PrintModel(const mjModel& m, const std::string& format);
std::string PrintData(const mjModel& m, const mjData& d, const std::string& format);

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_TEXT_PRINT_H_
