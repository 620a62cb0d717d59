// Which models have constraint rows, and how packs solve them.
#include <algorithm>

#include "batch/fallback/lane_worlds.h"
#include "solve/slot_problem.h"

namespace sinew::inline batch {

// A model without any constraint skips scalar work altogether. Activity of equalities is not asked for, as it may
// change.
bool MayHaveRows(const mjModel& m) {
  const int disabled = m.opt.disableflags;
  if (disabled & mjDSBL_CONSTRAINT) return false;
  const auto any = [](const auto* values, mjtSize count) {
    return std::any_of(values, values + count, [](auto value) { return value != 0; });
  };
  const bool collides = m.npair > 0 || (any(m.geom_contype, m.ngeom) && any(m.geom_conaffinity, m.ngeom));
  return (m.neq > 0 && !(disabled & mjDSBL_EQUALITY)) ||
         (!(disabled & mjDSBL_LIMIT) && (any(m.jnt_limited, m.njnt) || any(m.tendon_limited, m.ntendon))) ||
         (!(disabled & mjDSBL_FRICTIONLOSS) &&
          (any(m.dof_frictionloss, m.nv) || any(m.tendon_frictionloss, m.ntendon))) ||
         (collides && !(disabled & mjDSBL_CONTACT));
}

// Slots are for systems that a world alone solves whole in slots, too.
LaneSolver SolverOfLanes(const mjModel& m) {
  if (!MayHaveRows(m)) return LaneSolver::kSlots;
  if (m.opt.noslip_iterations > 0) return LaneSolver::kAlone;
  if (m.opt.solver == mjSOL_PGS) return m.opt.cone == mjCONE_PYRAMIDAL ? LaneSolver::kSweeps : LaneSolver::kAlone;
  return IsSolvedWhole(&m) ? LaneSolver::kSlots : LaneSolver::kAlone;
}

}  // namespace sinew::inline batch
