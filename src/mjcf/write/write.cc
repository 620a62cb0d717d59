// Writes a specification as MJCF. Sections come in an order that a reader of the text expects, which is that of MuJoCo
// 3.8.0; the reader of this program does not depend on it.
#include "mjcf/write/write.h"

#include <atomic>
#include <vector>

#include "core/error.h"
#include "mjcf/numbers.h"
#include "mjcf/packed_extensions.h"
#include "mjcf/write/write_node.h"
#include "mjcf/write/write_sections.h"

namespace sinew::mjcf {
namespace {

// The number of digits that programs see. They need not be enough: with it, numbers have as many as they need.
constexpr int kDefaultPrecision = 6;
std::atomic<int> precision = kDefaultPrecision;

constexpr XmlNode (*kSections[])(const WriteContext&) = {
    WriteCompiler,  WriteOption, WriteSize,     WriteVisual,    WriteStatistic, WriteDefault,
    WriteExtension, WriteCustom, WriteAsset,    WriteWorldBody, WriteContact,   WriteDeformable,
    WriteEquality,  WriteTendon, WriteActuator, WriteSensor,    WriteKeyframe};

}  // namespace
namespace {

// Paths of tendons have no placeholders: what they mean is their geoms.
void CheckPaths(const Spec& spec) {
  for (const auto& tendon : spec.List<Tendon>()) {
    bool after_geom = false;
    for (const auto& wrap : tendon->path) {
      const bool is_geom = wrap->type == mjWRAP_SPHERE || wrap->type == mjWRAP_CYLINDER;
      const Geom* geom = is_geom ? spec.Find<Geom>(wrap->target) : nullptr;
      if ((after_geom && is_geom) || (geom && geom->type == mjGEOM_ELLIPSOID)) {
        throw Error("tendon '" + tendon->Element::name + "' wraps around ellipsoids or several geoms in a row",
                    "MuJoCo 3.8.0 has no path that could stand for it; use spheres or cylinders with sites in between");
      }
      after_geom = is_geom;
    }
  }
}

}  // namespace

int XmlPrecision() { return precision; }
void SetXmlPrecision(int digits) { precision = digits; }

std::string WriteXml(Spec& spec, bool carry) {
  const int digits = XmlPrecision();
  const WriteContext context{spec, digits == kDefaultPrecision ? kAsNeeded : digits};
  if (carry) CheckPaths(spec);
  std::vector<XmlNode> sections;
  for (const auto write : kSections) sections.push_back(write(context));
  if (carry) PackExtensions(&sections);
  std::string text = "<mujoco model=\"";
  AppendEscaped(*spec.modelname, &text);
  text += "\">\n";
  if (!spec.comment->empty()) text += "  <!--" + *spec.comment + "-->\n";
  bool is_first = true;
  for (const XmlNode& section : sections) {
    const bool always = section.tag == "worldbody";
    if (section.attributes.empty() && section.children.empty() && !always) continue;
    if (!is_first) text += "\n";
    is_first = false;
    AppendNode(section, 1, &text);
  }
  return text + "</mujoco>\n";
}

}  // namespace sinew::mjcf
