#include "derivatives/transition.h"

#include <algorithm>
#include <cmath>

#include "constraint/jacobian_product.h"
#include "core/error.h"
#include "core/stack.h"
#include "derivatives/base/good_state.h"
#include "derivatives/base/names.h"
#include "derivatives/base/row_forces.h"
#include "derivatives/finite_difference/perturbed_worlds.h"
#include "derivatives/integrators/free_bodies.h"
#include "derivatives/integrators/implicit_cell_columns.h"
#include "derivatives/integrators/metric_columns.h"
#include "derivatives/integrators/step_rows.h"
#include "derivatives/make_residual_derivative.h"
#include "derivatives/runge_kutta.h"
#include "derivatives/sensors/sensor_rows.h"
#include "derivatives/small_systems/slot_linearization.h"
#include "derivatives/terms/compliant_columns.h"
#include "derivatives/terms/constraint_columns.h"
#include "derivatives/terms/flex_columns.h"
#include "derivatives/terms/muscle_law.h"
#include "derivatives/terms/smooth_columns.h"
#include "derivatives/terms/tendon_armature.h"
#include "inertia/inertia.h"
#include "integrate/held_rows_kernel.h"
#include "model/kinds/bushing.h"
#include "model/kinds/integrator.h"
#include "model/kinds/motion.h"
#include "model/kinds/reflex.h"
#include "model/kinds/speculative.h"
#include "model/kinds/stick.h"
#include "model/kinds/surface.h"
#include "model/state/awake.h"
#include "model/storage/error_control.h"
#include "model/storage/extension.h"
#include "step/forward.h"
#include "step/inverse.h"

namespace sinew::inline derivatives {
namespace {

// M + J' H J, with the Hessian H of the constraints' cost.
void WriteApparentInertia(const mjModel* m, mjData* d, const double* a, double* matrix) {
  const size_t nv = Size(m->nv), nefc = Size(d->nefc);
  std::vector<double> unit(nv), rows(nefc), forces(nefc), back(nv);
  const RowForces at(m, d, a);
  for (size_t j = 0; j < nv; ++j) {
    double* column = matrix + j * nv;
    unit[j] = 1;
    MulM(m, d, column, unit.data());
    if (nefc > 0) {
      MulJacVec(m, d, rows.data(), unit.data());
      for (int r = 0; r < d->nefc; ++r) forces[Size(r)] = at.Weight(r) * rows[Size(r)];
      for (int i = 0; i < d->ncon; ++i) {
        const mjContact& contact = d->contact[i];
        const int first = contact.efc_address;
        if (first < 0 || !at.HasHessian(first)) continue;
        for (int k = 0; k < contact.dim; ++k) {
          forces[Size(first + k)] = 0;
          for (int l = 0; l < contact.dim; ++l) {
            forces[Size(first + k)] += contact.H[contact.dim * k + l] * rows[Size(first + l)];
          }
        }
      }
      MulJacTVec(m, d, back.data(), forces.data());
      for (size_t i = 0; i < nv; ++i) column[i] += back[i];
    }
    unit[j] = 0;
  }
}

// Forces that have no derivatives here.
std::string ObstacleOfForces(const mjModel* m) {
  if (JointMotions(m)) return "joints move by functions of a coordinate";
  if (PathMotions(m)) return "points of tendons move, or count in a range of a coordinate";
  if (JointCouplings(m)) return "joints are coupled by functions";
  if (Bushings(m)) return "bushings join bodies";
  if (Reflexes(m)) return "reflexes add to controls";
  if (HasUserForces(m)) return "callbacks or plugins take part in forces";
  if (std::string obstacle = ObstacleOfFlexes(m); !obstacle.empty()) return obstacle;
  if (m->nflex > 0 && FindSurfaces(m)) return "surfaces move or stick beside flexes";
  if (SleepEnabled(m)) return "bodies may sleep";
  if (m->opt.enableflags & kSpeculative) return "contacts may be speculative";
  if (std::string obstacle = ObstacleOfTendonArmature(m); !obstacle.empty()) return obstacle;
  return ObstacleOfActuators(m);
}

}  // namespace

// Says why there are no derivatives, for the error and for programs that choose; empty where there are.
std::string ObstacleToLinearize(const mjModel* m) {
  if (IsErrorControlled(m->opt.integrator)) return "the integrator controls its error";
  if (std::string obstacle = ObstacleOfMetric(m); !obstacle.empty()) return obstacle;
  if (HoldsRows(m)) return "an implicit integrator holds equalities";
  if (m->opt.noslip_iterations > 0) return "noslip changes the solution";
  if (std::string obstacle = ObstacleOfImplicitCells(m); !obstacle.empty()) return obstacle;
  return ObstacleOfForces(m);
}

std::string ObstacleToDifferentiateRollouts(const mjModel* m) {
  if (StickSettings(m)) return "contacts hold their point at anchors, which move from step to step";
  const ModelView<double> model(m);
  for (int i = 0; IsImplicit(m) && i < m->nu; ++i) {
    // The integrator's matrix takes the present control, all else the one that acts.
    const int gain = m->actuator_gaintype[i];
    const bool turns = (gain == mjGAIN_AFFINE && model.actuator_gainprm(i)[2] != 0) || gain == mjGAIN_MUSCLE;
    if (!turns || m->actuator_actnum[i] > 0 || !IsDelayed(model, i)) continue;
    return NameOf(m, mjOBJ_ACTUATOR, i) + " has a delay, and a gain that changes with velocity";
  }
  return ObstacleToLinearize(m);
}

void RequireSensorDerivatives(const mjModel* m) {
  const std::string obstacle = ObstacleOfSensors(m);
  if (obstacle.empty()) return;
  throw Error("sensors have no analytic derivatives: " + obstacle, "use mjd_transitionFD for C and D");
}

void LinearizeInverse(const mjModel* m, mjData* d, bool subtract_actuators, const InverseDerivatives& result) {
  const auto refuse = [](const std::string& why) {
    throw Error("inverse dynamics have no analytic derivatives: " + why, "use mjd_inverseFD");
  };
  if (const std::string obstacle = ObstacleOfForces(m); !obstacle.empty()) refuse(obstacle);
  if (IsDiscrete(m) || (m->opt.enableflags & mjENBL_INVDISCRETE))
    refuse("accelerations are those of steps (invdiscrete)");
  RequireGoodState(m, d);
  RequireGoodNumbers("qacc", d->qacc, m->nv);
  RequireFiberLengths(m, d);
  InverseSkip(m, d, mjSTAGE_NONE, /*skip_sensors=*/true);
  FwdActuation(m, d);

  const StateSizes sizes(m);
  ResidualColumns columns(sizes);
  const std::vector<double> a(d->qacc, d->qacc + m->nv);
  const ResidualPoint at = {a.data(), a.data()};
  const TendonRows tendons(m, d);
  AddSmoothColumns(m, d, at, Applied::kLeftOut, columns);
  AddTendonColumns(m, d, tendons, at, columns);
  AddFlexColumns(m, d, at, columns);
  AddCompliantColumns(m, d, at, columns);
  if (subtract_actuators) AddActuatorColumns(m, d, tendons, at, columns);
  AddConstraintColumns(m, d, tendons, a.data(), columns.force);
  const size_t size = Size(m->nv) * Size(m->nv);
  if (result.DfDq) std::copy_n(columns.force[0], size, result.DfDq);
  if (result.DfDv) std::copy_n(columns.force[sizes.velocity()], size, result.DfDv);
  if (result.DfDa) WriteApparentInertia(m, d, a.data(), result.DfDa);
}

void LinearizeTransition(const mjModel* m, mjData* d, const TransitionMatrices& result, const Smoothing& smoothing) {
  if (const std::string obstacle = ObstacleToLinearize(m); !obstacle.empty()) {
    throw Error("the step has no analytic derivatives: " + obstacle, "use mjd_transitionFD");
  }
  const bool sensors = result.C || result.D;
  if (sensors) RequireSensorDerivatives(m);
  const bool in_slots = !sensors && !smoothing.Acts() && AreTransitionsInLanes(m);
  if (in_slots && LinearizeInSlots(m, d, result)) return;
  // Matrices are written when nothing can fail any more.
  const bool stages = m->opt.integrator == mjINT_RK4;
  if (stages) LinearizeRungeKutta(m, d, smoothing, result);
  if (stages && !sensors) return;
  const StateSizes sizes(m);
  ForceChanges changes;
  const std::unique_ptr<ResidualDerivative> derivative =
      MakeResidualDerivative(m, d, smoothing, sensors ? &changes : nullptr);
  ResidualDerivative& at = *derivative;
  at.Solve();
  if (sensors) WriteSensorRows(m, d, at, changes, result);
  if (stages) return;
  const double h = m->opt.timestep;
  std::vector<double> next(static_cast<size_t>(sizes.nv));
  for (int i = 0; i < sizes.nv; ++i) next[static_cast<size_t>(i)] = d->qvel[i] + h * at.point().b[i];
  const FreeBodies free(m, d, at.point().a);
  free.SetMeans(d, next.data());
  // Velocities come first, since positions follow from them.
  const auto write = [&](double* values, int first, int columns) {
    if (!values) return;
    const StepMatrix matrix = {values, first, columns};
    std::fill_n(values, static_cast<ptrdiff_t>(sizes.state()) * columns, 0.0);
    for (int c = 0; c < columns; ++c) {
      const double* column = at.columns().step[first + c];
      for (int i = 0; i < sizes.nv; ++i) matrix.Row(sizes.nv + i)[c] = h * column[i];
    }
    AddOwnVelocities(sizes, matrix);
    WriteActivationRows(sizes, at.activations(), matrix);
    free.WriteRows(sizes, at.columns().force, first, columns, /*of_means=*/true, values);
    WritePositionRows(m, next.data(), matrix);
    free.WriteRows(sizes, at.columns().force, first, columns, /*of_means=*/false, values);
  };
  write(result.A, 0, sizes.state());
  write(result.B, sizes.control(), sizes.nu);
}

}  // namespace sinew::inline derivatives
