#include "step/known_equalities.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "constraint/equality_pose.h"
#include "core/lasting_memory.h"

namespace sinew::inline step {
namespace {

// One number for each equality; null for worlds of other libraries.
uint64_t* Known(const mjModel* m, const mjData* d) {
  const LastingMemory memory = KnownMemoryOf(d);
  const bool fits = memory.bytes >= static_cast<size_t>(m->neq) * sizeof(uint64_t);
  return fits && m->neq > 0 ? reinterpret_cast<uint64_t*>(memory.begin) : nullptr;
}

// A hash of the state of an equality, in 64 bits (FNV-1a); not 0, which stands for nothing known.
uint64_t Print(const mjModel* m, const mjData* d, int id) {
  if (!d->eq_active[id]) return 1;
  uint64_t hash = 0xcbf29ce484222325u;
  for (int i = 0; i < mjNEQDATA; ++i) {
    uint64_t bits;
    std::memcpy(&bits, m->eq_data + mjNEQDATA * id + i, sizeof(bits));
    hash = (hash ^ bits) * 0x100000001b3u;
  }
  return hash | 2;
}

bool IsZero(const double* residual, int rows) {
  return std::all_of(residual, residual + rows, [](double x) { return x == 0; });
}

bool IsSupported(int type) { return type == mjEQ_CONNECT || type == mjEQ_WELD || type == mjEQ_JOINT; }

// Whether the residual of an equality of these kinds is zero.
bool Holds(const mjModel* m, const mjData* d, int id) {
  double residual[6];
  switch (m->eq_type[id]) {
    case mjEQ_CONNECT:
      PoseResiduals(ConnectPose(m, d, id), 3, residual);
      return IsZero(residual, 3);
    case mjEQ_WELD:
      PoseResiduals(WeldPose(m, d, id), 6, residual);
      return IsZero(residual, 6);
    default:
      return JointEquality(ModelView<double>(m), JointCouplings(m), d->qpos, id).residual == 0;
  }
}

}  // namespace

void RememberEqualities(const mjModel* m, mjData* d) {
  uint64_t* const known = Known(m, d);
  for (int id = 0; known && id < m->neq; ++id) known[id] = Print(m, d, id);
}

bool HasChanged(const mjModel* m, const mjData* d, int id) {
  const uint64_t* const known = Known(m, d);
  if (!known || !IsSupported(m->eq_type[id]) || known[id] == 0 || known[id] == Print(m, d, id)) return false;
  return !d->eq_active[id] || !Holds(m, d, id);
}

}  // namespace sinew::inline step
