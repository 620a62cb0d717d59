// Types of what elements refer to by name, where they depend on a kind.
#include "spec/references.h"

namespace sinew::inline spec {

mjtObj TargetType(const Actuator& actuator) {
  switch (actuator.trntype) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return mjOBJ_JOINT;
    case mjTRN_TENDON:
      return mjOBJ_TENDON;
    case mjTRN_SITE:
    case mjTRN_SLIDERCRANK:
      return mjOBJ_SITE;
    case mjTRN_BODY:
      return mjOBJ_BODY;
    default:
      return mjOBJ_UNKNOWN;
  }
}

mjtObj ObjectType(const Equality& equality) {
  switch (equality.type) {
    case mjEQ_CONNECT:
    case mjEQ_WELD:
      return equality.objtype == mjOBJ_SITE ? mjOBJ_SITE : mjOBJ_BODY;
    case mjEQ_JOINT:
      return mjOBJ_JOINT;
    case mjEQ_TENDON:
      return mjOBJ_TENDON;
    case mjEQ_FLEX:
    case mjEQ_FLEXVERT:
    case mjEQ_FLEXSTRAIN:
      return mjOBJ_FLEX;
    default:
      return mjOBJ_UNKNOWN;
  }
}

mjtObj TargetType(const Wrap& wrap) {
  switch (wrap.type) {
    case mjWRAP_JOINT:
      return mjOBJ_JOINT;
    case mjWRAP_SITE:
      return mjOBJ_SITE;
    case mjWRAP_SPHERE:
    case mjWRAP_CYLINDER:
      return mjOBJ_GEOM;
    default:
      return mjOBJ_UNKNOWN;
  }
}

}  // namespace sinew::inline spec
