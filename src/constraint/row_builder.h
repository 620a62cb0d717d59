// Builds the constraint rows of mjData. A kind of constraint (connect, joint limit, contact, ...) describes its rows as
// blocks; RowBuilder alone writes efc_*.
//
//   RowBlock rows;
//   if (!build.Open(nrow, ncol, dofs, &rows)) return;     // counting pass: only the size was of interest
//   rows(r, c) = ...                                      // d residual_r / d qvel[dofs[c]]
//   build.Close(rows, parameters);
//
// All kinds run twice: counting tells how much arena to take, writing fills it. Rows go straight to their place in
// efc_J, compressed (sparse) or nv wide (dense).
#ifndef SINEW_CONSTRAINT_ROW_BUILDER_H_
#define SINEW_CONSTRAINT_ROW_BUILDER_H_

#include <mujoco/mujoco.h>

#include "core/stack.h"

namespace sinew::inline constraint {

// Rows of one constraint, all on the same columns.
struct RowBlock {
  int nrow, ncol;
  const int* dof;   // the columns' dofs, ascending
  double* J;        // first row
  int stride;       // from row to row
  const int* slot;  // place of a column in its row

  double& operator()(int row, int col) const { return J[row * stride + slot[col]]; }
};

// Input for force, stiffness and damping of a block's rows.
struct RowParameters {
  static constexpr int kMaxRows = 10;  // pyramid of a contact with condim 6

  mjtConstraint type;
  int id;                   // of the equality, dof, joint, tendon or contact
  const double* solref;     // mjNREF
  const double* solimp;     // mjNIMP
  double pos[kMaxRows];     // residual r
  double weight[kMaxRows];  // estimate of the diagonal of J M^-1 J'; the first one counts for all rows of a contact
  double distance;          // at which the impedance is evaluated
  double margin = 0;
  double frictionloss = 0;
  const double* solreffriction = nullptr;  // of elliptic tangent rows, when given
};

class RowBuilder {
 public:
  RowBuilder(const mjModel* m, mjData* d, StackFrame& frame);

  const mjModel* model() const { return m_; }
  mjData* data() const { return d_; }
  bool sparse() const { return sparse_; }

  // Scratch of nv elements each, for the columns of the block at hand.
  int* dofs() const { return dofs_; }
  int* sides() const { return sides_; }

  int rows() const { return rows_; }
  int nonzeros() const { return nonzeros_; }

  // Passes from counting to writing, with the arrays of mjData in place. The weights of rows are noted where asked for.
  void StartWriting(double* weights = nullptr);

  // False while counting, and when there are no columns.
  bool Open(int nrow, int ncol, const int* dof, RowBlock* block);
  void Close(const RowBlock& block, const RowParameters& parameters);
  // Call it once, after the last block.
  void Finish();

 private:
  void WritePattern(const RowBlock& block);

  const mjModel* m_;
  mjData* d_;
  bool sparse_, writing_ = false;
  int rows_ = 0, nonzeros_ = 0;
  int *dofs_, *sides_, *identity_;
  double* weights_ = nullptr;
};

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_ROW_BUILDER_H_
