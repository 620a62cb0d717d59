// State that the parts of the reader share.
#ifndef SINEW_URDF_CONTEXT_H_
#define SINEW_URDF_CONTEXT_H_

#include <array>
#include <map>
#include <string>

#include "mjcf/xml/dropped.h"
#include "mjcf/xml/problems.h"
#include "mjcf/xml/xml_node.h"
#include "spec/spec.h"
#include "urdf/options.h"

namespace sinew::urdf {

using mjcf::XmlNode;

using Color = std::array<float, 4>;

struct Context {
  Spec& spec;
  mjcf::Problems& problems;
  UrdfOptions options;
  const mjVFS* vfs;
  mjcf::Dropped dropped;
  std::map<std::string, Color, std::less<>> colors;  // of materials, by name
  std::map<const XmlNode*, Color> own_colors;        // of materials that give one themselves
};

}  // namespace sinew::urdf

#endif  // SINEW_URDF_CONTEXT_H_
