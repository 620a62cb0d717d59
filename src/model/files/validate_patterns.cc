// The patterns of the matrices M, D and B follow from the tree of dofs (compile/topology/sparsity.h), and whoever
// factors or multiplies relies on each entry.
#include <mujoco/mujoco.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "model/files/validate.h"
#include "model/kinds/chain.h"
#include "model/storage/check.h"

namespace sinew::inline model {
namespace {

// A compressed matrix.
struct Pattern {
  const char* name;
  const int *rownnz, *rowadr, *colind;
  mjtSize size;
};

// Walks the dofs once for their depths and once, backwards, for the number of dofs below each; every pattern's row
// lengths follow from these two.
class PatternCheck {
 public:
  explicit PatternCheck(const mjModel& m)
      : m_(m), depth_(static_cast<size_t>(m.nv)), below_(static_cast<size_t>(m.nv)) {
    for (int i = 0; i < m.nv; ++i) depth_[static_cast<size_t>(i)] = 1 + DepthOf(m.dof_parentid[i]);
    for (int i = static_cast<int>(m.nv) - 1; i >= 0; --i) {
      const int parent = m.dof_parentid[i];
      if (parent != kNone) below_[static_cast<size_t>(parent)] += 1 + BelowOf(i);
    }
  }

  // Layout of qM: a row is as long as the way from the dof to the root.
  void CheckLegacy() const {
    mjtSize address = 0;
    for (int i = 0; i < m_.nv; ++i) {
      CheckEqual("dof_Madr", m_.dof_Madr, i, address);
      address += DepthOf(i);
    }
    if (address != m_.nM) throw Error("Invalid model: nM is not what the dofs have");
  }

  // A run of simple dofs, which have a diagonal entry only; no other dof is below one.
  void CheckSimple() const {
    for (int i = 0; i < m_.nv; ++i) {
      const int run = m_.dof_simplenum[i], next = i + 1 < m_.nv ? m_.dof_simplenum[i + 1] : 0;
      const int parent = m_.dof_parentid[i];
      const bool below_simple = parent != kNone && m_.dof_simplenum[parent] > 0;
      if (run != (run == 0 ? 0 : 1 + next) || (run == 0 && below_simple)) ThrowInvalid("dof_simplenum", i, run);
    }
  }

  // Lower triangle: a dof and its ancestors.
  void CheckM() {
    Begin({"M", m_.M_rownnz, m_.M_rowadr, m_.M_colind, m_.nC});
    for (int i = 0; i < m_.nv; ++i) CheckRow(i, m_.dof_simplenum[i] > 0 ? 1 : DepthOf(i), i + 1, 0);
    End();
  }

  // This pattern has both triangles, so descendants belong to a row as well.
  void CheckD() {
    Begin({"D", m_.D_rownnz, m_.D_rowadr, m_.D_colind, m_.nD});
    for (int i = 0; i < m_.nv; ++i) {
      CheckEqual("D_diag", m_.D_diag, i, DepthOf(i) - 1);
      CheckRow(i, DepthOf(i), i + 1, BelowOf(i));
    }
    End();
  }

  // The dofs that move a body, and those of the bodies below.
  void CheckB() {
    std::vector<int> dofs_below(static_cast<size_t>(m_.nbody), 0);
    for (int b = static_cast<int>(m_.nbody) - 1; b > 0; --b) {
      dofs_below[static_cast<size_t>(m_.body_parentid[b])] += dofs_below[static_cast<size_t>(b)] + m_.body_dofnum[b];
    }
    Begin({"B", m_.B_rownnz, m_.B_rowadr, m_.B_colind, m_.nB});
    int next = 0;  // dof behind those of the bodies so far
    for (int b = 0; b < m_.nbody; ++b) {
      const int last = LastDof(&m_, b);
      next += m_.body_dofnum[b];
      CheckRow(last, DepthOf(last), next, dofs_below[static_cast<size_t>(b)]);
    }
    End();
  }

 private:
  int DepthOf(int dof) const { return dof == kNone ? 0 : depth_[static_cast<size_t>(dof)]; }
  int BelowOf(int dof) const { return below_[static_cast<size_t>(dof)]; }

  void Begin(const Pattern& pattern) {
    pattern_ = pattern;
    row_ = address_ = 0;
  }

  // The next row: `length` dofs that end with `last` and its ancestors, and `more` dofs from `next` on.
  void CheckRow(int last, int length, int next, int more) {
    const int count = pattern_.rownnz[row_];
    if (count != length + more || pattern_.rowadr[row_] != address_) Fail();
    const int* columns = pattern_.colind + address_;
    for (int k = length - 1, dof = last; k >= 0; --k, dof = m_.dof_parentid[dof]) {
      if (columns[k] != dof) Fail();
    }
    for (int k = 0; k < more; ++k) {
      if (columns[length + k] != next + k) Fail();
    }
    address_ += count;
    ++row_;
  }

  void End() const {
    if (address_ != pattern_.size) Fail();
  }

  [[noreturn]] void Fail() const {
    const std::string name = pattern_.name;
    throw Error("Invalid model: bad " + name + "_rownnz, " + name + "_rowadr or " + name + "_colind",
                "row " + std::to_string(row_) + " is not what the dofs have");
  }

  const mjModel& m_;
  std::vector<int> depth_, below_;  // of a dof: dofs from the root down to it, and its descendants
  Pattern pattern_ = {};
  mjtSize row_ = 0, address_ = 0;  // so far
};

}  // namespace

void ValidatePatterns(const mjModel& m) {
  PatternCheck check(m);
  check.CheckLegacy();
  check.CheckSimple();
  check.CheckM();
  check.CheckD();
  check.CheckB();
}

}  // namespace sinew::inline model
