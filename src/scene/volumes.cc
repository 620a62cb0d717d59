// Bounding volumes of bodies, meshes and flexes, at one depth of their hierarchies.
#include "model/kinds/bvh.h"
#include "scene/parts.h"

namespace sinew::inline scene {
namespace {

using Vec = Vec3<double>;
using Mat = Mat3<double>;

// Shown are the nodes at the chosen depth, and leaves above it.
bool IsShown(const SceneBuilder& s, int node) {
  const int depth = s.m->bvh_depth[node];
  return depth == s.option.bvh_depth || (depth < s.option.bvh_depth && IsBvhLeaf(s.m, node));
}

bool IsActive(const SceneBuilder& s, int node) { return s.m->vis.global.bvactive && s.d->bvh_active[node]; }

// A box in a frame: its centre and half sizes. The id is the number of the node, or of a mesh's geom.
void PushBox(SceneBuilder& s, int id, const double* box, const Vec& pos, const Mat& mat, bool active) {
  s.PushShape(Decor(id), mjGEOM_LINEBOX, LoadVec3(box + 3), pos + mat * LoadVec3(box), mat,
              active ? s.m->vis.rgba.bvactive : s.m->vis.rgba.bv);
}

}  // namespace

// Leaves are the boxes of geoms, in the frames of the geoms.
void AddBodyVolumes(SceneBuilder& s) {
  if (!s.Shows(mjVIS_BODYBVH)) return;
  const mjModel* m = s.m;
  for (int body = 0; body < m->nbody; ++body) {
    const int first = m->body_bvhadr[body];
    for (int node = first; node < first + m->body_bvhnum[body]; ++node) {
      if (!IsShown(s, node)) continue;
      if (IsBvhLeaf(m, node)) {
        const int geom = m->bvh_nodeid[node];
        PushBox(s, node, m->geom_aabb + 6 * geom, s.data.geom_xpos(geom), s.data.geom_xmat(geom), IsActive(s, node));
      } else {
        PushBox(s, node, m->bvh_aabb + 6 * node, s.data.xipos(body), s.data.ximat(body), IsActive(s, node));
      }
    }
  }
}

// Boxes of flexes are in the world, computed with the state.
void AddFlexVolumes(SceneBuilder& s) {
  if (!s.Shows(mjVIS_MESHBVH)) return;
  for (int flex = 0; flex < s.m->nflex; ++flex) {
    const int first = s.m->flex_bvhadr[flex];
    for (int node = first; first >= 0 && node < first + s.m->flex_bvhnum[flex]; ++node) {
      if (!IsShown(s, node)) continue;
      const double* box = s.d->bvh_aabb_dyn + 6 * (node - s.m->nbvhstatic);
      PushBox(s, node, box, Zero3<double>(), Identity3<double>(), IsActive(s, node));
    }
  }
}

// Boxes of meshes are in the frame of the geom; several geoms of one mesh each show them.
void AddMeshVolumes(SceneBuilder& s) {
  if (!s.Shows(mjVIS_MESHBVH)) return;
  const mjModel* m = s.m;
  for (int geom = 0; geom < m->ngeom; ++geom) {
    const int mesh = m->geom_dataid[geom];
    if (m->geom_type[geom] != mjGEOM_MESH || mesh < 0) continue;
    const int first = m->mesh_bvhadr[mesh];
    for (int node = first; first >= 0 && node < first + m->mesh_bvhnum[mesh]; ++node) {
      // nodes that were visited are shown alone
      if (!IsShown(s, node) || (m->vis.global.bvactive && !s.d->bvh_active[node])) continue;
      PushBox(s, geom, m->bvh_aabb + 6 * node, s.data.geom_xpos(geom), s.data.geom_xmat(geom), IsActive(s, node));
    }
  }
}

}  // namespace sinew::inline scene
