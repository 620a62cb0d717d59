// Checks references whose target depends on a type: what a geom, an equality constraint, a transmission or a tuple
// refers to, and the blocks that activations and histories take.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <string>

#include "core/error.h"
#include "model/files/validate.h"
#include "model/kinds/chain.h"
#include "model/kinds/names.h"
#include "model/kinds/stick.h"
#include "model/storage/check.h"
#include "model/storage/error_control.h"
#include "model/view/joint_type.h"

namespace sinew::inline model {
namespace {

constexpr int kMaxSamples = 1 << 24;  // of a history buffer

// Contacts have 1, 3, 4 or 6 dimensions.
void CheckDimensions(const char* array, const int* values, mjtSize count) {
  for (mjtSize i = 0; i < count; ++i) {
    if (values[i] != 1 && values[i] != 3 && values[i] != 4 && values[i] != 6) ThrowInvalid(array, i, values[i]);
  }
}

void CheckGeoms(const mjModel& m) {
  CheckDimensions("geom_condim", m.geom_condim, m.ngeom);
  CheckDimensions("flex_condim", m.flex_condim, m.nflex);
  CheckDimensions("pair_dim", m.pair_dim, m.npair);
  for (int g = 0; g < m.ngeom; ++g) {
    const bool is_hfield = m.geom_type[g] == mjGEOM_HFIELD;
    const bool needs_data = is_hfield || m.geom_type[g] == mjGEOM_MESH || m.geom_type[g] == mjGEOM_SDF;
    const int lowest = needs_data ? 0 : kNone;
    CheckValue("geom_dataid", m.geom_dataid, g, lowest, is_hfield ? m.nhfield : m.nmesh);
  }
}

void CheckEqualities(const mjModel& m) {
  for (int i = 0; i < m.neq; ++i) {
    mjtSize count = m.nflex;
    bool has_second = false, needs_second = false;
    switch (m.eq_type[i]) {
      case mjEQ_CONNECT:
      case mjEQ_WELD:
        if (m.eq_objtype[i] != mjOBJ_BODY && m.eq_objtype[i] != mjOBJ_SITE) {
          ThrowInvalid("eq_objtype", i, m.eq_objtype[i]);
        }
        count = m.eq_objtype[i] == mjOBJ_BODY ? m.nbody : m.nsite;
        has_second = needs_second = true;
        break;
      case mjEQ_JOINT:
        count = m.njnt;
        has_second = true;
        break;
      case mjEQ_TENDON:
        count = m.ntendon;
        has_second = true;
        break;
      case mjEQ_DISTANCE:
        throw Error("Invalid model: equality constraint of a type that is no longer supported");
      default:
        break;  // flexes
    }
    CheckValue("eq_obj1id", m.eq_obj1id, i, 0, count);
    if (has_second) CheckValue("eq_obj2id", m.eq_obj2id, i, needs_second ? 0 : kNone, count);
  }
}

// Counts objects of the kind to which the first id of an actuator's transmission refers.
mjtSize TransmissionCount(const mjModel& m, int actuator) {
  switch (m.actuator_trntype[actuator]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return m.njnt;
    case mjTRN_SLIDERCRANK:
    case mjTRN_SITE:
      return m.nsite;
    case mjTRN_TENDON:
      return m.ntendon;
    case mjTRN_BODY:
      return m.nbody;
    default:
      ThrowInvalid("actuator_trntype", actuator, m.actuator_trntype[actuator]);
  }
}

// Dofs that move one of two bodies, and those that move both.
struct PairDofs {
  int uncommon = 0, common = 0;

  PairDofs(const mjModel& m, int body1, int body2) {
    int i = LastDof(&m, body1), j = LastDof(&m, body2);
    for (; i != j; ++uncommon) {
      int& last = i > j ? i : j;
      last = m.dof_parentid[last];
    }
    for (; i >= 0; i = m.dof_parentid[i]) ++common;
  }
};

// Bound of the nonzeros in an actuator's row of the moment matrix.
mjtSize MomentCount(const mjModel& m, int actuator) {
  const int target = m.actuator_trnid[2 * actuator], other = m.actuator_trnid[2 * actuator + 1];
  switch (m.actuator_trntype[actuator]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return DofCount(m.jnt_type[target]);
    case mjTRN_TENDON:
      return m.ten_J_rownnz[target];
    case mjTRN_SLIDERCRANK: {
      const PairDofs dofs(m, m.site_bodyid[target], m.site_bodyid[other]);
      return dofs.uncommon + dofs.common;
    }
    case mjTRN_SITE:
      return PairDofs(m, m.site_bodyid[target], other < 0 ? 0 : m.site_bodyid[other]).uncommon;
    default:
      return m.nv;
  }
}

// A buffer of n samples of `dim` numbers with their times, and two numbers more. Returns its length.
mjtSize CheckHistory(const char* array, const int* samples, const int* address, mjtSize index, mjtSize dim,
                     mjtSize size) {
  const int n = samples[2 * index];
  if (n > kMaxSamples) ThrowInvalid(array, index, n);
  if (n <= 0) return 0;  // a negative number means no samples
  const mjtSize length = 2 + n + n * dim;
  CheckBlock(array, address, index, length, size);
  return length;
}

// Activations, moments and histories take consecutive room, so their sums are compared with the sizes of the model.
void CheckActuators(const mjModel& m) {
  mjtSize moments = 0, history = 0;
  for (int i = 0; i < m.nu; ++i) {
    CheckValue("actuator_trnid", m.actuator_trnid, 2 * i, 0, TransmissionCount(m, i));
    const int type = m.actuator_trntype[i];
    if (type == mjTRN_SLIDERCRANK || type == mjTRN_SITE) {
      CheckValue("actuator_trnid", m.actuator_trnid, 2 * i + 1, type == mjTRN_SITE ? kNone : 0, m.nsite);
    }
    moments += MomentCount(m, i);
    const bool stateless = m.actuator_dyntype[i] == mjDYN_NONE || m.actuator_dyntype[i] == mjDYN_DCMOTOR;
    if (!stateless && m.actuator_plugin[i] < 0 && m.actuator_actnum[i] < 1) {
      ThrowInvalid("actuator_actnum", i, m.actuator_actnum[i]);
    }
    history += CheckHistory("actuator_history", m.actuator_history, m.actuator_historyadr, i, 1, m.nhistory);
  }
  if (moments > m.nJmom) throw Error("Invalid model: nJmom is less than the actuators have");
  // Rows of tendons that name a joint twice have more entries than there are dofs.
  if (m.nJmom > std::max(moments, m.nu * m.nv)) throw Error("Invalid model: nJmom is more than the actuators have");
  for (int i = 0; i < m.nsensor; ++i) {
    history += CheckHistory("sensor_history", m.sensor_history, m.sensor_historyadr, i, m.sensor_dim[i], m.nhistory);
  }
  if (FindErrorControl(&m)) history += kErrorControlStates;
  history += StickStates(&m);
  if (m.nhistory > history) throw Error("Invalid model: nhistory is more than actuators and sensors have");
}

// Ids of a tuple count objects of the type that stands beside them.
void CheckTuples(const mjModel& m) {
  for (int i = 0; i < m.ntupledata; ++i) {
    CheckValue("tuple_objid", m.tuple_objid, i, 0, ObjectCount(m, m.tuple_objtype[i]));
  }
}

}  // namespace

void ValidateTyped(const mjModel& m) {
  CheckGeoms(m);
  CheckEqualities(m);
  CheckActuators(m);
  CheckTuples(m);
}

}  // namespace sinew::inline model
