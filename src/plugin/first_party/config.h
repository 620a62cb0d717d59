// Values of plugin attributes as numbers.
#ifndef SINEW_PLUGIN_FIRST_PARTY_CONFIG_H_
#define SINEW_PLUGIN_FIRST_PARTY_CONFIG_H_

#include <mujoco/mujoco.h>

#include <cstdlib>

namespace sinew::inline plugin {

// Whether an attribute has a value.
inline bool IsGiven(const mjModel* m, int instance, const char* attribute) {
  const char* text = mj_getPluginConfig(m, instance, attribute);
  return text && *text;
}

// The numbers that a text begins with, at most `most` of them; returns how many there are.
inline int ReadNumbers(const char* text, double* numbers, int most) {
  int count = 0;
  while (text && count < most) {
    char* end;
    const double number = std::strtod(text, &end);
    if (end == text) break;
    numbers[count++] = number;
    text = end;
  }
  return count;
}

// A number, or the default where none is given. False, and nothing written, when there is a value but no number.
inline bool ReadNumber(const mjModel* m, int instance, const char* attribute, double* number) {
  return !IsGiven(m, instance, attribute) || ReadNumbers(mj_getPluginConfig(m, instance, attribute), number, 1) == 1;
}

}  // namespace sinew::inline plugin

#endif  // SINEW_PLUGIN_FIRST_PARTY_CONFIG_H_
