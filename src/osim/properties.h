// Reads the properties of one object of a document. OpenSim writes each property as an element whose text is the value,
// and an object as an element whose tag is its class:
//
//     <PinJoint name="elbow"> <socket_parent_frame>humerus_offset</socket_parent_frame> ... </PinJoint>
//
// Properties that an object does not give stand in <defaults>, or have the value that OpenSim's class has. Those that
// nobody takes are reported as dropped at the end, so that nothing is passed over in silence; whatever is wrong becomes
// a problem, and the value stays what it was.
#ifndef SINEW_OSIM_PROPERTIES_H_
#define SINEW_OSIM_PROPERTIES_H_

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compile/tree/pose.h"
#include "osim/context.h"

namespace sinew::osim {

class Properties {
 public:
  Properties(Context& context, const XmlNode& node);
  Properties(const Properties&) = delete;
  ~Properties() { ReportRest(); }

  const XmlNode& node() const { return node_; }
  const std::string& name() const { return name_; }

  // ---- objects in objects

  // The first element of one of the tags, here or in the defaults; null: none.
  const XmlNode* Find(std::initializer_list<std::string_view> tags);

  // The objects of a set: <tag><objects>...</objects></tag>, or <tag>...</tag> for lists.
  std::vector<const XmlNode*> Objects(std::string_view tag);

  // ---- values. A property may have been called otherwise in other versions: any of its names counts.

  std::string Text(std::initializer_list<std::string_view> tags);
  double Number(std::string_view tag, double fallback);
  double RequiredNumber(std::string_view tag);
  bool Flag(std::string_view tag, bool fallback);
  // Nothing: not given, or empty.
  std::optional<std::vector<double>> Numbers(std::initializer_list<std::string_view> tags);
  Vec3<double> Vector(std::initializer_list<std::string_view> tags, const Vec3<double>& fallback);
  // Rotations about the axes x, y, z that turn with the frame, in radians.
  Pose ReadPose(std::initializer_list<std::string_view> translation, std::initializer_list<std::string_view> rotation);

  // ---- rest

  // Says that properties are taken, whatever they are.
  void Skip(std::initializer_list<std::string_view> tags) { taken_.insert(tags.begin(), tags.end()); }
  // Says that the whole object has been reported.
  void SkipAll() { is_done_ = true; }
  // A value other than the one that a model has is told.
  void Expect(std::string_view tag, double value, const std::string& why);
  void ExpectFlag(std::string_view tag, bool value, const std::string& why);

  void Fail(std::string problem, std::string remedy = "") {
    context_.problems.Add(node_, std::move(problem), std::move(remedy));
  }

 private:
  void ReportRest();

  Context& context_;
  const XmlNode& node_;
  const XmlNode* defaults_ = nullptr;
  std::string name_;
  std::set<std::string, std::less<>> taken_;
  bool is_done_ = false;
};

// The objects of a set that stands alone: children of its <objects>, or its children where it has none.
std::vector<const XmlNode*> ObjectsOf(const XmlNode& set);

// Calls read(object) for the objects of all sets of a name among the children of an element.
template <class Read>
void ForObjects(const XmlNode& parent, std::string_view set, const Read& read) {
  for (const XmlNode& child : parent.children) {
    if (child.tag != set) continue;
    for (const XmlNode* object : ObjectsOf(child)) read(*object);
  }
}

}  // namespace sinew::osim

#endif  // SINEW_OSIM_PROPERTIES_H_
