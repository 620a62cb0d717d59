// Levels: the release of MuJoCo whose meaning a specification has, where releases read one model differently. The
// compiled model has the meaning of 3.8 (docs/how/module.md).
#ifndef SINEW_SPEC_LEVEL_H_
#define SINEW_SPEC_LEVEL_H_

#include <sinew/level.h>

#include <string>
#include <string_view>

namespace sinew::inline spec {

class Spec;

// A release as 100 times its major number and its minor one: 308 is 3.8.
using Level = int;
inline constexpr Level kFirstLevel = 308;
// From here on contacts act below the margin and are listed below margin + gap.
inline constexpr Level kGapBeyondMargin = 309;
// From here on worlds fall asleep sooner, and tendons and velocity servos have a limit where they have a range.
inline constexpr Level kLimitsFromRanges = 400;

// The number array of models in which a level made a difference.
inline constexpr char kLevelArray[] = sinewLEVEL;

// The level of a text such as "3.9" or "3.9.1"; 0 for other texts.
Level LevelOf(std::string_view release);
std::string LevelName(Level level);

// The level of specifications that this thread makes: the one that it was given, else that of SINEW_LEVEL, else 3.8.
// Throws Error when SINEW_LEVEL is no release.
Level CurrentLevel();
// Gives this thread a level, 0 for none; returns the one that it was given before.
Level SetCurrentLevel(Level level);

// The distance below which a contact is listed, as a model has it, and back to the margin of a specification.
inline double ListedBelow(double margin, double gap, Level level) {
  return level >= kGapBeyondMargin ? margin + gap : margin;
}
inline double MarginOf(double listed_below, double gap, Level level) {
  return level >= kGapBeyondMargin ? listed_below - gap : listed_below;
}

// The tolerance below which velocities count as rest [m/s], of models that do not give one.
double DefaultSleepTolerance(Level level);

// Gives a specification a level, and sets values that are not set yet to the defaults of that level.
void SetLevel(Level level, Spec& spec);

// The highest level at which anything in a specification, with what is attached to it, means something of its own; the
// first one where nothing does.
Level EffectiveLevel(Spec& spec);

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_LEVEL_H_
