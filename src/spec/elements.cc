#include "spec/elements.h"

#include <utility>

#include "spec/spec.h"

namespace sinew {

const mjsCompiler& Element::compiler() const { return static_cast<const mjSpec*>(spec)->compiler; }

std::string Element::Label() const {
  const std::string type = TypeName(elemtype);
  if (!name.empty()) return type + " '" + name + "'";
  return id >= 0 ? type + " " + std::to_string(id) : type;
}

namespace {

constexpr std::pair<mjtObj, const char*> kTypeNames[] = {
    {mjOBJ_BODY, "body"},         {mjOBJ_XBODY, "xbody"},       {mjOBJ_JOINT, "joint"},
    {mjOBJ_DOF, "dof"},           {mjOBJ_GEOM, "geom"},         {mjOBJ_SITE, "site"},
    {mjOBJ_CAMERA, "camera"},     {mjOBJ_LIGHT, "light"},       {mjOBJ_FLEX, "flex"},
    {mjOBJ_MESH, "mesh"},         {mjOBJ_SKIN, "skin"},         {mjOBJ_HFIELD, "hfield"},
    {mjOBJ_TEXTURE, "texture"},   {mjOBJ_MATERIAL, "material"}, {mjOBJ_PAIR, "pair"},
    {mjOBJ_EXCLUDE, "exclude"},   {mjOBJ_EQUALITY, "equality"}, {mjOBJ_TENDON, "tendon"},
    {mjOBJ_ACTUATOR, "actuator"}, {mjOBJ_SENSOR, "sensor"},     {mjOBJ_NUMERIC, "numeric"},
    {mjOBJ_TEXT, "text"},         {mjOBJ_TUPLE, "tuple"},       {mjOBJ_KEY, "key"},
    {mjOBJ_PLUGIN, "plugin"},     {mjOBJ_FRAME, "frame"},       {mjOBJ_DEFAULT, "default"},
    {mjOBJ_MODEL, "model"}};

}  // namespace

const char* TypeName(mjtObj type) {
  for (const auto& [known, word] : kTypeNames) {
    if (known == type) return word;
  }
  return "";
}

mjtObj TypeOfName(std::string_view word) {
  for (const auto& [type, known] : kTypeNames) {
    if (known == word && type < mjNOBJECT) return type;
  }
  return mjOBJ_UNKNOWN;
}

const std::vector<std::string_view>& ObjectTypeNames() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> words;
    for (const auto& [type, word] : kTypeNames) {
      if (type < mjNOBJECT) words.emplace_back(word);
    }
    return words;
  }();
  return names;
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
