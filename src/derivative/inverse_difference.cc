// Finite differences of inverse dynamics.
#include "core/error.h"
#include "core/stack.h"
#include "derivative/finite_difference.h"
#include "force/actuation.h"
#include "integrate/integrate.h"
#include "math/dense.h"
#include "step/inverse.h"

namespace sinew {
namespace {

class Differences {
 public:
  Differences(const mjModel* m, mjData* d, double eps, bool subtract_actuators, const InverseMatrices& result,
              StackFrame& frame)
      : m_(m), d_(d), eps_(eps), subtract_actuators_(subtract_actuators), result_(result) {
    skip_sensors_ = !result.DsDq && !result.DsDv && !result.DsDa;
    qpos_ = frame.Doubles(m->nq);
    velocity_ = frame.Doubles(m->nv);
    force_ = frame.Doubles(m->nv);
    sensordata_ = frame.Doubles(m->nsensordata);
    qM_ = frame.Doubles(m->nM);
  }

  void Run() {
    const int nv = static_cast<int>(m_->nv);
    Evaluate(mjSTAGE_NONE);
    Copy(force_, d_->qfrc_inverse, nv);
    Copy(sensordata_, d_->sensordata, static_cast<int>(m_->nsensordata));
    Copy(qM_, d_->qM, static_cast<int>(m_->nM));

    if (result_.DfDa || result_.DsDa) Rows(d_->qacc, mjSTAGE_VEL, result_.DfDa, result_.DsDa);
    if (result_.DfDv || result_.DsDv) Rows(d_->qvel, mjSTAGE_POS, result_.DfDv, result_.DsDv);
    if (result_.DfDq || result_.DsDq || result_.DmDq) PositionRows();
  }

 private:
  // Leaves the force, less that of actuators if wanted, in qfrc_inverse.
  void Evaluate(int skip_stage) {
    InverseSkip(m_, d_, skip_stage, skip_sensors_);
    if (!subtract_actuators_) return;
    Actuation(m_, d_);
    for (int i = 0; i < m_->nv; ++i) d_->qfrc_inverse[i] -= d_->qfrc_actuator[i];
  }

  // Rows for the components of a velocity or acceleration.
  void Rows(double* input, int skip_stage, double* of_force, double* of_sensors) {
    for (int i = 0; i < m_->nv; ++i) {
      const double value = input[i];
      input[i] = value + eps_;
      Evaluate(skip_stage);
      input[i] = value;
      StoreRow(i, of_force, of_sensors);
    }
  }

  void PositionRows() {
    const int nq = static_cast<int>(m_->nq), nv = static_cast<int>(m_->nv);
    Copy(qpos_, d_->qpos, nq);
    for (int i = 0; i < nv; ++i) {
      Zero(velocity_, nv);
      velocity_[i] = 1;
      IntegratePos(m_, d_->qpos, velocity_, eps_);
      Evaluate(mjSTAGE_NONE);
      Copy(d_->qpos, qpos_, nq);
      StoreRow(i, result_.DfDq, result_.DsDq);
      Store(result_.DmDq, i, d_->qM, qM_, static_cast<int>(m_->nM));
    }
  }

  void StoreRow(int i, double* of_force, double* of_sensors) {
    Store(of_force, i, d_->qfrc_inverse, force_, static_cast<int>(m_->nv));
    Store(of_sensors, i, d_->sensordata, sensordata_, static_cast<int>(m_->nsensordata));
  }

  // Row i of a matrix: the change from the unperturbed values, divided by eps.
  void Store(double* matrix, int i, const double* values, const double* unperturbed, int n) const {
    if (!matrix) return;
    for (int k = 0; k < n; ++k) matrix[i * n + k] = (values[k] - unperturbed[k]) / eps_;
  }

  const mjModel* m_;
  mjData* d_;
  double eps_;
  bool subtract_actuators_, skip_sensors_;
  InverseMatrices result_;
  double *qpos_, *velocity_;           // scratch
  double *force_, *sensordata_, *qM_;  // unperturbed
};

}  // namespace

void DifferentiateInverse(const mjModel* m, mjData* d, double eps, bool subtract_actuators,
                          const InverseMatrices& result) {
  if (m->opt.integrator == mjINT_RK4) throw Error("inverse dynamics does not support RK4", "choose another integrator");
  if (m->opt.noslip_iterations > 0) {
    throw Error("inverse dynamics does not support the noslip solver", "set noslip_iterations to 0");
  }
  StackFrame frame(d);
  Differences(m, d, eps, subtract_actuators, result, frame).Run();
}

}  // namespace sinew
