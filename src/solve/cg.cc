// Nonlinear conjugate gradients (Polak and Ribiere), preconditioned with the inverse inertia:
//
//   z = M^-1 gradient,   direction = -z + beta direction,   beta = max(0, g' (z - z_old) / g_old' z_old)
#include "inertia/ldl.h"
#include "math/dense.h"
#include "solve/descent.h"
#include "solve/primal.h"

namespace sinew::inline solve {

bool SolveCG(const Problem& p, const SolverOptions& options, mjData* d) {
  StackFrame frame(d, WhenFull::kReport);
  Descent descent(p, options, /*is_newton=*/false, frame);
  if (p.nnz) *p.nnz = 0;
  double* z = frame.Doubles(p.nv);
  double* z_old = frame.Doubles(p.nv);
  if (frame.full()) return false;
  double* direction = descent.direction();
  const auto precondition = [&](double* x) {
    Copy(x, descent.gradient(), p.nv);
    SolveLDL(x, p.LD, p.LDiagInv, 1, p.nv, p.M_rownnz, p.M_rowadr, p.M_colind);
  };

  precondition(z);
  for (int k = 0; k < p.nv; ++k) direction[k] = -z[k];
  double gz_old = Dot(descent.gradient(), z, p.nv);
  for (int i = 0; i < options.iterations; ++i) {
    if (!descent.Step() || descent.Finish()) break;

    Copy(z_old, z, p.nv);
    precondition(z);
    const double gz = Dot(descent.gradient(), z, p.nv);
    const double beta = Max(0.0, (gz - Dot(descent.gradient(), z_old, p.nv)) / Max(kMinVal, gz_old));
    for (int k = 0; k < p.nv; ++k) direction[k] = beta * direction[k] - z[k];
    gz_old = gz;
  }
  return true;
}

}  // namespace sinew::inline solve
