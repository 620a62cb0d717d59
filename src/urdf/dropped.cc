// Collects what a robot's file says and the model cannot hold, and makes one warning of each kind.
#include "urdf/dropped.h"

#include <algorithm>
#include <utility>

namespace sinew::urdf {
namespace {

// So many further lines are listed by number.
constexpr std::size_t kMost = 10;

// Why known extensions have no place in a model.
struct Reason {
  std::string_view tag, text;
};
constexpr Reason kReasons[] = {
    {"safety_controller", "soft limits are up to a controller"},
    {"calibration", "reference positions concern the encoders of a device"},
    {"transmission", "the option 'actuators' makes motors of it"},
    {"ros2_control", "it describes the software of a robot"},
    {"gazebo", "it is for another simulator"},
    {"sensor", "sensors of URDF describe devices; add sites and sensors to the model"},
    {"texture", "colours come from 'color'"},
    {"contact", "friction and stiffness of contacts are set in MJCF"},
    {"surface", "friction and stiffness of contacts are set in MJCF"},
    {"velocity", "joints have no limit of velocity"},
};

std::string ReasonFor(std::string_view tag) {
  const auto found =
      std::find_if(std::begin(kReasons), std::end(kReasons), [&](const Reason& reason) { return reason.tag == tag; });
  return found == std::end(kReasons) ? "unknown" : std::string(found->text);
}

std::string ListLines(const std::vector<int>& lines) {
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), kMost); ++i) {
    text += (i ? ", " : "") + std::to_string(lines[i]);
  }
  if (lines.size() > kMost) text += " and " + std::to_string(lines.size() - kMost) + " more";
  return text;
}

}  // namespace

void Dropped::AddElement(const mjcf::XmlNode& node, const std::string& why) {
  const std::string parent = node.parent ? node.parent->tag : "";
  Add(parent + "/" + node.tag, "element '" + node.tag + "' is not used", why.empty() ? ReasonFor(node.tag) : why, node);
}

void Dropped::AddAttribute(const mjcf::XmlNode& node, const std::string& attribute, const std::string& why) {
  Add(node.tag + "@" + attribute, "attribute '" + attribute + "' is not used", why.empty() ? ReasonFor(attribute) : why,
      node);
}

void Dropped::Note(const mjcf::XmlNode& node, const std::string& what, const std::string& remedy) {
  Add(what, what, remedy, node);
}

// A kind is known by the element and its parent, or by the attribute.
void Dropped::Add(std::string key, std::string what, std::string why, const mjcf::XmlNode& node) {
  const auto kind = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& known) { return known.key == key; });
  if (kind == kinds_.end()) {
    kinds_.push_back({std::move(key), std::move(what), std::move(why), node.Location(), {}});
  } else if (node.line != (kind->lines.empty() ? kind->first.line : kind->lines.back())) {
    kind->lines.push_back(node.line);
  }
}

std::vector<std::string> Dropped::Texts() const {
  std::vector<std::string> texts;
  for (const Kind& kind : kinds_) {
    std::string remedy = kind.why;
    if (!kind.lines.empty()) remedy += "; also in lines " + ListLines(kind.lines);
    texts.emplace_back(Error(kind.what, remedy, kind.first).what());
  }
  return texts;
}

}  // namespace sinew::urdf
