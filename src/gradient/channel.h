// A scalar force along a row: what a joint's or tendon's actuator, spring, damper or constraint exerts.
//
//   force  J' f(L, L', ...)    L' = J v,   dJ_i/dq_j = K_ij
//
// A row has few columns; K is null where the row is constant.
#ifndef SINEW_GRADIENT_CHANNEL_H_
#define SINEW_GRADIENT_CHANNEL_H_

#include "gradient/columns.h"

namespace sinew {

struct Row {
  int count;
  const int* dof;
  const double* J;
  const double* K;  // count x count, row-major; or null

  double Times(const double* x) const {
    double sum = 0;
    for (int k = 0; k < count; ++k) sum += J[k] * x[dof[k]];
    return sum;
  }
  // The change of J x with the position of column j.
  double TurnTimes(int j, const double* x) const {
    double sum = 0;
    for (int k = 0; K && k < count; ++k) sum += K[k * count + j] * x[dof[k]];
    return sum;
  }
  // column -= J' scale
  void Subtract(double scale, double* column) const {
    if (scale == 0) return;
    for (int k = 0; k < count; ++k) column[dof[k]] -= J[k] * scale;
  }
  // column -= (dJ/dq_j)' scale
  void SubtractTurned(int j, double scale, double* column) const {
    if (!K || scale == 0) return;
    for (int k = 0; k < count; ++k) column[dof[k]] -= K[k * count + j] * scale;
  }
};

// A row with memory of its own.
struct OwnRow {
  std::vector<int> dof;
  std::vector<double> J, K;
  std::vector<double> length;  // slopes of the length by the dofs, where they are not J

  Row row() const { return {static_cast<int>(dof.size()), dof.data(), J.data(), K.empty() ? nullptr : K.data()}; }
  // Makes it the multiple of another one.
  void Assign(const Row& other, double scale) {
    dof.assign(other.dof, other.dof + other.count);
    J.assign(other.J, other.J + other.count);
    K.clear();
    if (other.K) K.assign(other.K, other.K + other.count * other.count);
    for (std::vector<double>* numbers : {&J, &K}) {
      for (double& x : *numbers) x *= scale;
    }
  }
};

// A force along a row and its slopes by length and velocity; g is the slope by velocity that the implicit integrators
// take in, with slopes of its own.
struct ChannelForce {
  double f = 0, f_length = 0, f_velocity = 0;
  double g = 0, g_length = 0, g_velocity = 0;
};

// A row as the matrix of an implicit integrator has it, h J' g J without what couples dofs of different branches, and
// with implicitfast without what inertia does not couple, as the dofs of simple bodies: its product with b has J_i r_i
// at dof i, where r_i takes the dofs k that are coupled with i.
class ImplicitRow {
 public:
  // Which dofs are coupled: those of a branch, or as inertia has them.
  enum class Pattern { kIntegrator, kInertia };

  ImplicitRow(const mjModel* m, const Row& row, const double* b, Pattern pattern = Pattern::kIntegrator)
      : row_(row), b_(b), rate_(Size(row.count)) {
    const bool of_inertia = pattern == Pattern::kInertia || m->opt.integrator == mjINT_IMPLICITFAST;
    one_branch_ = true;
    related_.resize(Size(row.count) * Size(row.count));
    for (int i = 0; i < row.count; ++i) {
      for (int k = 0; k < row.count; ++k) {
        const bool related =
            AreCoupled(m, of_inertia, std::max(row.dof[i], row.dof[k]), std::min(row.dof[i], row.dof[k]));
        related_[Index(i, k)] = related;
        one_branch_ &= related;
      }
    }
    for (int i = 0; i < row.count; ++i) {
      for (int k = 0; k < row.count; ++k) rate_[Size(i)] += related_[Index(i, k)] ? row.J[k] * b[row.dof[k]] : 0;
    }
  }

  double Rate(int i) const { return rate_[Size(i)]; }
  // The change of r_i with the position of column j, as the row turns.
  double Turn(int i, int j) const {
    if (!row_.K) return 0;
    double sum = 0;
    for (int k = 0; k < row_.count; ++k) {
      if (related_[Index(i, k)]) sum += row_.K[k * row_.count + j] * b_[row_.dof[k]];
    }
    return sum;
  }
  bool one_branch() const { return one_branch_; }
  // column += scale J_i r_i
  void Add(double scale, double* column) const {
    for (int i = 0; i < row_.count; ++i) column[row_.dof[i]] += scale * row_.J[i] * rate_[Size(i)];
  }

 private:
  static bool AreCoupled(const mjModel* m, bool of_inertia, int dof, int above) {
    if (of_inertia) {
      const int* begin = m->M_colind + m->M_rowadr[dof];
      return std::find(begin, begin + m->M_rownnz[dof], above) != begin + m->M_rownnz[dof];
    }
    while (dof > above) dof = m->dof_parentid[dof];
    return dof == above;
  }
  size_t Index(int i, int k) const { return Size(i) * Size(row_.count) + Size(k); }

  const Row row_;
  const double* b_;
  std::vector<double> rate_;
  std::vector<char> related_;
  bool one_branch_;
};

// Takes the force from the balance, in the columns of positions and velocities. `length`: slopes of the length by the
// dofs of the row; null: J.
inline void AddChannel(const Row& row, const ChannelForce& force, const double* qvel, const StateSizes& sizes,
                       Columns& out, const double* length = nullptr) {
  if (!length) length = row.J;
  for (int j = 0; j < row.count; ++j) {
    const int q = row.dof[j], v = sizes.velocity() + q;
    row.Subtract(force.f_length * length[j] + force.f_velocity * row.TurnTimes(j, qvel), out[q]);
    row.SubtractTurned(j, force.f, out[q]);
    row.Subtract(force.f_velocity * row.J[j], out[v]);
  }
}

// Adds h J' g J b to the step.
inline void AddImplicitChannel(const Row& row, const ImplicitRow& implicit, const ChannelForce& force,
                               const double* qvel, double h, const StateSizes& sizes, Columns& out,
                               const double* length = nullptr) {
  if (!length) length = row.J;
  for (int j = 0; j < row.count; ++j) {
    double *by_q = out[row.dof[j]], *by_v = out[sizes.velocity() + row.dof[j]];
    implicit.Add(h * (force.g_length * length[j] + force.g_velocity * row.TurnTimes(j, qvel)), by_q);
    implicit.Add(h * force.g_velocity * row.J[j], by_v);
    if (force.g == 0 || !row.K) continue;
    double turn = implicit.one_branch() ? implicit.Turn(0, j) : 0;
    for (int i = 0; i < row.count; ++i) {
      if (!implicit.one_branch()) turn = implicit.Turn(i, j);
      by_q[row.dof[i]] += h * force.g * (row.J[i] * turn + row.K[i * row.count + j] * implicit.Rate(i));
    }
  }
}

}  // namespace sinew

#endif  // SINEW_GRADIENT_CHANNEL_H_
