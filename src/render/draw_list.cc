// Decomposes a scene (mjvScene): cameras, lights and flags here, its geoms in draw_geoms.cc.
#include "render/draw_list.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"
#include "render/draw_geoms.h"
#include "render/float3.h"
#include "scene/room.h"

namespace sinew::inline render {
namespace {

constexpr float kNoLight = 0.3f;  // ambient light of a scene without lights

// ---- cameras

// Brings a camera from the room into the model, where lengths are divided by the scale.
DrawView ViewOf(const mjvScene& scene, const mjvGLCamera& camera, const mjrRect& viewport) {
  DrawView view;
  const auto load = [](const float* v) { return Vec3<double>{double(v[0]), double(v[1]), double(v[2])}; };
  Vec3<double> pos = load(camera.pos), forward = Normalized(load(camera.forward)), up = load(camera.up);
  double scale = 1;
  if (scene.enabletransform) {
    // The inverse of the room's rotation turns directions into the model.
    const Quat<double> back = {double(scene.rotate[0]), -double(scene.rotate[1]), -double(scene.rotate[2]),
                               -double(scene.rotate[3])};
    pos = RoomToModel(scene, {pos, {1, 0, 0, 0}}).pos;
    forward = Rotate(back, forward);
    up = Rotate(back, up);
    scale = static_cast<double>(scene.scale);
  }
  // Cameras of users need not be at right angles; forward is kept, and up is made so.
  up = Normalized(up - forward * Dot(up, forward));
  Store3(pos, view.pos);
  Store3(forward, view.forward);
  Store3(up, view.up);
  Store3(Cross(forward, up), view.right);

  const auto shrink = static_cast<float>(1 / scale);
  const float aspect = static_cast<float>(viewport.width) / static_cast<float>(std::max(viewport.height, 1));
  // A frustum without a width takes that of the viewport, so that pixels are square.
  const float half =
      camera.frustum_width > 0 ? camera.frustum_width : 0.5f * aspect * (camera.frustum_top - camera.frustum_bottom);
  view.left = (camera.frustum_center - half) * shrink;
  view.right_border = (camera.frustum_center + half) * shrink;
  view.bottom = camera.frustum_bottom * shrink;
  view.top = camera.frustum_top * shrink;
  view.near = camera.frustum_near * shrink;
  view.far = camera.frustum_far * shrink;
  view.orthographic = camera.orthographic != 0;
  view.viewport = viewport;
  return view;
}

// Whether cameras were set; without geoms, they need not be.
bool HasCameras(const mjvScene& scene) {
  for (const mjvGLCamera& camera : scene.camera) {
    const bool set = camera.frustum_near >= static_cast<float>(mjMINVAL) && camera.frustum_far > camera.frustum_near;
    if (set) continue;
    if (scene.ngeom == 0) return false;
    throw Error("a camera of the scene has no near plane before its far plane",
                "call mjv_updateCamera or mjv_updateScene first");
  }
  return true;
}

// Adds one view over the whole viewport, or two for the eyes in its left and right half. One eye's picture is that of
// the mean of both cameras, as MuJoCo 3.8.0 does.
void AddViews(const mjvScene& scene, mjrRect viewport, DrawList& list) {
  // A scene that was made and never updated gives an empty picture: any frustum does.
  if (!HasCameras(scene)) {
    DrawView view;
    view.left = view.bottom = -view.near;
    view.right_border = view.top = view.near;
    view.viewport = viewport;
    list.views.push_back(view);
    return;
  }
  if (scene.stereo == mjSTEREO_NONE) {
    list.views.push_back(ViewOf(scene, AverageCamera(scene.camera[0], scene.camera[1]), viewport));
    return;
  }
  mjrRect half = viewport;
  half.width /= 2;
  list.views.push_back(ViewOf(scene, scene.camera[0], half));
  half.left += half.width;
  list.views.push_back(ViewOf(scene, scene.camera[1], half));
}

// Distances and sides of planes are measured from one point, so that both eyes draw in the same order.
DrawHead HeadOf(const DrawList& list) {
  DrawHead head;
  const DrawView &a = list.views.front(), &b = list.views.back();
  for (int i = 0; i < 3; ++i) {
    head.pos[i] = 0.5f * (a.pos[i] + b.pos[i]);
    head.forward[i] = 0.5f * (a.forward[i] + b.forward[i]);
  }
  head.far = std::max(a.far, b.far);
  return head;
}

// ---- lights

// Headlights cast no shadows: each would lie behind what casts it.
void AddLights(const mjvScene& scene, DrawList& list) {
  for (int i = 0; i < std::clamp(scene.nlight, 0, mjMAXLIGHT); ++i) {
    const mjvLight& light = scene.lights[i];
    if (light.type != mjLIGHT_DIRECTIONAL && light.type != mjLIGHT_SPOT) continue;
    DrawLight copy;
    copy.directional = light.type == mjLIGHT_DIRECTIONAL;
    copy.headlight = light.headlight != 0;
    copy.shadow = list.shadows && light.castshadow && !light.headlight;
    Copy3(light.pos, copy.pos);
    const float norm = std::sqrt(Dot3(light.dir, light.dir));
    for (int k = 0; k < 3 && norm > 0; ++k) copy.dir[k] = light.dir[k] / norm;
    Copy3(light.attenuation, copy.attenuation);
    copy.cutoff = light.cutoff;
    copy.exponent = light.exponent;
    Copy3(light.ambient, copy.ambient);
    Copy3(light.diffuse, copy.diffuse);
    Copy3(light.specular, copy.specular);
    list.lights.push_back(copy);
  }
  list.ambient = list.lights.empty() ? kNoLight : 0;
}

// The first opaque plane or box that mirrors; others stop mirroring, whether mirror images are drawn or not.
void FindReflector(mjvScene& scene, DrawList& list) {
  bool found = false;
  for (size_t i = 0; i < list.instances.size(); ++i) {
    DrawInstance& instance = list.instances[i];
    const bool can = (instance.shape == DrawShape::kPlane || instance.shape == DrawShape::kBox) &&
                     !instance.transparent && instance.reflectance > 0;
    if (can && !found) {
      found = true;
      if (scene.flags[mjRND_REFLECTION]) list.reflector = static_cast<int>(i);
      continue;
    }
    if (instance.reflectance <= 0) continue;
    instance.reflectance = 0;
    if (instance.geom >= 0) scene.geoms[instance.geom].reflectance = 0;
  }
}

// Whether the camera is above the first plane without borders.
bool SeesHaze(const DrawHead& head, const DrawList& list) {
  if (list.haze_plane < 0) return false;
  const DrawInstance& plane = list.instances[static_cast<size_t>(list.haze_plane)];
  float height = 0;
  for (int i = 0; i < 3; ++i) height += plane.mat[3 * i + 2] * (head.pos[i] - plane.pos[i]);
  return height > 0;
}

void Clear(DrawList& list) {
  list.views.clear();
  list.instances.clear();
  list.opaque.clear();
  list.transparent.clear();
  list.triangles.Clear();
  list.segments.clear();
  list.labels.clear();
  list.lights.clear();
  list.reflector = list.haze_plane = list.skybox = -1;
}

// Copies the flags, and settles which of two contradicting ones wins: a picture of segments has neither depth nor
// fog.
void SetFlags(const mjvScene& scene, const DrawSettings& settings, DrawList& list) {
  const auto on = [&](mjtRndFlag flag) { return scene.flags[flag] != 0; };
  list.settings = settings;
  list.segment = on(mjRND_SEGMENT);
  list.id_color = list.segment && on(mjRND_IDCOLOR);
  list.depth_picture = on(mjRND_DEPTH) && !list.segment;
  list.shadows = on(mjRND_SHADOW) && settings.shadow_size > 0;
  list.additive = on(mjRND_ADDITIVE);
  list.wireframe = on(mjRND_WIREFRAME);
  list.cull = on(mjRND_CULL_FACE);
  list.fog = on(mjRND_FOG) && !list.segment;
  list.frame_width = scene.framewidth;
  Copy3(scene.framergb, list.frame_rgb);
}

}  // namespace

DrawSettings DrawSettings::Of(const mjrContext& con) {
  DrawSettings settings;
  settings.line_width = con.lineWidth;
  settings.fog_start = con.fogStart;
  settings.fog_end = con.fogEnd;
  std::copy_n(con.fogRGBA, 4, settings.fog_rgba);
  settings.shadow_clip = con.shadowClip;
  settings.shadow_scale = con.shadowScale;
  settings.shadow_size = con.shadowSize;
  return settings;
}

DrawSettings DrawSettings::Of(const mjModel& m) {
  DrawSettings settings;
  const auto extent = static_cast<float>(m.stat.extent);
  settings.line_width = m.vis.global.linewidth;
  settings.fog_start = extent * m.vis.map.fogstart;
  settings.fog_end = extent * m.vis.map.fogend;
  std::copy_n(m.vis.rgba.fog, 4, settings.fog_rgba);
  settings.shadow_clip = extent * m.vis.map.shadowclip;
  settings.shadow_scale = m.vis.map.shadowscale;
  settings.shadow_size = m.vis.quality.shadowsize;
  return settings;
}

// Digits of the index in the base, mirrored at the point.
float Halton(int index, int base) {
  double value = 0, digit = 1.0 / base;
  for (int rest = index; rest > 0; rest /= base, digit /= base) value += digit * (rest % base);
  return static_cast<float>(value);
}

// Geoms need the head's place, the reflector needs all geoms, and the haze needs the sky and the planes: hence this
// order.
void BuildDrawList(const DrawAssets& assets, const DrawSettings& settings, mjrRect viewport, mjvScene& scene,
                   DrawList& list) {
  Clear(list);
  SetFlags(scene, settings, list);
  AddViews(scene, viewport, list);
  AddLights(scene, list);
  const DrawHead head = HeadOf(list);
  AddGeoms(assets, head, scene, list);
  FindReflector(scene, list);

  const auto nearer = [&](int a, int b) {
    return list.instances[static_cast<size_t>(a)].distance < list.instances[static_cast<size_t>(b)].distance;
  };
  std::stable_sort(list.transparent.begin(), list.transparent.end(), nearer);
  if (scene.flags[mjRND_SKYBOX] && !list.segment) list.skybox = assets.skybox;
  list.haze = scene.flags[mjRND_HAZE] && list.skybox >= 0 && SeesHaze(head, list);
}

}  // namespace sinew::inline render
