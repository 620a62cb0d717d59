// Reads the entries of one group of a document. Those that nobody takes are reported as dropped at the end, so that
// nothing is passed over in silence; whatever is wrong becomes a problem, and the value stays what it was.
#ifndef SINEW_HFD_ENTRIES_H_
#define SINEW_HFD_ENTRIES_H_

#include <array>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "hfd/context.h"

namespace sinew::hfd {

// Lower and upper end.
using Range = std::array<double, 2>;

// The number that an entry is; else a problem, and the fallback.
double NumberOf(Context& context, const XmlNode& node, double fallback);

class Entries {
 public:
  Entries(Context& context, const XmlNode& node) : context_(context), node_(node), taken_({"name"}) {}
  Entries(const Entries&) = delete;
  ~Entries();

  const XmlNode& node() const { return node_; }
  std::string name() const;

  // The first entry of a key; null: none.
  const XmlNode* Find(std::string_view key);
  std::vector<const XmlNode*> All(std::string_view key);

  std::string Text(std::string_view key);
  double Number(std::string_view key, double fallback);
  double Positive(std::string_view key);  // which must be given
  double NotNegative(std::string_view key, double fallback);
  // [ 0 1 0 ] or { y = 1 }
  Vec3<double> Vector(std::string_view key, const Vec3<double>& fallback);
  // Angles about x, y and z, which turn with the frame, in degrees; or { w = 1 x = 0 y = 0 z = 0 }.
  Quat<double> Rotation(std::string_view key);
  // -30..120
  std::optional<Range> Limits(std::string_view key);
  // Of the axes x, y, z; nothing where an axis has none.
  std::array<std::optional<Range>, 3> LimitsOfAxes(std::string_view key);

  // Says that entries are taken, whatever they are, or all of them.
  void Skip(std::initializer_list<std::string_view> keys) { taken_.insert(keys.begin(), keys.end()); }
  void SkipAll() { is_done_ = true; }

  void Fail(std::string problem, std::string remedy) {
    context_.problems.Add(node_, std::move(problem), std::move(remedy));
  }

 private:
  Context& context_;
  const XmlNode& node_;
  std::set<std::string, std::less<>> taken_;
  bool is_done_ = false;
};

}  // namespace sinew::hfd

#endif  // SINEW_HFD_ENTRIES_H_
