// Geoms of a scene are initialized, coloured, named and appended here. The warning about a full scene has the words
// of MuJoCo 3.8.0.
#include "scene/builder.h"

#include <algorithm>
#include <cstdio>

#include "core/warning.h"
#include "model/kinds/names.h"
#include "scene/geom.h"

namespace sinew::inline scene {
namespace {

constexpr float kDefaultColor[4] = {0.5f, 0.5f, 0.5f, 1};
constexpr float kAxisColor = 0.9f;
constexpr double kLabelSize = 0.1;  // texts have no size; the default of geoms

}  // namespace

mjvGeom SceneBuilder::Shape(const SceneTag& tag, int type, const Vec& size, const Vec& pos, const Mat& mat,
                            const float* rgba) const {
  mjvGeom geom = {};
  InitGeom(&geom, type, &size.x, &pos.x, mat.m, rgba);
  geom.category = tag.category;
  geom.objtype = tag.objtype;
  geom.objid = tag.objid;
  return geom;
}

mjvGeom SceneBuilder::Connector(const SceneTag& tag, int type, double width, const Vec& from, const Vec& to,
                                const float* rgba) const {
  mjvGeom geom = Shape(tag, type, Zero3<double>(), from, Identity3<double>(), rgba);
  ConnectPoints(&geom, type, width, &from.x, &to.x);
  return geom;
}

void SceneBuilder::Paint(mjvGeom* geom, int material, const float* rgba) const {
  if (material >= 0) {
    std::copy_n(m->mat_rgba + 4 * material, 4, geom->rgba);
    geom->emission = m->mat_emission[material];
    geom->specular = m->mat_specular[material];
    geom->shininess = m->mat_shininess[material];
    geom->reflectance = m->mat_reflectance[material];
    if (Shows(mjVIS_TEXTURE)) geom->matid = material;
  }
  // The default grey means no colour: in XML it cannot be distinguished from an omitted one.
  if (material < 0 || !std::equal(rgba, rgba + 4, kDefaultColor)) std::copy_n(rgba, 4, geom->rgba);
  if (Shows(mjVIS_TRANSPARENT) && geom->category == mjCAT_DYNAMIC) geom->rgba[3] *= m->vis.map.alpha;
}

void SceneBuilder::Name(mjvGeom* geom, int objtype, int id) const {
  const char* name = Id2Name(*m, objtype, id);
  if (name) {
    std::snprintf(geom->label, sizeof(geom->label), "%s", name);
  } else {
    std::snprintf(geom->label, sizeof(geom->label), "%s %d", TypeToString(objtype), id);
  }
}

void SceneBuilder::Push(mjvGeom geom) {
  if (scene->ngeom >= scene->maxgeom) {
    if (scene->status == 0)
      Warn("Pre-allocated visual geom buffer is full. Increase maxgeom above %d.", scene->maxgeom);
    scene->status = 1;
    return;
  }
  // The number in segmented pictures is the place in the list.
  geom.segid = scene->ngeom;
  scene->geoms[scene->ngeom++] = geom;
}

void SceneBuilder::PushFrame(const SceneTag& tag, const Vec& pos, const Mat& mat, double scale) {
  const double width = scale * Scaled(m->vis.scale.framewidth), length = scale * Scaled(m->vis.scale.framelength);
  for (int axis = 0; axis < 3; ++axis) {
    float rgba[4] = {0, 0, 0, 1};
    rgba[axis] = kAxisColor;
    PushConnector(tag, mjGEOM_CYLINDER, width, pos, pos + mat.Column(axis) * length, rgba);
  }
}

mjvGeom SceneBuilder::Label(const SceneTag& tag, const Vec& pos, const Mat& mat) const {
  return Shape(tag, mjGEOM_LABEL, {kLabelSize, kLabelSize, kLabelSize}, pos, mat, nullptr);
}

}  // namespace sinew::inline scene
