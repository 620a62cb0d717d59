// Who moves whom: addresses of joints and dofs, kinematic trees, simple bodies, and the sparsity of Jacobians. Nothing
// here depends on numbers of the model, except whether axes and frames are aligned.
#include "compile/topology/topology.h"

#include <algorithm>
#include <cmath>

#include "compile/topology/relations.h"
#include "compile/topology/same_frame.h"
#include "compile/topology/sparsity.h"
#include "compile/tree/joint.h"

namespace sinew::inline compile {
namespace {

constexpr double kAxisEps = 1e-14;  // below it, a component of an axis is zero

// ---- bodies and dofs

// Whether an axis is along a coordinate axis.
bool IsAligned(const Vec3<double>& axis) {
  int nonzero = 0;
  for (int i = 0; i < 3; ++i) nonzero += std::fabs(axis[i]) > kAxisEps;
  return nonzero == 1;
}

// Whether the joints of a body leave its block of the inertia matrix diagonal in every configuration: anchors in the
// centre of mass, axes along the principal axes, no joint that turns with an earlier one.
bool HasSimpleJoints(const BodyDraft& body) {
  bool after_rotation = false;
  for (const JointDraft& joint : body.joints) {
    const mjtJoint type = joint.source->type;
    if (after_rotation || !joint.motion.empty() || !SamePosition(joint.pos, {0, 0, 0})) return false;
    if ((type == mjJNT_HINGE || type == mjJNT_SLIDE) && !IsAligned(joint.axis)) return false;
    after_rotation = type == mjJNT_HINGE || type == mjJNT_BALL;
  }
  return true;
}

// Such a body translates only: its inverse inertia is 1/m in every configuration.
bool HasOnlySlides(const BodyDraft& body) {
  return !body.joints.empty() && std::all_of(body.joints.begin(), body.joints.end(),
                                             [](const JointDraft& joint) { return joint.source->type == mjJNT_SLIDE; });
}

// Appends the dofs of a body. The chain continues inside the body; a dof without parent starts a tree.
void AddJoints(const BodyDraft& body, int body_id, int& joint_id, Topology& t) {
  Topology::BodyEntry& entry = t.bodies[static_cast<size_t>(body_id)];
  for (const JointDraft& joint : body.joints) {
    const mjtJoint type = joint.source->type;
    t.nq += PositionCount(type);
    for (int i = 0; i < DofCount(type); ++i) {
      const int parent = entry.last_dof;
      entry.last_dof = t.nv();
      if (parent < 0) t.trees.push_back({body_id, 0, t.nv(), 0});
      const int tree = static_cast<int>(t.trees.size()) - 1;
      t.dofs.push_back({body_id, joint_id, parent, tree, 0, 0, 0, 0});
    }
    ++joint_id;
  }
}

// Parents come first, so that a body finds the last dof and the root of its parent.
void AddBodies(const Draft& draft, Topology& t) {
  int joint_id = 0, geom_id = 0;
  for (int id = 0; id < static_cast<int>(draft.bodies.size()); ++id) {
    const BodyDraft& body = draft.bodies[static_cast<size_t>(id)];
    Topology::BodyEntry entry = {};
    entry.root = body.parent == 0 ? id : t.bodies[static_cast<size_t>(body.parent)].root;
    entry.mocap = body.source->mocap ? t.nmocap++ : -1;
    entry.jntadr = body.joints.empty() ? -1 : joint_id;
    entry.dofadr = body.joints.empty() ? -1 : t.nv();
    entry.geomadr = body.geoms.empty() ? -1 : geom_id;
    entry.sameframe = InertialFrameKind(body.inertial.frame);
    entry.last_dof = id == 0 ? -1 : t.bodies[static_cast<size_t>(body.parent)].last_dof;
    t.bodies.push_back(entry);
    AddJoints(body, id, joint_id, t);
    t.bodies.back().dofnum = t.nv() - (body.joints.empty() ? t.nv() : t.bodies.back().dofadr);
    geom_id += static_cast<int>(body.geoms.size());
  }
}

// A body belongs to the tree of the dofs that move it; bodies welded to the world to none.
void AssignTrees(const Draft& draft, Topology& t) {
  for (size_t id = 0; id < t.bodies.size(); ++id) {
    const Topology::BodyEntry& weld = t.bodies[static_cast<size_t>(draft.bodies[id].weld)];
    t.bodies[id].tree = weld.dofnum > 0 ? t.dofs[static_cast<size_t>(weld.dofadr)].tree : -1;
    if (t.bodies[id].tree < 0) continue;
    Topology::TreeEntry& tree = t.trees[static_cast<size_t>(t.bodies[id].tree)];
    if (tree.bodynum++ == 0) tree.bodyadr = static_cast<int>(id);
  }
  for (const Topology::DofEntry& dof : t.dofs) ++t.trees[static_cast<size_t>(dof.tree)].dofnum;
}

// ---- simple bodies

// A body is simple when its dofs have a diagonal block of the inertia matrix, which needs the inertial frame to be that
// of the body, and no moving ancestor or descendant.
void FindSimpleBodies(const Draft& draft, Topology& t) {
  for (size_t id = 0; id < t.bodies.size(); ++id) {
    const BodyDraft& body = draft.bodies[id];
    const auto parent = static_cast<size_t>(body.parent);
    const bool near_world = parent == 0 || (draft.bodies[parent].parent == 0 && t.bodies[parent].dofnum == 0);
    const bool simple = t.bodies[id].sameframe == mjSAMEFRAME_BODY && near_world && HasSimpleJoints(body);
    t.bodies[id].simple = !simple ? 0 : HasOnlySlides(body) ? 2 : 1;
    if (parent != 0) t.bodies[parent].simple = 0;
  }
  // The inertia of a spatial tendon couples the bodies on its path.
  for (const TendonDraft& tendon : draft.tendons) {
    if (tendon.source->armature == 0 || IsFixed(tendon)) continue;
    for (int body : PathBodies(draft, tendon)) t.bodies[static_cast<size_t>(body)].simple = 0;
  }
}

// Runs let the solvers treat neighboring simple dofs as one diagonal block.
void CountSimpleRuns(Topology& t) {
  for (int i = t.nv() - 1; i >= 0; --i) {
    Topology::DofEntry& dof = t.dofs[static_cast<size_t>(i)];
    if (t.bodies[static_cast<size_t>(dof.body)].simple == 0) continue;
    dof.simplenum = 1 + (i + 1 < t.nv() ? t.dofs[static_cast<size_t>(i) + 1].simplenum : 0);
  }
}

// ---- tendons and actuators

// Both lists ascend.
std::vector<int> Union(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

// Columns of a tendon's Jacobian: the dofs of its joints, or all dofs that move something on its path.
std::vector<int> TendonColumns(const Draft& draft, const Topology& t, const TendonDraft& tendon) {
  std::vector<int> columns;
  if (IsFixed(tendon)) {
    for (const WrapDraft& wrap : tendon.path) columns.push_back(JointDof(draft, t, wrap.objid));
    std::sort(columns.begin(), columns.end());
    return columns;
  }
  for (int body : PathBodies(draft, tendon)) columns = Union(columns, t.Chain(body));
  return columns;
}

// Patterns, and the trees that a tendon ties together (the first two in its order, for islands).
void AddTendons(const Draft& draft, Topology& t) {
  for (const TendonDraft& tendon : draft.tendons) {
    t.tendon_jacobian.AddRow(TendonColumns(draft, t, tendon));
    Topology::TendonEntry entry = {0, {-1, -1}};
    std::vector<int> seen;
    for (int body : PathBodies(draft, tendon)) {
      const int tree = t.bodies[static_cast<size_t>(body)].tree;
      if (tree < 0 || std::find(seen.begin(), seen.end(), tree) != seen.end()) continue;
      if (entry.treenum < 2) entry.treeid[entry.treenum] = tree;
      ++entry.treenum;
      seen.push_back(tree);
    }
    t.tendons.push_back(entry);
  }
}

// Dofs that move one of two bodies, or both when `with_common`.
int PairCount(const Topology& t, int body1, int body2, bool with_common) {
  const std::vector<int> chain1 = t.Chain(body1), chain2 = t.Chain(body2);
  std::vector<int> result;
  if (with_common) return static_cast<int>(Union(chain1, chain2).size());
  std::set_symmetric_difference(chain1.begin(), chain1.end(), chain2.begin(), chain2.end(), std::back_inserter(result));
  return static_cast<int>(result.size());
}

// Bound of the nonzeros in an actuator's row of the moment matrix.
int MomentCount(const Draft& draft, const Topology& t, const ActuatorDraft& actuator) {
  const int target = actuator.trnid[0], other = actuator.trnid[1];
  switch (actuator.trntype) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return DofCount(FindJoint(draft, target).source->type);
    case mjTRN_TENDON:
      return t.tendon_jacobian.rownnz[static_cast<size_t>(target)];
    case mjTRN_SLIDERCRANK:
      return PairCount(t, SiteBody(draft, target), SiteBody(draft, other), true);
    case mjTRN_SITE:
      return PairCount(t, SiteBody(draft, target), other < 0 ? 0 : SiteBody(draft, other), false);
    default:
      return t.nv();
  }
}

}  // namespace

void SparsePattern::AddRow(const std::vector<int>& columns) {
  rowadr.push_back(count());
  rownnz.push_back(static_cast<int>(columns.size()));
  colind.insert(colind.end(), columns.begin(), columns.end());
}

std::vector<int> Topology::Chain(int body) const {
  std::vector<int> chain;
  for (int i = bodies[static_cast<size_t>(body)].last_dof; i >= 0; i = dofs[static_cast<size_t>(i)].parent) {
    chain.push_back(i);
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

// Each step uses what those before it have found.
Topology FindTopology(const Draft& draft) {
  Topology t;
  AddBodies(draft, t);
  AssignTrees(draft, t);
  FindSimpleBodies(draft, t);
  CountSimpleRuns(t);
  CountPatterns(draft, t);
  AddTendons(draft, t);
  AddFlexes(draft, t);
  for (const ActuatorDraft& actuator : draft.actuators) t.nJmom += MomentCount(draft, t, actuator);
  return t;
}

}  // namespace sinew::inline compile
