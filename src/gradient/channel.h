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

// Takes the force from the balance, and adds h J' g J b to the step, in the columns of positions and velocities.
// `implicit`: the integrator's matrix has the slope g.
inline void AddChannel(const Row& row, const ChannelForce& force, const double* qvel, double h, bool implicit,
                       const BalancePoint& at, const StateSizes& sizes, BalanceColumns& out) {
  const double rate = implicit ? row.Times(at.b) : 0;
  for (int j = 0; j < row.count; ++j) {
    const int q = row.dof[j], v = sizes.velocity() + q;
    const double turned = row.TurnTimes(j, qvel);
    row.Subtract(force.f_length * row.J[j] + force.f_velocity * turned, out.force[q]);
    row.SubtractTurned(j, force.f, out.force[q]);
    row.Subtract(force.f_velocity * row.J[j], out.force[v]);
    if (!implicit) continue;
    const double slope = force.g_length * row.J[j] + force.g_velocity * turned;
    row.Subtract(-h * (slope * rate + force.g * row.TurnTimes(j, at.b)), out.step[q]);
    row.SubtractTurned(j, -h * force.g * rate, out.step[q]);
    row.Subtract(-h * force.g_velocity * row.J[j] * rate, out.step[v]);
  }
}

}  // namespace sinew

#endif  // SINEW_GRADIENT_CHANNEL_H_
