// Scenes name meshes by nodes, as often as they like: a small file can contain any number of triangles.
#ifndef SINEW_ASSETS_SCENE_BUDGET_H_
#define SINEW_ASSETS_SCENE_BUDGET_H_

#include <cstddef>
#include <string>

#include "core/error.h"

namespace sinew::inline assets {

// The limits of a scene's nodes and depth, checked before these are made.
class SceneBudget {
 public:
  void TakeNode(int depth) {
    constexpr int kMaxNodes = 100'000, kMaxDepth = 500;
    if (++nodes_ > kMaxNodes) Refuse("more than " + std::to_string(kMaxNodes) + " nodes");
    if (depth > kMaxDepth) Refuse("nodes nested more than " + std::to_string(kMaxDepth) + " deep");
  }
  // An element of a node, as a shape that it names: nodes that stand in several places are gone through as often.
  void TakeElement() {
    constexpr int kMaxElements = 10'000'000;
    if (++elements_ > kMaxElements) Refuse("more than " + std::to_string(kMaxElements) + " elements");
  }
  void TakeCorners(size_t count) {
    constexpr size_t kMaxCorners = 15'000'000;
    if (count > kMaxCorners - corners_) Refuse("more than " + std::to_string(kMaxCorners / 3) + " triangles");
    corners_ += count;
  }

 private:
  [[noreturn]] static void Refuse(const std::string& what) {
    throw Error("the scene in the file has " + what, "save its parts as files of their own");
  }
  int nodes_ = 0, elements_ = 0;
  size_t corners_ = 0;
};

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_SCENE_BUDGET_H_
