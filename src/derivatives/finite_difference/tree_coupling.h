// Which kinematic trees exchange forces, and which can be perturbed at once.
//
// A perturbation of one tree changes the residual of forces of that tree and of its neighbours: those that a
// constraint, a tendon or an actuator joins with it. Trees without a common neighbour can be perturbed together, since
// every component of the residual then has one cause (A. Curtis, M. Powell, J. Reid, On the estimation of sparse
// Jacobian matrices, J. Inst. Maths Applics 1974). They form a group.
#ifndef SINEW_DERIVATIVES_FINITE_DIFFERENCE_TREE_COUPLING_H_
#define SINEW_DERIVATIVES_FINITE_DIFFERENCE_TREE_COUPLING_H_

#include <mujoco/mujoco.h>

#include <cstdint>

#include "core/stack.h"

namespace sinew::inline derivatives {

// The rule by which trees are neighbours: forces that join them, or, without a rule, all of them are.
enum class Coupling { kForces, kAll };

class TreeCoupling {
 public:
  // Trees are coupled by the world's present rows, tendons and moments, and by bodies that are near each other. Flexes
  // couple all trees. The result is unusable when the frame is full.
  TreeCoupling(const mjModel* m, mjData* d, StackFrame& frame, Coupling coupling = Coupling::kForces);

  // Whether a perturbation of `cause` changes `tree`. That of a tree changes the tree itself.
  bool DependsOn(int tree, int cause) const { return Bit(neighbors_, cause, tree); }

  // Whether a tree moves the transmission of an actuator.
  bool Drives(int tree, int actuator) const { return Bit(drivers_, actuator, tree); }

  int groups() const { return groups_; }
  int GroupOf(int tree) const { return group_[tree]; }

 private:
  uint64_t* Row(uint64_t* bits, int row) const { return bits + static_cast<ptrdiff_t>(row) * words_; }
  bool Bit(uint64_t* bits, int row, int column) const { return (Row(bits, row)[column / 64] >> column % 64) & 1; }

  // Trees are noted one by one; JoinNoted makes neighbours of those that were.
  void Note(int tree);
  void JoinNoted();

  void JoinNear(const mjModel* m, mjData* d);
  void JoinRows(const mjModel* m, const mjData* d);
  void JoinTendons(const mjModel* m, const mjData* d);
  void JoinActuators(const mjModel* m, const mjData* d);
  void JoinBushings(const mjModel* m);
  void JoinAll();
  void FormGroups(uint64_t* taken);

  int ntree_, words_, groups_ = 0;
  uint64_t *neighbors_, *drivers_;  // sets of trees: of each tree, of each actuator
  uint64_t* noted_;                 // a set of trees
  int* group_;
};

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_FINITE_DIFFERENCE_TREE_COUPLING_H_
