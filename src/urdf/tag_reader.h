// Reads one element of a robot. Children and attributes that nobody takes are reported as dropped at the end, so that
// nothing is passed over in silence; whatever is wrong becomes a problem, and the value stays what it was.
#ifndef SINEW_URDF_TAG_READER_H_
#define SINEW_URDF_TAG_READER_H_

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "math/quat.h"
#include "math/vec3.h"
#include "urdf/context.h"

namespace sinew::urdf {

// Place of an <origin>, in metres and as a rotation by roll, pitch and yaw about fixed axes.
struct Origin {
  Vec3<double> pos = {0, 0, 0};
  Quat<double> quat = {1, 0, 0, 0};
};

class TagReader {
 public:
  TagReader(Context& context, const XmlNode& node) : context_(context), node_(node) {}
  TagReader(const TagReader&) = delete;
  ~TagReader() { ReportRest(); }

  const XmlNode& node() const { return node_; }

  // ---- children

  // The child of a kind that may stand once; null: none. A second one is a problem, and so is a missing one if the
  // child is required.
  const XmlNode* Child(std::string_view tag);
  const XmlNode* RequiredChild(std::string_view tag);

  // All children of a kind.
  std::vector<const XmlNode*> Children(std::string_view tag);

  // The first child that has one of the tags; the others of these are dropped.
  const XmlNode* FirstOf(const std::vector<std::string_view>& tags);

  // The text of a child: "3" of <reduction>3</reduction>.
  std::optional<std::string> ChildText(std::string_view tag);

  // The child <origin>; the identity without one.
  Origin ReadOrigin();

  // ---- attributes

  std::optional<std::string> Text(std::string_view name);
  std::string RequiredText(std::string_view name);
  std::optional<double> Number(std::string_view name);

  // A number that may be infinite, as limits are that do not limit. All others are finite: URDF has no meaning for
  // them.
  std::optional<double> Bound(std::string_view name);
  double RequiredNumber(std::string_view name);

  // Whether `count` numbers were given, and stored into `values`. An empty text counts as none.
  bool Numbers(std::string_view name, double* values, std::size_t count);
  bool RequiredNumbers(std::string_view name, double* values, std::size_t count);

  void Fail(std::string problem, std::string remedy = "") {
    context_.problems.Add(node_, std::move(problem), std::move(remedy));
  }

  // Names an attribute or child as dropped for a reason of its own.
  void Drop(std::string_view name, const std::string& why);

 private:
  bool Numbers(std::string_view name, double* values, std::size_t count, bool (*is_legal)(double));
  void ReportRest();

  Context& context_;
  const XmlNode& node_;
  std::set<std::string, std::less<>> taken_children_, taken_attributes_;
};

}  // namespace sinew::urdf

#endif  // SINEW_URDF_TAG_READER_H_
