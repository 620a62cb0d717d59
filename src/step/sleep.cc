#include "step/sleep.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "constraint/equality_pose.h"
#include "core/error.h"
#include "core/stack.h"
#include "kinematics/contact_carriers.h"
#include "kinematics/kinematics.h"
#include "model/kinds/contact_exclude.h"
#include "model/state/awake.h"
#include "step/forward.h"
#include "step/known_equalities.h"
#include "step/moved_bodies.h"

namespace sinew::inline step {
namespace {

constexpr int kReady = -1;  // of tree_asleep: at rest for long enough

// Users disturb a tree by any bit that is not zero.
bool IsZero(const mjtNum* x, mjtSize count) {
  const mjtNum* end = x + count;
  return std::all_of(x, end, [](mjtNum value) {
    constexpr mjtNum kZero = 0;
    return std::memcmp(&value, &kZero, sizeof(value)) == 0;
  });
}

bool HasAppliedForce(const mjModel* m, const mjData* d, int tree) {
  return !IsZero(d->xfrc_applied + 6 * m->tree_bodyadr[tree], 6 * m->tree_bodynum[tree]) ||
         !IsZero(d->qfrc_applied + m->tree_dofadr[tree], m->tree_dofnum[tree]);
}

// Wakes a sleeping tree and all that sleep with it.
void WakeCycle(mjData* d, int tree, int value) {
  while (d->tree_asleep[tree] >= 0) {
    const int next = d->tree_asleep[tree];
    d->tree_asleep[tree] = value;
    tree = next;
  }
}

// ---- waking

// Given two trees, -1 for none, wakes the one that sleeps while the other is awake.
bool WakeOther(mjData* d, int tree1, int tree2) {
  if (tree1 < 0 || tree2 < 0) return false;
  const int value1 = d->tree_asleep[tree1], value2 = d->tree_asleep[tree2];
  if ((value1 < 0) == (value2 < 0)) return false;
  WakeCycle(d, value1 < 0 ? tree2 : tree1, std::min(value1, value2));
  return true;
}

bool InSameSleepCycle(const mjData* d, int tree1, int tree2) {
  for (int tree = d->tree_asleep[tree1]; tree != tree1; tree = d->tree_asleep[tree]) {
    if (tree == tree2) return true;
  }
  return false;
}

// The trees that a connect, weld or joint equality joins; -1 for the world, or without a second one.
struct TreePair {
  int first, second;
};

TreePair TreesOfEquality(const mjModel* m, int id) {
  if (m->eq_type[id] != mjEQ_JOINT) {
    const std::array<int, 2> body = EqualityBodies(m, id);
    return {m->body_treeid[body[0]], m->body_treeid[body[1]]};
  }
  const auto tree = [m](int joint) { return joint < 0 ? -1 : m->body_treeid[m->jnt_bodyid[joint]]; };
  return {tree(m->eq_obj1id[id]), tree(m->eq_obj2id[id])};
}

// Cells of flexes count as supported: trees that a flex hangs on never sleep by themselves.
bool SupportsSleep(int type) {
  return type == mjEQ_CONNECT || type == mjEQ_WELD || type == mjEQ_JOINT || type == mjEQ_FLEXSTRAIN;
}

bool WakeByEquality(const mjModel* m, mjData* d, int id) {
  if (!SupportsSleep(m->eq_type[id])) {
    throw Error("equality " + std::to_string(id) + ": equalities of tendons and flexes do not support sleeping",
                "deactivate it, or clear the sleep flag");
  }
  if (m->eq_type[id] == mjEQ_FLEXSTRAIN) return false;
  const TreePair pair = TreesOfEquality(m, id);
  if (pair.first < 0 || pair.second < 0 || pair.first == pair.second) return false;
  const bool asleep1 = d->tree_asleep[pair.first] >= 0, asleep2 = d->tree_asleep[pair.second] >= 0;
  if (!asleep1 && !asleep2) return false;
  if (asleep1 && asleep2 && InSameSleepCycle(d, pair.first, pair.second)) return false;
  WakeCycle(d, pair.first, kFullyAwake);
  WakeCycle(d, pair.second, kFullyAwake);
  return true;
}

// Where bodies were when they fell asleep.
struct Poses {
  const mjtNum *xpos, *xquat;
};

bool HasMoved(const mjModel* m, const mjData* d, int tree, const Poses& poses) {
  const auto same = [&](const mjtNum* now, const mjtNum* before, int width) {
    const size_t first = static_cast<size_t>(m->tree_bodyadr[tree]) * static_cast<size_t>(width);
    const size_t count = static_cast<size_t>(m->tree_bodynum[tree]) * static_cast<size_t>(width);
    return std::memcmp(now + first, before + first, count * sizeof(mjtNum)) == 0;
  };
  return !same(d->xpos, poses.xpos, 3) || !same(d->xquat, poses.xquat, 4);
}

bool IsDisturbed(const mjModel* m, const mjData* d, int tree, const Poses& poses) {
  return HasMoved(m, d, tree, poses) || !IsZero(d->qvel + m->tree_dofadr[tree], m->tree_dofnum[tree]) ||
         HasAppliedForce(m, d, tree);
}

// Marks the trees of equalities that have changed since the trees fell asleep, or that need motion now.
void MarkByChangedEqualities(const mjModel* m, mjData* d, bool* touched) {
  for (int id = 0; id < m->neq; ++id) {
    if (!HasChanged(m, d, id)) continue;
    const TreePair pair = TreesOfEquality(m, id);
    if (pair.first >= 0) touched[pair.first] = true;
    if (pair.second >= 0) touched[pair.second] = true;
  }
  RememberEqualities(m, d);
}

bool WakeDisturbed(const mjModel* m, mjData* d, const StaticPoses& before) {
  StackFrame frame(d);
  bool* touched = frame.Alloc<bool>(m->ntree);
  std::fill_n(touched, m->ntree, false);
  before.MarkTouched(m, d, touched);
  MarkByChangedEqualities(m, d, touched);
  double *xpos = frame.Doubles(3 * m->nbody), *xquat = frame.Doubles(4 * m->nbody);
  std::copy_n(d->xpos, 3 * m->nbody, xpos);
  std::copy_n(d->xquat, 4 * m->nbody, xquat);
  ComputeSleepingPoses(m, d);
  bool any = false;
  for (int tree = 0; tree < m->ntree; ++tree) {
    if (d->tree_asleep[tree] < 0 || (!touched[tree] && !IsDisturbed(m, d, tree, {xpos, xquat}))) continue;
    WakeCycle(d, tree, kFullyAwake);
    any = true;
  }
  if (any) UpdateAwake(*m, d);
  return any;
}

// ---- falling asleep

bool MaySleep(const mjModel* m, int tree) {
  const int policy = m->tree_sleep_policy[tree];
  return policy == mjSLEEP_AUTO_ALLOWED || policy == mjSLEEP_ALLOWED || policy == mjSLEEP_INIT;
}

// All velocities below the tolerance, those of rotations as the velocity of the body's farthest point.
bool IsSlow(const mjModel* m, const mjData* d, int tree) {
  const int first = m->tree_dofadr[tree], end = first + m->tree_dofnum[tree];
  const double tolerance = m->opt.sleep_tolerance;
  if (tolerance <= 0) return IsZero(d->qvel + first, end - first);
  for (int i = first; i < end; ++i) {
    if (!(m->dof_length[i] * std::abs(d->qvel[i]) < tolerance)) return false;
  }
  return true;
}

void CountRest(const mjModel* m, mjData* d) {
  for (int tree = 0; tree < m->ntree; ++tree) {
    int& value = d->tree_asleep[tree];
    if (value >= 0) continue;
    const bool rests = MaySleep(m, tree) && !HasAppliedForce(m, d, tree) && IsSlow(m, d, tree);
    value = rests ? std::min(value + 1, kReady) : kFullyAwake;
  }
}

// Links trees into a cycle and stops them.
void PutToSleep(const mjModel* m, mjData* d, const int* tree, int count) {
  for (int k = 0; k < count; ++k) {
    d->tree_asleep[tree[k]] = tree[(k + 1) % count];
    std::fill_n(d->qvel + m->tree_dofadr[tree[k]], m->tree_dofnum[tree[k]], 0.0);
    std::fill_n(d->qacc + m->tree_dofadr[tree[k]], m->tree_dofnum[tree[k]], 0.0);
  }
}

// Trees that a compliant contact connects: it has no constraint rows, so that islands do not include it.
bool ConnectsTrees(const mjModel* m, const mjContact& contact, TreePair* pair) {
  if (contact.exclude != contact_exclude::kCompliant || contact.dist >= 0) return false;
  *pair = {m->body_treeid[m->geom_bodyid[contact.geom[0]]], m->body_treeid[m->geom_bodyid[contact.geom[1]]]};
  return pair->first >= 0 && pair->second >= 0 && pair->first != pair->second;
}

bool AnyConnectsTrees(const mjModel* m, const mjData* d) {
  TreePair pair;
  return std::any_of(d->contact, d->contact + d->ncon, [&](const mjContact& c) { return ConnectsTrees(m, c, &pair); });
}

// Calls consider(trees, count) for what islands and compliant contacts connect. Sets are found by relabelling, since
// trees are few.
template <class Consider>
void ForEachConnectedGroup(const mjModel* m, mjData* d, Consider&& consider) {
  StackFrame frame(d);
  const int ntree = static_cast<int>(m->ntree);
  int *set = frame.Ints(ntree), *members = frame.Ints(ntree);
  for (int tree = 0; tree < ntree; ++tree) set[tree] = tree;
  const auto unite = [&](int a, int b) {
    const int from = std::max(set[a], set[b]), to = std::min(set[a], set[b]);
    std::replace(set, set + ntree, from, to);
  };
  for (int i = 0; i < d->nisland; ++i) {
    const int* tree = d->map_itree2tree + d->island_itreeadr[i];
    for (int k = 1; k < d->island_ntree[i]; ++k) unite(tree[0], tree[k]);
  }
  TreePair pair;
  for (int c = 0; c < d->ncon; ++c) {
    if (ConnectsTrees(m, d->contact[c], &pair)) unite(pair.first, pair.second);
  }
  for (int first = 0; first < ntree; ++first) {
    if (set[first] != first) continue;
    int size = 0;
    for (int tree = first; tree < ntree; ++tree) {
      if (set[tree] == first) members[size++] = tree;
    }
    consider(members, size);
  }
}

// Calls sleeps(trees, count) for each island and for each tree without constraints; returns how many trees fell asleep
// where that agreed. Constraints without islands keep all trees awake, since which trees they connect is not computed.
template <class F>
int SleepGroups(const mjModel* m, mjData* d, F&& sleeps) {
  if (d->nefc > 0 && d->nisland == 0) return 0;
  int count = 0;
  const auto consider = [&](const int* tree, int size) {
    if (!sleeps(tree, size)) return;
    PutToSleep(m, d, tree, size);
    count += size;
  };
  if (AnyConnectsTrees(m, d)) {
    ForEachConnectedGroup(m, d, consider);
    return count;
  }
  for (int i = 0; i < d->nisland; ++i) consider(d->map_itree2tree + d->island_itreeadr[i], d->island_ntree[i]);
  for (int tree = 0; tree < m->ntree; ++tree) {
    if (d->nisland == 0 || d->tree_island[tree] < 0) consider(&tree, 1);
  }
  return count;
}

// Computes the quantities that depend on velocities, for the state in which trees have stopped.
void RecomputeVelocities(const mjModel* m, mjData* d) {
  VelocityStage(m, d, /*skip_sensors=*/false);
  AccelerationStage(m, d);
}

}  // namespace

void KinematicsAndWake(const mjModel* m, mjData* d) {
  if (!AnyAsleep(m, d)) return Kinematics(m, d);
  StackFrame frame(d);
  const StaticPoses poses(m, d, frame);
  Kinematics(m, d);
  if (WakeDisturbed(m, d, poses)) Kinematics(m, d);
}

void WakeByTendons(const mjModel* m, mjData* d) {
  if (!AnyAsleep(m, d)) return;
  bool any = false;
  for (int t = 0; t < m->ntendon; ++t) {
    if (m->tendon_treenum[t] != 2 || !m->tendon_limited[t]) continue;
    const mjtNum* range = m->tendon_range + 2 * t;
    const double distance = std::min(d->ten_length[t] - range[0], range[1] - d->ten_length[t]);
    if (distance < m->tendon_margin[t]) any |= WakeOther(d, m->tendon_treeid[2 * t], m->tendon_treeid[2 * t + 1]);
  }
  if (any) UpdateAwake(*m, d);
}

namespace {

// Whatever moves a part of a flex that touches something awake is awake, too.
bool WakeByFlexContact(const mjModel* m, mjData* d, const mjContact& contact) {
  StackFrame frame(d);
  const ContactCarriers carriers(m, d, contact, frame);
  bool any = false;
  for (const WeightedBody& a : carriers) {
    for (const WeightedBody& b : carriers) any |= WakeOther(d, m->body_treeid[a.body], m->body_treeid[b.body]);
  }
  return any;
}

}  // namespace

bool WakeByContacts(const mjModel* m, mjData* d) {
  if (!AnyAsleep(m, d)) return false;
  bool any = false;
  for (int c = 0; c < d->ncon; ++c) {
    const mjContact& contact = d->contact[c];
    if (contact.geom[0] < 0 || contact.geom[1] < 0) {
      any |= WakeByFlexContact(m, d, contact);
      continue;
    }
    const int tree1 = m->body_treeid[m->geom_bodyid[contact.geom[0]]];
    const int tree2 = m->body_treeid[m->geom_bodyid[contact.geom[1]]];
    any |= WakeOther(d, tree1, tree2);
  }
  if (any) UpdateAwake(*m, d);
  return any;
}

int FindSleeplessEquality(const mjModel* m) {
  for (int id = 0; SleepEnabled(m) && id < m->neq; ++id) {
    if (m->eq_active0[id] && !SupportsSleep(m->eq_type[id])) return id;
  }
  return -1;
}

void WakeByEqualities(const mjModel* m, mjData* d) {
  if (!SleepEnabled(m)) return;
  bool any = false;
  for (int id = 0; id < m->neq; ++id) {
    if (d->eq_active[id]) any |= WakeByEquality(m, d, id);
  }
  if (any) UpdateAwake(*m, d);
}

bool FallAsleep(const mjModel* m, mjData* d) {
  if (!SleepEnabled(m)) return false;
  CountRest(m, d);
  const auto ready = [&](const int* tree, int count) {
    return std::all_of(tree, tree + count, [&](int t) { return d->tree_asleep[t] == kReady; });
  };
  if (SleepGroups(m, d, ready) == 0) return false;
  RememberEqualities(m, d);
  RecomputeVelocities(m, d);
  UpdateAwake(*m, d);
  return true;
}

namespace {

bool StartsAsleep(const mjModel& m, int tree) { return m.tree_sleep_policy[tree] == mjSLEEP_INIT; }

int CountOfSleepers(const mjModel& m) {
  int count = 0;
  for (int tree = 0; tree < m.ntree; ++tree) count += StartsAsleep(m, tree);
  return count;
}

}  // namespace

int SleepWherePossible(const mjModel* m, mjData* d) {
  const int wanted = SleepEnabled(m) ? CountOfSleepers(*m) : 0;
  if (wanted == 0) return 0;
  Forward(m, d);
  CountRest(m, d);  // for the other trees this is a step at rest, as in MuJoCo 3.8.0
  const auto able = [&](const int* tree, int count) {
    return std::all_of(tree, tree + count, [&](int t) {
      return StartsAsleep(*m, t) && IsZero(d->qvel + m->tree_dofadr[t], m->tree_dofnum[t]) && !HasAppliedForce(m, d, t);
    });
  };
  const int slept = SleepGroups(m, d, able);
  if (slept > 0) {
    RememberEqualities(m, d);
    RecomputeVelocities(m, d);
    UpdateAwake(*m, d);
  }
  return wanted - slept;
}

void SleepInitially(const mjModel* m, mjData* d) {
  const int failed = SleepWherePossible(m, d);
  if (failed == 0) return;
  int tree = 0;
  while (!StartsAsleep(*m, tree) || d->tree_asleep[tree] >= 0) ++tree;
  const int body = m->tree_bodyadr[tree], wanted = CountOfSleepers(*m);
  throw Error(std::to_string(wanted) + " trees were marked as sleep='init' but only " +
              std::to_string(wanted - failed) + " could be slept.\nBody '" + (m->names + m->name_bodyadr[body]) +
              "' (id=" + std::to_string(body) + ") is the root of the first tree that could not be slept.");
}

}  // namespace sinew::inline step
