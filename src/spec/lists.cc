#include "spec/lists.h"

#include <cstdint>
#include <string>

#include "core/error.h"
#include "model/storage/error_control.h"

namespace sinew::inline spec {

void CheckLists(const Skin& skin) {
  const size_t count = skin.bodyname->size();
  if (skin.bindpos->size() != 3 * count || skin.bindquat->size() != 4 * count || skin.vertid->size() != count ||
      skin.vertweight->size() != count) {
    throw Error("the lists of the skin's bones have different lengths",
                "give bindpos, bindquat, vertid and vertweight for every body");
  }
  for (size_t i = 0; i < count; ++i) {
    if ((*skin.vertid)[i].size() != (*skin.vertweight)[i].size()) {
      throw Error("bone " + std::to_string(i) + " of the skin has " + std::to_string((*skin.vertid)[i].size()) +
                      " vertices and " + std::to_string((*skin.vertweight)[i].size()) + " weights",
                  "give a weight for every vertex");
    }
  }
}

void CheckLists(const Tuple& tuple) {
  const size_t count = tuple.objtype->size();
  if (tuple.objname->size() != count || tuple.objprm->size() != count) {
    throw Error("types, names and parameters of a tuple differ in number", "give one of each for every object");
  }
}

void CheckLists(const Numeric& numeric) {
  if (numeric.size < 0 || (numeric.size > 0 && static_cast<size_t>(numeric.size) < numeric.data->size())) {
    throw Error("size is smaller than the number of data", "enlarge it, or remove it");
  }
  if (numeric.name == kErrorControlArray && numeric.data->size() != kErrorControlNumbers) {
    throw Error("an accuracy has four numbers", "use the option element");
  }
  if (numeric.name == kContactOptionArray && numeric.data->size() != kContactOptions) {
    throw Error("the options of contacts are two numbers", "use the option element");
  }
  if (numeric.name == kStickOptionArray && numeric.data->size() != kStickHead) {
    throw Error("the options of stick are two numbers", "use the option element");
  }
}

bool IsOfOption(const Numeric& numeric) {
  return numeric.name == kErrorControlArray || numeric.name == kContactOptionArray || numeric.name == kStickOptionArray;
}

void CheckLists(const HField& hfield) {
  if (hfield.userdata->empty()) return;
  const int64_t count = int64_t{hfield.nrow} * hfield.ncol;
  if (hfield.nrow <= 0 || hfield.ncol <= 0 || static_cast<int64_t>(hfield.userdata->size()) != count) {
    throw Error("elevation data length must match nrow*ncol", "give " + std::to_string(hfield.nrow) + " times " +
                                                                  std::to_string(hfield.ncol) + " numbers instead of " +
                                                                  std::to_string(hfield.userdata->size()));
  }
}

}  // namespace sinew::inline spec
