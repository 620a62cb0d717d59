// Reads the section tendon: fixed tendons, which are weighted sums of joint positions, and spatial ones, which are
// paths through sites and around geoms.
#include <string>

#include "mjcf/read/sections.h"

namespace sinew::mjcf {
namespace {

// Each step of a path is an element; what it names is resolved by the compiler.
void ReadWrap(ElementReader& reader, Tendon* tendon) {
  const std::string& tag = reader.node().tag;
  if (tag == "ligament") {
    tendon->ligaments.push_back(ReadLigament(reader));
    return reader.Finish();
  }
  Wrap* wrap = nullptr;
  if (tag == "joint") {
    wrap = &tendon->AddWrap(mjWRAP_JOINT);
    wrap->target = reader.String("joint").value_or("");
    wrap->value = reader.Real("coef", 0);
  } else if (tag == "site") {
    wrap = &tendon->AddWrap(mjWRAP_SITE);
    wrap->target = reader.String("site").value_or("");
    wrap->condition.joint = reader.String("joint").value_or("");
    const bool has_range = reader.RealsInto("range", wrap->condition.range);
    if (has_range != !wrap->condition.joint.empty()) {
      reader.Fail(has_range ? "a point has a range and no joint" : "a point has a joint and no range",
                  "give both, or none");
    }
  } else if (tag == "geom") {
    // Sphere or cylinder: the compiler sets the type by the geom.
    wrap = &tendon->AddWrap(mjWRAP_SPHERE);
    wrap->target = reader.String("geom").value_or("");
    wrap->sidesite = reader.String("sidesite").value_or("");
  } else {
    wrap = &tendon->AddWrap(mjWRAP_PULLEY);
    wrap->value = reader.Real("divisor", 0);
  }
  wrap->where = reader.Location();
  *wrap->info = "line " + std::to_string(reader.node().line);
  reader.Finish();
}

}  // namespace

void ReadTendonValues(ElementReader& reader, mjsTendon* tendon) {
  reader.ReadFields(tendon);
  // One number is both ends of the range of rest.
  if (const auto length = reader.Reals("springlength")) {
    tendon->springlength[0] = length->front();
    tendon->springlength[1] = length->back();
  }
}

void ReadTendon(Context& context, const XmlNode& section) {
  ForEachChild(context, section, "tendon", [&](ElementReader& reader, const XmlNode& child) {
    Tendon& tendon = AddElement<Tendon>(context, reader);
    ReadTendonValues(reader, &tendon);
    ForEachChild(context, child, reader.row(), [&](ElementReader& wrap, const XmlNode&) { ReadWrap(wrap, &tendon); });
    reader.Finish();
  });
}

}  // namespace sinew::mjcf
