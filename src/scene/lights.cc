// The lights of a scene are the headlight first, as MuJoCo 3.8.0 has it, then those of the model that are on, until
// the scene is full. Places are in the world, directions have length one, colours are 0..1.
#include "scene/lights.h"

#include <algorithm>

#include "math/rows.h"
#include "math/vec3.h"
#include "scene/room.h"

namespace sinew::inline scene {
namespace {

constexpr float kHeadlightRadius = 0.02f, kHeadlightRange = 10;

// A light that shines from the head along the line of sight.
mjvLight Headlight(const mjModel* m, const mjvScene& scene) {
  mjvLight light = {};
  const Head head = HeadInModel(scene);
  for (int i = 0; i < 3; ++i) {
    light.pos[i] = static_cast<float>(head.pos[i]);
    light.dir[i] = static_cast<float>(head.forward[i]);
  }
  light.id = light.texid = -1;
  light.type = mjLIGHT_DIRECTIONAL;
  light.headlight = 1;
  std::copy_n(m->vis.headlight.ambient, 3, light.ambient);
  std::copy_n(m->vis.headlight.diffuse, 3, light.diffuse);
  std::copy_n(m->vis.headlight.specular, 3, light.specular);
  light.bulbradius = kHeadlightRadius;
  light.range = kHeadlightRange;
  return light;
}

// Renderers need nothing of the model: all fields of a light are copied.
mjvLight ModelLight(const mjModel* m, const mjData* d, int id) {
  mjvLight light = {};
  light.id = id;
  for (int i = 0; i < 3; ++i) {
    light.pos[i] = static_cast<float>(d->light_xpos[3 * id + i]);
    light.dir[i] = static_cast<float>(d->light_xdir[3 * id + i]);
  }
  light.type = m->light_type[id];
  light.texid = m->light_texid[id];
  light.castshadow = m->light_castshadow[id];
  light.bulbradius = m->light_bulbradius[id];
  light.intensity = m->light_intensity[id];
  light.range = m->light_range[id];
  std::copy_n(Row3(m->light_ambient, id), 3, light.ambient);
  std::copy_n(Row3(m->light_diffuse, id), 3, light.diffuse);
  std::copy_n(Row3(m->light_specular, id), 3, light.specular);
  // Only spots have a cone and fade with distance.
  if (light.type == mjLIGHT_SPOT) {
    std::copy_n(Row3(m->light_attenuation, id), 3, light.attenuation);
    light.exponent = m->light_exponent[id];
    light.cutoff = m->light_cutoff[id];
  }
  return light;
}

}  // namespace

void MakeLights(const mjModel* m, const mjData* d, mjvScene* scene) {
  scene->nlight = 0;
  if (m->vis.headlight.active) scene->lights[scene->nlight++] = Headlight(m, *scene);
  for (int id = 0; id < m->nlight && scene->nlight < mjMAXLIGHT; ++id) {
    if (m->light_active[id]) scene->lights[scene->nlight++] = ModelLight(m, d, id);
  }
}

}  // namespace sinew::inline scene
