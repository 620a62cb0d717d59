// Recognizes models that use what MuJoCo 3.8.0 does not have, and checks that the parts of an extension fit together
// (docs/how/extensions.md). A model without extensions passes every check here unseen.
#include "model/storage/extension.h"

#include <sinew/level.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "core/error.h"
#include "model/kinds/names.h"
#include "model/storage/error_control.h"
#include "model/storage/motor_extension.h"
#include "model/view/wrap_types.h"

namespace sinew::inline model {
namespace {

// Arrays of numbers that the compiler adds for an extension begin with a prefix that no name in a document may have.
// The level is none: its numbers are those that MuJoCo 3.8.0 reads.
bool HasOwnName(const mjModel& m, int numeric) {
  const char* name = Id2Name(m, mjOBJ_NUMERIC, numeric);
  return name && std::strncmp(name, kExtensionPrefix, sizeof(kExtensionPrefix) - 1) == 0 &&
         std::strcmp(name, sinewLEVEL) != 0;
}

// The three types of an actuator and its number of activations go together.
void ValidateMusculotendon(const mjModel& m, int i) {
  const int types[] = {m.actuator_dyntype[i], m.actuator_gaintype[i], m.actuator_biastype[i]};
  const auto extended = std::count(types, types + 3, kMusculotendon);
  if (extended == 0) return;
  const bool rigid = m.actuator_gainprm[mjNGAIN * i + kRigidTendon] != 0;
  if (extended != 3 || m.actuator_actnum[i] != (rigid ? kRigidStates : kElasticStates) || m.actuator_plugin[i] >= 0) {
    throw Error("Invalid model: actuator " + std::to_string(i) + " is half a musculotendon");
  }
}

}  // namespace

bool UsesExtensions(const mjModel& m) {
  if (IsErrorControlled(m.opt.integrator)) return true;
  for (int i = 0; i < m.nu; ++i) {
    if (IsMusculotendon(&m, i) || IsExtendedMotor(m, i)) return true;
  }
  for (int i = 0; i < m.nsensor; ++i) {
    if (IsExtensionSensor(m.sensor_type[i])) return true;
  }
  // ellipsoids on paths of tendons, and geoms without a site in between
  for (int i = 0; i < m.nwrap; ++i) {
    const int type = m.wrap_type[i];
    if (type == kWrapEllipsoid || (IsWrapGeom(type) && i + 1 < m.nwrap && IsWrapGeom(m.wrap_type[i + 1]))) return true;
  }
  for (int i = 0; i < m.nnumeric; ++i) {
    if (HasOwnName(m, i)) return true;
  }
  return false;
}

// Runge-Kutta integrators take the length of a fiber as a state with a derivative; the others advance it by an implicit
// step of its own, after positions have moved.
bool HasFibers(const mjModel* m) {
  if (m->opt.integrator == mjINT_RK4 || IsErrorControlled(m->opt.integrator)) return false;
  for (int i = 0; i < m->nu; ++i) {
    if (HasElasticTendon(m, i)) return true;
  }
  return false;
}

void ValidateExtensions(const mjModel& m) {
  if (IsErrorControlled(m.opt.integrator) && (!FindErrorControl(&m) || m.nhistory < kErrorControlStates)) {
    throw Error("Invalid model: an integrator that controls its error has no " + std::string(kErrorControlArray));
  }
  for (int i = 0; i < m.nu; ++i) ValidateMusculotendon(m, i);
  for (int i = 0; i < m.nsensor; ++i) {
    if (!IsExtensionSensor(m.sensor_type[i])) continue;
    const int target = m.sensor_objid[i];
    if (m.sensor_objtype[i] != mjOBJ_ACTUATOR || m.sensor_reftype[i] != mjOBJ_UNKNOWN || m.sensor_dim[i] != 1 ||
        target < 0 || target >= m.nu || !IsMusculotendon(&m, target)) {
      throw Error("Invalid model: sensor " + std::to_string(i) + " is not on a musculotendon");
    }
  }
}

}  // namespace sinew::inline model
