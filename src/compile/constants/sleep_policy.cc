// Which trees may fall asleep. A tree sleeps alone when nothing outside of it can move it without notice:
//
//     user's policy ──> on the first body of a tree; never, allowed, init
//     auto          ──> never for trees with an actuator, or tied to other trees by a tendon; else allowed
#include "compile/constants/sleep_policy.h"

#include <algorithm>
#include <vector>

#include "compile/diagnose.h"
#include "model/view/wrap_types.h"

namespace sinew::inline compile {
namespace {

// The trees that one object moves or holds.
class Trees {
 public:
  explicit Trees(const mjModel* m)
      : m_(m), driven_(static_cast<size_t>(m->ntree)), tied_(static_cast<size_t>(m->ntree)) {}

  // An actuator drives a tree; a tendon with a force of its own ties trees together.
  void DriveBody(int body) { Mark(driven_, m_->body_treeid[body]); }
  void DriveTendon(int tendon) { MarkTendon(driven_, tendon); }
  void TieTendon(int tendon) { MarkTendon(tied_, tendon); }

  bool driven(int tree) const { return driven_[static_cast<size_t>(tree)]; }
  bool tied(int tree) const { return tied_[static_cast<size_t>(tree)]; }

 private:
  static void Mark(std::vector<bool>& set, int tree) {
    if (tree >= 0) set[static_cast<size_t>(tree)] = true;
  }
  void MarkTendon(std::vector<bool>& set, int tendon) {
    for (int w = m_->tendon_adr[tendon]; w < m_->tendon_adr[tendon] + m_->tendon_num[tendon]; ++w) {
      const int object = m_->wrap_objid[w];
      if (m_->wrap_type[w] == mjWRAP_JOINT) Mark(set, m_->body_treeid[m_->jnt_bodyid[object]]);
      if (m_->wrap_type[w] == mjWRAP_SITE) Mark(set, m_->body_treeid[m_->site_bodyid[object]]);
      if (IsWrapGeom(m_->wrap_type[w])) Mark(set, m_->body_treeid[m_->geom_bodyid[object]]);
    }
  }

  const mjModel* m_;
  std::vector<bool> driven_, tied_;
};

// Marks the trees that an actuator moves; a slider-crank moves the tree of its crank.
void DriveTarget(const mjModel* m, int actuator, Trees& trees) {
  const int target = m->actuator_trnid[2 * actuator];
  switch (m->actuator_trntype[actuator]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return trees.DriveBody(m->jnt_bodyid[target]);
    case mjTRN_TENDON:
      return trees.DriveTendon(target);
    case mjTRN_BODY:
      return trees.DriveBody(target);
    default:
      return trees.DriveBody(m->site_bodyid[target]);
  }
}

// Whether a tendon keeps the trees that it touches awake: their motions depend on each other.
bool Ties(const mjModel* m, int tendon) {
  const auto any = [](const mjtNum* begin, int count) {
    return std::any_of(begin, begin + count, [](mjtNum x) { return x != 0; });
  };
  if (m->tendon_treenum[tendon] < 2) return false;
  return m->tendon_treenum[tendon] > 2 || m->tendon_stiffness[tendon] != 0 || m->tendon_damping[tendon] != 0 ||
         any(m->tendon_stiffnesspoly + mjNPOLY * tendon, mjNPOLY) ||
         any(m->tendon_dampingpoly + mjNPOLY * tendon, mjNPOLY) || m->tendon_actuatorid[tendon] != -1;
}

// Trees that actuators, tendons and flexes move are collected for the whole model at once: a tendon can touch many.
Trees FindTrees(const mjModel* m) {
  Trees trees(m);
  for (int i = 0; i < m->nu; ++i) DriveTarget(m, i, trees);
  for (int i = 0; i < m->ntendon; ++i) {
    if (Ties(m, i)) trees.TieTendon(i);
  }
  // Trees with bodies of a flex never sleep by themselves.
  for (int v = 0; v < m->nflexvert; ++v) {
    if (m->flex_vertbodyid[v] >= 0) trees.DriveBody(m->flex_vertbodyid[v]);
  }
  for (int n = 0; n < m->nflexnode; ++n) trees.DriveBody(m->flex_nodebodyid[n]);
  return trees;
}

// A policy is an error anywhere but at a tree's first body, as it would have no effect there.
void CheckPlaces(const Draft& draft, const mjModel* m) {
  for (int b = 0; b < m->nbody; ++b) {
    const Body& body = *draft.bodies[static_cast<size_t>(b)].source;
    if (body.sleep == mjSLEEP_AUTO) continue;
    const int tree = m->body_treeid[b];
    if (tree >= 0 && m->tree_bodyadr[tree] == b) continue;
    throw Error("only the first body of a tree that moves has a sleep policy", "move it there").At(Place(body));
  }
}

}  // namespace

// An explicit policy has precedence, unless it contradicts a tendon.
void SetSleepPolicy(const Draft& draft, mjModel* m) {
  CheckPlaces(draft, m);
  const Trees trees = FindTrees(m);
  for (int t = 0; t < m->ntree; ++t) {
    const Body& body = *draft.bodies[static_cast<size_t>(m->tree_bodyadr[t])].source;
    if (body.sleep == mjSLEEP_AUTO) {
      m->tree_sleep_policy[t] = trees.driven(t) || trees.tied(t) ? mjSLEEP_AUTO_NEVER : mjSLEEP_AUTO_ALLOWED;
      continue;
    }
    if (trees.tied(t) && body.sleep != mjSLEEP_NEVER) {
      throw Error("a tendon ties this tree to others, so it cannot sleep", "remove its sleep policy").At(Place(body));
    }
    m->tree_sleep_policy[t] = body.sleep;
  }
}

}  // namespace sinew::inline compile
