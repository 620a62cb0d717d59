#include "gradient/pair_columns.h"

#include <utility>

#include "constraint/pair_jacobian.h"

namespace sinew {

PairMotions::PairMotions(const mjModel* m, mjData* d, const double* a)
    : spatial_(static_cast<size_t>(6 * (m->nbody + m->nv))), turn_(static_cast<size_t>(m->nbody)) {
  Spatial<double>* next = spatial_.data();
  const auto take = [&](mjtSize n) { return std::exchange(next, next + n); };
  for (TreeDerivative<double>* tree : {&still_, &moving_}) {
    *tree = {take(m->nbody), take(m->nbody), take(m->nbody), turn_.data(),
             nullptr,        take(m->nv),    take(m->nv),    take(m->nv)};
  }
  const std::vector<double> rest(static_cast<size_t>(m->nv));
  const ModelView<double> model(m);
  const DataView<double> data(d);
  PassVelocities(model, data, {rest.data(), a, /*gravity=*/false}, still_);
  PassVelocities(model, data, {d->qvel, a, /*gravity=*/false}, moving_);
}

Vec3<double> PairColumns::Offset(int body) const {
  return point_ - LoadVec3(d_->subtree_com + 3 * m_->body_rootid[body]);
}

void PairColumns::Begin(int body1, int body2, const Vec3<double>& point) {
  body_[0] = body1;
  body_[1] = body2;
  point_ = point;
  ids_.resize(static_cast<size_t>(m_->nv));
  sides_.resize(static_cast<size_t>(m_->nv));
  const MovingDofs moving = DofsOfPair(m_, body1, body2, /*keep_common=*/true, ids_.data(), sides_.data());
  const DataView<double> data(d_);
  dofs_.clear();
  for (int k = 0; k < moving.count; ++k) {
    const int j = moving.dof[k];
    const Vec3<double> offset = Offset(m_->dof_bodyid[j]);
    const auto shifted = [&](const Spatial<double>& motion) { return ShiftMotion(motion, offset); };
    dofs_.push_back({j, moving.side[k], shifted(data.cdof(j)), shifted(motions_.moving().p[j]),
                     shifted(motions_.accelerating().q[j]), shifted(motions_.moving().q[j]),
                     shifted(motions_.moving().w[j])});
  }
}

void PairColumns::SubtractPosition(const PairDof& j, const PairWrench& wrench, const PairWrench& change,
                                   Columns& out) const {
  double* column = out[j.dof];
  const int turn = FirstOfTurn(m_, j.dof);
  // (s_j x s_i)' W = -s_i' (s_j x* W)
  PairWrench moved = change;
  for (int b = 0; b < 2; ++b) moved.on[b] -= CrossForce(j.s, wrench.on[b]);
  for (const PairDof& i : dofs_) {
    const bool axis_moves = (i.side & j.side) != 0 && (j.dof < i.dof || FirstOfTurn(m_, i.dof) == turn);
    const PairWrench& felt = axis_moves ? moved : change;
    for (int b = 0; b < 2; ++b) {
      if (i.Moves(b)) column[i.dof] -= Dot(i.s, felt.on[b]);
    }
  }
}

void PairColumns::SubtractVelocity(const PairDof& j, const PairWrench& change, Columns& out) const {
  double* column = out[static_cast<int>(m_->nv) + j.dof];
  for (const PairDof& i : dofs_) {
    for (int b = 0; b < 2; ++b) {
      if (i.Moves(b)) column[i.dof] -= Dot(i.s, change.on[b]);
    }
  }
}

}  // namespace sinew
