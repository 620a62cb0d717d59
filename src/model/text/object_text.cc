#include "model/text/object_text.h"

#include <cstdio>

#include "model/kinds/names.h"

namespace sinew::inline model {

ObjectText NameOf(const mjModel& m, int type, int id) {
  ObjectText text;
  if (const char* name = Id2Name(m, type, id)) {
    std::snprintf(text.chars, sizeof(text.chars), "'%.90s'", name);
  } else {
    std::snprintf(text.chars, sizeof(text.chars), "%d", id);
  }
  return text;
}

ObjectText JointText(const mjModel& m, int joint) {
  ObjectText text;
  const ObjectText name = NameOf(m, mjOBJ_JOINT, joint), body = NameOf(m, mjOBJ_BODY, m.jnt_bodyid[joint]);
  std::snprintf(text.chars, sizeof(text.chars), "joint %.100s of body %.100s", name.chars, body.chars);
  return text;
}

}  // namespace sinew::inline model
