// Guards against a state that has blown up.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/warning.h"
#include "model/bad_number.h"
#include "model/data.h"
#include "model/finite.h"
#include "model/names.h"
#include "step/forward.h"

namespace sinew {
namespace {

// NaN fails the comparison.
bool IsBad(double x) { return !(x >= -mjMAXVAL && x <= mjMAXVAL); }

// The first bad index, or -1.
int FirstBad(const double* x, mjtSize n) {
  for (int i = 0; i < n; ++i) {
    if (IsBad(x[i])) return i;
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
bool Restart(const mjModel* m, mjData* d, const BadState& bad, const char* owner) {
  RaiseBadNumber(*m, d, bad, owner);
  const bool reset = !(m->opt.disableflags & mjDSBL_AUTORESET);
  if (reset) ResetWithinStep(*m, d);
  ++d->warning[bad.kind].number;
  d->warning[bad.kind].lastinfo = bad.info;
  return reset;
}

bool Guard(const mjModel* m, mjData* d, const double* x, mjtSize n, const BadState& state) {
  const int bad = FirstBad(x, n);
  if (bad < 0) return false;
  const int joint = state.kind == mjWARN_BADQPOS ? JointOfPosition(*m, bad) : m->dof_jntid[bad];
  return Restart(m, d, {state.kind, bad, state.array}, OwnerOf(*m, joint).chars);
}

// Numbers that leave no trace in the coordinates: the size of a geom far away, a camera, a range. Such a warning has no
// counter, and would come in each step: the same number is not reported again, unless an episode begins.
thread_local struct {
  const mjData* d;
  const char* array;
  mjtSize index;
} reported = {};

void WarnOfBadNumber(const mjModel& m, const mjData& d, const BadNumber& bad) {
  if (reported.d == &d && reported.array == bad.array && reported.index == bad.index) return;
  reported = {&d, bad.array, bad.index};
  Warn("Nan, Inf or huge value in the %s. Time = %.4f. Cause: %s.",
       bad.place == BadNumber::Place::kWorld ? "inputs" : "model", d.time, TextOf(m, bad));
}

// Sensors and lengths may show what the coordinates do not.
void WatchResults(const mjModel& m, const mjData& d) {
  if (AreFinite(d.sensordata, m.nsensordata) && AreFinite(d.actuator_length, m.nu)) return;
  if (const BadNumber bad = FindBadNumber(m, d, "")) WarnOfBadNumber(m, d, bad);
}

// A model that cannot be stepped: the world stays where its reset has put it, while its time goes on.
void Rest(const mjModel& m, mjData* d) {
  std::fill_n(d->qacc, m.nv, 0.0);
  if (!IsBad(m.opt.timestep)) d->time += m.opt.timestep;
}

}  // namespace

void WatchNumbers(const mjModel* m, mjData* d) {
  const int step = d->timer[mjTIMER_STEP].number;
  if (step == 0) reported = {};
  if (const BadNumber bad = step == 0 ? FindBadModelNumber(*m) : FindBadModelNumber(*m, step)) {
    WarnOfBadNumber(*m, *d, bad);
  }
  if (IsBad(d->time)) WarnOfBadNumber(*m, *d, FindBadNumber(*m, *d, ""));
}

void CheckPos(const mjModel* m, mjData* d) { Guard(m, d, d->qpos, m->nq, {mjWARN_BADQPOS, 0, "qpos"}); }

void CheckVel(const mjModel* m, mjData* d) { Guard(m, d, d->qvel, m->nv, {mjWARN_BADQVEL, 0, "qvel"}); }

bool CheckAcc(const mjModel* m, mjData* d) {
  WatchResults(*m, *d);
  bool was_reset = Guard(m, d, d->qacc, m->nv, {mjWARN_BADQACC, 0, "qacc"});
  // Such a step ends in velocities that are bad.
  if (IsBad(m->opt.timestep)) was_reset |= Restart(m, d, {mjWARN_BADQVEL, 0, "qvel"}, "");
  if (!was_reset) return true;
  Forward(m, d);
  if (!IsBad(m->opt.timestep) && FirstBad(d->qacc, m->nv) < 0) return true;
  Rest(*m, d);
  return false;
}

}  // namespace sinew
