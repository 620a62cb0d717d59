// A time step of the model, taken in internal steps of bounded error (error_control.h): controls are held, histories
// and plugins see whole time steps only.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "core/error.h"
#include "core/real_text.h"
#include "core/stack.h"
#include "core/timer.h"
#include "core/warning.h"
#include "force/fiber_kernel.h"
#include "integrate/error_control.h"
#include "integrate/integrate.h"
#include "math/quat.h"
#include "math/sparse.h"
#include "model/state/awake.h"
#include "model/storage/extension.h"
#include "model/text/object_text.h"
#include "model/view/model_view.h"
#include "plugin/hooks.h"
#include "step/advance.h"
#include "step/forward.h"
#include "step/integrators.h"
#include "step/sleep.h"

namespace sinew::inline step {
namespace {

// The world as a system of ordinary differential equations in (qpos, qvel, act). Quaternions are numbers like others,
// with dq/dt = 1/2 q (0, w); they are normalized after each step that stands.
class WorldSystem {
 public:
  // `m` is a copy of the model's struct: what reads the time step (limits of constraint stiffness, exact filters) sees
  // that of the internal step. `weights`, `fibers`: scratch for na numbers, and for nu.
  WorldSystem(mjModel* m, mjData* d, double* weights, int* fibers)
      : m_(m),
        d_(d),
        nq_(static_cast<int>(m->nq)),
        nv_(static_cast<int>(m->nv)),
        na_(static_cast<int>(m->na)),
        weights_(weights),
        fibers_(fibers) {
    for (int i = 0; i < m->nu; ++i) {
      if (HasElasticTendon(m, i)) fibers_[nfiber_++] = i;
    }
    SetWeights();
  }

  int size() const { return nq_ + nv_ + na_; }
  // Rates of `euler2` have the paths of elastic muscles behind those of the state: length, its rate, and the rate of
  // that.
  int rates_size() const { return size() + kPathNumbers * nfiber_; }
  void Begin(double step) { m_->opt.timestep = step; }

  void Load(const double* y) const {
    std::copy_n(y, nq_, d_->qpos);
    std::copy_n(y + nq_, nv_, d_->qvel);
    std::copy_n(y + nq_ + nv_, na_, d_->act);
  }
  void Save(double* y) const {
    std::copy_n(d_->qpos, nq_, y);
    std::copy_n(d_->qvel, nv_, y + nq_);
    std::copy_n(d_->act, na_, y + nq_ + nv_);
  }

  void Rates(const double* y, double t, double* f) const {
    Load(y);
    d_->time = t;
    ForwardSkip(m_, d_, mjSTAGE_NONE, /*skip_sensors=*/true);
    SaveRates(y, f);
  }

  // Rates of the state that the forward dynamics has just gone through.
  void SaveRates(const double* y, double* f) const {
    CoordinateRates(y, y + nq_, f);
    std::copy_n(d_->qacc, nv_, f + nq_);
    StopSleepers(f);
    double* act_rate = f + nq_ + nv_;
    std::copy_n(d_->act_dot, na_, act_rate);
    if (m_->opt.disableflags & mjDSBL_ACTUATION) std::fill_n(act_rate, na_, 0.0);
    for (int i = 0; i < m_->nu; ++i) {
      if (m_->actuator_actnum[i] > 0 && StandsStill(i)) {
        std::fill_n(act_rate + m_->actuator_actadr[i], m_->actuator_actnum[i], 0.0);
      }
    }
    if (m_->opt.integrator != kEuler2) return;
    for (int k = 0; k < nfiber_; ++k) SavePath(fibers_[k], f + nq_, f + size() + kPathNumbers * k);
  }

  void StopSleepers(double* f) const {
    if (!AnyAsleep(m_, d_)) return;
    for (int i = 0; i < nv_; ++i) {
      if (!d_->tree_awake[m_->dof_treeid[i]]) f[nq_ + i] = 0;
    }
  }

  // Fibres, which are stiff, go implicitly to the lengths that their paths have at the end (NextFiber).
  void SemiExplicit(double* y, const double* f, double h) const {
    for (int i = nq_; i < size(); ++i) y[i] += h * f[i];
    const double* act_rate = f + nq_ + nv_;
    for (int k = 0; k < nfiber_; ++k) {
      MoveFiber(fibers_[k], f + size() + kPathNumbers * k, act_rate, h, y + nq_ + nv_);
    }
    StackFrame frame(d_);
    double* rates = frame.Doubles(nq_);
    CoordinateRates(y, y + nq_, rates);
    for (int i = 0; i < nq_; ++i) y[i] += h * rates[i];
  }

  // Unit quaternions, and activations within their ranges.
  void Normalize(double* y) const {
    NormalizeQuat(m_, y);
    double* act = y + nq_ + nv_;
    for (int i = 0; i < m_->nu; ++i) {
      if (IsMusculotendon(m_, i)) {
        double& last = act[m_->actuator_actadr[i] + m_->actuator_actnum[i] - 1];
        last = std::min(std::max(last, m_->actuator_dynprm[mjNDYN * i + kLeastActivation]), 1.0);
      }
      if (!m_->actuator_actlimited[i]) continue;
      for (int k = m_->actuator_actadr[i]; k < m_->actuator_actadr[i] + m_->actuator_actnum[i]; ++k) {
        act[k] = std::clamp(act[k], m_->actuator_actrange[2 * i], m_->actuator_actrange[2 * i + 1]);
      }
    }
  }

  // Remembers the number with the largest error in what a step of this size cannot hold.
  void Forced(const double* start, const double* error) {
    double largest = -1;
    const auto look = [&](int i, double e) {
      const bool is_worse = std::isfinite(largest) && !(std::fabs(e) <= largest);
      if (is_worse) largest = std::fabs(e), worst_ = i;
    };
    for (int i = nq_; i < size(); ++i) {
      const double weight = i < nq_ + nv_ ? 1 : weights_[i - nq_ - nv_];
      look(i, error[i] * weight * std::min(1.0, 1 / std::fabs(start[i])));
    }
  }
  // "joint 'knee' of body 'shin'" or "actuator 'soleus'"
  ObjectText Worst() const {
    if (worst_ < nq_ + nv_) return JointText(*m_, m_->dof_jntid[std::max(worst_ - nq_, 0)]);
    const int state = worst_ - nq_ - nv_;
    int actuator = 0;
    while (m_->actuator_actadr[actuator] < 0 ||
           m_->actuator_actadr[actuator] + m_->actuator_actnum[actuator] <= state) {
      ++actuator;
    }
    ObjectText text;
    std::snprintf(text.chars, sizeof(text.chars), "actuator %.200s", NameOf(*m_, mjOBJ_ACTUATOR, actuator).chars);
    return text;
  }
  int WorstDof() const { return worst_ >= nq_ && worst_ < nq_ + nv_ ? worst_ - nq_ : 0; }

  // The largest of the norms of coordinates (as turns and shifts), velocities and activations; the last two relative to
  // the start where that is above one. Lengths of fibres have weights.
  double Norm(const double* start, const double* error, bool max_norm) const {
    StackFrame frame(d_);
    double* turns = frame.Doubles(nv_);
    Tangent(start, error, turns);
    const auto scale = [](double x) { return std::min(1.0, 1 / std::fabs(x)); };
    const double *u = start + nq_, *z = u + nv_;
    const double q_norm = Norm(nv_, max_norm, [&](int i) { return turns[i]; });
    const double u_norm = Norm(nv_, max_norm, [&](int i) { return error[nq_ + i] * scale(u[i]); });
    const double z_norm = Norm(na_, max_norm, [&](int i) { return error[nq_ + nv_ + i] * weights_[i] * scale(z[i]); });
    // a sum, so that NaN in one of them shows
    return std::isfinite(q_norm + u_norm + z_norm) ? std::max({q_norm, u_norm, z_norm}) : q_norm + u_norm + z_norm;
  }

 private:
  // An error of a fibre's length in units of l0 is one of its tendon's length, in slack lengths ls, of l0 / ls times
  // that. The tendon's force follows from its own length, so that the larger of both counts.
  void SetWeights() {
    std::fill_n(weights_, na_, 1.0);
    for (int k = 0; k < nfiber_; ++k) {
      const double* prm = m_->actuator_gainprm + mjNGAIN * fibers_[k];
      weights_[m_->actuator_actadr[fibers_[k]]] = std::max(1.0, prm[kFiberLength] / prm[kSlackLength]);
    }
  }

  // Disabled actuators, sleeping trees and their fibres.
  bool StandsStill(int i) const {
    const ModelView<double> model(m_);
    if (ActuatorDisabled(model, i)) return true;
    return IsMusculotendon(m_, i) && !IsAwakeActuator(model, DataView<double>(d_), i);
  }

  // `u_rate`: rates of the velocities.
  void SavePath(int i, const double* u_rate, double* path) const {
    const int adr = d_->moment_rowadr[i];
    path[0] = d_->actuator_length[i];
    path[1] = d_->actuator_velocity[i];
    path[2] = SparseDot(d_->actuator_moment + adr, d_->moment_colind + adr, d_->moment_rownnz[i], u_rate);
  }

  // From its length at the start, which `act` has moved by its rate, to the one at the end.
  void MoveFiber(int i, const double* path, const double* act_rate, double h, double* act) const {
    if (StandsStill(i) || (m_->opt.disableflags & mjDSBL_ACTUATION)) return;
    const int n = m_->actuator_actadr[i];
    const double a = std::clamp(act[n + 1], m_->actuator_dynprm[mjNDYN * i + kLeastActivation], 1.0);
    const auto muscle = AtActivation(MakeMusculotendon(ModelView<double>(m_), i), a);
    const double end = path[0] + h * (path[1] + h * path[2]), v = act_rate[n] / muscle.vmax;
    act[n] = NextFiber<double>(muscle, act[n] - h * act_rate[n], a, v, {path[0], end}, h);
  }

  template <class Entry>
  static double Norm(int n, bool max_norm, Entry entry) {
    double sum = 0, largest = 0;
    for (int i = 0; i < n; ++i) {
      const double e = entry(i);
      sum += e * e;
      largest = std::max(largest, std::fabs(e));
    }
    if (!std::isfinite(sum) || n == 0) return sum;
    return max_norm ? largest : std::sqrt(sum / n);
  }

  // Calls copy(coordinate, dof) for numbers, turn(coordinate, dof) for quaternions.
  template <class Copy, class Turn>
  void ForEachCoordinate(Copy copy, Turn turn) const {
    for (int j = 0; j < m_->njnt; ++j) {
      int q = m_->jnt_qposadr[j], v = m_->jnt_dofadr[j];
      const int type = m_->jnt_type[j];
      const int numbers = type == mjJNT_FREE ? 3 : type == mjJNT_BALL ? 0 : 1;
      for (int k = 0; k < numbers; ++k) copy(q++, v++);
      if (type == mjJNT_FREE || type == mjJNT_BALL) turn(q, v);
    }
  }

  void CoordinateRates(const double* q, const double* u, double* rates) const {
    ForEachCoordinate([&](int i, int k) { rates[i] = u[k]; },
                      [&](int i, int k) {
                        const Quat<double> product = LoadQuat(q + i) * Quat<double>{0, u[k], u[k + 1], u[k + 2]};
                        StoreQuat(product, rates + i);
                        for (int c = 0; c < 4; ++c) rates[i + c] *= 0.5;
                      });
  }

  // N^+ of a difference of coordinates: twice the vector part of conj(q) dq.
  void Tangent(const double* q, const double* difference, double* turns) const {
    ForEachCoordinate([&](int i, int k) { turns[k] = difference[i]; },
                      [&](int i, int k) {
                        const Quat<double> product = Conjugate(LoadQuat(q + i)) * LoadQuat(difference + i);
                        double numbers[4];
                        StoreQuat(product, numbers);
                        for (int c = 0; c < 3; ++c) turns[k + c] = 2 * numbers[c + 1];
                      });
  }

  mjModel* m_;
  mjData* d_;
  int nq_, nv_, na_;
  double* weights_;  // of errors of activations
  int worst_ = 0;    // of the state
  static constexpr int kPathNumbers = 3;
  int* fibers_;  // elastic muscles
  int nfiber_ = 0;
};

ErrorControlSettings SettingsOf(const mjModel* m) {
  const mjtNum* numbers = FindErrorControl(m);
  const double h = m->opt.timestep;
  const double longest = numbers[kMaxStep] > 0 ? std::min(numbers[kMaxStep], h) : h;
  const double accuracy = numbers[kAccuracy] > 0 ? numbers[kAccuracy] : 1e-3;
  return {m->opt.integrator, accuracy, numbers[kErrorNorm] != 0, std::clamp(numbers[kMinStep], 0.0, longest), longest};
}

StepScratch MakeScratch(int n, int rates_size, StackFrame& frame) {
  StepScratch scratch;
  scratch.start = frame.Doubles(n);
  for (double*& rates : scratch.rates) rates = frame.Doubles(rates_size);
  scratch.stage = frame.Doubles(n);
  scratch.error = frame.Doubles(n);
  return scratch;
}

// The state stays at the last good one.
void RaiseNotFinite(mjData* d, const WorldSystem& system) {
  char details[400];
  std::snprintf(
      details, sizeof(details),
      " No step of bounded error leads on from here: the rate of %.220s is not finite. Make it less stiff, or "
      "look for a bad number in controls, forces and parameters.",
      system.Worst().chars);
  RaiseWarning(d, mjWARN_BADQACC, system.WorstDof(), details);
}

}  // namespace

void AdaptiveSteps(const mjModel* m, mjData* d, DenseOutput* dense) {
  constexpr double kFloor = 1e-9;  // of a time step: below, rounding of the time is all that is left
  ErrorControlState* control = FindErrorControlState(m, d);
  if (!control) {
    throw Error("the model was not compiled for a step of bounded error", "set the integrator in the option element");
  }
  StageTimer timer(d, mjTIMER_ADVANCE);
  RecordHistories(m, d);
  FallAsleep(m, d);
  const ErrorControlSettings settings = SettingsOf(m);
  const double start = d->time, end = start + m->opt.timestep, forced = control->forced;

  StackFrame frame(d);
  mjModel* copy = frame.Alloc<mjModel>(1);
  *copy = *m;
  WorldSystem system(copy, d, frame.Doubles(m->na), frame.Alloc<int>(m->nu));
  double* y = frame.Doubles(system.size());
  const StepScratch scratch = MakeScratch(system.size(), system.rates_size(), frame);
  std::copy_n(d->qacc, m->nv, d->qacc_warmstart);
  system.Save(y);
  system.SaveRates(y, scratch.rates[0]);
  ErrorControlled<WorldSystem> integrator(system, settings, scratch);
  const double floor = std::max(settings.min_step, kFloor * m->opt.timestep);
  const bool finite = integrator.Run(y, start, end, floor, control, dense);
  // times that rounding puts behind the end, or that a failed step has not reached
  for (; dense && dense->done < dense->count; ++dense->done) {
    std::copy_n(y, system.size(),
                dense->states + static_cast<size_t>(dense->done) * static_cast<size_t>(system.size()));
  }
  system.Load(y);
  d->time = end;
  AdvancePlugins(m, d);

  if (!finite) return RaiseNotFinite(d, system);
  if (control->forced > forced && forced == 0) {
    Warn("%s", Error(std::string(system.Worst().chars) + ": at time " + TextOfReal(start) + " s an accuracy of " +
                         TextOfReal(settings.accuracy) + " needs steps below " + TextOfReal(floor) + " s",
                     "reduce minstep or the accuracy, or make it less stiff: contacts of the solver jump")
                   .what());
  }
}

}  // namespace sinew::inline step
