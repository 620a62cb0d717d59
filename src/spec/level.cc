#include "spec/level.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "core/error.h"
#include "spec/spec.h"
#include "spec/traverse.h"

namespace sinew::inline spec {
namespace {

thread_local Level given = 0;

// Reads the environment once, since the C library does not let it be read while another thread writes it.
Level FromEnvironment() {
  const char* text = std::getenv("SINEW_LEVEL");
  if (!text || !*text) return kFirstLevel;
  const Level level = LevelOf(text);
  if (!level) throw Error(std::string("SINEW_LEVEL is '") + text + "'", "give a release of MuJoCo, such as 3.9");
  return level;
}

bool HasRange(const double range[2]) { return range[0] != 0 || range[1] != 0; }

// The level of an element, if it makes a difference there; else the first one.
Level EffectiveAt(const Element&, Level) { return kFirstLevel; }
template <class T>
requires requires(const T& element) { element.gap; }
Level EffectiveAt(const T& element, Level level) {
  return level >= kGapBeyondMargin && element.gap != 0 ? level : kFirstLevel;
}
Level EffectiveAt(const Tendon& tendon, Level level) {
  const bool limited = tendon.actfrclimited == mjLIMITED_AUTO && HasRange(tendon.actfrcrange);
  return level >= kLimitsFromRanges && limited ? level : kFirstLevel;
}

}  // namespace

Level LevelOf(std::string_view release) {
  int numbers[3] = {0, 0, 0};
  const char *at = release.data(), *end = at + release.size();
  for (int i = 0; i < 3; ++i) {
    const auto [next, error] = std::from_chars(at, end, numbers[i]);
    if (error != std::errc() || numbers[i] < 0 || numbers[i] > 99) return 0;
    at = next;
    if (at == end) return i > 0 && numbers[0] > 0 ? 100 * numbers[0] + numbers[1] : 0;
    if (*at++ != '.') return 0;
  }
  return 0;
}

std::string LevelName(Level level) { return std::to_string(level / 100) + "." + std::to_string(level % 100); }

Level CurrentLevel() {
  if (given) return given;
  static const Level from_environment = FromEnvironment();
  return from_environment;
}

Level SetCurrentLevel(Level level) {
  const Level before = given;
  given = level;
  return before;
}

double DefaultSleepTolerance(Level level) { return level >= kLimitsFromRanges ? 1e-3 : 1e-4; }

void SetLevel(Level level, Spec& spec) {
  spec.level = level;
  spec.option.sleep_tolerance = DefaultSleepTolerance(level);
  spec.main_class().Get<Tendon>().actfrclimited = level >= kLimitsFromRanges ? mjLIMITED_AUTO : mjLIMITED_FALSE;
}

Level EffectiveLevel(Spec& spec) {
  const bool sleeps = (spec.option.enableflags & mjENBL_SLEEP) && spec.level >= kLimitsFromRanges;
  Level effective = sleeps ? spec.level : kFirstLevel;
  ForEachElement(spec, [&](const auto& element) {
    const Level own = element.home ? element.home->level : spec.level;
    effective = std::max(effective, EffectiveAt(element, std::max(own, spec.level)));
  });
  return effective;
}

}  // namespace sinew::inline spec
