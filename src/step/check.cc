// Guards against a state that has blown up.
#include "core/warning.h"
#include "model/data.h"
#include "step/forward.h"

namespace sinew {
namespace {

constexpr double kMaxValue = 1e10;  // larger values count as bad; mjMAXVAL of the documentation

// The first bad index, or -1. NaN fails the comparison.
int FirstBad(const double* x, mjtSize n) {
  for (int i = 0; i < n; ++i) {
    if (!(x[i] >= -kMaxValue && x[i] <= kMaxValue)) return i;
  }
  return -1;
}

// Warns of a bad value. Unless disabled, resets the world, which clears all counters: this one is raised again, so that
// it tells why. Returns whether the world was reset.
bool Guard(const mjModel* m, mjData* d, const double* x, mjtSize n, mjtWarning kind) {
  const int bad = FirstBad(x, n);
  if (bad < 0) return false;
  RaiseWarning(d, kind, bad);
  const bool reset = !(m->opt.disableflags & mjDSBL_AUTORESET);
  if (reset) ResetData(*m, d);
  ++d->warning[kind].number;
  d->warning[kind].lastinfo = bad;
  return reset;
}

}  // namespace

void CheckPos(const mjModel* m, mjData* d) { Guard(m, d, d->qpos, m->nq, mjWARN_BADQPOS); }

void CheckVel(const mjModel* m, mjData* d) { Guard(m, d, d->qvel, m->nv, mjWARN_BADQVEL); }

void CheckAcc(const mjModel* m, mjData* d) {
  if (Guard(m, d, d->qacc, m->nv, mjWARN_BADQACC)) Forward(m, d);
}

}  // namespace sinew
