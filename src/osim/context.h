// State that the parts of the reader share.
#ifndef SINEW_OSIM_CONTEXT_H_
#define SINEW_OSIM_CONTEXT_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <mujoco/mujoco.h>

#include "mjcf/xml/dropped.h"
#include "mjcf/xml/problems.h"
#include "mjcf/xml/xml_node.h"
#include "osim/skeleton.h"
#include "osim/wraps.h"
#include "spec/spec.h"

namespace sinew::osim {

// The activation that a muscle begins with.
struct InitialActivation {
  const Actuator* muscle;
  double activation;
  bool is_rigid;  // whose tendon does not stretch
};

// What readers of other programs' models share (src/hfd).
struct ImportContext {
  Spec& spec;
  mjcf::Problems& problems;
  mjcf::Dropped dropped;
  std::string folder;  // of the document: meshes are named relative to it
  const mjVFS* vfs;
};

struct Context : ImportContext {
  // The objects of <defaults>, by class: they have the properties that objects of the class do not give themselves.
  std::map<std::string, const XmlNode*, std::less<>> defaults = {};
  Skeleton skeleton = {};
  std::vector<WrapObject> wraps = {};
  std::vector<InitialActivation> initial_activations = {};  // in the order of muscles
};

// Adds an element at the place of a node, under the name that the document has for it. Names are unique among elements
// of a type in a model, and only among neighbours in a document: a second bearer gets a number.
template <class T>
void Name(ImportContext& context, T& element, const XmlNode& node, const std::string& name) {
  element.where = node.Location();
  std::string unique = name;
  for (int i = 2; context.spec.Find<T>(unique); ++i) unique = name + "_" + std::to_string(i);
  context.spec.SetName(element, std::move(unique));
}

}  // namespace sinew::osim

#endif  // SINEW_OSIM_CONTEXT_H_
