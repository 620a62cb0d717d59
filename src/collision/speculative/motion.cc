// Velocities of bodies come from cdof and qvel: those of the last step, which cvel still has, may have been edited.
#include "collision/speculative/motion.h"

#include <algorithm>

#include "model/view/view_of.h"

namespace sinew::inline collision {
namespace {

// Velocities of bodies about the centres of their trees.
SINEW_DISPATCH void FindVelocities(const mjModel* raw, const mjData* data, Spatial<double>* velocity) {
  const ModelView<double> m(raw);
  const DataView<double> d = ViewOf(data);
  velocity[0] = ZeroSpatial<double>();
  for (int b = 1; b < m.nbody(); ++b) {
    Spatial<double> v = velocity[m.body_parentid(b)];
    const int end = m.body_dofadr(b) + m.body_dofnum(b);
    for (int dof = m.body_dofadr(b); dof < end; ++dof) v += d.cdof(dof) * d.qvel(dof);
    velocity[b] = v;
  }
}

}  // namespace

double HalfThickness(const mjModel* m, int geom) {
  if (IsFlat(m->geom_type[geom])) return 0;
  const double* half = m->geom_aabb + 6 * geom + 3;
  return std::min({half[0], half[1], half[2]});
}

StepMotions::StepMotions(const mjModel* m, const mjData* d, StackFrame& frame)
    : m_(m), d_(d), velocity_(frame.Alloc<Spatial<double>>(m->nbody)), fast_(frame.Ints(m->ngeom)) {
  if (frame.full()) return;
  FindVelocities(m, d, velocity_);
  for (int body = 1; body < m->nbody; ++body) {
    if (m->body_weldid[body] == 0 || m->body_geomnum[body] == 0) continue;
    AddFastOf(body);
  }
}

// Most geoms are slow by far, which a bound without roots tells: with the distance r of the centre from that of the
// tree and the radius R, no point goes farther than h (|v| + |w| (r + R)), whose square is at most three times the sum
// of the squares.
void StepMotions::AddFastOf(int body) {
  const Spatial<double>& v = velocity_[body];
  const double h2 = m_->opt.timestep * m_->opt.timestep, linear = 3 * h2 * Dot(v.lin, v.lin);
  const double angular = 3 * h2 * Dot(v.rot, v.rot);
  const Vec3<double> middle = LoadVec3(d_->subtree_com + 3 * m_->body_rootid[body]);
  const int first = m_->body_geomadr[body], end = first + m_->body_geomnum[body];
  for (int geom = first; geom < end; ++geom) {
    if (!MayCollide(geom)) continue;
    const Vec3<double> arm = LoadVec3(d_->geom_xpos + 3 * geom) - middle;
    const double radius = m_->geom_rbound[geom], limit = kFast * HalfThickness(m_, geom);
    if (linear + angular * (Dot(arm, arm) + radius * radius) <= limit * limit) continue;
    if (IsFast(geom)) fast_[count_++] = geom;
  }
}

bool StepMotions::MayCollide(int geom) const {
  return (m_->geom_contype[geom] | m_->geom_conaffinity[geom]) != 0 || m_->npair > 0;
}

bool StepMotions::IsFast(int geom) const {
  return MayCollide(geom) && !IsFlat(m_->geom_type[geom]) && Of(geom).Sweep() > kFast * HalfThickness(m_, geom);
}

double StepMotions::SweepOf(int geom) const {
  return m_->body_weldid[m_->geom_bodyid[geom]] == 0 || IsFlat(m_->geom_type[geom]) ? 0 : Of(geom).Sweep();
}

GeomMotion StepMotions::Of(int geom) const {
  return {ShiftOf(geom, LoadVec3(d_->geom_xpos + 3 * geom)), velocity_[m_->geom_bodyid[geom]].rot * m_->opt.timestep,
          m_->geom_rbound[geom]};
}

Vec3<double> StepMotions::ShiftOf(int geom, const Vec3<double>& point) const {
  const int body = m_->geom_bodyid[geom];
  const Vec3<double> arm = point - LoadVec3(d_->subtree_com + 3 * m_->body_rootid[body]);
  return PointVelocity(velocity_[body], arm) * m_->opt.timestep;
}

}  // namespace sinew::inline collision
