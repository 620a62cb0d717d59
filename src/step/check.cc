// Guards against a state that has blown up.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "core/warning.h"
#include "model/state/bad_number.h"
#include "model/state/finite.h"
#include "model/storage/data.h"
#include "model/text/object_text.h"
#include "simd/isa.h"
#include "step/forward.h"
#include "step/sleep.h"

namespace sinew::inline step {
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

// Whose coordinate it is: " Joint 'knee' of body 'shin'."
ObjectText OwnerOf(const mjModel& m, int joint) {
  ObjectText text = JointText(m, joint), sentence;
  std::snprintf(sentence.chars, sizeof(sentence.chars), " J%.220s.", text.chars + 1);
  return sentence;
}

int JointOfPosition(const mjModel& m, int i) {
  const int *begin = m.jnt_qposadr, *end = begin + m.njnt;
  return static_cast<int>(std::upper_bound(begin, end, i) - begin) - 1;
}

// Warns of a bad value. Unless disabled, resets the world, which clears all counters of warnings: this one is raised
// again, as the reason of the reset. Returns whether the world was reset.
bool Restart(const mjModel* m, mjData* d, const BadState& bad, const char* owner) {
  RaiseBadNumber(*m, d, bad, owner);
  const bool reset = !(m->opt.disableflags & mjDSBL_AUTORESET);
  if (reset) {
    ResetWithinStep(*m, d);
    SleepWherePossible(m, d);
  }
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

// The place of a number that is NaN or infinite, in a model, an input or a result.
struct Place {
  const char* array = nullptr;
  mjtSize index = 0;
  bool operator==(const Place&) const = default;
};

// Reports of a thread about a world in an episode. Warnings of numbers that do not appear in the coordinates have no
// counter and would come in each step, and a search for their cause takes longer than a step: each number is reported
// once, and the cause of each result is looked for once.
struct Memory {
  const mjData* d = nullptr;
  Place reported, searched;
};

// Worlds that share a place forget, and search and report once more.
Memory& MemoryOf(const mjData& d) {
  constexpr size_t kPlaces = 64;
  thread_local Memory memories[kPlaces];
  Memory& memory = memories[reinterpret_cast<uintptr_t>(&d) / sizeof(mjData) % kPlaces];
  if (memory.d != &d) memory = {&d, {}, {}};
  return memory;
}

void WarnOfBadNumber(const mjModel& m, const mjData& d, const BadNumber& bad) {
  Memory& memory = MemoryOf(d);
  const Place place = {bad.array, bad.index};
  if (memory.reported == place) return;
  memory.reported = place;
  Warn("Nan, Inf or huge value in the %s. Time = %.4f. Cause: %s.",
       bad.place == BadNumber::Place::kWorld ? "inputs" : "model", d.time, TextOf(m, bad));
}

// Results that may show what the coordinates do not: a camera, the pose of a geom that touches nothing.
struct Result {
  const char* name;
  mjtNum* mjData::*array;
  mjtSize mjModel::*rows;
  int columns;
};
constexpr Result kResults[] = {
    {"sensordata", &mjData::sensordata, &mjModel::nsensordata, 1},
    {"actuator_length", &mjData::actuator_length, &mjModel::nu, 1},
    {"xanchor", &mjData::xanchor, &mjModel::njnt, 3},
    {"geom_xpos", &mjData::geom_xpos, &mjModel::ngeom, 3},
    {"geom_xmat", &mjData::geom_xmat, &mjModel::ngeom, 9},
    {"site_xpos", &mjData::site_xpos, &mjModel::nsite, 3},
    {"site_xmat", &mjData::site_xmat, &mjModel::nsite, 9},
    {"cam_xpos", &mjData::cam_xpos, &mjModel::ncam, 3},
    {"cam_xmat", &mjData::cam_xmat, &mjModel::ncam, 9},
    {"light_xpos", &mjData::light_xpos, &mjModel::nlight, 3},
    {"light_xdir", &mjData::light_xdir, &mjModel::nlight, 3},
    {"subtree_angmom", &mjData::subtree_angmom, &mjModel::nbody, 3},
};

// Without a branch per array, of which most have a few numbers: the sums of all are asked once.
SINEW_DISPATCH bool AreResultsFinite(const mjModel* m, const mjData* d) {
  FiniteSums<mjtNum> sums;
  for (const Result& result : kResults) sums.Add(d->*result.array, m->*result.rows * result.columns);
  return sums.AreFinite();
}

Place FirstBadResult(const mjModel& m, const mjData& d) {
  for (const Result& result : kResults) {
    const mjtNum* x = d.*result.array;
    const mjtSize n = m.*result.rows * result.columns;
    const mjtSize bad = std::find_if_not(x, x + n, [](mjtNum value) { return std::isfinite(value); }) - x;
    if (bad < n) return {result.name, bad};
  }
  return {};
}

// Looks for the cause of a bad result, unless that has been done.
void Search(const mjModel& m, const mjData& d, const Place& result) {
  Memory& memory = MemoryOf(d);
  if (memory.searched == result) return;
  memory.searched = result;
  if (const BadNumber bad = FindBadNumber(m, d, "")) WarnOfBadNumber(m, d, bad);
}

void WatchResults(const mjModel& m, const mjData& d) {
  if (!AreResultsFinite(&m, &d)) Search(m, d, FirstBadResult(m, d));
}

// A model that cannot be stepped: the world stays where its reset has put it, while its time goes on.
void Rest(const mjModel& m, mjData* d) {
  std::fill_n(d->qacc, m.nv, 0.0);
  if (!IsBad(m.opt.timestep)) d->time += m.opt.timestep;
}

}  // namespace

void WatchNumbers(const mjModel* m, mjData* d) {
  const int step = d->timer[mjTIMER_STEP].number;
  if (step == 0) MemoryOf(*d) = {d, {}, {}};
  if (const BadNumber bad = step == 0 ? FindBadModelNumber(*m) : FindBadModelNumber(*m, step)) {
    WarnOfBadNumber(*m, *d, bad);
  }
  if (IsBad(d->time)) Search(*m, *d, {"time", 0});
}

void CheckPos(const mjModel* m, mjData* d) { Guard(m, d, d->qpos, m->nq, {mjWARN_BADQPOS, 0, "qpos"}); }

void CheckVel(const mjModel* m, mjData* d) { Guard(m, d, d->qvel, m->nv, {mjWARN_BADQVEL, 0, "qvel"}); }

bool CheckAcc(const mjModel* m, mjData* d) {
  WatchResults(*m, *d);
  bool was_reset = Guard(m, d, d->qacc, m->nv, {mjWARN_BADQACC, 0, "qacc"});
  // A time step that is not a number makes velocities that are none.
  if (IsBad(m->opt.timestep)) was_reset |= Restart(m, d, {mjWARN_BADQVEL, 0, "qvel"}, "");
  if (!was_reset) return true;
  Forward(m, d);
  if (!IsBad(m->opt.timestep) && FirstBad(d->qacc, m->nv) < 0) return true;
  Rest(*m, d);
  return false;
}

}  // namespace sinew::inline step
