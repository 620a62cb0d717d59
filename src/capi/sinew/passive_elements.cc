// The functions of <sinew/passive_elements.h>.
#include <sinew/passive_elements.h>

#include <utility>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "capi/spec/spec_handles.h"
#include "model/kinds/bushing.h"

using sinew::capi::Guard;

namespace {

// The element that a struct is part of: structs of a program's own have none.
template <class T>
T& OwnerOf(typename T::PublicStruct* values) {
  if (values && sinew::As<T>(values->element) != values) {
    throw sinew::Error("the struct is not that of an element", "take one that mjs_add... returned");
  }
  return sinew::capi::Of<T>(values);
}

}  // namespace

const char* sinew_addLimitForce(mjsJoint* joint, const double range[2], const double stiffness[2], double damping,
                                double transition) {
  return Guard("sinew_addLimitForce", [=]() -> const char* {
    sinew::Joint& element = OwnerOf<sinew::Joint>(joint);
    if (!element.parent) return "the joint is that of a default class: add the force to a joint of a body";
    if (!range || !stiffness) return "range or stiffness is a null pointer: give two numbers each";
    element.limit_forces.push_back(
        {{range[0], range[1]}, {stiffness[0], stiffness[1]}, damping, transition, sinew::SourceLocation()});
    return "";
  });
}

const char* sinew_clearLimitForces(mjsJoint* joint) {
  return Guard("sinew_clearLimitForces", [=] {
    OwnerOf<sinew::Joint>(joint).limit_forces.clear();
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
    OwnerOf<sinew::Tendon>(tendon).ligaments.push_back(ligament);
    return "";
  });
}

const char* sinew_addLigamentCurve(mjsTendon* tendon, double slacklength, double force, int function,
                                   const double* numbers, int count) {
  return Guard("sinew_addLigamentCurve", [=]() -> const char* {
    sinew::Ligament ligament;
    ligament.slack_length = slacklength;
    ligament.force = force;
    if (function < 0 || function > static_cast<int>(sinew::FunctionKind::kPolyline)) {
      return "the kind of function is none: see sinew/elements_beyond.h";
    }
    if (count < 0 || (count > 0 && !numbers)) return "there are no numbers: give a pointer to them and their count";
    ligament.curve = {static_cast<sinew::FunctionKind>(function), {numbers, numbers + count}};
    OwnerOf<sinew::Tendon>(tendon).ligaments.push_back(std::move(ligament));
    return "";
  });
}

const char* sinew_clearLigaments(mjsTendon* tendon) {
  return Guard("sinew_clearLigaments", [=] {
    OwnerOf<sinew::Tendon>(tendon).ligaments.clear();
    return "";
  });
}

const char* sinew_addBushing(mjsSite* site, const char* other, const double* stiffness, int nstiffness,
                             const double* damping) {
  return Guard("sinew_addBushing", [=]() -> const char* {
    sinew::Site& element = OwnerOf<sinew::Site>(site);
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
    OwnerOf<sinew::Site>(site).bushings.clear();
    return "";
  });
}
