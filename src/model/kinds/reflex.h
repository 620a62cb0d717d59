// Reflexes of a model (docs/how/reflexes.md), in the array that <sinew/reflexes.h> describes.
#ifndef SINEW_MODEL_KINDS_REFLEX_H_
#define SINEW_MODEL_KINDS_REFLEX_H_

#include <mujoco/mujoco.h>
#include <sinew/reflexes.h>

#include <span>

namespace sinew::inline model {

inline constexpr char kReflexArray[] = sinewREFLEXES;

// Of one actuator; more would make a file that is damaged loop for long.
inline constexpr int kMostReflexes = 1000;

// The reflexes of one actuator.
struct ReflexList {
  const mjtNum* first = nullptr;
  int count = 0;

  const mjtNum* operator[](int i) const { return first + sinewNREFLEX * i; }
};

class Reflexes {
 public:
  explicit Reflexes(const mjModel* m);
  explicit operator bool() const { return !numbers_.empty(); }

  // None where a program has written something else into the array.
  ReflexList Of(int actuator) const;

 private:
  std::span<const mjtNum> numbers_;
};

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_KINDS_REFLEX_H_
