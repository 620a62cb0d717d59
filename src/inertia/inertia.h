// The joint-space inertia matrix: assembly, factorization, solutions and products.
#ifndef SINEW_INERTIA_INERTIA_H_
#define SINEW_INERTIA_INERTIA_H_

#include <mujoco/mujoco.h>

namespace sinew::inline inertia {

// crb, M and the legacy qM (composite_kernel.h), with armatures of dofs, tendons and actuators.
void MakeM(const mjModel* m, mjData* d);

// crb and M without tendons, leaving qM.
void CompositeRigidBody(const mjModel* m, mjData* d);

// qLD and qLDiagInv from M (ldl_kernel.h). M = L'D L
void FactorM(const mjModel* m, mjData* d);

// The same right after MakeM: M of a deep tree is factored without it (deep_tree_kernel.h).
void FactorMadeM(const mjModel* m, mjData* d);

// The sum of all forces but those of constraints, in qfrc_smooth (acceleration_kernel.h).
void SmoothForce(const mjModel* m, mjData* d);

// qfrc_smooth and qacc_smooth (acceleration_kernel.h). Needs all forces and FactorM.
void SmoothAcceleration(const mjModel* m, mjData* d);

// The metric in which accelerations are found, on the pattern of M, with its factors: inertia, or that of the
// integrator `discrete`, which qLU, qH and qHDiagInv hold (integrate/velocity_derivative/metric_kernel.h).
struct Metric {
  const mjtNum *M, *LD, *LDiagInv;
};
Metric MetricOf(const mjModel* m, const mjData* d);
void SolveMetric(const mjModel* m, const mjData* d, mjtNum* x);
void MulMetric(const mjModel* m, const mjData* d, mjtNum* result, const mjtNum* vec);

// Whether M has places for the products of all these dofs, ascending: those of one branch, unless inertia keeps them
// apart.
bool IsCoupledByInertia(const mjModel* m, const int* dofs, int count);

// x = M^-1 y for n vectors, rows of nv; x may be y.
void SolveM(const mjModel* m, const mjData* d, mjtNum* x, const mjtNum* y, int n);

// x = D^-1/2 L^-T y, so that x.x = y' M^-1 y; sqrtInvD (nv) is 1 / sqrt(D).
void SolveM2(const mjModel* m, const mjData* d, mjtNum* x, const mjtNum* y, const mjtNum* sqrtInvD, int n);

// Dofs [begin, end) of a kinematic tree. M has no entries between trees, so that it can be solved tree by tree.
struct DofRange {
  int begin, end;
  int size() const { return end - begin; }
};
DofRange TreeOfDof(const mjModel* m, int dof);

// The same as above for one vector in place, of which only the numbers of a tree are read and written.
void SolveTreeM(const mjModel* m, const mjData* d, mjtNum* x, DofRange tree);
void SolveTreeM2(const mjModel* m, const mjData* d, mjtNum* x, const mjtNum* sqrtInvD, DofRange tree);

// result = M vec, and result = D^1/2 L vec, so that result.result = vec' M vec. result and vec must not overlap.
void MulM(const mjModel* m, const mjData* d, mjtNum* result, const mjtNum* vec);
void MulM2(const mjModel* m, const mjData* d, mjtNum* result, const mjtNum* vec);

// Dense symmetric nv x nv matrix from one in the legacy layout of qM.
void FullM(const mjModel* m, mjtNum* dst, const mjtNum* qM);

// dst += M. A dense dst (no pattern given) gets the lower triangle only; the rows of a sparse one must contain M's
// entries, with ascending columns.
void AddM(const mjModel* m, const mjData* d, mjtNum* dst, const int* rownnz, const int* rowadr, const int* colind);

}  // namespace sinew::inline inertia

#endif  // SINEW_INERTIA_INERTIA_H_
