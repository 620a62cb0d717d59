#include "solve/dual_rows.h"

#include "constraint/island_graph.h"
#include "math/dense.h"
#include "simd/functions.h"

namespace sinew::inline solve {
namespace {

// A row that moves less than this share of its regularization moves nothing: impedances are at least 1e-4.
constexpr double kLeastMobility = 1e-10;

// The size of J M^-1 J' of a row, without how dofs are coupled.
double Mobility(const mjModel* m, const JacobianBlock& block, int r) {
  const double* J = block.value + static_cast<ptrdiff_t>(r) * block.ncol;
  double sum = 0;
  for (int c = 0; c < block.ncol; ++c) sum += J[c] * J[c] / Max(kMinVal, m->dof_M0[block.col[c]]);
  return sum;
}

void WriteWeights(const mjModel* m, const Problem& p, double* trace, double* weight) {
  const int trees = static_cast<int>(m->ntree);
  Zero(trace, trees);
  for (int i = 0; i < p.nv; ++i) trace[m->dof_treeid[i]] += m->dof_M0[i];
  double mean = 0;
  for (int t = 0; t < trees; ++t) mean += trace[t] / trees;
  for (int b = 0; b < p.J.nblock; ++b) {
    const JacobianBlock& block = p.J.block[b];
    double lightest = mean;
    for (int c = 0; c < block.ncol; ++c) lightest = Min(lightest, trace[m->dof_treeid[block.col[c]]]);
    const double ratio = mean / Max(kMinVal, lightest),
                 of_block = p.scale * ratio * Min(ratio, static_cast<double>(trees));
    for (int r = 0; r < block.nrow; ++r) {
      const bool moves = Mobility(m, block, r) > kLeastMobility * p.rows.R[block.row + r];
      weight[block.row + r] = moves ? of_block : 0;
    }
  }
}

// Rows that move no tree are one more island. Returns how many there are. `tree_set`, `tree_island`: scratch, ntree.
int WriteIslands(const mjModel* m, const mjData* d, int* tree_set, int* tree_island, int* row_island) {
  const int count = FindIslands(m, d, tree_set, tree_island, row_island);  // so far a tree of each row
  for (int i = 0; i < d->nefc; ++i) row_island[i] = row_island[i] >= 0 ? tree_island[row_island[i]] : count;
  return count + 1;
}

}  // namespace

void DescribeDualRows(const mjModel* m, const mjData* d, Problem& p, StackFrame& frame) {
  const int trees = static_cast<int>(m->ntree);
  double *trace = frame.Doubles(trees), *weight = frame.Doubles(p.rows.nefc);
  int *tree_set = frame.Ints(trees), *tree_island = frame.Ints(trees), *row_island = frame.Ints(p.rows.nefc);
  if (frame.full()) return;
  WriteWeights(m, p, trace, weight);
  p.weight = weight;
  p.islands = WriteIslands(m, d, tree_set, tree_island, row_island);
  p.row_island = row_island;
}

}  // namespace sinew::inline solve
