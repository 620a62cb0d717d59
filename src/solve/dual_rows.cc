#include "solve/dual_rows.h"

#include <algorithm>

#include "math/dense.h"
#include "simd/functions.h"

namespace sinew {
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

// The tree that stands for all that are joined to one.
int RootOf(int* joined, int tree) {
  while (joined[tree] != tree) tree = joined[tree] = joined[joined[tree]];
  return tree;
}

// Numbers the parts by their first rows. Rows that move nothing at all are one more. Returns how many there are.
// `joined`, `number`: scratch for ntree + 1 numbers.
int WriteParts(const mjModel* m, const Problem& p, int* joined, int* number, int* part) {
  const int trees = static_cast<int>(m->ntree);
  for (int t = 0; t <= trees; ++t) joined[t] = t, number[t] = -1;
  const auto tree_of = [m](const JacobianBlock& block, int c) { return m->dof_treeid[block.col[c]]; };
  for (int b = 0; b < p.J.nblock; ++b) {
    const JacobianBlock& block = p.J.block[b];
    for (int c = 1; c < block.ncol; ++c) joined[RootOf(joined, tree_of(block, c))] = RootOf(joined, tree_of(block, 0));
  }
  int parts = 0;
  for (int b = 0; b < p.J.nblock; ++b) {
    const JacobianBlock& block = p.J.block[b];
    int& of_block = number[block.ncol > 0 ? RootOf(joined, tree_of(block, 0)) : trees];
    if (of_block < 0) of_block = parts++;
    std::fill_n(part + block.row, block.nrow, of_block);
  }
  return parts;
}

}  // namespace

void DescribeDualRows(const mjModel* m, Problem& p, StackFrame& frame) {
  const int trees = static_cast<int>(m->ntree);
  double *trace = frame.Doubles(trees), *weight = frame.Doubles(p.rows.nefc);
  int *joined = frame.Ints(trees + 1), *number = frame.Ints(trees + 1), *part = frame.Ints(p.rows.nefc);
  if (frame.full()) return;
  WriteWeights(m, p, trace, weight);
  p.weight = weight;
  p.parts = WriteParts(m, p, joined, number, part);
  p.part = part;
}

}  // namespace sinew
