// Decoration of bodies: frames, inertias, labels, centres of mass.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "model/view/view_of.h"
#include "scene/parts.h"

namespace sinew::inline scene {
namespace {

using Vec = Vec3<double>;

constexpr double kWater = 1000;  // density at which a scaled inertia has its own size [kg/m^3]
constexpr double kWorldFrameScale = 2;

// Half sizes of the uniform box, or semi-axes of the ellipsoid, with a body's mass and inertia. The second moment along
// x is (I_y + I_z - I_x) / 2 = m a^2 / n, n = 3 for boxes and 5 for ellipsoids.
Vec EquivalentSize(const Vec& inertia, double mass, bool ellipsoid) {
  const double n = ellipsoid ? 5 : 3, sum = inertia.x + inertia.y + inertia.z;
  Vec size;
  for (int i = 0; i < 3; ++i) size[i] = std::sqrt(std::max(0.0, (sum - 2 * inertia[i]) / (2 * mass)) * n);
  return size;
}

// With the flag of scaled inertias, a box of the density of water has its own size, denser ones larger.
void AddInertia(SceneBuilder& s, int body) {
  const mjModel* m = s.m;
  const double mass = m->body_mass[body];
  const bool ellipsoid = m->vis.global.ellipsoidinertia != 0;
  Vec size = EquivalentSize(ViewOf(m).body_inertia(body), mass, ellipsoid);
  if (s.Shows(mjVIS_SCLINERTIA)) {
    const double volume = (ellipsoid ? 4 * kPi / 3 : 8) * size.x * size.y * size.z;
    size *= std::cbrt(mass / std::max(volume, kMinVal) / kWater);
  }
  mjvGeom geom = s.Shape(Decor(body, mjOBJ_BODY), ellipsoid ? mjGEOM_ELLIPSOID : mjGEOM_BOX, size, s.data.xipos(body),
                         s.data.ximat(body), m->vis.rgba.inertia);
  if (s.IsSelected(body)) geom.emission += m->vis.global.glow;
  if (s.Labels(mjLABEL_BODY) || (s.Labels(mjLABEL_SELECTION) && s.IsSelected(body))) s.Name(&geom, mjOBJ_BODY, body);
  s.Push(geom);
}

// Frames of the geoms or sites that are shown: `group` and `body` of each.
template <class Position, class Axes>
void AddFrames(SceneBuilder& s, int count, const mjtByte* shown, const int* group, const int* body,
               const Position& position, const Axes& axes) {
  for (int id = 0; id < count; ++id) {
    if (!ShowsGroup(shown, group[id]) || !s.HasCategory(s.CategoryOf(body[id]))) continue;
    s.PushFrame(Decor(id), position(id), axes(id));
  }
}

}  // namespace

void AddGeomFrames(SceneBuilder& s) {
  if (!s.Frames(mjFRAME_GEOM)) return;
  AddFrames(
      s, static_cast<int>(s.m->ngeom), s.option.geomgroup, s.m->geom_group, s.m->geom_bodyid,
      [&](int id) { return s.data.geom_xpos(id); }, [&](int id) { return s.data.geom_xmat(id); });
}

void AddSiteFrames(SceneBuilder& s) {
  if (!s.Frames(mjFRAME_SITE)) return;
  AddFrames(
      s, static_cast<int>(s.m->nsite), s.option.sitegroup, s.m->site_group, s.m->site_bodyid,
      [&](int id) { return s.data.site_xpos(id); }, [&](int id) { return s.data.site_xmat(id); });
}

void AddInertias(SceneBuilder& s) {
  if (!s.Shows(mjVIS_INERTIA)) return;
  for (int body = 1; body < s.m->nbody; ++body) {
    if (s.m->body_mass[body] > kMinVal && s.HasCategory(s.CategoryOf(body))) AddInertia(s, body);
  }
}

// With inertias shown, the frame of a body is that of its inertia.
void AddBodyFrames(SceneBuilder& s) {
  if (s.Frames(mjFRAME_WORLD)) s.PushFrame(Decor(0), Zero3<double>(), Identity3<double>(), kWorldFrameScale);
  if (!s.Frames(mjFRAME_BODY)) return;
  for (int body = 1; body < s.m->nbody; ++body) {
    if (s.Shows(mjVIS_INERTIA)) {
      s.PushFrame(Decor(body), s.data.xipos(body), s.data.ximat(body));
    } else {
      s.PushFrame(Decor(body), s.data.xpos(body), s.data.xmat(body));
    }
  }
}

void AddBodyLabels(SceneBuilder& s) {
  if (s.Shows(mjVIS_INERTIA)) return;
  for (int body = 1; body < s.m->nbody; ++body) {
    if (s.Labels(mjLABEL_BODY) || (s.Labels(mjLABEL_SELECTION) && s.IsSelected(body))) {
      mjvGeom geom = s.Label(Decor(body), s.data.xpos(body), s.data.xmat(body));
      s.Name(&geom, mjOBJ_BODY, body);
      s.Push(geom);
    }
  }
}

// Bodies of one island show the same number; those that are fixed or in no island show none.
void AddIslandLabels(SceneBuilder& s) {
  if (!s.Labels(mjLABEL_ISLAND) || s.d->nisland == 0) return;
  for (int body = 1; body < s.m->nbody; ++body) {
    const int weld = s.m->body_weldid[body];
    if (weld == 0 || s.m->body_dofnum[weld] == 0) continue;
    const int island = s.d->dof_island[s.m->body_dofadr[weld]];
    if (island < 0) continue;
    mjvGeom geom = s.Label(Decor(body), s.data.xipos(body), s.data.ximat(body));
    std::snprintf(geom.label, sizeof(geom.label), "%d", island);
    s.Push(geom);
  }
}

// Only roots of trees are shown: the centre is that of the whole tree.
void AddCentresOfMass(SceneBuilder& s) {
  if (!s.Shows(mjVIS_COM)) return;
  const double radius = s.Scaled(s.m->vis.scale.com);
  for (int body = 1; body < s.m->nbody; ++body) {
    if (s.m->body_rootid[body] != body) continue;
    s.PushShape(Decor(body), mjGEOM_SPHERE, {radius, radius, radius}, s.data.subtree_com(body), Identity3<double>(),
                s.m->vis.rgba.com);
  }
}

}  // namespace sinew::inline scene
