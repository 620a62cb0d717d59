// Functions of elements: their names in messages, paths of tendons, and the class that children of a body
// start from.
#include "spec/elements.h"

#include "model/kinds/names.h"
#include "spec/spec.h"

namespace sinew::inline spec {

const mjsCompiler& Element::compiler() const { return static_cast<const mjSpec*>(home)->compiler; }

// An element without a name is known by its id, once it has one.
std::string Element::Label() const {
  const std::string type = TypeName(elemtype);
  if (!name.empty()) return type + " '" + name + "'";
  return id >= 0 ? type + " " + std::to_string(id) : type;
}

const char* TypeName(mjtObj type) {
  if (type == mjOBJ_DEFAULT) return "default";
  if (type == mjOBJ_MODEL) return "model";
  const char* name = TypeToString(type);
  return name ? name : "";
}

const std::vector<std::string_view>& ObjectTypeNames() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> words;
    for (int type = mjOBJ_UNKNOWN + 1; type < mjNOBJECT; ++type) words.emplace_back(TypeToString(type));
    return words;
  }();
  return names;
}

// ---- tendon

// A copy of a tendon has a path of its own.
Tendon::Tendon(const Tendon& other) : ElementOf(other), ligaments(other.ligaments) {
  for (const auto& wrap : other.path) path.push_back(std::make_unique<Wrap>(*wrap));
}

Wrap& Tendon::AddWrap(mjtWrap wrap_type) {
  Wrap& wrap = *path.emplace_back(std::make_unique<Wrap>());
  wrap.type = wrap_type;
  wrap.spec = spec;
  wrap.home = home;
  wrap.default_class = default_class;
  return wrap;
}

// ---- body

const Default* Body::ChildDefault(const Frame* in_frame) const {
  // A frame or body without childclass takes over the one around it when it is added, so one look suffices.
  return in_frame ? in_frame->default_class : default_class;
}

}  // namespace sinew::inline spec
