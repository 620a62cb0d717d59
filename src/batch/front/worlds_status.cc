// Messages about failures of a world.
#include <cstdio>
#include <string>

#include "batch/front/worlds.h"
#include "core/error.h"
#include "core/memory.h"
#include "model/kinds/names.h"
#include "model/state/cause.h"
#include "step/step.h"

namespace sinew::inline batch {
namespace {

// Returns the name of an object in quotes, or its number.
std::string Quoted(const mjModel& m, int type, int id) {
  const char* name = Id2Name(m, type, id);
  return name ? std::string("'").append(name).append("'") : std::to_string(id);
}

// "qacc of joint 'knee' (body 'shin')"
std::string Coordinate(const mjModel& m, const char* array, int joint) {
  return std::string(array) + " of joint " + Quoted(m, mjOBJ_JOINT, joint) + " (body " +
         Quoted(m, mjOBJ_BODY, m.jnt_bodyid[joint]) + ")";
}

// Returns the joint that owns number i of qpos: the last one that begins at or before it.
int JointOfPosition(const mjModel& m, int i) {
  int joint = static_cast<int>(m.njnt) - 1;
  while (joint > 0 && m.jnt_qposadr[joint] > i) --joint;
  return joint;
}

}  // namespace

// The text is empty for a world without an error, and valid until the next call.
const char* Worlds::ErrorOf(int world) const {
  if (world < 0 || world >= count_) throw Error("there is no world " + std::to_string(world));
  return errors_[static_cast<size_t>(world)].c_str();
}

// The cause is one line that names element, body and time [s].
std::string Worlds::CauseOf(int world) const {
  if (world < 0 || world >= count_) throw Error("there is no world " + std::to_string(world));
  const size_t w = static_cast<size_t>(world);
  const Cause& cause = causes_[w];
  if (cause.kind < 0) return errors_[w];
  const mjModel& m = *model_;
  char when[64];
  std::snprintf(when, sizeof(when), " at t = %.6g s", cause.time);
  const std::string why = cause.number ? std::string(": ") + TextOf(m, cause.number) : "";
  switch (cause.kind) {
    case mjWARN_BADQPOS:
      return "diverged in " + Coordinate(m, "qpos", JointOfPosition(m, cause.info)) + when + why;
    case mjWARN_BADQVEL:
      return "diverged in " + Coordinate(m, "qvel", m.dof_jntid[cause.info]) + when + why;
    case mjWARN_BADQACC:
      return "diverged in " + Coordinate(m, "qacc", m.dof_jntid[cause.info]) + when + why;
    case mjWARN_BADCTRL:
      return "control of actuator " + Quoted(m, mjOBJ_ACTUATOR, cause.info) + " is no number" + when;
    case Cause::kBadTime:
      std::snprintf(when, sizeof(when), "the time is %g: no number, or huge", cause.time);
      return when;
    case mjWARN_INERTIA:
      return "inertia matrix is close to singular at dof " + std::to_string(cause.info) + when;
    default:
      break;
  }
  const std::string what = cause.kind == mjWARN_CONTACTFULL ? "contacts" : "constraint rows";
  const std::string need = cause.arena > 0 ? ", needs " + std::to_string(cause.arena) + " bytes" : "";
  return "arena full" + need + ", has " + std::to_string(m.narena) + "; " + what + " were left out" + when;
}

// How large an arena the steps of this call would have needed, where the arena was full: they are repeated from the
// state before the call, which is still in the rows, with larger ones.
void Worlds::MeasureArena(const mjModel& m, int world, int steps, ControlAt control) {
  Cause& cause = causes_[static_cast<size_t>(world)];
  if (cause.kind != mjWARN_CONTACTFULL && cause.kind != mjWARN_CNSTRFULL) return;
  cause.arena = ArenaNeeded(m, world, steps, control);
}

long long Worlds::ArenaNeeded(const mjModel& m, int world, int steps, ControlAt control) const {
  // Up to 4096 times the arena is tried; 0 is returned where that is not enough.
  constexpr int kDoublings = 12;
  mjModel larger = m;  // shares its arrays
  for (int i = 0; i < kDoublings; ++i) {
    larger.narena *= 2;
    const DataPtr d(MakeData(larger));
    LoadState(world, d.get());
    for (int step = 0; step < steps; ++step) {
      if (control) control(d.get(), step);
      sinew::Step(&larger, d.get());
    }
    const bool fits = d->warning[mjWARN_CONTACTFULL].number + d->warning[mjWARN_CNSTRFULL].number == 0;
    // the stack begins at the end of the arena: whole cache lines leave its addresses aligned as they are here
    if (fits) return static_cast<long long>(AlignUp(static_cast<size_t>(d->maxuse_arena), 64));
  }
  return 0;
}

}  // namespace sinew::inline batch
