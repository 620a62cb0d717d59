// Velocities of bodies come from cdof and qvel: those of the last step, which cvel still has, may have been edited.
#include "collision/speculative/motion.h"

#include <algorithm>

#include "model/view/view_of.h"

namespace sinew::inline collision {
namespace {

// Velocities of bodies about the centres of their trees.
void FindVelocities(const ModelView<double>& m, const DataView<double>& d, Spatial<double>* velocity) {
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
  FindVelocities(ViewOf(m), ViewOf(d), velocity_);
  for (int body = 1; body < m->nbody; ++body) {
    if (m->body_weldid[body] == 0) continue;
    const int first = m->body_geomadr[body], end = first + m->body_geomnum[body];
    for (int geom = first; geom < end; ++geom) {
      if (MayBeFast(geom) && IsFast(geom)) fast_[count_++] = geom;
    }
  }
}

// The same as IsFast without roots, for most geoms: (a + b)^2 is at most 2 (a^2 + b^2).
bool StepMotions::MayBeFast(int geom) const {
  const Spatial<double>& v = velocity_[m_->geom_bodyid[geom]];
  const Vec3<double> shift = ShiftOf(geom, LoadVec3(d_->geom_xpos + 3 * geom));
  const double h = m_->opt.timestep, turn = h * m_->geom_rbound[geom], limit = kFast * HalfThickness(m_, geom);
  return 2 * (Dot(shift, shift) + turn * turn * Dot(v.rot, v.rot)) > limit * limit;
}

bool StepMotions::IsFast(int geom) const {
  if (IsFlat(m_->geom_type[geom]) || !(m_->geom_contype[geom] || m_->geom_conaffinity[geom] || m_->npair > 0)) {
    return false;
  }
  return Of(geom).Sweep() > kFast * HalfThickness(m_, geom);
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
