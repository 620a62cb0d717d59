// Which supernodes a matrix has: what each of its rows couples is found in the order of elimination, and rows that are
// alike are joined.
#ifndef SINEW_SOLVE_SUPERNODE_ANALYSIS_H_
#define SINEW_SOLVE_SUPERNODE_ANALYSIS_H_

#include "solve/supernodes.h"

namespace sinew::inline solve {

// Columns [source, source + count) of a dense row are the indices [index, index + count).
struct Run {
  int source, index, count;
  int end() const { return index + count; }
};

// Runs ascending in index.
struct RunList {
  int count;
  Run* run;
};

inline int Last(const RunList& list) { return list.run[list.count - 1].end() - 1; }

// Sets of indices that are coupled with each other, beside the paths to the roots of the kinematic trees.
struct CouplingList {
  int count;
  const RunList* list;
};

// Supernodes for the indices of dofs. The structure has no blocks yet. Its memory belongs to the frame; unusable when
// that is full.
Structure FindSupernodes(const Problem& problem, const int* index, const CouplingList& couplings, StackFrame& frame);

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_SUPERNODE_ANALYSIS_H_
