// The order in which a scene is filled. Geoms come before the camera, so that infinite planes follow where the camera
// was at the last update, as in MuJoCo 3.8.0; lights come after it, as the headlight is at the head.
#include "scene/update.h"

#include "plugin/hooks.h"
#include "scene/camera.h"
#include "scene/deformables.h"
#include "scene/lights.h"
#include "scene/parts.h"

namespace sinew::inline scene {
namespace {

constexpr int kAny = 0;  // parts that look at the category of each object themselves

struct Part {
  int category;  // mjtCatBit that must be wanted
  void (*add)(SceneBuilder& scene);
};

// kParts is the one list of parts: the number of a geom in segmented pictures depends on it.
constexpr Part kParts[] = {
    {mjCAT_DYNAMIC, AddFlexes},      {mjCAT_DYNAMIC, AddSkins},
    {kAny, AddModelGeoms},           {kAny, AddSites},
    {mjCAT_DYNAMIC, AddTendons},     {mjCAT_DYNAMIC, AddSliderCranks},
    {mjCAT_DECOR, AddGeomFrames},    {mjCAT_DECOR, AddSiteFrames},
    {mjCAT_DECOR, AddBodyVolumes},   {mjCAT_DECOR, AddFlexVolumes},
    {mjCAT_DECOR, AddMeshVolumes},   {mjCAT_DECOR, AddInertias},
    {mjCAT_DECOR, AddPerturbation},  {mjCAT_DECOR, AddBodyFrames},
    {mjCAT_DECOR, AddSelectedPoint}, {mjCAT_DECOR, AddBodyLabels},
    {mjCAT_DECOR, AddJoints},        {mjCAT_DECOR, AddActuators},
    {mjCAT_DECOR, AddIslandLabels},  {mjCAT_DECOR, AddCameras},
    {mjCAT_DECOR, AddLights},        {mjCAT_DECOR, AddCentresOfMass},
    {mjCAT_DECOR, AddConnections},   {mjCAT_DECOR, AddRangefinders},
    {mjCAT_DECOR, AddPerturbForces}, {mjCAT_DECOR, AddEqualities},
    {mjCAT_DECOR, AddContacts},
};

}  // namespace

void AppendGeoms(const mjModel* m, mjData* d, const mjvOption* option, const mjvPerturb* perturb, int categories,
                 mjvScene* scene) {
  SceneBuilder builder(m, d, option, perturb, categories, scene);
  for (const Part& part : kParts) {
    if (part.category == kAny || builder.HasCategory(part.category)) part.add(builder);
  }
}

void UpdateScene(const mjModel* m, mjData* d, const mjvOption* option, const mjvPerturb* perturb, mjvCamera* camera,
                 int categories, mjvScene* scene) {
  scene->ngeom = 0;
  VisualizePlugins(m, d, option, scene);
  AppendGeoms(m, d, option, perturb, categories, scene);
  UpdateCamera(m, d, camera, scene);
  MakeLights(m, d, scene);
  UpdateFlexes(m, d, option, scene);
  if (option->flags[mjVIS_SKIN]) UpdateSkins(m, d, scene);
}

}  // namespace sinew::inline scene
