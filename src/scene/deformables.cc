// Flexes and skins of a scene have a geom each, and arrays of vertices, faces and normals that the scene owns and
// that are filled at each update. Vertices are in the world, in single precision.
#include "scene/deformables.h"

#include <algorithm>

#include "math/quat.h"
#include "math/rows.h"
#include "model/view/view_of.h"
#include "scene/flex_faces.h"
#include "scene/parts.h"
#include "scene/scene.h"

namespace sinew::inline scene {
namespace {

using Vec = Vec3<double>;

constexpr double kUnused = 0.1;  // sizes that surfaces do not have keep the default of geoms

bool ShowsFlexes(const mjvOption& option) {
  return option.flags[mjVIS_FLEXVERT] || option.flags[mjVIS_FLEXEDGE] || option.flags[mjVIS_FLEXFACE] ||
         option.flags[mjVIS_FLEXSKIN];
}

// Sums are in double precision, arrays of the scene in single.
Vec Load(const float* v) { return {double(v[0]), double(v[1]), double(v[2])}; }

void Accumulate(const Vec& v, float* to) {
  for (int i = 0; i < 3; ++i) to[i] += static_cast<float>(v[i]);
}

// Linear blend of the bones: a vertex is the weighted mean of where each of its bones would carry it,
//   v = sum_b w_b (x_b + q_b q_bind* (v_0 - x_bind))
void BlendBones(const mjModel* m, const mjData* d, int skin, float* vertices) {
  const float* bound = Row3(m->skin_vert, m->skin_vertadr[skin]);
  for (int bone = m->skin_boneadr[skin]; bone < m->skin_boneadr[skin] + m->skin_bonenum[skin]; ++bone) {
    const float* q = m->skin_bonebindquat + 4 * bone;
    const Quat<double> bind = {double(q[0]), double(q[1]), double(q[2]), double(q[3])};
    const int body = m->skin_bonebodyid[bone];
    const Quat<double> turn = ViewOf(d).xquat(body) * Conjugate(bind);
    const Vec origin = ViewOf(d).xpos(body), bind_origin = Load(Row3(m->skin_bonebindpos, bone));
    for (int i = m->skin_bonevertadr[bone]; i < m->skin_bonevertadr[bone] + m->skin_bonevertnum[bone]; ++i) {
      const int vertex = m->skin_bonevertid[i];
      const Vec carried = origin + Rotate(turn, Load(Row3(bound, vertex)) - bind_origin);
      Accumulate(carried * static_cast<double>(m->skin_bonevertweight[i]), Row3(vertices, vertex));
    }
  }
}

// The normal of a vertex is the mean of those of its faces, weighted by area.
void FindNormals(const mjModel* m, int skin, const float* vertices, float* normals) {
  const int* faces = Row3(m->skin_face, m->skin_faceadr[skin]);
  for (int i = 0; i < m->skin_facenum[skin]; ++i) {
    const int* face = Row3(faces, i);
    const Vec corner = Load(Row3(vertices, face[0]));
    const Vec normal = Cross(Load(Row3(vertices, face[1])) - corner, Load(Row3(vertices, face[2])) - corner);
    for (int k = 0; k < 3; ++k) Accumulate(normal, Row3(normals, face[k]));
  }
  for (int i = 0; i < m->skin_vertnum[skin]; ++i) {
    const Vec normal = Normalized(Load(Row3(normals, i)));
    for (int k = 0; k < 3; ++k) normals[3 * i + k] = static_cast<float>(normal[k]);
  }
}

// Bones first, then normals from what they gave, and then the skin grows along these by `inflate` metres.
void UpdateSkin(const mjModel* m, const mjData* d, int skin, mjvScene* scene) {
  float *vertices = Row3(scene->skinvert, m->skin_vertadr[skin]),
        *normals = Row3(scene->skinnormal, m->skin_vertadr[skin]);
  const int count = 3 * m->skin_vertnum[skin];
  std::fill_n(vertices, count, 0.0f);
  std::fill_n(normals, count, 0.0f);
  BlendBones(m, d, skin, vertices);
  FindNormals(m, skin, vertices, normals);
  for (int i = 0; i < count; ++i) vertices[i] += m->skin_inflate[skin] * normals[i];
}

}  // namespace

// A flex has one geom; which of its vertices, edges, faces and skin are drawn, the scene's flags say.
void AddFlexes(SceneBuilder& s) {
  if (!ShowsFlexes(s.option)) return;
  const mjModel* m = s.m;
  for (int id = 0; id < m->nflex; ++id) {
    if (!ShowsGroup(s.option.flexgroup, m->flex_group[id])) continue;
    const double radius = m->flex_radius[id];
    mjvGeom geom = s.Shape({mjCAT_DYNAMIC, mjOBJ_FLEX, id}, mjGEOM_FLEX, {radius, kUnused, kUnused},
                           ViewOf(s.d).flexvert_xpos(m->flex_vertadr[id]), Identity3<double>(), nullptr);
    s.Paint(&geom, m->flex_matid[id], m->flex_rgba + 4 * id);
    geom.texcoord = m->flex_texcoordadr[id] >= 0;
    if (!geom.texcoord) geom.matid = -1;
    if (s.perturb() && s.perturb()->flexselect == id) geom.emission += m->vis.global.glow;
    if (s.Labels(mjLABEL_FLEX)) s.Name(&geom, mjOBJ_FLEX, id);
    s.Push(geom);
  }
}

// A skin stands at the place of its first bone, for renderers that sort by distance.
void AddSkins(SceneBuilder& s) {
  if (!s.Shows(mjVIS_SKIN)) return;
  const mjModel* m = s.m;
  for (int id = 0; id < m->nskin; ++id) {
    if (!ShowsGroup(s.option.skingroup, m->skin_group[id])) continue;
    mjvGeom geom = s.Shape({mjCAT_DYNAMIC, mjOBJ_SKIN, id}, mjGEOM_SKIN, {kUnused, kUnused, kUnused},
                           s.data.xpos(m->skin_bonebodyid[m->skin_boneadr[id]]), Identity3<double>(), nullptr);
    s.Paint(&geom, m->skin_matid[id], m->skin_rgba + 4 * id);
    geom.texcoord = m->skin_texcoordadr[id] >= 0;
    if (s.perturb() && s.perturb()->skinselect == id) geom.emission += m->vis.global.glow;
    if (s.Labels(mjLABEL_SKIN)) s.Name(&geom, mjOBJ_SKIN, id);
    s.Push(geom);
  }
}

// Edges were set when the scene was made, as they do not change.
void UpdateFlexes(const mjModel* m, const mjData* d, const mjvOption* option, mjvScene* scene) {
  if (!ShowsFlexes(*option)) return;
  RequireFlexesOf(*m, *scene);
  scene->flexvertopt = option->flags[mjVIS_FLEXVERT];
  scene->flexedgeopt = option->flags[mjVIS_FLEXEDGE];
  scene->flexfaceopt = option->flags[mjVIS_FLEXFACE];
  scene->flexskinopt = option->flags[mjVIS_FLEXSKIN];
  std::transform(d->flexvert_xpos, Row3(d->flexvert_xpos, m->nflexvert), scene->flexvert,
                 [](double x) { return static_cast<float>(x); });
  for (int flex = 0; flex < m->nflex; ++flex) UpdateFlexFaces(m, flex, option->flex_layer, scene);
}

void UpdateSkins(const mjModel* m, const mjData* d, mjvScene* scene) {
  if (m->nskin == 0) return;
  RequireSkinsOf(*m, *scene);
  for (int skin = 0; skin < m->nskin; ++skin) UpdateSkin(m, d, skin, scene);
}

}  // namespace sinew::inline scene
