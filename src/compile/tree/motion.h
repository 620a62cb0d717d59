// Motions by functions of a coordinate (docs/how/function-joints.md): their checks, and the numbers of functions.
#ifndef SINEW_COMPILE_TREE_MOTION_H_
#define SINEW_COMPILE_TREE_MOTION_H_

#include <string>
#include <vector>

#include "compile/draft.h"
#include "core/error.h"

namespace sinew::inline compile {

// The numbers of a function (math/piecewise.h). Throws where its points are too few or do not ascend.
std::vector<double> FunctionNumbers(const FunctionValues& values);

// Runs a check of a term, or of another part of an element; an error gets its place, where it stands in a document.
template <class Term, class Check>
auto AtTerm(const Term& term, const Check& check) {
  try {
    return check();
  } catch (const Error& error) {
    if (term.where.line > 0) throw error.At(term.where);
    throw;
  }
}

// Terms whose axes are given in `frame`. Throws where there are too many of a kind.
std::vector<MotionDraft> DraftMotion(const std::vector<MotionTerm>& terms, const Pose& frame);

// Gives axes in the frame that a pose is in.
inline void TurnMotion(const Pose& pose, std::vector<MotionDraft>* motion) {
  for (MotionDraft& term : *motion) term.axis = Rotate(pose.quat, term.axis);
}

// The id of a joint of one coordinate, which has to be there (relations/motions.cc). Joints have ids before.
int ScalarJoint(const Spec& spec, const std::string& name);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_TREE_MOTION_H_
