// Writes a specification as MJCF. Sections come in an order that a reader of the text expects, which is that of MuJoCo
// 3.8.0; the reader of this program does not depend on it.
#include "mjcf/write.h"

#include <atomic>
#include <string_view>

#include "mjcf/write_sections.h"

namespace sinew {
namespace mjcf {
namespace {

std::atomic<int> precision = 6;

constexpr XmlNode (*kSections[])(const WriteContext&) = {
    WriteCompiler,  WriteOption, WriteSize,     WriteVisual,    WriteStatistic, WriteDefault,
    WriteExtension, WriteCustom, WriteAsset,    WriteWorldBody, WriteContact,   WriteDeformable,
    WriteEquality,  WriteTendon, WriteActuator, WriteSensor,    WriteKeyframe};

// ---- nodes to text

void AppendEscaped(std::string_view value, std::string* text) {
  for (const char c : value) {
    switch (c) {
      case '&':
        *text += "&amp;";
        break;
      case '<':
        *text += "&lt;";
        break;
      case '>':
        *text += "&gt;";
        break;
      case '"':
        *text += "&quot;";
        break;
      case '\'':
        *text += "&apos;";
        break;
      default:
        *text += c;
    }
  }
}

// Two blanks per level. Recursion is bounded: bodies nest no deeper than the compiler allowed.
void AppendNode(const XmlNode& node, int depth, std::string* text) {
  const std::string indent(2 * static_cast<std::size_t>(depth), ' ');
  *text += indent + "<" + node.tag;
  for (const auto& [name, value] : node.attributes) {
    *text += " " + name + "=\"";
    AppendEscaped(value, text);
    *text += '"';
  }
  if (node.children.empty()) {
    *text += "/>\n";
    return;
  }
  *text += ">\n";
  for (const XmlNode& child : node.children) AppendNode(child, depth + 1, text);
  *text += indent + "</" + node.tag + ">\n";
}

}  // namespace
}  // namespace mjcf

int XmlPrecision() { return mjcf::precision; }
void SetXmlPrecision(int digits) { mjcf::precision = digits; }

std::string WriteXml(Spec& spec) {
  const mjcf::WriteContext context{spec, XmlPrecision()};
  std::string text = "<mujoco model=\"";
  mjcf::AppendEscaped(*spec.modelname, &text);
  text += "\">\n";
  if (!spec.comment->empty()) text += "  <!--" + *spec.comment + "-->\n";
  bool is_first = true;
  for (const auto write : mjcf::kSections) {
    const mjcf::XmlNode section = write(context);
    const bool always = section.tag == "worldbody";
    if (section.attributes.empty() && section.children.empty() && !always) continue;
    if (!is_first) text += "\n";
    is_first = false;
    mjcf::AppendNode(section, 1, &text);
  }
  return text + "</mujoco>\n";
}

}  // namespace sinew
