#include "spec/elements.h"

#include "spec/spec.h"

namespace sinew {

const mjsCompiler& Element::compiler() const { return static_cast<const mjSpec*>(spec)->compiler; }

std::string Element::Label() const {
  const std::string type = TypeName(elemtype);
  if (!name.empty()) return type + " '" + name + "'";
  return id >= 0 ? type + " " + std::to_string(id) : type;
}

const char* TypeName(mjtObj type) {
  switch (type) {
    case mjOBJ_BODY:
      return "body";
    case mjOBJ_XBODY:
      return "xbody";
    case mjOBJ_JOINT:
      return "joint";
    case mjOBJ_DOF:
      return "dof";
    case mjOBJ_GEOM:
      return "geom";
    case mjOBJ_SITE:
      return "site";
    case mjOBJ_CAMERA:
      return "camera";
    case mjOBJ_LIGHT:
      return "light";
    case mjOBJ_FLEX:
      return "flex";
    case mjOBJ_MESH:
      return "mesh";
    case mjOBJ_SKIN:
      return "skin";
    case mjOBJ_HFIELD:
      return "hfield";
    case mjOBJ_TEXTURE:
      return "texture";
    case mjOBJ_MATERIAL:
      return "material";
    case mjOBJ_PAIR:
      return "pair";
    case mjOBJ_EXCLUDE:
      return "exclude";
    case mjOBJ_EQUALITY:
      return "equality";
    case mjOBJ_TENDON:
      return "tendon";
    case mjOBJ_ACTUATOR:
      return "actuator";
    case mjOBJ_SENSOR:
      return "sensor";
    case mjOBJ_NUMERIC:
      return "numeric";
    case mjOBJ_TEXT:
      return "text";
    case mjOBJ_TUPLE:
      return "tuple";
    case mjOBJ_KEY:
      return "key";
    case mjOBJ_PLUGIN:
      return "plugin";
    case mjOBJ_FRAME:
      return "frame";
    case mjOBJ_DEFAULT:
      return "default";
    case mjOBJ_MODEL:
      return "model";
    default:
      return "";
  }
}

// ---- tendon

Tendon::Tendon(const Tendon& other) : ElementOf(other) {
  for (const auto& wrap : other.path) path.push_back(std::make_unique<Wrap>(*wrap));
}

Wrap& Tendon::AddWrap(mjtWrap wrap_type) {
  Wrap& wrap = *path.emplace_back(std::make_unique<Wrap>());
  wrap.type = wrap_type;
  wrap.spec = spec;
  wrap.default_class = default_class;
  return wrap;
}

// ---- body

const Default* Body::ChildDefault(const Frame* in_frame) const {
  // A frame or body without childclass takes over the one around it when it is added, so one look suffices.
  return in_frame ? in_frame->default_class : default_class;
}

}  // namespace sinew
