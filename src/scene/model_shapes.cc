// Geoms and sites as they are, in the colours of their materials or, on request, of their islands.
#include <cmath>

#include "math/scalar.h"
#include "model/view/view_of.h"
#include "scene/color.h"
#include "scene/parts.h"

namespace sinew::inline scene {
namespace {

using Vec = Vec3<double>;

// Without a texture, the grid of an infinite plane has cells of this share of what the far plane shows.
constexpr double kGridReach = 2.1;

// Side of the grid cells of an infinite plane along x or y.
double GridCell(const mjModel* m, int geom, int axis) {
  const int material = m->geom_matid[geom];
  if (material >= 0 && m->mat_texrepeat[2 * material + axis] > 0) {
    return 2 / static_cast<double>(m->mat_texrepeat[2 * material + axis]);
  }
  return kGridReach * static_cast<double>(m->vis.map.zfar) * m->stat.extent / (mjMAXPLANEGRID - 2);
}

// An infinite plane follows the camera in steps of two cells, so that its pattern stands still.
Vec PlanePosition(const SceneBuilder& s, int geom) {
  Vec pos = s.data.geom_xpos(geom);
  const Mat3<double> mat = s.data.geom_xmat(geom);
  Vec offset = -pos;
  for (int i = 0; i < 3; ++i) {
    offset[i] += (static_cast<double>(s.scene->camera[0].pos[i]) + static_cast<double>(s.scene->camera[1].pos[i])) / 2;
  }
  for (int axis = 0; axis < 2; ++axis) {
    if (s.m->geom_size[3 * geom + axis] > 0) continue;
    const double cell = GridCell(s.m, geom, axis);
    pos += mat.Column(axis) * (2 * cell * std::round(0.5 * Dot(offset, mat.Column(axis)) / cell));
  }
  return pos;
}

// A mesh has its number and whether its hull is shown, a height field its number.
int ShapeData(const SceneBuilder& s, int geom) {
  const mjModel* m = s.m;
  const int id = m->geom_dataid[geom], type = m->geom_type[geom];
  if (type == mjGEOM_HFIELD) return id;
  if ((type != mjGEOM_MESH && type != mjGEOM_SDF) || id < 0) return -1;
  const bool collides = m->geom_contype[geom] || m->geom_conaffinity[geom];
  return 2 * id + (s.Shows(mjVIS_CONVEXHULL) && m->mesh_graphadr[id] >= 0 && collides);
}

// The selected body glows, in all its geoms and sites.
void Highlight(const SceneBuilder& s, int body, mjvGeom* geom) {
  if (s.IsSelected(body)) geom->emission += s.m->vis.global.glow;
}

// `plane` counts planes, hidden ones too, and is -1 for others. A geom without opacity is left out.
void AddGeom(SceneBuilder& s, int id, int category, int plane) {
  const mjModel* m = s.m;
  const int type = m->geom_type[id], body = m->geom_bodyid[id];
  const Vec pos = type == mjGEOM_PLANE ? PlanePosition(s, id) : Vec(s.data.geom_xpos(id));
  mjvGeom geom = s.Shape({category, mjOBJ_GEOM, id}, type, ViewOf(m).geom_size(id), pos, s.data.geom_xmat(id), nullptr);
  geom.dataid = type == mjGEOM_PLANE ? plane : ShapeData(s, id);
  if (type == mjGEOM_MESH || type == mjGEOM_SDF) {
    geom.texcoord = m->geom_dataid[id] >= 0 && m->mesh_texcoordadr[m->geom_dataid[id]] >= 0;
  }
  geom.modelrbound = static_cast<float>(m->geom_rbound[id]);
  s.Paint(&geom, m->geom_matid[id], m->geom_rgba + 4 * id);
  // Colours of islands take the place of materials on all that can move.
  if (s.Shows(mjVIS_ISLAND) && m->body_weldid[body]) {
    geom.matid = -1;
    SetIslandColor(m, s.d, m->body_weldid[body], geom.rgba);
    geom.rgba[3] = 1;
  }
  Highlight(s, body, &geom);
  if (s.Labels(mjLABEL_GEOM)) s.Name(&geom, mjOBJ_GEOM, id);
  if (geom.rgba[3] != 0) s.Push(geom);
}

}  // namespace

void AddModelGeoms(SceneBuilder& s) {
  int planes = 0;
  for (int id = 0; id < s.m->ngeom; ++id) {
    const int plane = s.m->geom_type[id] == mjGEOM_PLANE ? planes++ : -1;
    const int category = s.CategoryOf(s.m->geom_bodyid[id]);
    if (!s.HasCategory(category) || !ShowsGroup(s.option.geomgroup, s.m->geom_group[id])) continue;
    AddGeom(s, id, category, plane);
  }
}

void AddSites(SceneBuilder& s) {
  const mjModel* m = s.m;
  for (int id = 0; id < m->nsite; ++id) {
    const int body = m->site_bodyid[id], category = s.CategoryOf(body);
    if (!s.HasCategory(category) || !ShowsGroup(s.option.sitegroup, m->site_group[id])) continue;
    mjvGeom geom = s.Shape({category, mjOBJ_SITE, id}, m->site_type[id], ViewOf(m).site_size(id), s.data.site_xpos(id),
                           s.data.site_xmat(id), nullptr);
    s.Paint(&geom, m->site_matid[id], m->site_rgba + 4 * id);
    Highlight(s, body, &geom);
    if (s.Labels(mjLABEL_SITE)) s.Name(&geom, mjOBJ_SITE, id);
    if (geom.rgba[3] != 0) s.Push(geom);
  }
}

}  // namespace sinew::inline scene
