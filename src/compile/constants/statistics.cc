// Sizes of the model (mjStatistic): extent and centre for cameras, mean size and mass of bodies, and the lengths that
// turn angles of dofs into distances for solver tolerances. All are measured at the reference configuration, in metres
// and kg.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "compile/constants/set_const.h"
#include "math/vec3.h"

namespace sinew::inline compile {
namespace {

constexpr mjtNum kSmallest = 1e-5;  // m: of extent and of body sizes

Vec3<mjtNum> Row(const mjtNum* array, int i) { return LoadVec3(array + 3 * i); }

// ---- extent

// Box around points and spheres, with axes of the world.
class Bounds {
 public:
  void Add(const Vec3<mjtNum>& point, mjtNum radius = 0) {
    for (int i = 0; i < 3; ++i) {
      lower_[i] = std::min(lower_[i], point[i] - radius);
      upper_[i] = std::max(upper_[i], point[i] + radius);
    }
    empty_ = false;
  }
  bool empty() const { return empty_; }
  Vec3<mjtNum> center() const { return (lower_ + upper_) * 0.5; }
  mjtNum edge() const {
    const Vec3<mjtNum> size = upper_ - lower_;
    return std::max({size.x, size.y, size.z});
  }

 private:
  Vec3<mjtNum> lower_ = {mjMAXVAL, mjMAXVAL, mjMAXVAL}, upper_ = -lower_;
  bool empty_ = true;
};

// Radius that a geom contributes: planes, which have no bound, a tenth of what is drawn.
mjtNum Radius(const mjModel* m, int geom) {
  if (m->geom_rbound[geom] > 0) return m->geom_rbound[geom];
  if (m->geom_type[geom] != mjGEOM_PLANE) return 0;
  const mjtNum drawn = std::max(m->geom_size[3 * geom], m->geom_size[3 * geom + 1]);
  return drawn > 0 ? 0.1 * drawn : 1;
}

// Everything with a place at qpos0: frames of bodies and of their inertias, anchors, sites, geoms with their radii. The
// world's own frame does not count: models may stand far from it.
Bounds FindBounds(const mjModel* m, const mjData* d) {
  Bounds bounds;
  for (int b = 1; b < m->nbody; ++b) {
    bounds.Add(Row(d->xpos, b));
    bounds.Add(Row(d->xipos, b));
  }
  for (int j = 0; j < m->njnt; ++j) bounds.Add(Row(d->xanchor, j));
  for (int s = 0; s < m->nsite; ++s) bounds.Add(Row(d->site_xpos, s));
  for (int g = 0; g < m->ngeom; ++g) bounds.Add(Row(d->geom_xpos, g), Radius(m, g));
  return bounds;
}

// ---- sizes of bodies

// Bodies that move nodes of a flex reach to the farthest of them.
void ExtendToNodes(const mjModel* m, const mjData* d, int flex, std::vector<mjtNum>& sizes) {
  const int *bodies = m->flex_nodebodyid + m->flex_nodeadr[flex], count = m->flex_nodenum[flex];
  for (int i = 0; i < count; ++i) {
    mjtNum& size = sizes[static_cast<size_t>(bodies[i])];
    for (int j = 0; j < count; ++j) size = std::max(size, Norm(Row(d->xpos, bodies[i]) - Row(d->xpos, bodies[j])));
  }
}

// Largest distance from a body's centre of mass to its joints, the joints of its children, the ends of its geoms, and
// the ends of the flex edges at its vertices.
std::vector<mjtNum> BodySizes(const mjModel* m, const mjData* d) {
  std::vector<mjtNum> sizes(static_cast<size_t>(m->nbody), kSmallest);
  const auto extend = [&](int body, const Vec3<mjtNum>& point, mjtNum radius) {
    mjtNum& size = sizes[static_cast<size_t>(body)];
    size = std::max(size, radius + Norm(point - Row(d->xipos, body)));
  };
  for (int j = 0; j < m->njnt; ++j) {
    const int body = m->jnt_bodyid[j];
    extend(body, Row(d->xanchor, j), 0);
    extend(m->body_parentid[body], Row(d->xanchor, j), 0);
  }
  for (int g = 0; g < m->ngeom; ++g) {
    if (m->geom_rbound[g] > 0) extend(m->geom_bodyid[g], Row(d->geom_xpos, g), m->geom_rbound[g]);
  }
  for (int f = 0; f < m->nflex; ++f) {
    if (m->flex_interp[f] != 0) {
      ExtendToNodes(m, d, f, sizes);
      continue;
    }
    const int* bodies = m->flex_vertbodyid + m->flex_vertadr[f];
    for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; ++e) {
      for (int end = 0; end < 2; ++end) {
        mjtNum& size = sizes[static_cast<size_t>(bodies[m->flex_edge[2 * e + end]])];
        size = std::max(size, m->flexedge_length0[e]);
      }
    }
  }
  return sizes;
}

// A length scales angular velocities and accelerations, so that they compare with linear ones.
// Whether a dof translates.
bool IsTranslation(const mjModel* m, int dof) {
  const int joint = m->dof_jntid[dof];
  const int type = m->jnt_type[joint];
  return type == mjJNT_SLIDE || (type == mjJNT_FREE && dof < m->jnt_dofadr[joint] + 3);
}

}  // namespace

void SetStatistics(mjModel* m, const mjData* d) {
  // The statistics of an empty model.
  mjStatistic& stat = m->stat;
  stat.meanmass = 1;
  stat.meansize = 0.2;
  stat.extent = 2;
  std::fill_n(stat.center, 3, 0);
  const Bounds bounds = FindBounds(m, d);
  if (bounds.empty()) return;

  const std::vector<mjtNum> sizes = BodySizes(m, d);
  if (m->nbody > 1) {
    const auto count = static_cast<mjtNum>(m->nbody - 1);
    stat.meansize = std::accumulate(sizes.begin() + 1, sizes.end(), 0.0) / count;
    stat.meanmass = std::accumulate(m->body_mass + 1, m->body_mass + m->nbody, 0.0) / count;
  }
  StoreVec3(bounds.center(), stat.center);
  if (bounds.edge() >= kSmallest) stat.extent = std::max(bounds.edge(), 2 * stat.meansize);
  for (int i = 0; i < m->nv; ++i) {
    m->dof_length[i] = IsTranslation(m, i) ? 1 : sizes[static_cast<size_t>(m->dof_bodyid[i])];
  }
}

}  // namespace sinew::inline compile
