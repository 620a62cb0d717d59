// Sparsity of the inertia matrix and its relatives (docs/how/compile.md).
#ifndef SINEW_COMPILE_TOPOLOGY_SPARSITY_H_
#define SINEW_COMPILE_TOPOLOGY_SPARSITY_H_

#include "compile/topology/topology.h"

namespace sinew::inline compile {

// Counts the entries of the patterns: nM, nC, nD, nB, and the addresses in qM. Time grows with the number of dofs, not
// of entries.
void CountPatterns(const Draft& draft, Topology& t);

// Fills M, D, B and their maps in a model of these sizes.
void WritePatterns(const Topology& t, mjModel* m);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_TOPOLOGY_SPARSITY_H_
