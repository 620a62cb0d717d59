// deformable: skins, and flexes whose vertices belong to bodies of the document.
#include <string>

#include "mjcf/sections.h"

namespace sinew::mjcf {
namespace {

void ReadFlex(Context& context, ElementReader& reader) {
  Flex& flex = AddElement<Flex>(context, reader);
  reader.ReadFields(static_cast<mjsFlex*>(&flex));
  const int dof = reader.Keyword("dof").value_or(0);
  if (dof != 0 || reader.Has("node")) {
    reader.Fail("flexes that are moved by nodes are not supported", "give each vertex a body of its own");
  }
  if (flex.vertbody->empty()) reader.Fail("attribute 'body' is missing", "name the bodies of the vertices");
  ForEachChild(context, reader.node(), reader.row(), [&](ElementReader& child, const XmlNode&) {
    child.ReadFields(static_cast<mjsFlex*>(&flex));
    child.Finish();
  });
  reader.Finish();
}

}  // namespace

void ReadDeformable(Context& context, const XmlNode& section) {
  ForEachChild(context, section, "deformable", [&](ElementReader& reader, const XmlNode& child) {
    if (child.tag == "flex") {
      ReadFlex(context, reader);
    } else {
      ReadSkin(context, reader);
      reader.Finish();
    }
  });
}

}  // namespace sinew::mjcf
