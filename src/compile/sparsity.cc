// A dof is coupled to another one by inertia when one of them moves the other's body: when it is an ancestor. So the
// patterns follow from the tree alone:
//
//     M   dof x dof    lower triangle, ancestors and self; what factorizations work on
//     D   dof x dof    both triangles; where derivatives of bias forces fill both
//     B   body x dof   dofs that meet in a body; intermediate of those derivatives
#include "compile/sparsity.h"

#include <algorithm>

namespace sinew {
namespace {

// Chain of a dof: its ancestors and itself, ascending.
std::vector<int> DofChain(const Topology& t, int dof) {
  std::vector<int> chain;
  for (int i = dof; i >= 0; i = t.dofs[static_cast<size_t>(i)].parent) chain.push_back(i);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

// M, lower triangle: row i holds the chain of dof i; only the diagonal when the dof is simple. In qM the same row runs
// from the diagonal to the root and is never shortened.
void FindM(Topology& t) {
  for (int i = 0; i < t.nv(); ++i) {
    Topology::DofEntry& dof = t.dofs[static_cast<size_t>(i)];
    const std::vector<int> chain = DofChain(t, i);
    const int length = static_cast<int>(chain.size());
    dof.Madr = t.nM;
    if (dof.simplenum > 0) {
      t.M.AddRow({i});
      t.mapM2M.push_back(dof.Madr);
    } else {
      t.M.AddRow(chain);
      for (int k = 0; k < length; ++k) t.mapM2M.push_back(dof.Madr + length - 1 - k);
    }
    t.nM += length;
  }
}

// D, both triangles: row i holds ancestors, dof i itself, and descendants.
void FindD(Topology& t) {
  std::vector<std::vector<int>> rows(t.dofs.size());
  for (int i = 0; i < t.nv(); ++i) {
    // Dof i is visited after the lower triangle of its row is complete and before its descendants, so columns ascend.
    std::vector<int>& row = rows[static_cast<size_t>(i)];
    row = DofChain(t, i);
    t.D_diag.push_back(static_cast<int>(row.size()) - 1);
    for (int j = t.dofs[static_cast<size_t>(i)].parent; j >= 0; j = t.dofs[static_cast<size_t>(j)].parent) {
      rows[static_cast<size_t>(j)].push_back(i);
    }
  }
  for (const std::vector<int>& row : rows) t.D.AddRow(row);
}

// B: row b holds the dofs of the subtree of body b and of its ancestors: those that its subtree's inertia couples to.
void FindB(const Draft& draft, Topology& t) {
  const size_t nbody = t.bodies.size();
  std::vector<std::vector<int>> rows(nbody);
  for (size_t b = 0; b < nbody; ++b) rows[b] = t.Chain(static_cast<int>(b));
  for (size_t b = 0; b < nbody; ++b) {
    const Topology::BodyEntry& body = t.bodies[b];
    if (body.dofnum == 0) continue;
    for (size_t up = b; up > 0;) {
      up = static_cast<size_t>(draft.bodies[up].parent);
      for (int i = 0; i < body.dofnum; ++i) rows[up].push_back(body.dofadr + i);
    }
  }
  for (const std::vector<int>& row : rows) t.B.AddRow(row);
}

// Position of a column in a row; -1: not there.
int Locate(const SparsePattern& pattern, int row, int column) {
  const auto begin = pattern.colind.begin() + pattern.rowadr[static_cast<size_t>(row)];
  const auto end = begin + pattern.rownnz[static_cast<size_t>(row)];
  const auto found = std::lower_bound(begin, end, column);
  return found != end && *found == column ? static_cast<int>(found - pattern.colind.begin()) : -1;
}

// M has one triangle of a symmetric matrix, D both: an entry of D above the diagonal is that of M below it. What M
// leaves out because the dof is simple has no counterpart.
void MapBetweenMAndD(Topology& t) {
  for (int row = 0; row < t.nv(); ++row) {
    const auto r = static_cast<size_t>(row);
    for (int k = t.D.rowadr[r]; k < t.D.rowadr[r] + t.D.rownnz[r]; ++k) {
      const int column = t.D.colind[static_cast<size_t>(k)];
      t.mapM2D.push_back(Locate(t.M, std::max(row, column), std::min(row, column)));
    }
    for (int k = t.M.rowadr[r]; k < t.M.rowadr[r] + t.M.rownnz[r]; ++k) {
      t.mapD2M.push_back(Locate(t.D, row, t.M.colind[static_cast<size_t>(k)]));
    }
  }
}

}  // namespace

void SparsePattern::AddRow(const std::vector<int>& columns) {
  rowadr.push_back(count());
  rownnz.push_back(static_cast<int>(columns.size()));
  colind.insert(colind.end(), columns.begin(), columns.end());
}

void FindPatterns(const Draft& draft, Topology& t) {
  FindM(t);
  FindD(t);
  FindB(draft, t);
  MapBetweenMAndD(t);
}

}  // namespace sinew
