// Guards against a state that has blown up.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "core/warning.h"
#include "model/bad_number.h"
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

// What brought the bad value about, where it is not the value itself: "Cause: body_mass[3] of body 'shin' is nan."
Text CauseOf(const mjModel& m, const mjData& d, const double* value) {
  Text text = {};
  const BadNumber bad = FindBadNumber(m, d);
  const bool is_value =
      bad.place == BadNumber::Place::kWorld && ((value == d.qpos && std::strcmp(bad.array, "qpos") == 0) ||
                                                (value == d.qvel && std::strcmp(bad.array, "qvel") == 0));
  if (bad && !is_value) {
    const char* remedy = bad.place == BadNumber::Place::kWorld ? "" : " in the model; a reset does not mend it";
    std::snprintf(text.chars, sizeof(text.chars), " Cause: %.180s%s.", TextOf(m, bad), remedy);
  }
  return text;
}

// Warns of a bad value. Unless disabled, resets the world, which clears all counters: this one is raised again, so that
// it tells why. Returns whether the world was reset.
bool Guard(const mjModel* m, mjData* d, const double* x, mjtSize n, mjtWarning kind) {
  const int bad = FirstBad(x, n);
  if (bad < 0) return false;
  const int joint = kind == mjWARN_BADQPOS ? JointOfPosition(*m, bad) : m->dof_jntid[bad];
  char details[sizeof(Text) * 2] = "";
  if (d->warning[kind].number == 0) {  // later ones are not reported
    std::snprintf(details, sizeof(details), "%s%s", OwnerOf(*m, joint).chars, CauseOf(*m, *d, x).chars);
  }
  RaiseWarning(d, kind, bad, details);
  const bool reset = !(m->opt.disableflags & mjDSBL_AUTORESET);
  if (reset) ResetData(*m, d);
  ++d->warning[kind].number;
  d->warning[kind].lastinfo = bad;
  return reset;
}

// Numbers that a step reads without any trace in its coordinates: the size of a geom far away, a camera, a range.
void WarnOfBadNumber(const mjModel& m, const mjData& d, const BadNumber& bad) {
  Warn("Nan or Inf in the %s: %s. Time = %.4f.", bad.place == BadNumber::Place::kWorld ? "inputs" : "model",
       TextOf(m, bad), d.time);
}

// A model that cannot be stepped: the world stays where its reset has put it, while its time goes on.
void Rest(const mjModel& m, mjData* d) {
  std::fill_n(d->qacc, m.nv, 0.0);
  if (std::isfinite(m.opt.timestep)) d->time += m.opt.timestep;
}

}  // namespace

void WatchNumbers(const mjModel* m, mjData* d) {
  const int step = d->timer[mjTIMER_STEP].number;
  if (const BadNumber bad = step == 0 ? FindBadModelNumber(*m) : FindBadModelNumber(*m, step)) {
    WarnOfBadNumber(*m, *d, bad);
  }
}

void CheckPos(const mjModel* m, mjData* d) { Guard(m, d, d->qpos, m->nq, mjWARN_BADQPOS); }

void CheckVel(const mjModel* m, mjData* d) { Guard(m, d, d->qvel, m->nv, mjWARN_BADQVEL); }

bool CheckAcc(const mjModel* m, mjData* d) {
  if (!Guard(m, d, d->qacc, m->nv, mjWARN_BADQACC)) return true;
  Forward(m, d);
  if (FirstBad(d->qacc, m->nv) < 0) return true;
  Rest(*m, d);
  return false;
}

}  // namespace sinew
