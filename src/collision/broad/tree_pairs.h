// Trees of bounding boxes, one against the other: those of bodies, whose leaves hold geoms, and of flexes, which are
// numbered behind the bodies and whose leaves hold elements.
//
// The pairs of nodes stand in a queue: roots first, then the children of those that overlap. So the boxes of four pairs
// are compared at once, of whatever bodies they are.
#ifndef SINEW_COLLISION_BROAD_TREE_PAIRS_H_
#define SINEW_COLLISION_BROAD_TREE_PAIRS_H_

#include <mujoco/mujoco.h>

#include "collision/broad/box_test.h"
#include "collision/broad/filter.h"
#include "collision/broad/world_planes.h"
#include "collision/stack_list.h"
#include "math/sort.h"
#include "model/kinds/bvh.h"

namespace sinew::inline collision {

class TreePairs {
 public:
  // The frame must outlive the object.
  TreePairs(const mjModel* m, mjData* d, StackFrame& frame)
      : m_(m), d_(d), queue_(frame), top_(frame), plane_leaves_(frame), planes_(frame) {}

  // Appends a pair of bodies by its index in a list of pairs. add_leaves(leaf1, leaf2, index) is called for two leaves.
  template <class AddLeaves>
  void Add(uint32_t pair, int index, const AddLeaves& add_leaves);

  // Descends where boxes overlap. Calls add_leaves(leaf1, leaf2, index) for pairs of leaves whose parents do.
  template <class AddLeaves>
  void Descend(const uint32_t* pairs, const AddLeaves& add_leaves);

 private:
  // Nodes are numbered through all trees.
  struct NodePair {
    int node1, node2;
    int index;  // of the pair of bodies
  };

  bool IsLeaf(int node) const { return IsBvhLeaf(m_, node); }
  const double* Box(int node) const { return NodeBox(m_, d_, node); }
  int Root(int body) const { return body < m_->nbody ? m_->body_bvhadr[body] : m_->flex_bvhadr[body - m_->nbody]; }

  template <class AddLeaves>
  void AddNodes(int node1, int node2, int index, const AddLeaves& add_leaves) {
    if (IsLeaf(node1) && IsLeaf(node2)) {
      add_leaves(node1, node2, index);
    } else {
      queue_.Add({node1, node2, index});
    }
  }

  // Calls visit(child) for the children of a node.
  template <class Visit>
  void ForEachChild(int root, int node, const Visit& visit) const {
    for (int i = 0; i < 2; ++i) {
      if (const int child = m_->bvh_child[2 * node + i]; child >= 0) visit(root + child);
    }
  }

  void Mark(int node) {
    if (m_->vis.global.bvactive) d_->bvh_active[node] = 1;
  }

  // Nodes of the world's tree below those that hold everything, as the planes of the ground and of walls make them: no
  // body needs to be compared with these. Leaves of planes stand in a list of their own, too.
  void CollectTopOfWorld(int node) {
    if (IsLeaf(node) && m_->geom_type[m_->bvh_nodeid[node]] == mjGEOM_PLANE) {
      plane_leaves_.Add(node);
    } else if (IsLeaf(node) || !HoldsEverything(Box(node))) {
      top_.Add(node);
    } else {
      Mark(node);
      is_top_root_ = false;
      ForEachChild(m_->body_bvhadr[0], node, [this](int child) { CollectTopOfWorld(child); });
    }
  }

  // Planes are added by the numbers of their geoms, the order of contacts.
  void CollectWorld(int root) {
    is_collected_ = true;
    CollectTopOfWorld(root);
    Sort(plane_leaves_.begin(), plane_leaves_.size(),
         [this](int a, int b) { return m_->bvh_nodeid[a] < m_->bvh_nodeid[b]; });
    for (const int leaf : plane_leaves_) planes_.Add(m_, d_, m_->bvh_nodeid[leaf], leaf);
  }

  // Measures a node for the order of descent. The order changes no contact, but it decides which nodes are marked for
  // visualization; MuJoCo 3.8.0 takes centre and half size for the corners of the box here.
  static double Extent(const double* box) {
    const double x = box[3] - box[0], y = box[4] - box[1], z = box[5] - box[2];
    return x * y + y * z + z * x;
  }

  template <class AddLeaves>
  void Expand(NodePair pair, uint32_t bodies, const AddLeaves& add_leaves);

  const mjModel* m_;
  mjData* d_;
  StackList<NodePair> queue_;

  // of the world's tree
  bool is_collected_ = false, is_top_root_ = true;
  StackList<int> top_, plane_leaves_;
  WorldPlanes planes_;
};

template <class AddLeaves>
void TreePairs::Add(uint32_t pair, int index, const AddLeaves& add_leaves) {
  const int body1 = LowBodyOf(pair), root1 = Root(body1), root2 = Root(HighBodyOf(pair));
  if (body1 > 0) return AddNodes(root1, root2, index, add_leaves);
  if (!is_collected_) CollectWorld(root1);
  if (!is_top_root_) Mark(root2);  // nodes that hold everything overlap with it
  if (IsLeaf(root2)) {
    planes_.ForEachNear(m_, d_, m_->bvh_nodeid[root2], [&](int leaf) { add_leaves(leaf, root2, index); });
  } else {
    for (const int leaf : plane_leaves_) AddNodes(leaf, root2, index, add_leaves);
  }
  for (const int node : top_) AddNodes(node, root2, index, add_leaves);
}

// Descends into the second of two inner nodes unless it is the smaller one.
template <class AddLeaves>
void TreePairs::Expand(NodePair pair, uint32_t bodies, const AddLeaves& add_leaves) {
  const int node1 = pair.node1, node2 = pair.node2, index = pair.index;
  Mark(node1);
  Mark(node2);
  if (IsLeaf(node1) || (!IsLeaf(node2) && Extent(Box(node2)) >= Extent(Box(node1)))) {
    ForEachChild(Root(HighBodyOf(bodies)), node2, [&](int child) { AddNodes(node1, child, index, add_leaves); });
  } else {
    ForEachChild(Root(LowBodyOf(bodies)), node1, [&](int child) { AddNodes(child, node2, index, add_leaves); });
  }
}

template <class AddLeaves>
void TreePairs::Descend(const uint32_t* pairs, const AddLeaves& add_leaves) {
  for (int begin = 0; begin < queue_.size();) {
    const int end = queue_.size();  // expanding appends to the queue
    CompareInFours(
        end - begin,
        [&](int i, BoxSource& box1, BoxSource& box2, double& margin) {
          const auto [node1, node2, index] = queue_[begin + i];
          const int body1 = LowBodyOf(pairs[index]), body2 = HighBodyOf(pairs[index]);
          box1 = BoxOfNode(m_, d_, body1, node1);
          box2 = BoxOfNode(m_, d_, body2, node2);
          margin = BodyPairMargin(m_, body1, body2);
        },
        [&](int i, bool overlap) {
          const NodePair pair = queue_[begin + i];
          if (overlap) Expand(pair, pairs[pair.index], add_leaves);
        });
    begin = end;
  }
}

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_BROAD_TREE_PAIRS_H_
