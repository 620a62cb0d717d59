#include "osim/muscles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "force/muscle_curves.h"
#include "model/storage/extension.h"
#include "osim/paths.h"
#include "osim/properties.h"
#include "spec/actuator_kinds.h"

namespace sinew::osim {
namespace {

// A number of a curve, and what OpenSim's class has without it; 0 where it follows from the others.
struct CurveNumber {
  const char* tag;
  double usual;
};

using Shape = std::vector<CurveNumber>;

const Shape kActive = {{"min_norm_active_fiber_length", 0.4441},
                       {"transition_norm_fiber_length", 0.73},
                       {"max_norm_active_fiber_length", 1.8123},
                       {"shallow_ascending_slope", 0.8616},
                       {"minimum_value", 0.1}};
const Shape kVelocity = {{"concentric_slope_at_vmax", 0},
                         {"concentric_slope_near_vmax", 0.25},
                         {"isometric_slope", 5},
                         {"eccentric_slope_at_vmax", 0},
                         {"eccentric_slope_near_vmax", 0.15},
                         {"max_eccentric_velocity_force_multiplier", 1.4},
                         {"concentric_curviness", 0.6},
                         {"eccentric_curviness", 0.9}};
const Shape kPassive = {{"strain_at_zero_force", 0},
                        {"strain_at_one_norm_force", 0.7},
                        {"stiffness_at_low_force", 0.2},
                        {"stiffness_at_one_norm_force", 0},
                        {"curviness", 0.75}};
const Shape kTendon = {{"strain_at_one_norm_force", 0.049},
                       {"stiffness_at_one_norm_force", 0},
                       {"norm_force_at_toe_end", 2.0 / 3},
                       {"curviness", 0.5}};

std::vector<double> ReadShape(Properties& properties, const Shape& shape) {
  std::vector<double> numbers(shape.size());
  std::transform(shape.begin(), shape.end(), numbers.begin(),
                 [&](const CurveNumber& number) { return properties.Number(number.tag, number.usual); });
  return numbers;
}

// A curve is an object of the muscle; without it all its numbers are the usual ones.
std::vector<double> ReadCurve(Context& context, Properties& muscle, std::string_view tag, const Shape& shape) {
  const XmlNode* node = muscle.Find({tag});
  if (node) {
    Properties properties(context, *node);
    return ReadShape(properties, shape);
  }
  std::vector<double> numbers(shape.size());
  std::transform(shape.begin(), shape.end(), numbers.begin(), [](const CurveNumber& number) { return number.usual; });
  return numbers;
}

// ---- kinds

void ReadMillard(Context& context, Properties& properties, Actuator& muscle) {
  muscle.gainprm[kFiberDamping] = properties.Number("fiber_damping", 0.1);
  ActuatorExtension& own = muscle.extension;
  own.active = ReadCurve(context, properties, "ActiveForceLengthCurve", kActive);
  own.velocity = ReadCurve(context, properties, "ForceVelocityCurve", kVelocity);
  own.passive = ReadCurve(context, properties, "FiberForceLengthCurve", kPassive);
  own.tendon = ReadCurve(context, properties, "TendonForceLengthCurve", kTendon);
}

void ReadThelen(Context&, Properties& properties, Actuator& muscle) {
  muscle.gainprm[kCurves] = static_cast<int>(CurveSet::kThelen);
  muscle.gainprm[kFiberDamping] = 0;
  ActuatorExtension& own = muscle.extension;
  own.active = ReadShape(properties, {{"KshapeActive", 0.45}});
  own.velocity = ReadShape(properties, {{"Af", 0.25}, {"Flen", 1.4}, {"fv_linear_extrap_threshold", 0.95}});
  own.passive = ReadShape(properties, {{"FmaxMuscleStrain", 0.6}, {"KshapePassive", 5}});
  own.tendon = ReadShape(properties, {{"FmaxTendonStrain", 0.04}});
}

void ReadDeGroote(Context&, Properties& properties, Actuator& muscle) {
  muscle.gainprm[kCurves] = static_cast<int>(CurveSet::kDeGroote);
  muscle.gainprm[kFiberDamping] = properties.Number("fiber_damping", 0);
  properties.Skip({"default_normalized_tendon_force", "tendon_compliance_dynamics_mode"});
  constexpr const char* kPublished = "the curve has its published shape";
  properties.Expect("active_force_width_scale", 1, kPublished);
  properties.Expect("passive_fiber_strain_at_one_norm_force", 0.6, kPublished);
  properties.Expect("tendon_strain_at_one_norm_force", 0.049, kPublished);
  properties.ExpectFlag("ignore_passive_fiber_force", false, "fibres have a passive force");
  properties.Skip({"activation_dynamics_smoothing"});
}

struct MuscleKind {
  std::string_view tag;
  void (*read)(Context&, Properties&, Actuator&);
  double activation, deactivation;  // usual time constants [s]
  double default_activation;
};
constexpr std::array kKinds = {MuscleKind{"Millard2012EquilibriumMuscle", &ReadMillard, 0.01, 0.04, 0.05},
                               MuscleKind{"Thelen2003Muscle", &ReadThelen, 0.015, 0.05, 0.05},
                               MuscleKind{"DeGrooteFregly2016Muscle", &ReadDeGroote, 0.015, 0.06, 0.5}};

const MuscleKind* FindKind(std::string_view tag) {
  const auto found =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const MuscleKind& kind) { return kind.tag == tag; });
  return found == kKinds.end() ? nullptr : found;
}

// ---- what all have

double ReadPositive(Properties& properties, std::string_view tag, double usual) {
  const double value = properties.Number(tag, usual);
  if (!(value > 0) || !std::isfinite(value)) {
    properties.Fail(std::string(tag) + " of the muscle is not a positive number", "give one");
  }
  return value;
}

void ReadControl(Properties& properties, Actuator& muscle) {
  muscle.ctrllimited = mjLIMITED_TRUE;
  muscle.ctrlrange[0] = std::max(0.0, properties.Number("min_control", 0.01));
  muscle.ctrlrange[1] = std::min(1.0, properties.Number("max_control", 1));
}

void ReadCommon(Properties& properties, const MuscleKind& kind, Actuator& muscle) {
  double *gain = muscle.gainprm, *dyn = muscle.dynprm;
  gain[kPeakForce] = ReadPositive(properties, "max_isometric_force", 1000);
  gain[kFiberLength] = ReadPositive(properties, "optimal_fiber_length", 0.1);
  gain[kSlackLength] = ReadPositive(properties, "tendon_slack_length", 0.2);
  gain[kPennation] = properties.Number("pennation_angle_at_optimal", 0);
  gain[kLargestVelocity] = ReadPositive(properties, "max_contraction_velocity", 10);
  gain[kRigidTendon] = properties.Flag("ignore_tendon_compliance", false) ? 1 : 0;
  dyn[kActivationTime] = ReadPositive(properties, "activation_time_constant", kind.activation);
  dyn[kDeactivationTime] = ReadPositive(properties, "deactivation_time_constant", kind.deactivation);
  dyn[kLeastActivation] = std::clamp(properties.Number("minimum_activation", 0.01), 0.0, 0.99);
  properties.ExpectFlag("ignore_activation_dynamics", false, "activations follow excitations by time constants");
  properties.Skip({"default_fiber_length", "maximum_pennation_angle", "reserve"});
}

}  // namespace

bool IsMuscle(const XmlNode& node) { return FindKind(node.tag) != nullptr; }

void ReadMuscle(Context& context, const XmlNode& node) {
  Properties properties(context, node);
  const MuscleKind& kind = *FindKind(node.tag);
  properties.Skip({"appliesForce", "isDisabled"});
  const Tendon* path = AddPath(context, properties);
  Actuator& muscle = context.spec.Add<Actuator>();
  Name(context, muscle, node, properties.name());
  muscle.trntype = mjTRN_TENDON;
  if (path) *muscle.target = path->name;
  BecomeMusculotendon(&muscle);
  ReadCommon(properties, kind, muscle);
  ReadControl(properties, muscle);
  kind.read(context, properties, muscle);
  context.initial_activations.push_back(
      {&muscle, properties.Number("default_activation", kind.default_activation), muscle.gainprm[kRigidTendon] == 1});
}

}  // namespace sinew::osim
