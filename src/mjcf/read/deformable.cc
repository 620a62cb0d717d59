// Reads the section deformable: skins, and flexes whose vertices belong to bodies of the document.
#include <string>

#include "mjcf/read/sections.h"

namespace sinew::mjcf {
namespace {

// How a flex is moved: by all its vertices, along rays from a centre, or by nodes of cells of order one or two.
enum Dof { kFull, kRadial, kTrilinear, kQuadratic };

// Children such as contact and elasticity set fields of the same struct.
void ReadFlex(Context& context, ElementReader& reader) {
  Flex& flex = AddElement<Flex>(context, reader);
  reader.ReadFields(static_cast<mjsFlex*>(&flex));
  const int dof = reader.Keyword("dof").value_or(kFull);
  flex.order = dof == kTrilinear ? 1 : dof == kQuadratic ? 2 : 0;
  if (flex.vertbody->empty()) reader.Fail("attribute 'body' is missing", "name the bodies of the vertices");
  ForEachChild(context, reader.node(), reader.row(), [&](ElementReader& child, const XmlNode&) {
    child.ReadFields(static_cast<mjsFlex*>(&flex));
    // Here, unlike in a flexcomp, the word of `passive` is that of `internal`, as in MuJoCo 3.8.0.
    if (child.Has("passive")) flex.passive = child.Has("internal") ? flex.internal : 0;
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
