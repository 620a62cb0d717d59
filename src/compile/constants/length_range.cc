// An actuator's range is found by pulling: a force along its moment, large enough to accelerate at a given rate, drives
// the mechanism to the end of its range, where joint limits hold it. Strong damping of the velocity lets it come to
// rest, and the length is observed during the last part of the time. Nothing else acts: no gravity, contacts, springs
// or controls.
#include "compile/constants/length_range.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"
#include "core/load_limits.h"
#include "core/stack.h"
#include "inertia/inertia.h"
#include "math/dense.h"
#include "model/storage/data.h"
#include "simd/functions.h"
#include "step/step.h"

namespace sinew::inline compile {
namespace {

constexpr mjtNum kShortestTimeConstant = 0.01;  // s
constexpr mjtNum kMostSteps = 1e7;              // of a simulation; its time is not bounded otherwise
constexpr int kStepsBetweenLooks = 1000;        // at the clock

// Options of the simulation for as long as a guard lives.
class PullOptions {
 public:
  PullOptions(mjModel* m, const mjLROpt& options) : m_(m), kept_(m->opt) {
    m->opt.disableflags |=
        mjDSBL_CONTACT | mjDSBL_FRICTIONLOSS | mjDSBL_SPRING | mjDSBL_DAMPER | mjDSBL_GRAVITY | mjDSBL_ACTUATION;
    if (options.timestep > 0) m->opt.timestep = options.timestep;
  }
  ~PullOptions() { m_->opt = kept_; }
  PullOptions(const PullOptions&) = delete;

 private:
  mjModel* m_;
  mjOption kept_;
};

// The mode of the compiler settings selects by gain and bias: muscles need a range, others rarely.
bool IsWanted(const mjModel* m, int i, int mode) {
  const int gain = m->actuator_gaintype[i], bias = m->actuator_biastype[i];
  const bool muscle = gain == mjGAIN_MUSCLE || bias == mjBIAS_MUSCLE;
  const bool user = gain == mjGAIN_USER || bias == mjBIAS_USER;
  return mode == mjLRMODE_ALL || (mode == mjLRMODE_MUSCLEUSER && (muscle || user)) ||
         (mode == mjLRMODE_MUSCLE && muscle);
}

// The limits of the joint or tendon that the actuator acts on; null without.
const mjtNum* TargetLimits(const mjModel* m, int i) {
  const int target = m->actuator_trnid[2 * i];
  switch (m->actuator_trntype[i]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return m->jnt_limited[target] ? m->jnt_range + 2 * target : nullptr;
    case mjTRN_TENDON:
      return m->tendon_limited[target] ? m->tendon_range + 2 * target : nullptr;
    default:
      return nullptr;
  }
}

// qfrc_applied := sign * moment * accel / |M^-1 moment'|, at most maxforce in size.
void Pull(const mjModel* m, mjData* d, int actuator, mjtNum sign, const mjLROpt& options) {
  const auto nv = static_cast<int>(m->nv);
  StackFrame frame(d);
  mjtNum* acceleration = frame.Doubles(nv);
  mjtNum* force = d->qfrc_applied;
  Zero(force, nv);
  const int adr = d->moment_rowadr[actuator];
  for (int k = adr; k < adr + d->moment_rownnz[actuator]; ++k) {
    force[d->moment_colind[k]] = sign * d->actuator_moment[k];
  }
  SolveM(m, d, acceleration, force, 1);
  mjtNum scale = options.accel / std::max(mjMINVAL, Norm(acceleration, nv));
  const mjtNum size = scale * Norm(force, nv);
  if (options.maxforce > 0 && size > options.maxforce) scale *= options.maxforce / size;
  for (int i = 0; i < nv; ++i) force[i] *= scale;
}

// Lengths of the actuator, m or rad.
struct Interval {
  mjtNum low = mjMAXVAL, high = -mjMAXVAL;
};

// The lengths that occur at the end of a simulation with a pull in one direction.
Interval Observe(const mjModel* m, mjData* d, int actuator, mjtNum sign, const mjLROpt& options) {
  const mjtNum timeconst = std::max(kShortestTimeConstant, options.timeconst);
  const mjtNum decay = Exp(-m->opt.timestep / timeconst);
  Interval seen;
  ResetData(*m, d);
  for (int step = 1; d->time < options.inttotal; ++step) {
    if (step % kStepsBetweenLooks == 0) CheckLoadTime("the simulation of a length range");
    const mjtNum before = d->time;
    for (int i = 0; i < m->nv; ++i) d->qvel[i] *= decay;
    Step1(m, d);
    Pull(m, d, actuator, sign, options);
    Step2(m, d);
    if (d->time <= before) {
      throw Error("simulation of the length range of actuator " + std::to_string(actuator) + " is unstable",
                  "give lengthrange, or reduce accel or timestep of the compiler's lengthrange");
    }
    if (d->time > options.inttotal - options.interval) {
      seen.low = std::min(seen.low, d->actuator_length[actuator]);
      seen.high = std::max(seen.high, d->actuator_length[actuator]);
    }
  }
  return seen;
}

// The range reaches from the least length of the pull to the most length of the push. A side that still moves at the
// end has not reached anything.
void Measure(mjModel* m, mjData* d, int actuator, const mjLROpt& options) {
  const PullOptions guard(m, options);
  const mjtNum steps = options.inttotal / m->opt.timestep;
  if (!(steps <= kMostSteps)) {
    throw Error("the simulation of the length range of actuator " + std::to_string(actuator) +
                    " takes more than ten million steps",
                "give lengthrange, or reduce inttotal or raise timestep of the compiler's lengthrange");
  }
  const Interval low = Observe(m, d, actuator, -1, options), high = Observe(m, d, actuator, 1, options);
  const std::string name = "length range of actuator " + std::to_string(actuator);
  const mjtNum range = high.high - low.low;
  const auto text = [](const Interval& seen) { return std::to_string(seen.low) + " to " + std::to_string(seen.high); };
  const std::string numbers = ": pulled, its length is " + text(low) + "; pushed, " + text(high);
  if (!(range > 0)) throw Error(name + " is empty" + numbers, "give lengthrange");
  const mjtNum spread = std::max(low.high - low.low, high.high - high.low);
  if (spread > options.tolrange * range) {
    throw Error(name + " did not settle" + numbers + " in the last " + std::to_string(options.interval) + " s",
                "give lengthrange, limit the joints, or raise inttotal");
  }
  m->actuator_lengthrange[2 * actuator] = low.low;
  m->actuator_lengthrange[2 * actuator + 1] = high.high;
}

}  // namespace

// A range that exists, or limits of the target, save the simulation when the options allow it.
void SetLengthRange(mjModel* m, mjData* d, int actuator, const mjLROpt& options) {
  if (!IsWanted(m, actuator, options.mode)) return;
  mjtNum* range = m->actuator_lengthrange + 2 * actuator;
  if (options.useexisting && range[0] < range[1]) return;
  const mjtNum* limits = options.uselimit ? TargetLimits(m, actuator) : nullptr;
  if (limits) {
    std::copy_n(limits, 2, range);
  } else {
    Measure(m, d, actuator, options);
  }
}

}  // namespace sinew::inline compile
