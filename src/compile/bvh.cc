#include "compile/bvh.h"

#include <algorithm>
#include <cmath>

#include "compile/rows.h"

namespace sinew {
namespace {

constexpr double kEps = 1e-14;  // lengths that differ by less are the same

struct Span {
  std::vector<BoxLeaf>::iterator begin, end;
};

// The box of all leaves; an axis without extent is widened.
void Enclose(const Span& leaves, Vec3<double>& lower, Vec3<double>& upper) {
  lower = leaves.begin->lower;
  upper = leaves.begin->upper;
  for (auto leaf = leaves.begin; leaf != leaves.end; ++leaf) {
    for (int i = 0; i < 3; ++i) {
      lower[i] = std::min(lower[i], leaf->lower[i]);
      upper[i] = std::max(upper[i], leaf->upper[i]);
    }
  }
  for (int i = 0; i < 3; ++i) {
    if (std::fabs(upper[i] - lower[i]) >= kEps) continue;
    lower[i] -= kEps;
    upper[i] += kEps;
  }
}

// The axis of the longest edge; a later one must be clearly longer.
int LongestAxis(const Vec3<double>& edges) {
  int axis = 0;
  for (int i = 1; i < 3; ++i) {
    if (edges[i] >= edges[axis] + kEps) axis = i;
  }
  return axis;
}

// Adds the node of a span and, before returning, all below it.
int AddNode(const Span& leaves, int depth, BodyTree& tree) {
  const int id = static_cast<int>(tree.nodes.size());
  Vec3<double> lower, upper;
  Enclose(leaves, lower, upper);
  tree.nodes.push_back({depth, {-1, -1}, -1, {(lower + upper) * 0.5, (upper - lower) * 0.5}});
  const auto count = leaves.end - leaves.begin;
  if (count == 1) {
    tree.nodes.back().object = leaves.begin->object;
    return id;
  }
  const int axis = LongestAxis(upper - lower);
  std::stable_sort(leaves.begin, leaves.end, [axis](const BoxLeaf& a, const BoxLeaf& b) {
    const double gap = b.center[axis] - a.center[axis];
    return std::fabs(gap) > kEps ? gap > 0 : a.object < b.object;
  });
  const auto middle = leaves.begin + count / 2;
  const int left = AddNode({leaves.begin, middle}, depth + 1, tree);
  const int right = AddNode({middle, leaves.end}, depth + 1, tree);
  tree.nodes[static_cast<size_t>(id)].child[0] = left;
  tree.nodes[static_cast<size_t>(id)].child[1] = right;
  return id;
}

// A geom in the inertial frame of its body: the box around the eight corners of its own box.
BoxLeaf MakeLeaf(const GeomDraft& geom, const Pose& inertial) {
  const Pose pose = Inverse(inertial) * geom.pose;
  const Mat3<double> R = ToMat3(pose.quat);
  BoxLeaf leaf = {geom.source->id, {}, {}, pose.pos};
  const Vec3<double> center = pose.pos + R * geom.box.center;
  for (int i = 0; i < 3; ++i) {
    double reach = 0;
    for (int j = 0; j < 3; ++j) reach += std::fabs(R(i, j)) * geom.box.half[j];
    leaf.lower[i] = center[i] - reach;
    leaf.upper[i] = center[i] + reach;
  }
  return leaf;
}

}  // namespace

BodyTree BuildTree(std::vector<BoxLeaf> leaves) {
  BodyTree tree;
  if (!leaves.empty()) AddNode({leaves.begin(), leaves.end()}, 0, tree);
  return tree;
}

std::vector<BodyTree> BuildBodyTrees(const Draft& draft) {
  std::vector<BodyTree> trees;
  for (const BodyDraft& body : draft.bodies) {
    std::vector<BoxLeaf> leaves;
    for (const GeomDraft& geom : body.geoms) {
      if (geom.source->contype == 0 && geom.source->conaffinity == 0) continue;
      leaves.push_back(MakeLeaf(geom, body.inertial.frame));
    }
    trees.push_back(BuildTree(std::move(leaves)));
  }
  return trees;
}

void WriteBodyTrees(const std::vector<BodyTree>& trees, mjModel* m) {
  int adr = 0;
  for (int body = 0; body < m->nbody; ++body) {
    const BodyTree& tree = trees[static_cast<size_t>(body)];
    m->body_bvhadr[body] = tree.nodes.empty() ? -1 : adr;
    m->body_bvhnum[body] = static_cast<int>(tree.nodes.size());
    for (const BoxNode& node : tree.nodes) {
      m->bvh_depth[adr] = node.depth;
      PutRow(m->bvh_child, adr, node.child);
      m->bvh_nodeid[adr] = node.object;
      PutRow(m->bvh_aabb, 2 * adr, node.box.center);
      PutRow(m->bvh_aabb, 2 * adr + 1, node.box.half);
      ++adr;
    }
  }
}

}  // namespace sinew
