#include "derivatives/sensors/dual_world.h"

#include <algorithm>

#include "derivatives/base/dual_order.h"
#include "integrate/position_kernel.h"
#include "sensor/sensor_kernel.h"

namespace sinew::inline derivatives {
namespace {

void SetSlope(DualWorld::Number* out, int lane, const Vec3<double>& slope) {
  for (int k = 0; k < 3; ++k) out[k].slope[lane] = slope[k];
}

// Whether a sensor refers to an object of this type.
bool Looks(const mjModel* m, int type) {
  for (int i = 0; i < m->nsensor; ++i) {
    if (m->sensor_objtype[i] == type || m->sensor_reftype[i] == type) return true;
  }
  return false;
}

}  // namespace

// Values stand in the arrays for good; columns only change slopes.
void DualWorld::Take(Number*& array, const double* from, mjtSize count) {
  std::vector<Number>& numbers = storage_.emplace_back(Size(count));
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = Number(from[i]);
  array = numbers.data();
}

DualWorld::DualWorld(const mjModel* m, mjData* d, const ResidualDerivative& residual, const ForceChanges& changes)
    : m_(m),
      d_(d),
      sizes_(m),
      changes_of_a_(residual.columns().force),
      force_changes_(changes),
      memory_(m),
      tree_(memory_.tree()),
      shared_(static_cast<size_t>(ModelField::kCount)),
      moves_(Size(m->nbody * kLanes)),
      twist_(Size(m->nbody * kLanes)),
      pushed_(Size(m->nbody * kLanes)),
      force_(Size(m->nbody * kLanes)),
      center_(Size(m->nbody)) {
  const ModelView<double> model(m);
  const DataView<double> data(d);
  PassMotion(model, data, {d->qvel, residual.point().a, /*gravity=*/true}, tree_);
  has_geoms_ = Looks(m, mjOBJ_GEOM);
  has_sites_ = Looks(m, mjOBJ_SITE);
  has_cameras_ = Looks(m, mjOBJ_CAMERA);
  for (int i = 0; i < m->nsensor; ++i) has_forces_ |= InputOf(m->sensor_type[i]) == SensorInput::kBodyForces;

  const mjtSize n = m->nbody;
  DataLanes<Number>& a = arrays_;
  a.time = Number(d->time);
  Take(a.qpos, d->qpos, m->nq);
  Take(a.qvel, d->qvel, m->nv);
  Take(a.xpos, d->xpos, 3 * n);
  Take(a.xquat, d->xquat, 4 * n);
  Take(a.xmat, d->xmat, 9 * n);
  Take(a.xipos, d->xipos, 3 * n);
  Take(a.ximat, d->ximat, 9 * n);
  Take(a.geom_xpos, d->geom_xpos, has_geoms_ ? 3 * m->ngeom : 0);
  Take(a.geom_xmat, d->geom_xmat, has_geoms_ ? 9 * m->ngeom : 0);
  Take(a.site_xpos, d->site_xpos, has_sites_ ? 3 * m->nsite : 0);
  Take(a.site_xmat, d->site_xmat, has_sites_ ? 9 * m->nsite : 0);
  Take(a.cam_xpos, d->cam_xpos, has_cameras_ ? 3 * m->ncam : 0);
  Take(a.cam_xmat, d->cam_xmat, has_cameras_ ? 9 * m->ncam : 0);
  Take(a.subtree_com, d->subtree_com, 3 * n);
  Take(a.cvel, d->cvel, 6 * n);
  Take(a.cacc, d->cacc, 6 * n);
  Take(a.cfrc_int, d->cfrc_int, 6 * n);
  Take(a.subtree_linvel, d->subtree_linvel, 3 * n);
  Take(a.subtree_angmom, d->subtree_angmom, 3 * n);
  Take(a.ten_length, d->ten_length, m->ntendon);
  Take(a.ten_velocity, d->ten_velocity, m->ntendon);
  Take(a.actuator_length, d->actuator_length, m->nu);
  Take(a.actuator_velocity, d->actuator_velocity, m->nu);
  Take(a.actuator_force, d->actuator_force, m->nu);
  Take(a.qfrc_actuator, d->qfrc_actuator, m->nv);
}

void DualWorld::SetColumns(int first) {
  for (std::vector<Number>& numbers : storage_) {
    for (Number& x : numbers) std::fill_n(x.slope, kLanes, 0.0);
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    const int c = first + lane;
    position_[lane] = c < sizes_.nv ? c : -1;
    velocity_[lane] = c >= sizes_.nv && c < 2 * sizes_.nv ? c - sizes_.nv : -1;
    accelerations_[lane] = c < sizes_.all() ? changes_of_a_[c] : nullptr;
    SetMotion(lane);
    SetCoordinates(lane);
    SetPoses(lane);
    SetCenters(lane);
    SetVelocities(lane);
    if (has_forces_) SetForces(lane);
  }
}

// A body is moved by the dofs of its own joints and of those before it.
void DualWorld::SetMotion(int lane) {
  const DataView<double> data(d_);
  const int q = position_[lane], v = velocity_[lane], j = std::max(q, v);
  moves_[Lane(lane, 0)] = 0;
  twist_[Lane(lane, 0)] = pushed_[Lane(lane, 0)] = ZeroSpatial<double>();
  for (int b = 1; b < m_->nbody; ++b) {
    const size_t here = Lane(lane, b), parent = Lane(lane, m_->body_parentid[b]);
    moves_[here] = moves_[parent] != 0 || (j >= 0 && m_->dof_bodyid[j] == b);
    twist_[here] = moves_[here] && q >= 0 ? data.cdof(q) : ZeroSpatial<double>();
    pushed_[here] = pushed_[parent];
    if (!accelerations_[lane]) continue;
    for (int k = m_->body_dofadr[b]; k < m_->body_dofadr[b] + m_->body_dofnum[b]; ++k) {
      pushed_[here] += data.cdof(k) * accelerations_[lane][k];
    }
  }
}

void DualWorld::SetCoordinates(int lane) {
  const int q = position_[lane];
  if (velocity_[lane] >= 0) arrays_.qvel[velocity_[lane]].slope[lane] = 1;
  if (q < 0) return;
  ForEachCoordinate(
      ModelView<double>(m_), [&](int adr, int dof) { arrays_.qpos[adr].slope[lane] = dof == q ? 1 : 0; },
      [&](int adr, int dof) {
        if (q < dof || q >= dof + 3) return;
        Vec3<double> turn = Zero3<double>();
        turn[q - dof] = 0.5;
        const Quat<double> change = MulPure(LoadQuat(d_->qpos + adr), turn);
        for (int k = 0; k < 4; ++k) arrays_.qpos[adr + k].slope[lane] = change[k];
      });
}

// A frame of a body moves by the body's twist.
void DualWorld::MoveFrame(int lane, int body, Number* position, Number* rotation) const {
  const Spatial<double>& twist = Twist(lane, body);
  const Vec3<double> x = {position[0].value, position[1].value, position[2].value};
  SetSlope(position, lane, PointVelocity(twist, x - Center(body)));
  for (int column = 0; column < 3; ++column) {
    const Vec3<double> axis = {rotation[column].value, rotation[3 + column].value, rotation[6 + column].value};
    const Vec3<double> turned = Cross(twist.rot, axis);
    for (int k = 0; k < 3; ++k) rotation[3 * k + column].slope[lane] = turned[k];
  }
}

void DualWorld::SetPoses(int lane) {
  if (position_[lane] < 0) return;
  const DataLanes<Number>& a = arrays_;
  for (int b = 1; b < m_->nbody; ++b) {
    if (!Moves(lane, b)) continue;
    MoveFrame(lane, b, a.xpos + 3 * b, a.xmat + 9 * b);
    MoveFrame(lane, b, a.xipos + 3 * b, a.ximat + 9 * b);
    const Vec3<double> turn = Twist(lane, b).rot * 0.5;
    const Quat<double> change = Quat<double>{0, turn.x, turn.y, turn.z} * LoadQuat(d_->xquat + 4 * b);
    for (int k = 0; k < 4; ++k) a.xquat[4 * b + k].slope[lane] = change[k];
  }
  const auto move_all = [&](mjtSize count, const int* body, Number* position, Number* rotation) {
    for (int i = 0; i < count; ++i) {
      if (Moves(lane, body[i])) MoveFrame(lane, body[i], position + 3 * i, rotation + 9 * i);
    }
  };
  if (has_geoms_) move_all(m_->ngeom, m_->geom_bodyid, a.geom_xpos, a.geom_xmat);
  if (has_sites_) move_all(m_->nsite, m_->site_bodyid, a.site_xpos, a.site_xmat);
  if (has_cameras_) move_all(m_->ncam, m_->cam_bodyid, a.cam_xpos, a.cam_xmat);
}

// Centres of subtrees move with the centres of their bodies.
void DualWorld::SetCenters(int lane) {
  std::fill(center_.begin(), center_.end(), Zero3<double>());
  if (position_[lane] < 0) return;
  const auto own = [&](int b) { return PointVelocity(Twist(lane, b), LoadVec3(d_->xipos + 3 * b) - Center(b)); };
  for (int b = 1; b < m_->nbody; ++b) center_[Size(b)] = own(b) * m_->body_mass[b];
  for (int b = static_cast<int>(m_->nbody) - 1; b >= 0; --b) {
    Vec3<double>& sum = center_[Size(b)];
    if (b > 0) center_[Size(m_->body_parentid[b])] += sum;
    const double mass = m_->body_subtreemass[b];
    sum = mass < kMinVal ? own(b) : sum * (1 / mass);
    SetSlope(arrays_.subtree_com + 3 * b, lane, sum);
  }
}

void DualWorld::SetVelocities(int lane) {
  const DataView<double> data(d_);
  const int q = position_[lane], v = velocity_[lane];
  for (int b = 1; b < m_->nbody; ++b) {
    const Spatial<double>&V = tree_.velocity[b], &A = tree_.acceleration[b];
    Spatial<double> dV = ZeroSpatial<double>(), dA = Pushed(lane, b);
    if (Moves(lane, b) && q >= 0) {
      const Spatial<double>& s = data.cdof(q);
      dV += CrossMotion(s, V) + tree_.p[q];
      dA += CrossMotion(s, A) + tree_.q[q] + CrossMotion(tree_.p[q], V);
    }
    if (Moves(lane, b) && v >= 0) {
      dV += data.cdof(v);
      dA += CrossMotion(data.cdof(v), V) + tree_.w[v];
    }
    const Vec3<double>& move = center_[Size(m_->body_rootid[b])];
    dV.lin += Cross(V.rot, move);
    dA.lin += Cross(A.rot, move);
    for (int k = 0; k < 6; ++k) {
      arrays_.cvel[6 * b + k].slope[lane] = dV[k];
      arrays_.cacc[6 * b + k].slope[lane] = dA[k];
    }
  }
}

Spatial<double> DualWorld::RelativePush(int lane, const ContactChange& contact) const {
  Spatial<double> push = ZeroSpatial<double>();
  for (const auto& [body, weight] : contact.carriers) {
    push += ShiftMotion(Pushed(lane, body), contact.point - Center(body)) * weight;
  }
  return push;
}

Spatial<double> DualWorld::WrenchChange(int lane, const ContactChange& contact) const {
  const Spatial<double> push = RelativePush(lane, contact);
  const int column = position_[lane] >= 0 ? position_[lane] : sizes_.nv + velocity_[lane];
  Spatial<double> change = ZeroSpatial<double>();
  for (int k = 0; k < 6; ++k) change[k] = Dot(contact.wrench_by[k], push);
  if (position_[lane] < 0 && velocity_[lane] < 0) return change;
  for (const ContactChange::ByColumn& by : contact.by_state) {
    if (by.column == column) change += by.wrench;
  }
  return change;
}

double DualWorld::NormalChange(int lane, const ContactChange& contact) const {
  double change = Dot(contact.normal_by, RelativePush(lane, contact));
  if (position_[lane] < 0 && velocity_[lane] < 0) return change;
  const int column = position_[lane] >= 0 ? position_[lane] : sizes_.nv + velocity_[lane];
  for (const ContactChange::ByColumn& by : contact.by_state) {
    if (by.column == column) change += by.normal;
  }
  return change;
}

// Forces inside joints: those that bodies need, without those from outside, summed over subtrees.
void DualWorld::SetForces(int lane) {
  const DataView<double> data(d_);
  const int q = position_[lane], v = velocity_[lane];
  force_[Lane(lane, 0)] = ZeroSpatial<double>();
  for (int b = 1; b < m_->nbody; ++b) {
    Spatial<double>& change = force_[Lane(lane, b)];
    change = data.cinert(b) * Pushed(lane, b);
    if (!Moves(lane, b)) continue;
    if (q >= 0) {
      change += CrossForce(data.cdof(q), tree_.force[b]) + data.cinert(b) * tree_.q[q] + tree_.rate[b] * tree_.p[q];
      const Vec3<double> moved = PointVelocity(Twist(lane, b), LoadVec3(d_->xipos + 3 * b) - Center(b));
      change.rot -= Cross(moved, LoadVec3(d_->xfrc_applied + 6 * b));
    } else if (v >= 0) {
      change += data.cinert(b) * tree_.w[v] + tree_.rate[b] * data.cdof(v);
    }
  }
  for (const ContactChange& contact : force_changes_.contacts) {
    const Spatial<double> wrench = WrenchChange(lane, contact);
    for (const auto& [body, weight] : contact.carriers) {
      if (body == 0) continue;
      force_[Lane(lane, body)] += ShiftForce(wrench, Center(body) - contact.point) * -weight;
    }
  }
  for (int b = static_cast<int>(m_->nbody) - 1; b > 0; --b) {
    Spatial<double> change = force_[Lane(lane, b)];
    if (m_->body_parentid[b] > 0) force_[Lane(lane, m_->body_parentid[b])] += change;
    change.rot -= Cross(center_[Size(m_->body_rootid[b])], data.cfrc_int(b).lin);
    for (int k = 0; k < 6; ++k) arrays_.cfrc_int[6 * b + k].slope[lane] = change[k];
  }
}

}  // namespace sinew::inline derivatives
