// Lengths of arrays that the engine tells, for Extent::function. Arguments of the call are in the order of C.
#ifndef SINEW_MODULE_EXTENTS_H_
#define SINEW_MODULE_EXTENTS_H_

#include "object.h"

namespace sinew::module {

inline int64_t NineSceneFaces(const Object* self, const Value*) {
  const auto* scene = reinterpret_cast<const mjvScene*>(self->base);
  int64_t faces = 0;
  for (int i = 0; i < scene->nflex; ++i) faces += scene->flexfacenum[i];
  return 9 * faces;
}

inline int64_t SixSceneFaces(const Object* self, const Value* values) { return NineSceneFaces(self, values) / 9 * 6; }

// Any length: the engine reads what other arguments say.
inline int64_t AnyLength(const Object*, const Value*) { return -1; }

inline const mjModel* ModelIn(const Value& value) { return static_cast<const mjModel*>(value.pointer); }

// Of signatures that are none, the engine tells.
inline int64_t SizeOfState(const mjModel* m, int64_t signature) {
  const bool valid = signature >= 0 && signature < (int64_t{1} << mjNSTATE);
  return valid ? mj_stateSize(m, static_cast<int>(signature)) : -1;
}
inline int64_t StateSize(const Object*, const Value* values) {
  return SizeOfState(ModelIn(values[0]), values[3].integer);
}
inline int64_t ExtractSource(const Object*, const Value* values) {
  return SizeOfState(ModelIn(values[0]), values[2].integer);
}
inline int64_t ExtractTarget(const Object*, const Value* values) {
  return SizeOfState(ModelIn(values[0]), values[4].integer);
}

inline int64_t CtrlHistory(const Object*, const Value* values) {
  const mjModel* m = ModelIn(values[0]);
  const int64_t id = values[2].integer;
  return id >= 0 && id < m->nu ? m->actuator_history[2 * id] : -1;
}
inline int64_t SensorHistory(const Object*, const Value* values) {
  const mjModel* m = ModelIn(values[0]);
  const int64_t id = values[2].integer;
  return id >= 0 && id < m->nsensor ? m->sensor_history[2 * id] : -1;
}
inline int64_t SensorSize(const Object*, const Value* values) {
  const mjModel* m = ModelIn(values[0]);
  const int64_t id = values[2].integer;
  return id >= 0 && id < m->nsensor ? m->sensor_dim[id] : -1;
}

// Of mju_*Band*: the numbers ntotal, nband and ndense follow the arrays.
inline int64_t BandLength(const Value* values) {
  const int64_t total = values[0].integer, band = values[1].integer, dense = values[2].integer;
  return (total - dense) * band + dense * total;
}
inline int64_t BandAt1(const Object*, const Value* values) { return BandLength(values + 1); }
inline int64_t BandAt2(const Object*, const Value* values) { return BandLength(values + 2); }
inline int64_t BandAt3(const Object*, const Value* values) { return BandLength(values + 3); }

inline int64_t BandVectors(const Object*, const Value* values) { return values[3].integer * values[6].integer; }

inline int64_t PyramidSize(const Object*, const Value* values) {
  const int64_t dim = values[3].integer;
  return dim == 1 ? 1 : 2 * (dim - 1);
}

inline int64_t Pixels(const Object*, const Value* values) {
  const auto* rectangle = static_cast<const mjrRect*>(values[2].pointer);
  return static_cast<int64_t>(rectangle->width) * rectangle->height;
}
inline int64_t PixelBytes(const Object* self, const Value* values) { return 3 * Pixels(self, values); }

}  // namespace sinew::module

#endif  // SINEW_MODULE_EXTENTS_H_
