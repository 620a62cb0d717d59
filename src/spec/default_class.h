// Default classes: named sets of initial values, one element of each kind, in a tree below "main".
#ifndef SINEW_SPEC_DEFAULT_CLASS_H_
#define SINEW_SPEC_DEFAULT_CLASS_H_

#include <string_view>
#include <tuple>

#include "spec/elements.h"

namespace sinew {

class Default : public Element, public mjsDefault {
 public:
  using PublicStruct = mjsDefault;
  static constexpr mjtObj kType = mjOBJ_DEFAULT;

  // A class starts as a copy of its parent as that is now; later changes of the parent do not reach it.
  explicit Default(const Default* from);
  Default(const Default&) = delete;

  Default* AddChild(std::string class_name);

  // This class or the one below it that has the name; null: none.
  Default* Find(std::string_view class_name);
  const Default* Find(std::string_view class_name) const { return const_cast<Default*>(this)->Find(class_name); }

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
  std::tuple<Joint, Geom, Site, Camera, Light, Flex, Mesh, Material, Pair, Equality, Tendon, Actuator> elements_;
};

// Whether elements of a kind start from a class.
template <class T>
inline constexpr bool kHasDefaults = requires(const Default& d) {
  d.Get<T>();
};

}  // namespace sinew

#endif  // SINEW_SPEC_DEFAULT_CLASS_H_
