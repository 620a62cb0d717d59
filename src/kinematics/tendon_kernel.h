// Fixed tendons: a linear combination of joint positions, L = sum_i c_i q_i.
#ifndef SINEW_KINEMATICS_TENDON_KERNEL_H_
#define SINEW_KINEMATICS_TENDON_KERNEL_H_

#include "model/data_view.h"
#include "model/model_view.h"

namespace sinew {
inline namespace SINEW_ISA {

template <class S>
bool IsFixedTendon(const ModelView<S>& m, int tendon) {
  return m.wrap_type(m.tendon_adr(tendon)) == mjWRAP_JOINT;
}

//   in: qpos          out: ten_length, ten_J (its row); ten_wrapnum is 0
template <class S>
void FixedTendon(const ModelView<S>& m, const DataView<S>& d, int tendon) {
  const int row = m.ten_J_rowadr(tendon), count = m.ten_J_rownnz(tendon);
  for (int k = row; k < row + count; ++k) d.ten_J(k) = S(0);

  S length(0);
  const int first = m.tendon_adr(tendon), end = first + m.tendon_num(tendon);
  for (int w = first; w < end; ++w) {
    const int joint = m.wrap_objid(w), dof = m.jnt_dofadr(joint);
    const S coefficient = m.wrap_prm(w);
    length += coefficient * d.qpos(m.jnt_qposadr(joint));
    // A joint that is named twice has two columns; the first takes the sum.
    int k = row;
    while (m.ten_J_colind(k) != dof) ++k;
    d.ten_J(k) += coefficient;
  }
  d.ten_length(tendon) = length;
  d.ten_wrapnum(tendon) = 0;
}

// All tendons of a model without spatial ones.
template <class S>
void FixedTendons(const ModelView<S>& m, const DataView<S>& d) {
  for (int t = 0; t < m.ntendon(); ++t) {
    FixedTendon(m, d, t);
    d.ten_wrapadr(t) = 0;
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_KINEMATICS_TENDON_KERNEL_H_
