#include "derivatives/rollout.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"
#include "derivatives/base/rotation.h"
#include "derivatives/integrators/delayed_controls.h"
#include "derivatives/integrators/free_bodies.h"
#include "derivatives/make_residual_derivative.h"
#include "derivatives/parameters.h"
#include "derivatives/runge_kutta.h"
#include "derivatives/transition.h"
#include "inertia/inertia.h"
#include "integrate/implicit_cells.h"
#include "integrate/integrate.h"
#include "integrate/position_kernel.h"
#include "model/kinds/integrator.h"
#include "model/state/state.h"
#include "model/storage/extension.h"
#include "step/step.h"

namespace sinew::inline derivatives {
namespace {

// Whether the caller has given memory for the slopes of any parameter.
bool AnyWanted(const sinewParameterGradients& p) {
  return p.body_mass || p.body_inertia || p.dof_damping || p.dof_armature || p.dof_frictionloss || p.jnt_stiffness ||
         p.actuator_gainprm || p.actuator_biasprm || p.geom_friction || p.geom_size;
}

// Whether sizes of geoms change lengths of muscles with elastic tendons, and so the rates of their fibres, too.
bool WrapsElasticMuscles(const mjModel* m) {
  for (int i = 0; i < m->nu; ++i) {
    if (!HasElasticTendon(m, i)) continue;
    if (m->actuator_trntype[i] != mjTRN_TENDON) continue;
    const int tendon = m->actuator_trnid[2 * i], first = m->tendon_adr[tendon];
    for (int k = first; k < first + m->tendon_num[tendon]; ++k) {
      if (m->wrap_type[k] == mjWRAP_SPHERE || m->wrap_type[k] == mjWRAP_CYLINDER) return true;
    }
  }
  return false;
}

bool AllFinite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

// Throws when a slope that the program gives is not finite, and names it.
void RequireFiniteSlopes(const mjModel* m, const Rollout& rollout) {
  const mjtSize size = m->nq + m->nv + m->na;
  for (mjtSize i = 0; i < rollout.steps * size; ++i) {
    if (std::isfinite(rollout.by_states[i])) continue;
    mjtSize place = i % size;
    const char* part = place < m->nq ? "qpos" : place < m->nq + m->nv ? "qvel" : "act";
    place -= place < m->nq ? 0 : place < m->nq + m->nv ? m->nq : m->nq + m->nv;
    throw Error("by_states has " + std::to_string(rollout.by_states[i]) + " for " + part + "[" + std::to_string(place) +
                    "] after step " + std::to_string(i / size),
                "find out why the slope of the loss by this number is not finite");
  }
}

// Slopes by positions: of qpos, of which quaternions move by dq = q (0, dx) / 2, and of dx.
void ToTangent(const mjModel* m, const double* qpos, const double* by_qpos, double* by_tangent) {
  ForEachCoordinate(
      ModelView<double>(m), [&](int adr, int dof) { by_tangent[dof] = by_qpos[adr]; },
      [&](int adr, int dof) {
        const Quat<double> turned = Conjugate(Normalized(LoadQuat(qpos + adr))) * LoadQuat(by_qpos + adr);
        StoreVec3(turned.Im() * 0.5, by_tangent + dof);
      });
}
void ToQpos(const mjModel* m, const double* qpos, const double* by_tangent, double* by_qpos) {
  ForEachCoordinate(
      ModelView<double>(m), [&](int adr, int dof) { by_qpos[adr] = by_tangent[dof]; },
      [&](int adr, int dof) {
        const Vec3<double> x = LoadVec3(by_tangent + dof) * 2.0;
        StoreQuat(Normalized(LoadQuat(qpos + adr)) * Quat<double>{0, x.x, x.y, x.z}, by_qpos + adr);
      });
}

// Slopes of a scalar by (q, v, act) in the tangent space, and by controls.
struct Adjoint {
  std::vector<double> state, control;
};

// Takes slopes by the state after a step back to the state before it. A and B are not made for that.
class StepPullback {
 public:
  StepPullback(const mjModel* m, mjData* d, const Smoothing& smoothing, const DelayedControls& delays,
               const sinewParameterGradients& parameters)
      : m_(m), d_(d), smoothing_(smoothing), delays_(delays), parameters_(parameters), sizes_(m) {}

  // The slopes by the state after a step become those by the present one, with those by its controls.
  void Run(Adjoint& adjoint) const {
    const bool wanted = AnyWanted(parameters_);
    if (m_->opt.integrator == mjINT_RK4) {
      return PullBackRungeKutta(m_, d_, smoothing_, delays_, wanted ? &parameters_ : nullptr, adjoint.state,
                                adjoint.control);
    }
    const std::unique_ptr<ResidualDerivative> derivative =
        MakeResidualDerivative(m_, d_, smoothing_, nullptr, ControlColumns::kActing);
    const ResidualDerivative& residual = *derivative;
    const ResidualPoint at = residual.point();
    const int nv = sizes_.nv;
    const double h = m_->opt.timestep;
    const std::vector<double> next = adjoint.state;
    std::vector<double>& now = adjoint.state;

    // q' = q (+) h v', v' = v + h b, but for free bodies under the midpoint rule, which move with a mean velocity
    const FreeBodies free(m_, d_, at.a);
    std::vector<double> mean(Size(nv)), by_mean(Size(nv)), by_b(Size(nv)), by_end(Size(nv));
    for (int i = 0; i < nv; ++i) mean[Size(i)] = d_->qvel[i] + h * at.b[i];
    free.SetMeans(d_, mean.data());
    ForEachCoordinate(
        ModelView<double>(m_), [&](int, int dof) { by_mean[Size(dof)] = h * next[Size(dof)]; },
        [&](int, int dof) {
          const QuatIntegrateDerivatives turn = DifferentiateQuatIntegrate(LoadVec3(mean.data() + dof), h);
          const Vec3<double> by = LoadVec3(next.data() + dof);
          StoreVec3(MulTransposed(turn.velocity, by) * h, by_mean.data() + dof);
          StoreVec3(MulTransposed(turn.quat, by), now.data() + dof);
        });
    for (int i = 0; i < nv; ++i) {
      now[Size(nv + i)] += by_mean[Size(i)];
      by_b[Size(i)] = h * now[Size(nv + i)];
    }
    free.ForEachDof([&](int i) {
      by_end[Size(i)] = next[Size(nv + i)] + 0.5 * by_mean[Size(i)];
      now[Size(nv + i)] = 0.5 * by_mean[Size(i)];
      by_b[Size(i)] = 0;
    });
    // fibres end where v + h b leads them
    for (int k = 0; k < sizes_.na; ++k) {
      for (const auto& [dof, slope] : residual.activations()[Size(k)].by_end) {
        const double by = slope * next[Size(sizes_.activation() + k)];
        now[Size(nv + dof)] += by;
        by_b[Size(dof)] += h * by;
      }
    }
    const std::vector<double> by_a = free.PullBack(sizes_, by_end.data(), now);

    // activations, which end where their rates lead them
    std::fill(adjoint.control.begin(), adjoint.control.end(), 0.0);
    std::fill(now.begin() + sizes_.activation(), now.end(), 0.0);
    const auto add = [&](int column, double slope) {
      (column < sizes_.state() ? now[Size(column)] : adjoint.control[Size(column - sizes_.state())]) += slope;
    };
    for (int k = 0; k < sizes_.na; ++k) {
      const double by = next[Size(sizes_.activation() + k)];
      for (const auto& [column, slope] : residual.activations()[Size(k)].slopes) add(column, slope * by);
    }

    // the residual: one solution with the transposed factors, then a product with each column
    ResidualDerivative::Slopes slopes = residual.Transposed(by_b.data(), free.Any() ? by_a.data() : nullptr);
    for (int c = 0; c < sizes_.all(); ++c) {
      const double* force = residual.columns().force[c];
      const double* step = residual.columns().step[c];
      double sum = 0;
      for (int i = 0; i < nv; ++i) sum += slopes.force[Size(i)] * force[i];
      for (int i = 0; at.HasStep() && i < nv; ++i) sum += slopes.step[Size(i)] * step[i];
      add(c, sum);
    }
    delays_.Take(d_, adjoint.control);
    if (parameters_.dof_damping && slopes.step.empty() && MayHaveImplicitDamping(m_)) {
      // With its first damping Euler's method gets a matrix, M + h D; without, x = M^-1 dphi/db is that of the limit.
      slopes.step.resize(Size(nv));
      SolveM(m_, d_, slopes.step.data(), by_b.data(), 1);
    }
    if (wanted) AddParameterGradients(m_, d_, at, slopes, smoothing_, parameters_);
    if (wanted) free.AddParameterGradients(by_end.data(), parameters_);
  }

 private:
  const mjModel* m_;
  mjData* d_;
  const Smoothing smoothing_;
  const DelayedControls& delays_;
  const sinewParameterGradients& parameters_;
  const StateSizes sizes_;
};

// Goes forward once and keeps every sqrt(T)-th state, then goes back part by part: each part is repeated from its first
// state with all states kept (A. Griewank, A. Walther, Evaluating Derivatives, 2008, chapter 12). The world is left as
// it was.
class RolloutGradient {
 public:
  // `by_controls`: where to write them, or null.
  RolloutGradient(const mjModel* m, mjData* d, const Rollout& rollout, const Smoothing& smoothing,
                  const sinewParameterGradients& parameters, double* by_controls)
      : m_(m),
        d_(d),
        rollout_(rollout),
        by_controls_(by_controls),
        delays_(m, rollout.steps, by_controls),
        pullback_(m, d, smoothing, delays_, parameters),
        size_(StateSize(*m, mjSTATE_INTEGRATION)) {
    start_.resize(Size(size_));
    GetState(*m, *d, start_.data(), mjSTATE_INTEGRATION);
  }
  ~RolloutGradient() { SetState(*m_, d_, start_.data(), mjSTATE_INTEGRATION); }
  RolloutGradient(const RolloutGradient&) = delete;
  RolloutGradient& operator=(const RolloutGradient&) = delete;

  void Run(double* by_start) {
    if (by_controls_) std::fill_n(by_controls_, rollout_.steps * m_->nu, 0.0);
    const int length = std::max(1, static_cast<int>(std::ceil(std::sqrt(rollout_.steps))));
    std::vector<std::vector<double>> coarse, fine;
    for (int t = 0; t < rollout_.steps; ++t) {
      if (t % length == 0) coarse.push_back(Present());
      delays_.Begin(t, d_->time);
      if (t + 1 < rollout_.steps) Step(t);
    }
    const StateSizes sizes(m_);
    Adjoint adjoint = {std::vector<double>(Size(sizes.state())), std::vector<double>(Size(sizes.nu))};
    for (int part = static_cast<int>(coarse.size()) - 1; part >= 0; --part) {
      const int first = part * length, end = std::min(first + length, rollout_.steps);
      fine.clear();
      SetState(*m_, d_, coarse[Size(part)].data(), mjSTATE_INTEGRATION);
      for (int t = first; t < end; ++t) {
        fine.push_back(Present());
        Step(t);
      }
      for (int t = end - 1; t >= first; --t) {
        // the world is at the end of step t
        AddWeights(t, adjoint);
        SetState(*m_, d_, fine[Size(t - first)].data(), mjSTATE_INTEGRATION);
        std::copy_n(rollout_.controls + Size(t) * Size(m_->nu), m_->nu, d_->ctrl);
        RequireFinite(adjoint, t);
        pullback_.Run(adjoint);
        // later steps have left their part of delayed controls there
        for (int i = 0; by_controls_ && i < m_->nu; ++i) by_controls_[t * m_->nu + i] += adjoint.control[Size(i)];
      }
    }
    SetState(*m_, d_, start_.data(), mjSTATE_INTEGRATION);
    if (!by_start) return;
    ToQpos(m_, d_->qpos, adjoint.state.data(), by_start);
    std::copy(adjoint.state.begin() + m_->nv, adjoint.state.end(), by_start + m_->nq);
  }

 private:
  // All that a step depends on, with the warm start: a repeated step has the same bits.
  std::vector<double> Present() const {
    std::vector<double> state(Size(size_));
    GetState(*m_, *d_, state.data(), mjSTATE_INTEGRATION);
    return state;
  }

  // Throws where the state goes bad: gradients of a world that was reset lead nowhere.
  void Step(int t) {
    std::copy_n(rollout_.controls + Size(t) * Size(m_->nu), m_->nu, d_->ctrl);
    const auto bad = [&] {
      return d_->warning[mjWARN_BADQPOS].number + d_->warning[mjWARN_BADQVEL].number +
             d_->warning[mjWARN_BADQACC].number;
    };
    const int before = bad();
    sinew::Step(m_, d_);
    if (bad() != before) {
      throw Error("the rollout is unstable: step " + std::to_string(t) + " has a bad state",
                  "lower the time step or the controls");
    }
  }

  // Throws if the derivatives by the state at step t are not finite.
  void RequireFinite(const Adjoint& adjoint, int t) const {
    if (AllFinite(adjoint.state)) return;
    throw Error("the gradient leaves the range of numbers before step " + std::to_string(t) + " of " +
                    std::to_string(rollout_.steps),
                "take a shorter rollout, a smaller time step, or smaller slopes by the states");
  }

  // Adds the slopes by the present state, that after step t.
  void AddWeights(int t, Adjoint& adjoint) const {
    const size_t nq = Size(m_->nq), nv = Size(m_->nv), na = Size(m_->na);
    const double* row = rollout_.by_states + Size(t) * (nq + nv + na);
    std::vector<double> tangent(nv);
    ToTangent(m_, d_->qpos, row, tangent.data());
    for (size_t i = 0; i < nv; ++i) adjoint.state[i] += tangent[i];
    for (size_t i = 0; i < nv + na; ++i) adjoint.state[nv + i] += row[nq + i];
  }

  const mjModel* m_;
  mjData* d_;
  const Rollout& rollout_;
  double* const by_controls_;
  DelayedControls delays_;
  const StepPullback pullback_;
  int size_;
  std::vector<double> start_;
};

}  // namespace

void DifferentiateRollout(const mjModel* m, mjData* d, const Rollout& rollout, double* by_start, double* by_controls,
                          const sinewParameterGradients& by_parameters, const Smoothing& smoothing) {
  if (const std::string obstacle = ObstacleToDifferentiateRollouts(m); !obstacle.empty()) {
    throw Error("rollouts have no gradients: " + obstacle, "use finite differences");
  }
  if (by_parameters.geom_size && WrapsElasticMuscles(m)) {
    throw Error("sizes of geoms have no gradients: muscles with elastic tendons wrap around them",
                "use finite differences for geom_size");
  }
  if (AnyWanted(by_parameters) && HasImplicitCells(m, d)) {
    throw Error("parameters have no gradients: the integrator steps the cells of flexes together",
                "use finite differences, or Euler's method");
  }
  if (AnyWanted(by_parameters) && IsDiscrete(m)) {
    throw Error("parameters have no gradients: those in the metric of 'discrete' are not known",
                "use finite differences, or another integrator");
  }
  RequireFiniteSlopes(m, rollout);
  const int* const type = m->eq_type;
  if (by_parameters.body_mass && std::find(type, type + m->neq, mjEQ_FLEXVERT) != type + m->neq) {
    throw Error("masses have no gradients: strains about the vertices of a flex are weighted by them",
                "use finite differences for body_mass");
  }
  RolloutGradient(m, d, rollout, smoothing, by_parameters, by_controls).Run(by_start);
}

}  // namespace sinew::inline derivatives
