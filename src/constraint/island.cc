#include "constraint/island.h"

#include <algorithm>

#include "constraint/arena_fields.h"
#include "constraint/island_graph.h"
#include "constraint/jacobian_product.h"
#include "core/stack.h"
#include "core/warning.h"
#include "inertia/inertia.h"
#include "math/dense.h"

namespace sinew::inline constraint {
namespace {

// A permutation that groups elements by island: order[i] is the element at index i, those without an island last.
// Writes the count and the first index of each island, and the inverse permutation where asked for.
void GroupByIsland(const int* island, int count, int nisland, int* size, int* first, int* order, int* inverse) {
  std::fill_n(size, nisland, 0);
  for (int i = 0; i < count; ++i) {
    if (island[i] >= 0) ++size[island[i]];
  }
  int grouped = 0;
  for (int k = 0; k < nisland; ++k) {
    first[k] = grouped;
    grouped += size[k];
    size[k] = 0;  // counts again below
  }
  for (int i = 0; i < count; ++i) {
    const int index = island[i] >= 0 ? first[island[i]] + size[island[i]]++ : grouped++;
    order[index] = i;
    if (inverse) inverse[i] = index;
  }
}

// ---- trees and dofs

void WriteTrees(const mjModel* m, mjData* d, const int* tree_island) {
  const int ntree = static_cast<int>(m->ntree);
  std::copy_n(tree_island, ntree, d->tree_island);
  GroupByIsland(d->tree_island, ntree, d->nisland, d->island_ntree, d->island_itreeadr, d->map_itree2tree, nullptr);
}

void WriteDofs(const mjModel* m, mjData* d) {
  const int nv = static_cast<int>(m->nv);
  for (int dof = 0; dof < nv; ++dof) d->dof_island[dof] = d->tree_island[m->dof_treeid[dof]];
  GroupByIsland(d->dof_island, nv, d->nisland, d->island_nv, d->island_idofadr, d->map_idof2dof, d->map_dof2idof);
  for (int k = 0; k < d->nisland; ++k) d->island_dofadr[k] = d->map_idof2dof[d->island_idofadr[k]];
}

bool HoldsAllTrees(const mjModel* m, const mjData* d) { return d->nisland == 1 && d->nidof == m->nv; }

// An island that holds all trees has inertia as it is.
void CopyInertia(const mjModel* m, mjData* d) {
  const auto nv = static_cast<int>(m->nv), nM = static_cast<int>(m->nC);
  std::copy_n(m->M_rownnz, nv, d->iM_rownnz);
  std::copy_n(m->M_rowadr, nv, d->iM_rowadr);
  std::copy_n(m->M_colind, nM, d->iM_colind);
  const Metric metric = MetricOf(m, d);
  Copy(d->iM, metric.M, nM);
  Copy(d->iLD, metric.LD, nM);
  Copy(d->iLDiagInv, metric.LDiagInv, nv);
}

// Inertia and its factor, with columns counted from the island's first dof. A tree is in one island as a whole, so that
// its rows move together.
void WriteInertia(const mjModel* m, mjData* d) {
  if (HoldsAllTrees(m, d)) return CopyInertia(m, d);
  const Metric metric = MetricOf(m, d);
  int address = 0;
  for (int i = 0; i < d->nidof;) {
    const int dof = d->map_idof2dof[i], tree = m->dof_treeid[dof], count = m->tree_dofnum[tree];
    const int source = m->M_rowadr[dof], last = dof + count - 1;
    const int nnz = m->M_rowadr[last] + m->M_rownnz[last] - source;
    const int to_island = i - d->island_idofadr[d->dof_island[dof]] - dof;
    for (int k = 0; k < nnz; ++k) d->iM_colind[address + k] = m->M_colind[source + k] + to_island;
    for (int k = 0; k < count; ++k) {
      d->iM_rownnz[i + k] = m->M_rownnz[dof + k];
      d->iM_rowadr[i + k] = m->M_rowadr[dof + k] - source + address;
    }
    Copy(d->iM + address, metric.M + source, nnz);
    Copy(d->iLD + address, metric.LD + source, nnz);
    Copy(d->iLDiagInv + i, metric.LDiagInv + dof, count);
    address += nnz;
    i += count;
  }
}

// ---- rows

void WriteRows(mjData* d, const int* row_tree) {
  for (int row = 0; row < d->nefc; ++row) d->efc_island[row] = d->tree_island[row_tree[row]];
  GroupByIsland(d->efc_island, d->nefc, d->nisland, d->island_nefc, d->island_iefcadr, d->map_iefc2efc,
                d->map_efc2iefc);
  std::fill_n(d->island_ne, d->nisland, 0);
  std::fill_n(d->island_nf, d->nisland, 0);
  for (int row = 0; row < d->ne; ++row) ++d->island_ne[d->efc_island[row]];
  for (int row = d->ne; row < d->ne + d->nf; ++row) ++d->island_nf[d->efc_island[row]];
  for (int i = 0; i < d->nefc; ++i) {
    const int row = d->map_iefc2efc[i];
    d->iefc_type[i] = d->efc_type[row];
    d->iefc_id[i] = d->efc_id[row];
    d->iefc_frictionloss[i] = d->efc_frictionloss[row];
    d->iefc_D[i] = d->efc_D[row];
    d->iefc_R[i] = d->efc_R[row];
  }
}

// Whether compressed rows i and i + 1 of an island have the same columns; for consecutive rows the flag is stored.
bool SharesColumns(const mjData* d, int i) {
  const int row = d->map_iefc2efc[i], next = d->map_iefc2efc[i + 1], nnz = d->efc_J_rownnz[row];
  if (next == row + 1) return d->efc_J_rowsuper[row] > 0;
  const int* columns = d->efc_J_colind + d->efc_J_rowadr[row];
  return nnz == d->efc_J_rownnz[next] && std::equal(columns, columns + nnz, d->efc_J_colind + d->efc_J_rowadr[next]);
}

// Rows [i, i + count) of all islands, which have the same columns, at an address. Returns the number of entries.
int WriteSparseRows(mjData* d, int i, int count, int address) {
  const int first = d->map_iefc2efc[i], last = d->map_iefc2efc[i + count - 1], nnz = d->efc_J_rownnz[first];
  const int origin = d->island_idofadr[d->efc_island[first]];
  const int* dof = d->efc_J_colind + d->efc_J_rowadr[first];
  int* columns = d->iefc_J_colind + address;
  for (int c = 0; c < nnz; ++c) columns[c] = d->map_dof2idof[dof[c]] - origin;
  for (int r = 0; r < count; ++r) {
    d->iefc_J_rownnz[i + r] = nnz;
    d->iefc_J_rowadr[i + r] = address + r * nnz;
    d->iefc_J_rowsuper[i + r] = count - 1 - r;
    if (r > 0) std::copy_n(columns, nnz, columns + static_cast<ptrdiff_t>(r) * nnz);
  }

  // neighbours in the whole matrix at once
  if (last - first == count - 1) {
    Copy(d->iefc_J + address, d->efc_J + d->efc_J_rowadr[first], count * nnz);
  } else {
    for (int r = 0; r < count; ++r) {
      Copy(d->iefc_J + address + r * nnz, d->efc_J + d->efc_J_rowadr[d->map_iefc2efc[i + r]], nnz);
    }
  }
  return count * nnz;
}

// An island that holds all trees has the rows as they are.
void CopySparseJacobian(mjData* d) {
  const int last = d->nefc - 1, count = d->efc_J_rowadr[last] + d->efc_J_rownnz[last];
  std::copy_n(d->efc_J_rownnz, d->nefc, d->iefc_J_rownnz);
  std::copy_n(d->efc_J_rowadr, d->nefc, d->iefc_J_rowadr);
  std::copy_n(d->efc_J_rowsuper, d->nefc, d->iefc_J_rowsuper);
  std::copy_n(d->efc_J_colind, count, d->iefc_J_colind);
  Copy(d->iefc_J, d->efc_J, count);
}

// Columns count from the island's first dof, addresses from the first row of all islands.
void WriteSparseJacobian(const mjModel* m, mjData* d) {
  if (HoldsAllTrees(m, d)) return CopySparseJacobian(d);
  int address = 0;
  for (int k = 0; k < d->nisland; ++k) {
    const int end = d->island_iefcadr[k] + d->island_nefc[k];
    for (int i = d->island_iefcadr[k], count; i < end; i += count) {
      for (count = 1; i + count < end && SharesColumns(d, i + count - 1); ++count) {
      }
      address += WriteSparseRows(d, i, count, address);
    }
  }
}

// An island's block holds its rows and dofs only. It starts where its first row would in a matrix of nidof columns.
void WriteDenseJacobian(const mjModel* m, mjData* d) {
  for (int k = 0; k < d->nisland; ++k) {
    const int first_row = d->island_iefcadr[k], nv = d->island_nv[k];
    const int* dofs = d->map_idof2dof + d->island_idofadr[k];
    const bool contiguous = dofs[nv - 1] - dofs[0] == nv - 1;
    double* block = d->iefc_J + static_cast<ptrdiff_t>(d->nidof) * first_row;
    for (int i = 0; i < d->island_nefc[k]; ++i) {
      const double* source = d->efc_J + static_cast<ptrdiff_t>(d->map_iefc2efc[first_row + i]) * m->nv;
      if (contiguous) {
        Copy(block, source + dofs[0], nv);
      } else {
        for (int c = 0; c < nv; ++c) block[c] = source[dofs[c]];
      }
      block += nv;
    }
  }
}

// Arrays of this stage, and those that the solver fills.
constexpr ArenaRange kIslandFields = ArenaFields(offsetof(mjData, tree_island), offsetof(mjData, iefc_R));
constexpr ArenaRange kRowFields = ArenaFields(offsetof(mjData, iefc_aref), offsetof(mjData, iefc_force));
constexpr ArenaRange kForceFields = ArenaFields(offsetof(mjData, ifrc_constraint), offsetof(mjData, ifrc_constraint));

bool TakeIslands(const mjModel* m, mjData* d) { return TakeArenaFields<kIslandFields, kRowFields, kForceFields>(m, d); }

void MakeIslands(const mjModel* m, mjData* d) {
  StackFrame frame(d, WhenFull::kReport);
  int *tree_island = frame.Ints(m->ntree), *tree_set = frame.Ints(m->ntree);
  int* row_tree = frame.Ints(d->nefc);
  if (frame.full()) return DropConstraints(d);
  d->nisland = FindIslands(m, d, tree_set, tree_island, row_tree);
  for (int tree = 0; tree < m->ntree; ++tree) d->nidof += tree_island[tree] >= 0 ? m->tree_dofnum[tree] : 0;

  const size_t rows_end = d->parena;
  if (!TakeIslands(m, d)) {
    RaiseWarning(d, mjWARN_CNSTRFULL, static_cast<int>(d->narena));
    d->parena = rows_end;
    d->nisland = d->nidof = 0;
    return;
  }
  WriteTrees(m, d, tree_island);
  WriteDofs(m, d);
  WriteInertia(m, d);
  WriteRows(d, row_tree);
  if (IsSparse(m)) {
    WriteSparseJacobian(m, d);
  } else {
    WriteDenseJacobian(m, d);
  }
}

}  // namespace

void RenewIslandMetric(const mjModel* m, mjData* d) {
  if (d->nisland == 0) return;
  WriteInertia(m, d);
  for (int i = 0; i < d->nefc; ++i) {
    const int row = d->map_iefc2efc[i];
    d->iefc_D[i] = d->efc_D[row];
    d->iefc_R[i] = d->efc_R[row];
  }
}

void Island(const mjModel* m, mjData* d) {
  d->nisland = d->nidof = 0;
  if (d->nefc > 0 && !(m->opt.disableflags & mjDSBL_ISLAND)) MakeIslands(m, d);
}

}  // namespace sinew::inline constraint
