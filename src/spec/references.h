// References of elements by name: the one place that lists which texts of an element are names of others.
//
//     ForEachReference(sensor, [](mjtObj type, std::string& name) { ... });   // visit may change the names
#ifndef SINEW_SPEC_REFERENCES_H_
#define SINEW_SPEC_REFERENCES_H_

#include <cstddef>
#include <string>

#include "spec/elements.h"

namespace sinew::inline spec {

// The type of an actuator's target, and of an equality's objects; mjOBJ_UNKNOWN when its kind is not valid.
mjtObj TargetType(const Actuator& actuator);
mjtObj ObjectType(const Equality& equality);

// The type of the object of a step of a tendon's path.
mjtObj TargetType(const Wrap& wrap);

// Whether elements of a type are shared by those that use them and belong to no subtree.
inline bool IsAsset(mjtObj type) {
  return type == mjOBJ_MESH || type == mjOBJ_HFIELD || type == mjOBJ_TEXTURE || type == mjOBJ_MATERIAL ||
         type == mjOBJ_PLUGIN;
}

template <class T, class Visit>
void ForEachReference(T& element, Visit&& visit_name) {
  const auto visit = [&](mjtObj type, std::string* name) {
    if (!name->empty()) visit_name(type, *name);
  };
  const auto visit_all = [&](mjtObj type, std::vector<std::string>* names) {
    for (std::string& name : *names) visit(type, &name);
  };
  if constexpr (requires { element.material; }) visit(mjOBJ_MATERIAL, element.material);
  if constexpr (requires { element.plugin; }) visit(mjOBJ_PLUGIN, element.plugin.name);
  if constexpr (requires { element.targetbody; }) visit(mjOBJ_BODY, element.targetbody);
  if constexpr (requires { element.motion; }) {
    for (MotionTerm& term : element.motion) visit(mjOBJ_JOINT, &term.joint);
  }
  if constexpr (std::is_same_v<T, Site>) {
    for (Bushing& bushing : element.bushings) visit(mjOBJ_SITE, &bushing.site);
  }
  if constexpr (std::is_same_v<T, Geom>) {
    visit(mjOBJ_MESH, element.meshname);
    visit(mjOBJ_HFIELD, element.hfieldname);
  } else if constexpr (std::is_same_v<T, Light>) {
    visit(mjOBJ_TEXTURE, element.texture);
  } else if constexpr (std::is_same_v<T, Material>) {
    visit_all(mjOBJ_TEXTURE, element.textures);
  } else if constexpr (std::is_same_v<T, Flex>) {
    visit_all(mjOBJ_BODY, element.nodebody);
    visit_all(mjOBJ_BODY, element.vertbody);
  } else if constexpr (std::is_same_v<T, Skin>) {
    visit_all(mjOBJ_BODY, element.bodyname);
  } else if constexpr (std::is_same_v<T, Pair>) {
    visit(mjOBJ_GEOM, element.geomname1);
    visit(mjOBJ_GEOM, element.geomname2);
  } else if constexpr (std::is_same_v<T, Exclude>) {
    visit(mjOBJ_BODY, element.bodyname1);
    visit(mjOBJ_BODY, element.bodyname2);
  } else if constexpr (std::is_same_v<T, Equality>) {
    visit(ObjectType(element), element.name1);
    visit(ObjectType(element), element.name2);
  } else if constexpr (std::is_same_v<T, Tendon>) {
    for (const auto& wrap : element.path) {
      visit(TargetType(*wrap), &wrap->target);
      visit(mjOBJ_SITE, &wrap->sidesite);
      visit(mjOBJ_JOINT, &wrap->condition.joint);
    }
  } else if constexpr (std::is_same_v<T, Actuator>) {
    visit(TargetType(element), element.target);
    visit(mjOBJ_SITE, element.refsite);
    visit(mjOBJ_SITE, element.slidersite);
    for (Reflex& reflex : element.reflexes) {
      visit(mjOBJ_SENSOR, &reflex.sensor);
      visit(mjOBJ_SENSOR, &reflex.factor);
      for (ReflexPhase& phase : reflex.phases) visit(mjOBJ_SENSOR, &phase.sensor);
    }
  } else if constexpr (std::is_same_v<T, Sensor>) {
    visit(element.objtype, element.objname);
    visit(element.reftype, element.refname);
  } else if constexpr (std::is_same_v<T, Tuple>) {
    for (std::size_t i = 0; i < std::min(element.objname->size(), element.objtype->size()); ++i) {
      visit(static_cast<mjtObj>((*element.objtype)[i]), &(*element.objname)[i]);
    }
  }
}

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_REFERENCES_H_
