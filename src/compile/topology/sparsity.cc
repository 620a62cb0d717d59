// A dof is coupled to another one by inertia when one of them moves the other's body: when it is an ancestor. So the
// patterns follow from the tree alone:
//
//     M   dof x dof    lower triangle, ancestors and self; what factorizations work on
//     D   dof x dof    both triangles; where derivatives of bias forces fill both
//     B   body x dof   dofs that meet in a body; intermediate of those derivatives
//
// Bodies, and so dofs, are numbered depth first: the descendants of dof i are the dofs from i + 1 on, without a gap. A
// row of D or B is a chain of ancestors and a run of numbers, and the place of an entry follows without a search. In a
// chain of n dofs the patterns have n^2 entries: they are written where the model has them, and counted before.
#include "compile/topology/sparsity.h"

#include <numeric>

namespace sinew::inline compile {
namespace {

// Number of dofs in the chain of a dof or above a body; -1 stands for none.
int Length(const Topology& t, int dof) { return dof < 0 ? 0 : t.dofs[static_cast<size_t>(dof)].depth; }

bool IsSimple(const Topology& t, int dof) { return t.dofs[static_cast<size_t>(dof)].simplenum > 0; }

// Length of a row of M: the chain of the dof, or the diagonal alone.
int RowLength(const Topology& t, int dof) { return IsSimple(t, dof) ? 1 : Length(t, dof); }

// Writes the chain of a dof, ascending, and returns the place behind it.
int* WriteChain(const Topology& t, int dof, int* to) {
  int* const end = to + Length(t, dof);
  int* place = end;
  for (int i = dof; i >= 0; i = t.dofs[static_cast<size_t>(i)].parent) *--place = i;
  return end;
}

// Appends a row of `length` entries to a pattern whose rows before are written; returns where they go.
int* OpenRow(int row, int length, int* rownnz, int* rowadr, int* colind) {
  rowadr[row] = row == 0 ? 0 : rowadr[row - 1] + rownnz[row - 1];
  rownnz[row] = length;
  return colind + rowadr[row];
}

// M, lower triangle: row i holds the chain of dof i; only the diagonal when the dof is simple. In qM the same row runs
// from the diagonal to the root and is never shortened.
void WriteM(const Topology& t, mjModel* m) {
  for (int i = 0; i < t.nv(); ++i) {
    const int length = RowLength(t, i), Madr = t.dofs[static_cast<size_t>(i)].Madr;
    int* const row = OpenRow(i, length, m->M_rownnz, m->M_rowadr, m->M_colind);
    if (IsSimple(t, i)) {
      *row = i;
    } else {
      WriteChain(t, i, row);
    }
    for (int k = 0; k < length; ++k) m->mapM2M[m->M_rowadr[i] + k] = Madr + length - 1 - k;
  }
}

// D, both triangles: row i holds ancestors, dof i itself, and descendants.
void WriteD(const Topology& t, mjModel* m) {
  for (int i = 0; i < t.nv(); ++i) {
    const int descendants = t.dofs[static_cast<size_t>(i)].descendants;
    int* const row = OpenRow(i, Length(t, i) + descendants, m->D_rownnz, m->D_rowadr, m->D_colind);
    int* const rest = WriteChain(t, i, row);
    std::iota(rest, rest + descendants, i + 1);
    m->D_diag[i] = Length(t, i) - 1;
  }
}

// B: row b holds the dofs of the subtree of body b and of its ancestors: those that its subtree's inertia couples to.
void WriteB(const Topology& t, mjModel* m) {
  for (int b = 0; b < m->nbody; ++b) {
    const Topology::BodyEntry& body = t.bodies[static_cast<size_t>(b)];
    const int length = Length(t, body.last_dof);
    int* const row = OpenRow(b, length + body.descendants, m->B_rownnz, m->B_rowadr, m->B_colind);
    int* const rest = WriteChain(t, body.last_dof, row);
    std::iota(rest, rest + body.descendants, body.first_descendant);
  }
}

// M has one triangle of a symmetric matrix, D both: an entry of D above the diagonal is that of M below it. Entries
// that M leaves out because the dof is simple have no counterpart.
void MapBetweenMAndD(const Topology& t, mjModel* m) {
  for (int i = 0; i < t.nv(); ++i) {
    const int chain = Length(t, i), skipped = chain - RowLength(t, i);
    int* const to_M = m->mapM2D + m->D_rowadr[i];
    for (int k = 0; k < chain; ++k) to_M[k] = k < skipped ? -1 : m->M_rowadr[i] + k - skipped;
    // Behind the diagonal: in the row of a descendant, dof i stands where its chain ends.
    for (int k = chain; k < m->D_rownnz[i]; ++k) {
      const int descendant = i + 1 + k - chain;
      to_M[k] = IsSimple(t, descendant) ? -1 : m->M_rowadr[descendant] + chain - 1;
    }
    for (int k = 0; k < chain - skipped; ++k) m->mapD2M[m->M_rowadr[i] + k] = m->D_rowadr[i] + skipped + k;
  }
}

}  // namespace

void CountPatterns(const Draft& draft, Topology& t) {
  const int nv = t.nv();
  for (int i = 0; i < nv; ++i) {
    Topology::DofEntry& dof = t.dofs[static_cast<size_t>(i)];
    dof.depth = Length(t, dof.parent) + 1;
    dof.Madr = static_cast<int>(t.nM);
    t.nM += dof.depth;
    t.nC += RowLength(t, i);
    t.nD += 2 * dof.depth - 1;
  }
  for (int i = nv - 1; i >= 0; --i) {
    const Topology::DofEntry& dof = t.dofs[static_cast<size_t>(i)];
    if (dof.parent >= 0) t.dofs[static_cast<size_t>(dof.parent)].descendants += 1 + dof.descendants;
  }
  // The dofs below a body begin behind its own ones; without own ones, behind those of the bodies before it.
  int behind = 0;
  for (Topology::BodyEntry& body : t.bodies) {
    if (body.dofnum > 0) behind = body.dofadr + body.dofnum;
    body.first_descendant = behind;
  }
  for (size_t b = t.bodies.size() - 1; b > 0; --b) {
    const Topology::BodyEntry& body = t.bodies[b];
    t.bodies[static_cast<size_t>(draft.bodies[b].parent)].descendants += body.dofnum + body.descendants;
  }
  for (const Topology::BodyEntry& body : t.bodies) t.nB += Length(t, body.last_dof) + body.descendants;
}

void WritePatterns(const Topology& t, mjModel* m) {
  WriteM(t, m);
  WriteD(t, m);
  WriteB(t, m);
  MapBetweenMAndD(t, m);
}

}  // namespace sinew::inline compile
