// Sleeping: kinematic trees at rest are left out of the step until something disturbs them (enable flag `sleep`).
//
// tree_asleep[t] is negative while tree t is awake: kFullyAwake, or how many more steps at rest it needs. A sleeping
// tree holds the next tree of its cycle: the trees of the island that fell asleep together, which wake together. All
// functions do nothing while the flag is off.
#ifndef SINEW_STEP_SLEEP_H_
#define SINEW_STEP_SLEEP_H_

#include <mujoco/mujoco.h>

namespace sinew::inline step {

// Kinematics, after which trees are awake whose pose is no longer the one they fell asleep in, or that have a velocity
// or an applied force. Comparisons are exact.
void KinematicsAndWake(const mjModel* m, mjData* d);

// Wakes a tree that a tendon at its limit connects with one that is awake.
void WakeByTendons(const mjModel* m, mjData* d);

// Wakes trees that touch trees that are awake. Returns whether there are any: their pairs have not been looked at.
bool WakeByContacts(const mjModel* m, mjData* d);

// The first equality that is active from the start and makes steps impossible, because sleeping does not support its
// kind (of tendons, of edges and vertices of flexes); -1: none, or the flag is off.
int FindSleeplessEquality(const mjModel* m);

// Wakes the trees of active connect, weld and joint equalities, unless they sleep together. Throws on equalities that
// sleeping does not support.
void WakeByEqualities(const mjModel* m, mjData* d);

// At the end of a step: counts how long trees have been at rest, and puts to sleep islands, and trees without
// constraints, that have been so for long enough. Returns whether any fell asleep.
bool FallAsleep(const mjModel* m, mjData* d);

// Puts the trees to sleep whose policy is to sleep from the start, and computes the forward dynamics that this needs.
// Throws when one of them cannot sleep.
void SleepInitially(const mjModel* m, mjData* d);

// The same for a reset within a step, which throws nothing: the trees that cannot sleep stay awake. Returns how many.
int SleepWherePossible(const mjModel* m, mjData* d);

}  // namespace sinew::inline step

#endif  // SINEW_STEP_SLEEP_H_
