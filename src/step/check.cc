// Guards against a state that has blown up.
#include <algorithm>
#include <cstdio>

#include "core/warning.h"
#include "model/data.h"
#include "model/names.h"
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

struct Text {
  char chars[256];
};

// The name in quotes, or the number of what has none.
Text NameOf(const mjModel& m, int type, int id) {
  Text text;
  if (const char* name = Id2Name(m, type, id)) {
    std::snprintf(text.chars, sizeof(text.chars), "'%.90s'", name);
  } else {
    std::snprintf(text.chars, sizeof(text.chars), "%d", id);
  }
  return text;
}

// Whose coordinate it is: " Joint 'knee' of body 'shin'."
Text OwnerOf(const mjModel& m, int joint) {
  Text text;
  const Text joint_name = NameOf(m, mjOBJ_JOINT, joint), body_name = NameOf(m, mjOBJ_BODY, m.jnt_bodyid[joint]);
  std::snprintf(text.chars, sizeof(text.chars), " Joint %.100s of body %.100s.", joint_name.chars, body_name.chars);
  return text;
}

int JointOfPosition(const mjModel& m, int i) {
  const int *begin = m.jnt_qposadr, *end = begin + m.njnt;
  return static_cast<int>(std::upper_bound(begin, end, i) - begin) - 1;
}

// Warns of a bad value. Unless disabled, resets the world, which clears all counters: this one is raised again, so that
// it tells why. Returns whether the world was reset.
bool Guard(const mjModel* m, mjData* d, const double* x, mjtSize n, mjtWarning kind) {
  const int bad = FirstBad(x, n);
  if (bad < 0) return false;
  const int joint = kind == mjWARN_BADQPOS ? JointOfPosition(*m, bad) : m->dof_jntid[bad];
  RaiseWarning(d, kind, bad, OwnerOf(*m, joint).chars);
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
