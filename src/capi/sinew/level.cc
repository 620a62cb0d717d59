// The function of <sinew/level.h>.
#include "spec/level.h"

#include <sinew/level.h>

#include <string>

#include "capi/boundary.h"
#include "core/error.h"

int sinew_setLevel(int level) {
  return sinew::capi::Guard("sinew_setLevel", [=] {
    const bool possible = level == 0 || (level >= 100 && level < 10000);
    if (!possible) throw sinew::Error("the level is " + std::to_string(level), "give 309 for 3.9, or 0");
    return sinew::SetCurrentLevel(level);
  });
}
