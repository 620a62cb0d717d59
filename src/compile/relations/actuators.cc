// Actuators: targets, limits, activation variables. The shortcuts of MJCF (position, muscle, ...) are gone already.
#include <algorithm>
#include <cmath>

#include "compile/constants/musculotendon.h"
#include "compile/diagnose.h"
#include "compile/draft_list.h"
#include "compile/passes.h"
#include "compile/relations/reference.h"
#include "compile/rows.h"
#include "compile/topology/relations.h"
#include "core/real_text.h"
#include "model/storage/extension.h"
#include "model/storage/motor_extension.h"
#include "simd/functions.h"
#include "spec/actuator_kinds.h"
#include "spec/references.h"

namespace sinew::inline compile {
namespace {

constexpr int kMaxSamples = 1 << 24;

// ---- transmission

// Targets are found by name; their ids are final, since the tree and the tendons are drafted before.

// Ids of the target and of the second site, if the transmission has one.
void ResolveTarget(const Actuator& source, const Draft& draft, ActuatorDraft& out) {
  out.trntype = source.trntype;
  const mjtObj type = TargetType(source);
  if (type == mjOBJ_UNKNOWN) throw Error("an actuator acts on nothing", "name a joint, tendon, site or body");
  out.trnid[0] = source.trntype == mjTRN_SLIDERCRANK ? RequireId("cranksite", draft.spec, type, *source.target)
                                                     : Require(draft.spec, type, *source.target).id;
  out.trnid[1] = -1;
  if (source.trntype == mjTRN_SLIDERCRANK) {
    if (!(source.cranklength > 0)) throw Error("cranklength must be positive", "set it");
    out.trnid[1] = RequireId("slidersite", draft.spec, mjOBJ_SITE, *source.slidersite);
  } else if (!source.slidersite->empty()) {
    throw Error("slidersite without cranksite", "add the cranksite");
  }
  if (source.trntype == mjTRN_SITE) out.trnid[1] = OptionalId(draft.spec, mjOBJ_SITE, *source.refsite);
  const bool has_damping =
      std::any_of(std::begin(source.damping), std::end(source.damping), [](double c) { return c != 0; });
  if ((has_damping || source.armature != 0) && type != mjOBJ_JOINT && type != mjOBJ_TENDON) {
    throw Error("damping and armature need a joint or tendon to act on", "remove them or change the transmission");
  }
}

// ---- limits

// A limit that is in force needs a range of positive length.
bool Limit(int flag, const double range[2], const mjsCompiler& compiler, const char* what) {
  const bool limited = IsLimited(flag, range, compiler, what);
  if (limited && range[0] >= range[1]) {
    throw Error(std::string(what) + " range is empty or reversed", "give a range, the smaller number first");
  }
  return limited;
}

// Range of the target: a limited or unlimited joint or tendon with a range.
void TargetRange(const ActuatorDraft& actuator, const Draft& draft, double range[2]) {
  range[0] = range[1] = 0;
  if (actuator.trntype == mjTRN_TENDON) {
    std::copy_n(draft.tendons[static_cast<size_t>(actuator.trnid[0])].source->range, 2, range);
  } else if (actuator.trntype == mjTRN_JOINT || actuator.trntype == mjTRN_JOINTINPARENT) {
    std::copy_n(FindJoint(draft, actuator.trnid[0]).range, 2, range);
  } else {
    throw Error("inheritrange needs a joint or tendon to act on", "give the range itself");
  }
  if (range[0] == range[1]) throw Error("inheritrange finds no range at the target", "give the target a range");
}

// The range of the target, scaled about its centre, becomes that of the control, or of an integrator's activation.
void InheritRange(const Actuator& source, const Draft& draft, ActuatorDraft& out) {
  if (!(source.inheritrange > 0)) return;
  // All kinds share the defaults of a class: those written for servos do not apply to its motors.
  const bool servo =
      source.gaintype == mjGAIN_FIXED && source.biastype == mjBIAS_AFFINE && source.gainprm[0] == -source.biasprm[1];
  if (!servo) return;
  const bool to_activation = source.dyntype == mjDYN_INTEGRATOR;
  const bool to_control = source.dyntype == mjDYN_NONE || source.dyntype == mjDYN_FILTEREXACT;
  if (!(to_activation || to_control)) {
    throw Error("inheritrange is for position servos", "remove it, or give the range itself");
  }
  double* range = to_activation ? out.actrange : out.ctrlrange;
  if (range[0] != 0 || range[1] != 0) throw Error("both a range and inheritrange are given", "remove one of them");
  double target[2];
  TargetRange(out, draft, target);
  const double mean = 0.5 * (target[0] + target[1]);
  const double radius = 0.5 * (target[1] - target[0]) * source.inheritrange;
  range[0] = mean - radius;
  range[1] = mean + radius;
}

// Force limits act on the scalar force; the range of the control may have been inherited just before.
void ResolveLimits(const Actuator& source, ActuatorDraft& out) {
  const mjsCompiler& compiler = source.compiler();
  out.forcelimited = Limit(source.forcelimited, source.forcerange, compiler, "force");
  out.ctrllimited = Limit(source.ctrllimited, out.ctrlrange, compiler, "control");
  out.actlimited = Limit(source.actlimited, out.actrange, compiler, "activation");
  if (out.actlimited && source.dyntype == mjDYN_NONE) {
    throw Error("actrange of an actuator without activation", "set dyntype, or use ctrlrange");
  }
}

// ---- activation

// actdim if given, else one variable for actuators with a state of their own. Plugins may have any number of variables,
// whatever the dynamics.
int ActivationCount(const Actuator& source) {
  if (IsMusculotendon(source)) return FiberStateCount(source);
  if (source.plugin.active && source.actdim >= 0) return source.actdim;
  if (source.dyntype == mjDYN_NONE) {
    if (source.actdim > 1) throw Error("actdim needs dyntype 'user' or 'dcmotor'", "set dyntype");
    if (source.actdim > 0) throw Error("actdim of an actuator without activation", "set dyntype");
    return 0;
  }
  if (source.actdim < 0) return source.dyntype == mjDYN_DCMOTOR ? 0 : 1;
  if (source.actdim > 1 && source.dyntype != mjDYN_USER && source.dyntype != mjDYN_DCMOTOR) {
    throw Error("actdim above 1 needs dyntype 'user' or 'dcmotor'", "set dyntype");
  }
  if (source.actdim == 0 && source.dyntype != mjDYN_DCMOTOR) {
    throw Error("actdim of an actuator with activation is 0", "make it positive");
  }
  return source.actdim;
}

// The activation variables of a motor must be those that its parameters call for.
void CheckMotor(const Actuator& source, int actnum) {
  if (source.dyntype == mjDYN_DCMOTOR && !source.actearly) {
    throw Error("actearly of a DC motor is false", "set it to true");
  }
  const bool motor = source.gaintype == mjGAIN_DCMOTOR || (source.dyntype == mjDYN_DCMOTOR && actnum > 0);
  if (motor && actnum != MotorActivationCount(source)) {
    throw Error("a DC motor with these parameters has " + std::to_string(MotorActivationCount(source)) +
                    " activation variables, not " + std::to_string(actnum),
                "set actdim and dyntype, or use the element dcmotor");
  }
  if (source.gaintype != mjGAIN_DCMOTOR) return;
  // negative friction would feed energy into the joint
  for (const int place : {kDryFriction, kDrySpeed}) {
    const double value = source.biasprm[place];
    if (value >= 0 && std::isfinite(value)) continue;
    throw Error(
        std::string(place == kDryFriction ? "dryfriction" : "the speed of dryfriction") + " is " + TextOfReal(value),
        "give a finite number of at least 0");
  }
}

// A delayed control is read from samples of the past, so there must be some to read.
void CheckHistory(const Actuator& source) {
  if (source.delay > 0 && source.nsample <= 0) throw Error("a delay needs a history of samples", "set nsample");
  if (source.nsample > kMaxSamples) throw Error("nsample is too large", "at most 2^24 samples are kept");
}

// gainprm and biasprm of a muscle: (range0, range1, force, scale, lmin, lmax, vmax, fpmax, fvmax).
void CheckMuscle(const double* prm) {
  if (!(prm[0] < prm[1])) throw Error("range of a muscle is empty", "make range[0] smaller than range[1]");
  if (!(prm[4] < 1 && 1 < prm[5])) throw Error("lmin < 1 < lmax does not hold", "lengths are in optimal lengths");
  for (int i : {3, 6, 7, 8}) {
    if (!(prm[i] > 0)) throw Error("scale, vmax, fpmax and fvmax of a muscle must be positive", "set them");
  }
}

// Ranges come before limits: a range that is inherited decides whether a limit applies.
ActuatorDraft DraftActuator(Actuator& source, Draft& draft) {
  ActuatorDraft out = {};
  out.source = &source;
  out.plugin = UsePlugin(draft, source.plugin, mjPLUGIN_ACTUATOR);
  std::copy_n(source.ctrlrange, 2, out.ctrlrange);
  std::copy_n(source.actrange, 2, out.actrange);
  ResolveTarget(source, draft, out);
  InheritRange(source, draft, out);
  ResolveLimits(source, out);
  out.actnum = ActivationCount(source);
  out.curves = IsMusculotendon(source) ? DraftMusculotendon(source, draft) : -1;
  if (source.gaintype == mjGAIN_MUSCLE) CheckMuscle(source.gainprm);
  if (source.biastype == mjBIAS_MUSCLE) CheckMuscle(source.biasprm);
  CheckMotor(source, out.actnum);
  CheckHistory(source);
  return out;
}

// ---- writing

// Values of the source, where a pass has not resolved them.
void WriteParameters(const ActuatorDraft& actuator, int i, mjModel* m) {
  const Actuator& source = *actuator.source;
  m->actuator_trntype[i] = actuator.trntype;
  m->actuator_dyntype[i] = source.dyntype;
  m->actuator_gaintype[i] = source.gaintype;
  m->actuator_biastype[i] = source.biastype;
  PutRow(m->actuator_trnid, i, actuator.trnid);
  PutPolynomial(m->actuator_damping, m->actuator_dampingpoly, i, source.damping);
  m->actuator_armature[i] = source.armature;
  m->actuator_group[i] = source.group;
  m->actuator_ctrllimited[i] = actuator.ctrllimited;
  m->actuator_forcelimited[i] = actuator.forcelimited;
  m->actuator_actlimited[i] = actuator.actlimited;
  PutRow(m->actuator_dynprm, i, source.dynprm);
  PutRow(m->actuator_gainprm, i, source.gainprm);
  PutRow(m->actuator_biasprm, i, source.biasprm);
  m->actuator_actearly[i] = source.actearly;
  PutRow(m->actuator_ctrlrange, i, actuator.ctrlrange);
  PutRow(m->actuator_forcerange, i, source.forcerange);
  PutRow(m->actuator_actrange, i, actuator.actrange);
  PutRow(m->actuator_gear, i, source.gear);
  m->actuator_cranklength[i] = source.cranklength;
  PutRow(m->actuator_lengthrange, i, source.lengthrange);
  PutUser(m->actuator_user, i, m->nuser_actuator, *source.userdata);
  m->actuator_plugin[i] = actuator.plugin;
}

// Places in the model for what WriteParameters took over from the public struct.
void WriteMusculotendon(const ActuatorDraft& actuator, int i, const Draft& draft, mjModel* m) {
  m->actuator_dyntype[i] = m->actuator_gaintype[i] = m->actuator_biastype[i] = kMusculotendon;
  mjtNum* gain = m->actuator_gainprm + mjNGAIN * i;
  gain[kPennation] = Sin(PennationOf(*actuator.source));
  gain[kOwnCurves] = 0;
  if (actuator.curves < 0) return;
  int adr = 0;
  for (const auto& numeric : draft.spec.List<Numeric>()) adr += NumericSize(*numeric);
  for (int k = 0; k < actuator.curves; ++k)
    adr += static_cast<int>(draft.extensions[static_cast<size_t>(k)].data.size());
  gain[kOwnCurves] = adr + 1;
}

// The one actuator that adds damping or armature to a joint or tendon; several are marked by -2.
void AddContribution(const ActuatorDraft& actuator, int i, mjModel* m) {
  const Actuator& source = *actuator.source;
  const bool contributes = source.armature != 0 || std::any_of(std::begin(source.damping), std::end(source.damping),
                                                               [](double c) { return c != 0; });
  if (!contributes) return;
  int& owner =
      actuator.trntype == mjTRN_TENDON ? m->tendon_actuatorid[actuator.trnid[0]] : m->jnt_actuatorid[actuator.trnid[0]];
  owner = owner == -1 ? i : -2;
}

}  // namespace

void DraftActuators(Draft& draft) {
  DraftList<Actuator>(draft, draft.actuators, [&](Actuator& source) { return DraftActuator(source, draft); });
}

// Activations and histories of all actuators follow one another: each has the address of its own part.
void WriteActuators(const Draft& draft, mjModel* m) {
  std::fill_n(m->jnt_actuatorid, m->njnt, -1);
  std::fill_n(m->tendon_actuatorid, m->ntendon, -1);
  int act_adr = 0, history_adr = 0;
  for (int i = 0; i < m->nu; ++i) {
    const ActuatorDraft& actuator = draft.actuators[static_cast<size_t>(i)];
    const Actuator& source = *actuator.source;
    WriteParameters(actuator, i, m);
    if (IsMusculotendon(source)) WriteMusculotendon(actuator, i, draft, m);
    AddContribution(actuator, i, m);
    m->actuator_actnum[i] = actuator.actnum;
    m->actuator_actadr[i] = actuator.actnum > 0 ? act_adr : -1;
    act_adr += actuator.actnum;
    const int history[2] = {source.nsample, source.interp};
    PutRow(m->actuator_history, i, history);
    m->actuator_delay[i] = source.delay;
    m->actuator_historyadr[i] = source.nsample > 0 ? history_adr : -1;
    history_adr += HistoryLength(source.nsample, 1);
  }
}

}  // namespace sinew::inline compile
