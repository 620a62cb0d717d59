// Checks that bodies, joints, dofs and kinematic trees agree: all follow from the parents of the bodies and the types
// of their joints, and kinematics relies on each of them.
#include <mujoco/mujoco.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "model/files/validate.h"
#include "model/kinds/names.h"
#include "model/storage/check.h"
#include "model/view/joint_type.h"

namespace sinew::inline model {
namespace {

// Follows the bodies in their order, and compares what the model says of bodies, joints, dofs and trees with what
// follows from the parents of the bodies and the types of their joints.
class TreeWalk {
 public:
  explicit TreeWalk(const mjModel& m)
      : m_(m), last_dof_(static_cast<size_t>(m.nbody), kNone), trees_(static_cast<size_t>(m.ntree)) {}

  void CheckAll() {
    for (int b = 0; b < m_.nbody; ++b) CheckBody(b);
    for (size_t t = 0; t < trees_.size(); ++t) CheckTree(t);
    CheckCount("njnt", m_.njnt, joints_);
    CheckCount("nq", m_.nq, coordinates_);
    CheckCount("nv", m_.nv, dofs_);
    CheckCount("ngeom", m_.ngeom, geoms_);
    CheckCount("nmocap", m_.nmocap, mocaps_);
    CheckCount("ntree", m_.ntree, tree_count_);
  }

 private:
  struct Tree {
    int first_body, bodies, first_dof, dofs;
  };

  static void CheckCount(const char* name, mjtSize count, mjtSize found) {
    if (count != found) throw Error("Invalid model: " + std::string(name) + " is not what the bodies have");
  }

  // Depth first: the parent is the body before, or one of that one's ancestors.
  void CheckParent(int b) {
    if (b == 0) return CheckEqual("body_parentid", m_.body_parentid, 0, 0);
    const int parent = m_.body_parentid[b];
    int open = b - 1;
    while (open > parent) open = m_.body_parentid[open];
    if (open != parent) throw Error("Invalid model: bad body_parentid", "bodies are in depth-first order");
  }

  // Programs make mocap bodies their own, to have contacts between them; what hangs on these may stay the world's.
  void CheckWeld(int b, int parent) {
    const int weld = m_.body_weldid[b];
    const bool is_fixed = b > 0 && m_.body_jntnum[b] == 0 && last_dof_[static_cast<size_t>(parent)] == kNone;
    if (is_fixed && (weld == 0 || (weld == b && m_.body_mocapid[b] != kNone))) return;
    CheckEqual("body_weldid", m_.body_weldid, b, b == 0 || m_.body_jntnum[b] > 0 ? b : m_.body_weldid[parent]);
  }

  void CheckBody(int b) {
    CheckParent(b);
    const int parent = m_.body_parentid[b];
    CheckEqual("body_rootid", m_.body_rootid, b, parent == 0 ? b : m_.body_rootid[parent]);
    CheckWeld(b, parent);
    if (m_.body_mocapid[b] != kNone) CheckEqual("body_mocapid", m_.body_mocapid, b, mocaps_++);

    // joints, with their dofs
    int& last = last_dof_[static_cast<size_t>(b)];
    last = b == 0 ? kNone : last_dof_[static_cast<size_t>(parent)];
    const int first_dof = dofs_;
    if (m_.body_jntnum[b] > 0) CheckEqual("body_jntadr", m_.body_jntadr, b, joints_);
    for (int k = 0; k < m_.body_jntnum[b]; ++k) CheckJoint(b, &last);
    CheckEqual("body_dofnum", m_.body_dofnum, b, dofs_ - first_dof);
    if (dofs_ > first_dof) CheckEqual("body_dofadr", m_.body_dofadr, b, first_dof);

    // the tree whose dofs move it
    CheckEqual("body_treeid", m_.body_treeid, b, last == kNone ? kNone : m_.dof_treeid[last]);
    if (last != kNone) {
      Tree& tree = trees_[static_cast<size_t>(m_.body_treeid[b])];
      if (tree.bodies++ == 0) tree.first_body = b;
    }

    if (m_.body_geomnum[b] > 0) CheckEqual("body_geomadr", m_.body_geomadr, b, geoms_);
    for (int k = 0; k < m_.body_geomnum[b]; ++k) CheckEqual("geom_bodyid", m_.geom_bodyid, geoms_++, b);
  }

  // The dofs of a joint follow each other; `last` is the one above them.
  void CheckJoint(int b, int* last) {
    const int j = joints_++, type = m_.jnt_type[j];
    CheckEqual("jnt_bodyid", m_.jnt_bodyid, j, b);
    CheckEqual("jnt_qposadr", m_.jnt_qposadr, j, coordinates_);
    CheckEqual("jnt_dofadr", m_.jnt_dofadr, j, dofs_);
    CheckBlock("jnt_qposadr", m_.jnt_qposadr, j, PositionCount(type), m_.nq);
    CheckBlock("jnt_dofadr", m_.jnt_dofadr, j, DofCount(type), m_.nv);
    coordinates_ += PositionCount(type);
    for (int k = 0; k < DofCount(type); ++k) {
      const int dof = dofs_++;
      CheckEqual("dof_bodyid", m_.dof_bodyid, dof, b);
      CheckEqual("dof_jntid", m_.dof_jntid, dof, j);
      CheckEqual("dof_parentid", m_.dof_parentid, dof, *last);
      CountDof(dof);
      *last = dof;
    }
  }

  // A dof without parent begins a tree.
  void CountDof(int dof) {
    const bool begins = m_.dof_parentid[dof] == kNone;
    if (begins) ++tree_count_;
    CheckEqual("dof_treeid", m_.dof_treeid, dof, begins ? tree_count_ - 1 : m_.dof_treeid[m_.dof_parentid[dof]]);
    Tree& tree = trees_[static_cast<size_t>(m_.dof_treeid[dof])];
    if (tree.dofs++ == 0) tree.first_dof = dof;
  }

  void CheckTree(size_t t) {
    const auto index = static_cast<mjtSize>(t);
    CheckEqual("tree_bodyadr", m_.tree_bodyadr, index, trees_[t].first_body);
    CheckEqual("tree_bodynum", m_.tree_bodynum, index, trees_[t].bodies);
    CheckEqual("tree_dofadr", m_.tree_dofadr, index, trees_[t].first_dof);
    CheckEqual("tree_dofnum", m_.tree_dofnum, index, trees_[t].dofs);
  }

  const mjModel& m_;
  std::vector<int> last_dof_;  // that moves a body
  std::vector<Tree> trees_;
  int joints_ = 0, coordinates_ = 0, dofs_ = 0, geoms_ = 0, mocaps_ = 0, tree_count_ = 0;  // so far
};

void CheckTerminated(const char* array, const char* text, mjtSize size) {
  if (size > 0 && text[size - 1] != '\0') throw Error("Invalid model: " + std::string(array) + " is not terminated");
}

// Texts end inside their array; the hash table holds ids of the kind that its block is for.
void CheckTexts(const mjModel& m) {
  CheckTerminated("names", m.names, m.nnames);
  CheckTerminated("paths", m.paths, m.npaths);
  CheckTerminated("plugin_attr", m.plugin_attr, m.npluginattr);
  for (int i = 0; i < m.ntext; ++i) CheckTerminated("text_data", m.text_data + m.text_adr[i], m.text_size[i]);
  if (m.nnames_map != NamesMapSize(m)) throw Error("Invalid model: wrong size of names_map");
  const int* block = m.names_map;
  for (int type = 0; type < mjNOBJECT; ++type) {
    if (type == mjOBJ_XBODY) continue;  // shares the block of bodies
    const mjtSize count = ObjectCount(m, type);
    CheckValues("names_map", block, 2 * count, kNone, count);
    block += 2 * count;
  }
}

}  // namespace

void ValidateTree(const mjModel& m) {
  if (m.nbody < 1) throw Error("Invalid model: there is no world body");
  TreeWalk(m).CheckAll();
  CheckTexts(m);
}

}  // namespace sinew::inline model
