// Which of a constraint's two bodies a dof moves.
#ifndef SINEW_CONSTRAINT_SIDE_H_
#define SINEW_CONSTRAINT_SIDE_H_

namespace sinew::inline constraint {

enum Side : int { kBody1 = 1, kBody2 = 2, kBothBodies = 3 };  // bits

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_SIDE_H_
