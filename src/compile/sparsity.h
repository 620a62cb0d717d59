// Sparsity of the inertia matrix and its relatives (docs/how/compile.md).
#ifndef SINEW_COMPILE_SPARSITY_H_
#define SINEW_COMPILE_SPARSITY_H_

#include "compile/topology.h"

namespace sinew {

// Fills M, D, B, their maps and nM from bodies and dofs.
void FindPatterns(const Draft& draft, Topology& t);

}  // namespace sinew

#endif  // SINEW_COMPILE_SPARSITY_H_
