// Reads a document: settings and coordinates first, then the tree of bodies, and what refers to its parts.
#include "hfd/read.h"

#include <string>
#include <utility>
#include <vector>

#include "hfd/bodies.h"
#include "hfd/entries.h"
#include "hfd/geometry.h"
#include "hfd/motors.h"
#include "hfd/muscles.h"
#include "hfd/zml.h"
#include "osim/parts.h"

namespace sinew::hfd {
namespace {

// Why known entries have no place in a model.
constexpr mjcf::DropReason kReasons[] = {
    {"joint_stiffness", "joints hold their bodies without play"},
    {"joint_damping", "joints hold their bodies without play"},
    {"stiffness", "joints hold their bodies without play"},
    {"damping", "joints hold their bodies without play"},
    {"damping_mode", "joints hold their bodies without play"},
    {"limit_damping_mode", "damping of limits is limit_damping of the joint"},
    {"translation_limits", "joints hold their bodies without play"},
    {"lin_vel", "a model begins at rest"},
    {"ang_vel", "a model begins at rest"},
    {"perturbation", "forces over time are up to a program (xfrc_applied)"},
};

// "hip_rz_r" is the rotation about z of "hip_r", "pelvis_tx" the translation along x of "pelvis".
bool ReadSource(std::string source, Dof* dof) {
  if (!source.empty() && source.front() == '-') {
    dof->sign = -1;
    source.erase(0, 1);
  }
  for (const bool is_rotation : {true, false}) {
    for (int axis = 0; axis < 3; ++axis) {
      const std::string part = std::string(is_rotation ? "_r" : "_t") + static_cast<char>('x' + axis);
      const std::size_t at = source.rfind(part), end = at + part.size();
      if (at == std::string::npos || (end < source.size() && source[end] != '_')) continue;
      dof->owner = source.erase(at, part.size());
      dof->is_rotation = is_rotation;
      dof->axis = axis;
      return true;
    }
  }
  return false;
}

// { name = hip source = hip_rz }, or { hip = hip_rz } of older documents.
void ReadDof(Context& context, const XmlNode& node) {
  Entries entries(context, node);
  Dof dof;
  dof.node = &node;
  dof.name = entries.name();
  std::string source = entries.Text("source");
  if (source.empty() && dof.name.empty() && node.children.size() == 1) {
    dof.name = node.children.front().tag;
    source = entries.Text(dof.name);
  }
  if (dof.name.empty()) return entries.Fail("the dof has no name", "give it one");
  if (!ReadSource(source, &dof)) {
    return entries.Fail("the source '" + source + "' of the dof is none", "name a joint or body with _rx or _tx");
  }
  const double unit = dof.is_rotation ? kDegree : 1;
  dof.value = entries.Number("default", 0) * unit;
  if (const auto range = entries.Limits("range")) dof.range = {(*range)[0] * unit, (*range)[1] * unit};
  context.dofs.push_back(std::move(dof));
}

void ReadMaterial(Context& context, const XmlNode& node) {
  Entries entries(context, node);
  Material material;
  material.static_friction = entries.NotNegative("static_friction", 1);
  material.dynamic_friction = entries.NotNegative("dynamic_friction", material.static_friction);
  material.stiffness = entries.NotNegative("stiffness", material.stiffness);
  material.damping = entries.NotNegative("damping", material.damping);
  const std::string name = entries.name();
  if (!context.materials.try_emplace(name, material).second) {
    entries.Fail("another material has the name '" + name + "'", "names of materials differ");
  }
}

void ReadOptions(Context& context, const XmlNode& node) {
  Entries entries(context, node);
  ModelOptions& options = context.options;
  options.density = entries.Number("density", options.density);
  options.limit_stiffness = entries.NotNegative("joint_limit_stiffness", 0);
  options.force_multiplier = entries.Number("muscle_force_multiplier", 1);
  // in shares of critical damping: a number of its own for each joint in motion
  if (entries.Number("joint_limit_damping", 0) != 0) {
    context.dropped.AddElement(*entries.Find("joint_limit_damping"), "give joints a limit_damping");
  }
  for (const char* key : {"mirror", "scale"}) {
    const double neutral = key == std::string("scale") ? 1 : 0;
    if (entries.Number(key, neutral) != neutral) {
      entries.Fail(std::string("'").append(key).append("' is not read"),
                   "save the model with all of its parts, at full size");
    }
  }
}

// The order is that of references: coordinates make joints, the tree is what all other parts are fixed to.
void ReadModel(Context& context, const XmlNode& model) {
  if (model.tag != "model") throw Error("the document is no model", "begin it with model {", model.Location());
  Entries entries(context, model);
  *context.spec.modelname = entries.name();
  osim::BecomeMuscleModel(context.spec, entries.Vector("gravity", {0, -9.81, 0}));
  for (const XmlNode* node : entries.All("model_options")) ReadOptions(context, *node);
  for (const XmlNode* node : entries.All("material")) ReadMaterial(context, *node);
  for (const XmlNode* node : entries.All("dof")) ReadDof(context, *node);
  CollectBodies(context, entries);
  context.problems.Throw();
  BuildTree(context);
  for (const XmlNode* node : entries.All("geometry")) ReadGeometry(context, *node, nullptr);
  for (const char* kind : {"point_path_muscle", "joint_point_path_muscle"}) {
    for (const XmlNode* node : entries.All(kind)) ReadMuscle(context, *node);
  }
  for (const XmlNode* node : entries.All("joint_motor")) ReadMotor(context, *node);
  SetContactOption(context);
  AddStartKey(context);
}

}  // namespace

std::unique_ptr<Spec> ReadHfd(const std::string& text, const std::string& name, const mjVFS* vfs) {
  const mjcf::XmlDocument document = LoadZml(name, text);
  return osim::ReadIntoSpec<Context>(document.directory, vfs, kReasons,
                                     [&](Context& context) { ReadModel(context, *document.root); });
}

}  // namespace sinew::hfd
