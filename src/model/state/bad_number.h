// Looks for the number that makes a world bad: one in the model, or in what a program has written into the world, that
// is not finite or so large that sums of it overflow. The answer names array, index and object.
#ifndef SINEW_MODEL_STATE_BAD_NUMBER_H_
#define SINEW_MODEL_STATE_BAD_NUMBER_H_

#include <mujoco/mujoco.h>

namespace sinew::inline model {

struct BadNumber {
  enum class Place { kModel, kOption, kStatistic, kWorld };

  const char* array = nullptr;  // "geom_size"; null: there is none
  Place place = Place::kModel;
  mjtSize index = 0;  // in the array, as a whole
  double value = 0;
  mjtObj object = mjOBJ_UNKNOWN;  // the object that has the number; mjOBJ_UNKNOWN: none
  int id = 0;

  explicit operator bool() const { return array != nullptr; }
};

// All of a model and of a world's inputs, but for the input `except`: the first number that is not finite, else the
// largest above 1e10 in size.
BadNumber FindBadNumber(const mjModel& m, const mjData& d, const char* except);

// The first number in the model that is not finite; long arrays of assets are left out.
BadNumber FindBadModelNumber(const mjModel& m);

// The same, for one array after the other: a call for each step looks at the whole model in some hundred steps, at a
// cost that does not show beside that of a step.
BadNumber FindBadModelNumber(const mjModel& m, int turn);

// "geom_size[4] of geom 'ball' is nan", in thread-local memory until the next call.
const char* TextOf(const mjModel& m, const BadNumber& bad);

// A bad number that a step has come upon.
struct BadState {
  mjtWarning kind;
  int info;           // of the warning
  const char* array;  // where it stands
};

// Raises the warning. Its text goes on with `owner`, and with the number that is the cause, which may stand elsewhere;
// it is looked for when a text is reported, that is for the first warning of its kind.
void RaiseBadNumber(const mjModel& m, mjData* d, const BadState& state, const char* owner = "");

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_STATE_BAD_NUMBER_H_
