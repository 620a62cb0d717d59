// The structure of the last problem of a world, for the next step. Where trees act as a whole (tree_graph.h), contacts
// come and go without a change of the graph, in a cloth for instance whose edges are constraints.
//
// It is found again where the trees and the graph are the same, one by one, so that it is what an analysis would find.
#ifndef SINEW_SOLVE_LAST_STRUCTURE_H_
#define SINEW_SOLVE_LAST_STRUCTURE_H_

#include "solve/supernodes.h"
#include "solve/tree_graph.h"

namespace sinew::inline solve {

// The kept structure, without blocks, if it is that of this problem. Scratch memory belongs to the frame.
bool FindLastStructure(const Problem& problem, const mjData* d, StackFrame& frame, Structure& structure);

// Keeps a structure without blocks, if there is room.
void KeepStructure(const Problem& problem, const mjData* d, const TreeGraph& graph, const Structure& structure);

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_LAST_STRUCTURE_H_
