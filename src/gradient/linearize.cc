#include "gradient/linearize.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/stack.h"
#include "derivative/rotation.h"
#include "gradient/balance_derivative.h"
#include "gradient/constraint_columns.h"
#include "gradient/names.h"
#include "gradient/runge_kutta.h"
#include "integrate/midpoint_kernel.h"
#include "integrate/position_kernel.h"
#include "kinematics/actuator_link_kernel.h"
#include "kinematics/tendon_kernel.h"
#include "linearization/balance_difference.h"
#include "linearization/perturbed_worlds.h"
#include "model/awake.h"
#include "model/contact_law.h"
#include "model/error_control.h"
#include "model/extension.h"

namespace sinew {
namespace {

// dq'/dx from dv'/dx. Numbers: q' = q + h v'. Quaternions: q' = q exp(h v').
class PositionRows {
 public:
  PositionRows(const mjModel* m, const double* next_qvel, double* A, int columns)
      : m_(m), next_(next_qvel), A_(A), columns_(columns), h_(m->opt.timestep) {}

  // The matrix has the rows of dv' in place, nv rows below; positions are among its columns only with `of_state`.
  void Write(bool of_state) {
    const int nv = static_cast<int>(m_->nv);
    const ModelView<double> model(m_);
    ForEachCoordinate(
        model,
        [&](int, int dof) {
          for (int c = 0; c < columns_; ++c) Row(dof)[c] = h_ * Row(nv + dof)[c];
          if (of_state) Row(dof)[dof] += 1;
        },
        [&](int, int dof) {
          const QuatIntegrateDerivatives turn = DifferentiateQuatIntegrate(LoadVec3(next_ + dof), h_);
          for (int k = 0; k < 3; ++k) {
            for (int c = 0; c < columns_; ++c) {
              double sum = 0;
              for (int l = 0; l < 3; ++l) sum += turn.velocity(k, l) * Row(nv + dof + l)[c];
              Row(dof + k)[c] = h_ * sum;
            }
            for (int l = 0; of_state && l < 3; ++l) Row(dof + k)[dof + l] += turn.quat(k, l);
          }
        });
  }

 private:
  double* Row(int i) const { return A_ + static_cast<ptrdiff_t>(i) * columns_; }

  const mjModel* m_;
  const double* next_;
  double* A_;
  int columns_;
  double h_;
};

// Rows of velocities: v' = v + h b.
void WriteVelocityRows(const StateSizes& sizes, double h, const Columns& change, int first, int columns,
                       double* matrix) {
  double* rows = matrix + static_cast<ptrdiff_t>(sizes.nv) * columns;
  for (int c = 0; c < columns; ++c) {
    const double* column = change[first + c];
    for (int i = 0; i < sizes.nv; ++i) rows[static_cast<ptrdiff_t>(i) * columns + c] = h * column[i];
    const int own = c - sizes.velocity();
    if (first == 0 && own >= 0 && own < sizes.nv) rows[static_cast<ptrdiff_t>(own) * columns + c] += 1;
  }
}

void WriteActivationRows(const mjModel* m, const StateSizes& sizes, const std::vector<ActivationSlopes>& slopes,
                         double* A, double* B) {
  for (int i = 0; i < sizes.nu; ++i) {
    if (m->actuator_actnum[i] == 0) continue;
    const int row = 2 * sizes.nv + m->actuator_actadr[i];
    const ActivationSlopes& slope = slopes[static_cast<size_t>(i)];
    if (A) A[static_cast<ptrdiff_t>(row) * sizes.state() + row] = slope.next_by_act;
    if (B) B[static_cast<ptrdiff_t>(row) * sizes.nu + i] = slope.next_by_control;
  }
}

}  // namespace

std::string ObstacleToLinearize(const mjModel* m) {
  if (IsErrorControlled(m->opt.integrator)) return "the integrator controls its error";
  if (m->opt.solver == mjSOL_PGS) return "the solver is PGS, whose result is no minimum";
  if (m->opt.noslip_iterations > 0) return "noslip changes the solution";
  if (HasUserForces(m)) return "callbacks or plugins take part in forces";
  if (SleepEnabled(m)) return "bodies may sleep";
  if (m->nhistory > 0) return "there are delays or intervals";
  if (m->nflex > 0) return "there are flexes";
  if (HasFibers(m)) return "there are muscles with elastic tendons";
  if (FindContactLaws(m)) return "there are compliant contacts";
  if (m->opt.density > 0 || m->opt.viscosity > 0) return "a fluid surrounds the bodies";
  if (m->opt.integrator != mjINT_RK4 && UsesMidpointRule(m)) {
    return "free bodies follow the midpoint rule; choose Euler's integrator, or invdiscrete";
  }
  for (int t = 0; t < m->ntendon; ++t) {
    const ModelView<double> model(m);
    if (!IsFixedTendon(model, t) && TotalTendonArmature(model, t) != 0) {
      return NameOf(m, mjOBJ_TENDON, t) + " is spatial and has armature";
    }
  }
  if (std::string obstacle = ObstacleOfActuators(m); !obstacle.empty()) return obstacle;
  return ObstacleOfConstraints(m);
}

void LinearizeTransition(const mjModel* m, mjData* d, const TransitionMatrices& result) {
  if (const std::string obstacle = ObstacleToLinearize(m); !obstacle.empty()) {
    throw Error("the step has no analytic derivatives: " + obstacle, "use mjd_transitionFD");
  }
  if (result.C || result.D) throw Error("sensors have no analytic derivatives", "use mjd_transitionFD for C and D");
  if (m->opt.integrator == mjINT_RK4) return LinearizeRungeKutta(m, d, result);
  const StateSizes sizes(m);
  BalanceDerivative at(m, d);
  at.Solve();
  const double h = m->opt.timestep;
  std::vector<double> next(static_cast<size_t>(sizes.nv));
  for (int i = 0; i < sizes.nv; ++i) next[static_cast<size_t>(i)] = d->qvel[i] + h * at.point().b[i];
  const auto write = [&](double* matrix, int first, int columns) {
    if (!matrix) return;
    std::fill_n(matrix, static_cast<ptrdiff_t>(sizes.state()) * columns, 0.0);
    WriteVelocityRows(sizes, h, at.columns().step, first, columns, matrix);
    PositionRows(m, next.data(), matrix, columns).Write(first == 0);
  };
  write(result.A, 0, sizes.state());
  write(result.B, sizes.control(), sizes.nu);
  WriteActivationRows(m, sizes, at.activations(), result.A, result.B);
}

}  // namespace sinew
