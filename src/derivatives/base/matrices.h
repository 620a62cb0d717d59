// The matrices that derivatives of a step, and of inverse dynamics, are written to.
#ifndef SINEW_DERIVATIVES_BASE_MATRICES_H_
#define SINEW_DERIVATIVES_BASE_MATRICES_H_

namespace sinew::inline derivatives {

// With y = (qpos, qvel, act), positions in the tangent space, y' that of the next step, u = ctrl, s = sensordata,
// row-major; null for what is not wanted.
struct TransitionMatrices {
  double *A, *B;  // dy'/dy, dy'/du
  double *C, *D;  // ds/dy, ds/du
};

// Row i belongs to component i of the input: positions in the tangent space, velocities, accelerations; null for what
// is not wanted.
struct InverseMatrices {
  double *DfDq, *DfDv, *DfDa;  // of qfrc_inverse (nv x nv)
  double *DsDq, *DsDv, *DsDa;  // of sensordata (nv x nsensordata)
  double* DmDq;                // of qM (nv x nM)
};

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_MATRICES_H_
