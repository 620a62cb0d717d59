// Which trees the constraint rows couple.
#ifndef SINEW_CONSTRAINT_ISLAND_GRAPH_H_
#define SINEW_CONSTRAINT_ISLAND_GRAPH_H_

#include <mujoco/mujoco.h>

namespace sinew::inline constraint {

// Numbers islands by their smallest tree and writes the island of each tree, -1 where no row touches it, and for each
// row a tree that it touches. Returns the number of islands. `tree_set`: scratch, ntree.
int FindIslands(const mjModel* m, const mjData* d, int* tree_set, int* tree_island, int* row_tree);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_ISLAND_GRAPH_H_
