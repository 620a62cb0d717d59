// Walks a ray through a hierarchy of boxes: mjModel's bvh_* arrays, of bodies over their geoms and of meshes over their
// faces.
//
// The test of a box is that of its three slabs (T. Kay, J. Kajiya, Ray tracing complex scenes, SIGGRAPH 1986): the
// intervals of x in which the ray is between two opposite planes must have a point in common.
#ifndef SINEW_COLLISION_RAY_RAY_TREE_H_
#define SINEW_COLLISION_RAY_RAY_TREE_H_

#include <mujoco/mujoco.h>

#include <cmath>
#include <utility>

#include "collision/ray/ray_geom.h"
#include "model/kinds/bvh.h"

namespace sinew::inline collision {

class RayTree {
 public:
  // `ray` is in the frame of the boxes.
  RayTree(const mjModel* m, int root, const Ray& ray)
      : m_(m),
        root_(root),
        point_(ray.point),
        inverse_{1 / ray.direction.x, 1 / ray.direction.y, 1 / ray.direction.z} {}

  // Calls leaf(id) for the leaves whose boxes the ray meets at an x of at most `reach`, which the calls may lower. Of
  // two children, the one that the ray enters first comes first.
  template <class Leaf>
  void Visit(const double& reach, Leaf&& leaf) const {
    if (Entry(0) <= reach) Descend(0, reach, leaf);
  }

 private:
  template <class Leaf>
  void Descend(int node, const double& reach, Leaf& leaf) const {
    const ptrdiff_t at = root_ + node;
    if (IsBvhLeaf(m_, at)) return leaf(m_->bvh_nodeid[at]);
    int first = m_->bvh_child[2 * at], second = m_->bvh_child[2 * at + 1];
    double entry1 = first < 0 ? kInfinity : Entry(first), entry2 = second < 0 ? kInfinity : Entry(second);
    if (entry2 < entry1) {
      std::swap(first, second);
      std::swap(entry1, entry2);
    }
    if (entry1 < kInfinity && entry1 <= reach) Descend(first, reach, leaf);
    if (entry2 < kInfinity && entry2 <= reach) Descend(second, reach, leaf);
  }

  // The x at which the ray enters a node's box, 0 from inside; infinite when it misses it. A direction parallel to a
  // slab gives infinite ends; 0 * infinity, on its very border, gives NaN, which the comparisons below pass over.
  double Entry(int node) const {
    const double* box = m_->bvh_aabb + 6 * static_cast<ptrdiff_t>(root_ + node);
    double enter = 0, leave = kInfinity;
    for (int k = 0; k < 3; ++k) {
      const double offset = box[k] - point_[k], half = box[3 + k] + kSlack * (box[3 + k] + std::fabs(offset));
      const double x1 = (offset - half) * inverse_[k], x2 = (offset + half) * inverse_[k];
      const double near = x1 < x2 ? x1 : x2, far = x1 < x2 ? x2 : x1;
      enter = near > enter ? near : enter;
      leave = far < leave ? far : leave;
    }
    return enter <= leave ? enter : kInfinity;
  }

  static constexpr double kSlack = 1e-12;  // rounding of boxes and rays: nothing on a box's border is lost

  const mjModel* m_;
  int root_;
  Vec3<double> point_, inverse_;
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_RAY_RAY_TREE_H_
