// Trees of bounding boxes over triangles, or over the shapes of a scene.
#ifndef SINEW_RENDER_RAYS_TREE_H_
#define SINEW_RENDER_RAYS_TREE_H_

#include <cstdint>
#include <vector>

namespace sinew::inline render::rays {

// Children of an inner node are at first and first + 1; a leaf has `count` entries of the order from `first`.
struct RayNode {
  float low[3];
  int first;
  float high[3];
  int count;  // 0: inner
  int axis;   // along which the children of an inner node lie apart, the lower one first
};

struct RayBox {
  float low[3], high[3];
};

struct RayTree {
  std::vector<RayNode> nodes;  // the root first; empty for nothing
  std::vector<int> order;      // numbers of the boxes, leaf by leaf
};

inline constexpr int kRayTreeDepth = 48;  // bound of the depth: from there on, halves of equal count

// Splits at the middle of the centres, or by the surface area heuristic where there are many boxes (I. Wald, On fast
// construction of SAH-based bounding volume hierarchies, 2007: bins). `most` is the number of entries of a leaf.
void BuildTree(const std::vector<RayBox>& boxes, int most, RayTree& tree);

}  // namespace sinew::inline render::rays

#endif  // SINEW_RENDER_RAYS_TREE_H_
