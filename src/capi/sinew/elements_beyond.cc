// The functions of <sinew/elements_beyond.h>, <sinew/passive_elements.h> and <sinew/reflexes.h>: what the public
// structs of a specification have no room for stands in the element behind them.
#include <sinew/elements_beyond.h>
#include <sinew/meshes.h>
#include <sinew/passive_elements.h>
#include <sinew/reflexes.h>
#include <sinew/stick.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "capi/spec/spec_handles.h"
#include "model/kinds/bushing.h"
#include "model/storage/extension.h"
#include "spec/actuator_kinds.h"

using sinew::capi::Guard;
using sinew::capi::Of;

// The names of programs are those of this library.
static_assert(int{sinewMUSCLE_FORCE} == sinew::kPeakForce && int{sinewMUSCLE_FIBERLENGTH} == sinew::kFiberLength &&
              int{sinewMUSCLE_SLACKLENGTH} == sinew::kSlackLength && int{sinewMUSCLE_PENNATION} == sinew::kPennation &&
              int{sinewMUSCLE_VMAX} == sinew::kLargestVelocity &&
              int{sinewMUSCLE_FIBERDAMPING} == sinew::kFiberDamping &&
              int{sinewMUSCLE_STIFFNESSSCALE} == sinew::kStiffnessScale && int{sinewMUSCLE_CURVES} == sinew::kCurves &&
              int{sinewMUSCLE_RIGIDTENDON} == sinew::kRigidTendon);
static_assert(int{sinewMUSCLE_TIMEACT} == sinew::kActivationTime &&
              int{sinewMUSCLE_TIMEDEACT} == sinew::kDeactivationTime &&
              int{sinewMUSCLE_TAUSMOOTH} == sinew::kSmoothing && int{sinewMUSCLE_MINACT} == sinew::kLeastActivation &&
              int{sinewMUSCLE_MASS} == sinew::kMuscleMass && int{sinewMUSCLE_SLOWSHARE} == sinew::kSlowShare);
static_assert(int{sinewSENS_FIBERLENGTH} == sinew::kSensorFiberLength &&
              int{sinewSENS_TENDONSTRAIN} == sinew::kSensorTendonStrain &&
              int{sinewSENS_BHARGAVAPOWER} + 1 == sinew::kEndOfSensors);
static_assert(int{sinewFUNCTION_SPLINE} == static_cast<int>(sinew::FunctionKind::kSpline) &&
              int{sinewFUNCTION_SIMMSPLINE} == static_cast<int>(sinew::FunctionKind::kSimmSpline) &&
              int{sinewFUNCTION_POLYLINE} == static_cast<int>(sinew::FunctionKind::kPolyline));

namespace {

// The element that a struct is part of: structs of a program's own have none.
template <class T>
T& Owner(typename T::PublicStruct* values) {
  if (values && sinew::As<T>(values->element) != values) {
    throw sinew::Error("the struct is not that of an element", "take one that mjs_add... or a default class returned");
  }
  return Of<T>(values);
}

// Returns what is wrong, or null. Points are checked when the model is compiled.
const char* SetFunction(int kind, const double* numbers, int count, sinew::FunctionValues* function) {
  if (kind < sinewFUNCTION_POLYNOMIAL || kind > sinewFUNCTION_POLYLINE) {
    return "the kind of function is none: see sinew/elements_beyond.h";
  }
  if (count < 0 || (count > 0 && !numbers)) return "there are no numbers: give a pointer to them and their count";
  function->kind = static_cast<sinew::FunctionKind>(kind);
  function->numbers.assign(numbers, numbers + count);
  return nullptr;
}

constexpr char kNoAxis[] = "there is no axis: give three numbers";

// Appends a term, of which axis and function are still missing; returns what is wrong with the function, or an empty
// text.
const char* AppendTerm(sinew::MotionTerm term, const double axis[3], int function, const double* numbers, int count,
                       std::vector<sinew::MotionTerm>* motion) {
  std::copy_n(axis, 3, term.axis.begin());
  if (const char* problem = SetFunction(function, numbers, count, &term.function)) return problem;
  motion->push_back(std::move(term));
  return "";
}

}  // namespace

const char* sinew_setToMusculotendon(mjsActuator* actuator) {
  return Guard("sinew_setToMusculotendon", [=] {
    BecomeMusculotendon(&Owner<sinew::Actuator>(actuator));
    return "";
  });
}

const char* sinew_setMuscleCurve(mjsActuator* actuator, int curve, const double* numbers, int count) {
  return Guard("sinew_setMuscleCurve", [=]() -> const char* {
    sinew::Actuator& muscle = Owner<sinew::Actuator>(actuator);
    if (!IsMusculotendon(muscle)) return "the actuator is no muscle with a tendon: call sinew_setToMusculotendon first";
    if (count < 0 || (count > 0 && !numbers)) return "there are no numbers: give a pointer to them and their count";
    sinew::ActuatorExtension& own = muscle.extension;
    std::vector<double>* const shapes[] = {&own.active, &own.velocity, &own.passive, &own.tendon};
    if (curve < sinewCURVE_ACTIVE || curve > sinewCURVE_TENDON) return "there are four curves: 0 to 3";
    shapes[curve]->assign(numbers, numbers + count);
    return "";
  });
}

const char* sinew_setToMuscleSensor(mjsSensor* sensor, int type, const char* actuator) {
  return Guard("sinew_setToMuscleSensor", [=]() -> const char* {
    sinew::Sensor& element = Owner<sinew::Sensor>(sensor);
    if (!sinew::IsExtensionSensor(type)) return "the type is none of a muscle's sensors: see sinew/elements_beyond.h";
    element.extension = type;
    element.type = mjSENS_USER;
    element.objtype = mjOBJ_ACTUATOR;
    *element.objname = sinew::capi::Text(actuator);
    return "";
  });
}

const char* sinew_addJointMotion(mjsJoint* joint, int motion, const double axis[3], int function, const double* numbers,
                                 int count) {
  return Guard("sinew_addJointMotion", [=]() -> const char* {
    sinew::Joint& element = Owner<sinew::Joint>(joint);
    if (!element.parent) return "the joint is that of a default class: add the motion to a joint of a body";
    if (motion != sinewMOTION_ROTATION && motion != sinewMOTION_TRANSLATION) {
      return "there are two kinds of motion: sinewMOTION_ROTATION, sinewMOTION_TRANSLATION";
    }
    if (!axis) return kNoAxis;
    sinew::MotionTerm term;
    term.rotates = motion == sinewMOTION_ROTATION;
    return AppendTerm(std::move(term), axis, function, numbers, count, &element.motion);
  });
}

const char* sinew_clearJointMotions(mjsJoint* joint) {
  return Guard("sinew_clearJointMotions", [=] {
    Owner<sinew::Joint>(joint).motion.clear();
    return "";
  });
}

const char* sinew_addSiteMotion(mjsSite* site, const char* joint, const double axis[3], int function,
                                const double* numbers, int count) {
  return Guard("sinew_addSiteMotion", [=]() -> const char* {
    sinew::Site& element = Owner<sinew::Site>(site);
    if (!element.parent) return "the site is that of a default class: add the motion to a site of a body";
    if (!axis) return kNoAxis;
    sinew::MotionTerm term;
    term.joint = sinew::capi::Text(joint);
    if (term.joint.empty()) return "there is no joint: name a hinge or slide";
    return AppendTerm(std::move(term), axis, function, numbers, count, &element.motion);
  });
}

const char* sinew_clearSiteMotions(mjsSite* site) {
  return Guard("sinew_clearSiteMotions", [=] {
    Owner<sinew::Site>(site).motion.clear();
    return "";
  });
}

const char* sinew_setPathRange(mjsWrap* wrap, const char* joint, double lower, double upper) {
  return Guard("sinew_setPathRange", [=]() -> const char* {
    sinew::Wrap& point = Owner<sinew::Wrap>(wrap);
    if (point.type != mjWRAP_SITE) return "the object of the path is no site: only sites count in a range";
    point.condition = {joint ? joint : "", {lower, upper}};
    return "";
  });
}

const char* sinew_setJointCoupling(mjsEquality* equality, int function, const double* numbers, int count) {
  return Guard("sinew_setJointCoupling", [=]() -> const char* {
    sinew::Equality& element = Owner<sinew::Equality>(equality);
    if (function < 0) {
      element.coupling.reset();
      return "";
    }
    sinew::FunctionValues values;
    if (const char* problem = SetFunction(function, numbers, count, &values)) return problem;
    element.coupling = std::move(values);
    return "";
  });
}

const char* sinew_addLimitForce(mjsJoint* joint, const double range[2], const double stiffness[2], double damping,
                                double transition) {
  return Guard("sinew_addLimitForce", [=]() -> const char* {
    sinew::Joint& element = Owner<sinew::Joint>(joint);
    if (!element.parent) return "the joint is that of a default class: add the force to a joint of a body";
    if (!range || !stiffness) return "range or stiffness is a null pointer: give two numbers each";
    element.limit_forces.push_back(
        {{range[0], range[1]}, {stiffness[0], stiffness[1]}, damping, 0, transition, sinew::SourceLocation()});
    return "";
  });
}

const char* sinew_dampLimitForce(mjsJoint* joint, double forcedamping) {
  return Guard("sinew_dampLimitForce", [=]() -> const char* {
    std::vector<sinew::LimitForce>& forces = Owner<sinew::Joint>(joint).limit_forces;
    if (forces.empty()) return "the joint has no limit force: add one first";
    forces.back().force_damping = forcedamping;
    return "";
  });
}

const char* sinew_clearLimitForces(mjsJoint* joint) {
  return Guard("sinew_clearLimitForces", [=] {
    Owner<sinew::Joint>(joint).limit_forces.clear();
    return "";
  });
}

const char* sinew_addLigament(mjsTendon* tendon, double slacklength, double stiffness, double transition,
                              double damping) {
  return Guard("sinew_addLigament", [=] {
    sinew::Ligament ligament;
    ligament.slack_length = slacklength;
    ligament.stiffness = stiffness;
    ligament.transition = transition;
    ligament.damping = damping;
    Owner<sinew::Tendon>(tendon).ligaments.push_back(ligament);
    return "";
  });
}

const char* sinew_addLigamentCurve(mjsTendon* tendon, double slacklength, double force, int function,
                                   const double* numbers, int count) {
  return Guard("sinew_addLigamentCurve", [=]() -> const char* {
    sinew::Ligament ligament;
    ligament.slack_length = slacklength;
    ligament.force = force;
    ligament.curve.emplace();
    if (const char* problem = SetFunction(function, numbers, count, &*ligament.curve)) return problem;
    Owner<sinew::Tendon>(tendon).ligaments.push_back(std::move(ligament));
    return "";
  });
}

const char* sinew_clearLigaments(mjsTendon* tendon) {
  return Guard("sinew_clearLigaments", [=] {
    Owner<sinew::Tendon>(tendon).ligaments.clear();
    return "";
  });
}

const char* sinew_addBushing(mjsSite* site, const char* other, const double* stiffness, int nstiffness,
                             const double* damping) {
  return Guard("sinew_addBushing", [=]() -> const char* {
    sinew::Site& element = Owner<sinew::Site>(site);
    if (!element.parent) return "the site is that of a default class: add the bushing to a site of a body";
    if (!stiffness || nstiffness < 0) return "there is no stiffness: give 6 or 36 numbers";
    sinew::Bushing bushing;
    bushing.site = sinew::capi::Text(other);
    bushing.stiffness.assign(stiffness, stiffness + nstiffness);
    if (damping) bushing.damping.assign(damping, damping + sinew::kBushingAxes);
    element.bushings.push_back(std::move(bushing));
    return "";
  });
}

const char* sinew_clearBushings(mjsSite* site) {
  return Guard("sinew_clearBushings", [=] {
    Owner<sinew::Site>(site).bushings.clear();
    return "";
  });
}

double* sinew_geomContactLaw(mjsGeom* geom) {
  return geom ? Guard("sinew_geomContactLaw", [=] { return Owner<sinew::Geom>(geom).contact_law.data(); }) : nullptr;
}

double* sinew_pairContactLaw(mjsPair* pair) {
  return pair ? Guard("sinew_pairContactLaw", [=] { return Owner<sinew::Pair>(pair).contact_law.data(); }) : nullptr;
}

double* sinew_geomSurface(mjsGeom* geom) {
  return geom ? Guard("sinew_geomSurface", [=] { return Owner<sinew::Geom>(geom).surface.data(); }) : nullptr;
}

double* sinew_pairAdhesion(mjsPair* pair) {
  return pair ? Guard("sinew_pairAdhesion", [=] { return &Owner<sinew::Pair>(pair).adhesion; }) : nullptr;
}

int* sinew_meshCollision(mjsMesh* mesh) {
  return mesh ? Guard("sinew_meshCollision", [=] { return &Owner<sinew::Mesh>(mesh).collision; }) : nullptr;
}

int* sinew_geomStick(mjsGeom* geom) {
  return geom ? Guard("sinew_geomStick", [=] { return &Owner<sinew::Geom>(geom).stick; }) : nullptr;
}

int* sinew_pairStick(mjsPair* pair) {
  return pair ? Guard("sinew_pairStick", [=] { return &Owner<sinew::Pair>(pair).stick; }) : nullptr;
}

const char* sinew_addReflex(mjsActuator* actuator, const char* sensor, double gain, double reference, double offset,
                            int rectify, const char* factor) {
  return Guard("sinew_addReflex", [=]() -> const char* {
    if (!sensor) return "sensor is a null pointer: give its name";
    Owner<sinew::Actuator>(actuator).reflexes.push_back(
        {sensor, gain, reference, offset, rectify != 0, factor ? factor : "", {}, sinew::SourceLocation()});
    return "";
  });
}

const char* sinew_addReflexPhase(mjsActuator* actuator, const char* sensor, const double range[2]) {
  return Guard("sinew_addReflexPhase", [=]() -> const char* {
    if (!sensor || !range) return "sensor or range is a null pointer: give a name and two numbers";
    std::vector<sinew::Reflex>& reflexes = Owner<sinew::Actuator>(actuator).reflexes;
    if (reflexes.empty()) return "the actuator has no reflex: add one first";
    reflexes.back().phases.push_back({sensor, {range[0], range[1]}});
    return "";
  });
}

const char* sinew_clearReflexes(mjsActuator* actuator) {
  return Guard("sinew_clearReflexes", [=] {
    Owner<sinew::Actuator>(actuator).reflexes.clear();
    return "";
  });
}
