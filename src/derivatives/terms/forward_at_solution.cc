#include "derivatives/terms/forward_at_solution.h"

#include "derivatives/base/good_state.h"
#include "derivatives/contact_geometry/witness_points.h"
#include "derivatives/terms/muscle_law.h"
#include "step/forward.h"
#include "step/partial_stages.h"

namespace sinew::inline derivatives {

mjModel WithPrimalSolver(const mjModel& m) {
  mjModel primal = m;
  if (m.opt.solver == mjSOL_PGS) primal.opt.solver = mjSOL_NEWTON;
  return primal;
}

RowWeights ForwardAtSolution(const mjModel* given, mjData* d, const Smoothing& smoothing) {
  RequireGoodState(given, d);
  RequireFiberLengths(given, d);
  const mjModel primal = WithPrimalSolver(*given);
  const mjModel* const m = &primal;
  PositionStage(m, d, /*skip_sensors=*/true);
  if (MakeContactsExact(m, d)) RowsOfContacts(m, d);
  ForwardSkip(m, d, mjSTAGE_POS, /*skip_sensors=*/true);
  RequireGoodNumbers("qacc", d->qacc, m->nv);
  if (smoothing.Acts()) return SolveSmoothed(m, d, smoothing);
  return {};
}

}  // namespace sinew::inline derivatives
