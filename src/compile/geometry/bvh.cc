// Trees of boxes over the geoms of each body, and how all trees are written to the model: those of bodies, of meshes,
// then of flexes, whose boxes move and so are in mjData.
#include "compile/geometry/bvh.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compile/rows.h"

namespace sinew::inline compile {
namespace {

// The leaf of a geom, in the inertial frame of its body.
BoxLeaf MakeLeaf(const GeomDraft& geom, int object, const Pose& inertial) {
  const Pose pose = Inverse(inertial) * geom.pose;
  return {object, BoxAround(pose, geom.box), pose.pos};
}

// The tree of a body; its objects are places in the body's list of geoms.
BoxTree BuildBodyTree(const BodyDraft& body) {
  std::vector<BoxLeaf> leaves;
  for (size_t i = 0; i < body.geoms.size(); ++i) {
    const GeomDraft& geom = body.geoms[i];
    if (geom.source->contype == 0 && geom.source->conaffinity == 0) continue;
    leaves.push_back(MakeLeaf(geom, static_cast<int>(i), body.inertial.frame));
  }
  return BuildTree(std::move(leaves));
}

// Appends a tree to those of the model; returns its address. Boxes of trees that change in simulation are in mjData.
int AppendTree(const BoxTree& tree, int& end, mjModel* m) {
  const int adr = end;
  for (const BoxNode& node : tree.nodes) {
    m->bvh_depth[end] = node.depth;
    PutRow(m->bvh_child, end, node.child);
    m->bvh_nodeid[end] = node.object;
    if (end >= m->nbvhstatic) {
      ++end;
      continue;
    }
    PutRow(m->bvh_aabb, 2 * end, node.box.center);
    PutRow(m->bvh_aabb, 2 * end + 1, node.box.half);
    ++end;
  }
  return tree.nodes.empty() ? -1 : adr;
}

}  // namespace

void RememberLeaves(BodyDraft& body) {
  const BoxTree tree = BuildBodyTree(body);
  body.past_leaves.resize(std::max(body.past_leaves.size(), tree.nodes.size()));
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    const int object = tree.nodes[i].object;
    if (object >= 0) body.past_leaves[i] = body.geoms[static_cast<size_t>(object)].source;
  }
}

// Nodes of the tree are numbered within the body; the ids of leaves are those of geoms.
std::vector<BoxTree> BuildBodyTrees(const Draft& draft) {
  std::vector<BoxTree> trees;
  for (const BodyDraft& body : draft.bodies) {
    BoxTree tree = BuildBodyTree(body);
    for (size_t i = 0; i < tree.nodes.size(); ++i) {
      int& object = tree.nodes[i].object;
      const Geom* past = i < body.past_leaves.size() ? body.past_leaves[i] : nullptr;
      if (object >= 0) {
        object = body.geoms[static_cast<size_t>(object)].source->id;
      } else if (past != nullptr) {
        object = past->id;
      }
    }
    trees.push_back(std::move(tree));
  }
  return trees;
}

void WriteTrees(const std::vector<BoxTree>& body_trees, const Draft& draft, mjModel* m) {
  int end = 0;
  for (int body = 0; body < m->nbody; ++body) {
    const BoxTree& tree = body_trees[static_cast<size_t>(body)];
    m->body_bvhadr[body] = AppendTree(tree, end, m);
    m->body_bvhnum[body] = static_cast<int>(tree.nodes.size());
  }
  for (int mesh = 0; mesh < m->nmesh; ++mesh) {
    const BoxTree& tree = draft.meshes[static_cast<size_t>(mesh)].tree;
    m->mesh_bvhadr[mesh] = AppendTree(tree, end, m);
    m->mesh_bvhnum[mesh] = static_cast<int>(tree.nodes.size());
  }
  end = static_cast<int>(m->nbvhstatic);
  for (int flex = 0; flex < m->nflex; ++flex) {
    const BoxTree& tree = draft.flexes[static_cast<size_t>(flex)].tree;
    m->flex_bvhadr[flex] = AppendTree(tree, end, m);
    m->flex_bvhnum[flex] = static_cast<int>(tree.nodes.size());
  }
}

}  // namespace sinew::inline compile
