// Default classes: named sets of initial values, one element of each kind, in a tree below "main".
#ifndef SINEW_SPEC_DEFAULT_CLASS_H_
#define SINEW_SPEC_DEFAULT_CLASS_H_

#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "spec/elements.h"

namespace sinew::inline spec {

// One element of every kind that has values in a class.
using ElementsOfClass =
    std::tuple<Joint, Geom, Site, Camera, Light, Flex, Mesh, Material, Pair, Equality, Tendon, Actuator>;

// Whether elements of a kind start from a class.
template <class T, class Kinds = ElementsOfClass>
inline constexpr bool kHasDefaults = false;
template <class T, class... Kinds>
inline constexpr bool kHasDefaults<T, std::tuple<Kinds...>> = (std::is_same_v<T, Kinds> || ...);

class Default : public Element, public mjsDefault {
 public:
  using PublicStruct = mjsDefault;
  static constexpr mjtObj kType = mjOBJ_DEFAULT;

  // A class starts as a copy of its parent as that is now; later changes of the parent do not reach it.
  explicit Default(const Default* from);
  Default(const Default&) = delete;

  // Takes over the values of another class.
  void CopyValues(const Default& other);

  Default* AddChild(std::string class_name);

  // This class or the one below it that has the name; null: none.
  Default* Find(std::string_view class_name);
  const Default* Find(std::string_view class_name) const { return const_cast<Default*>(this)->Find(class_name); }

  // Marks this class and those below it.
  void MarkDeleted();

  // Appends the names of this class and of those below it.
  void ListNames(std::vector<std::string_view>* names) const;

  // The values for elements of a kind.
  template <class T>
  T& Get() {
    return std::get<T>(elements_);
  }
  template <class T>
  const T& Get() const {
    return std::get<T>(elements_);
  }

  const Default* parent_class = nullptr;
  ElementList<Default> children;

 private:
  ElementsOfClass elements_;
};

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_DEFAULT_CLASS_H_
