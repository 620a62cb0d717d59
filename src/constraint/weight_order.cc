#include "constraint/weight_order.h"

#include <algorithm>

#include "constraint/impedance.h"
#include "constraint/jacobian_product.h"

namespace sinew::inline constraint {
namespace {

bool IsEquality(const mjModel* m, const RowsOfOne& rows, mjtEq type) {
  return rows.type == mjCNSTR_EQUALITY && m->eq_type[rows.id] == type;
}

// All rows of the constraint that `row` belongs to.
RowsOfOne RowsAround(const mjData* d, int row, int end) {
  const auto same = [&](int r) { return d->efc_type[r] == d->efc_type[row] && d->efc_id[r] == d->efc_id[row]; };
  RowsOfOne rows = {d->efc_type[row], d->efc_id[row], row, 1};
  while (rows.first > 0 && same(rows.first - 1)) --rows.first;
  for (int next = row + 1; next < end && same(next);) ++next, ++rows.count;
  rows.count += row - rows.first;
  return rows;
}

// How often an equality of strain lists its weight.
int CountOfStrain(const mjModel* m, int flex) { return m->flex_interp[flex] == 1 ? 26 : 162; }

// Edges that can change list their weights, also those whose row is zero and dropped.
int ListEdges(const mjModel* m, int flex, double* to, int space) {
  int count = 0;
  const int first = m->flex_edgeadr[flex];
  for (int edge = first; edge < first + m->flex_edgenum[flex]; ++edge) {
    if (m->flexedge_rigid[edge]) continue;
    if (count < space) to[count] = m->flexedge_invweight0[edge];
    ++count;
  }
  return count;
}

// The weights that a constraint lists, from `to` on, as far as there is space; returns how many they are.
int List(const mjModel* m, const RowsOfOne& rows, const double* own, double* to, int space) {
  if (IsEquality(m, rows, mjEQ_FLEXSTRAIN)) {
    const int count = CountOfStrain(m, m->eq_obj1id[rows.id]);
    std::fill_n(to, std::min(count, space), own[rows.first]);
    return count;
  }
  if (IsEquality(m, rows, mjEQ_FLEXVERT)) {
    const int flex = m->eq_obj1id[rows.id], count = 2 * m->flex_vertnum[flex];
    const int* body = m->flex_vertbodyid + m->flex_vertadr[flex];
    for (int i = 0; i < std::min(count, space); ++i) to[i] = m->body_invweight0[2 * body[i / 2]];
    return count;
  }
  if (IsEquality(m, rows, mjEQ_FLEX)) return ListEdges(m, m->eq_obj1id[rows.id], to, space);
  std::copy_n(own + rows.first, std::min(rows.count, space), to);
  return rows.count;
}

// Rows of a contact share the weight of the first; every other row has its own impedance.
void WriteRows(const mjModel* m, mjData* d, const RowsOfOne& rows, const double* weights) {
  const bool together = rows.type >= mjCNSTR_CONTACT_PYRAMIDAL;
  const int step = together ? rows.count : 1;
  for (int row = rows.first; row < rows.first + rows.count; row += step) {
    WriteRegularization(m, d, {rows.type, rows.id, row, step}, weights + row, d->efc_KBIP[4 * row + 2]);
  }
}

}  // namespace

bool WeightsMayShift(const mjModel* m, const mjData* d) {
  for (int id = 0; m->nflex > 0 && id < m->neq; ++id) {
    const bool drops_zeros = m->eq_type[id] == mjEQ_FLEX && !IsSparse(m);
    const bool shifts = m->eq_type[id] == mjEQ_FLEXSTRAIN || m->eq_type[id] == mjEQ_FLEXVERT || drops_zeros;
    if (shifts && d->eq_active[id]) return true;
  }
  return false;
}

void ShiftWeights(const mjModel* m, mjData* d, const double* own, int rows, StackFrame& frame) {
  double* weights = frame.Doubles(rows);
  for (int row = 0; row < rows;) row += List(m, RowsAround(d, row, rows), own, weights + row, rows - row);
  for (int row = 0; row < rows;) {
    const RowsOfOne one = RowsAround(d, row, rows);
    WriteRows(m, d, one, weights);
    row += one.count;
  }
}

}  // namespace sinew::inline constraint
