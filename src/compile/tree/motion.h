// Motions by functions of a coordinate (docs/how/function-joints.md): their checks, and the numbers of functions.
#ifndef SINEW_COMPILE_TREE_MOTION_H_
#define SINEW_COMPILE_TREE_MOTION_H_

#include <vector>

#include "compile/draft.h"

namespace sinew {

// The numbers of a function (math/piecewise.h). Throws where its points are too few or do not ascend.
std::vector<double> FunctionNumbers(const FunctionValues& values);

// A term whose axis is given in `frame`.
MotionDraft DraftMotion(const MotionTerm& term, const Pose& frame);

}  // namespace sinew

#endif  // SINEW_COMPILE_TREE_MOTION_H_
