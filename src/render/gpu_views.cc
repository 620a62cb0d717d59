#include "render/gpu_views.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/float3.h"

namespace sinew::inline render {
namespace {

constexpr float kWidestShadow = 160;  // angle of a spot's map [degree]

// Clip coordinates of a point, by columns. Depth falls from one at the near to zero at the far plane; `from_zero` says
// whether the driver takes it so, or wants the range from -1 to 1.
void ClipMatrix(const DrawView& view, bool from_zero, float to[16]) {
  // The rows are in the camera's frame, right, up and forward, with depth positive in front of it.
  const Vec3<double> eye = Load3(view.pos);
  const Vec3<double> axes[3] = {Load3(view.right), Load3(view.up), Load3(view.forward)};
  const double near = view.near, far = view.far;
  const double low[2] = {view.left, view.bottom}, high[2] = {view.right_border, view.top};
  double rows[4][4] = {};  // on (x, y, depth, 1) of the camera
  for (int i = 0; i < 2; ++i) {
    // Frustums need not be symmetric: the eyes of a stereo pair and cameras with a principal point are not.
    const double shift = -(high[i] + low[i]) / (high[i] - low[i]);
    rows[i][i] = (view.orthographic ? 2 : 2 * near) / (high[i] - low[i]);
    rows[i][view.orthographic ? 3 : 2] = shift;
  }
  rows[3][view.orthographic ? 3 : 2] = 1;
  rows[2][2] = (view.orthographic ? -1 : -near) / (far - near);
  rows[2][3] = (view.orthographic ? far : near * far) / (far - near);
  for (int c = 0; c < 4 && !from_zero; ++c) rows[2][c] = 2 * rows[2][c] - rows[3][c];
  for (int r = 0; r < 4; ++r) {
    double shift = rows[r][3];
    for (int a = 0; a < 3; ++a) shift -= rows[r][a] * Dot(axes[a], eye);
    for (int c = 0; c < 3; ++c) {
      double sum = 0;
      for (int a = 0; a < 3; ++a) sum += rows[r][a] * axes[a][c];
      to[4 * c + r] = static_cast<float>(sum);
    }
    to[12 + r] = static_cast<float>(shift);
  }
}

}  // namespace

DrawView ViewOfLight(const DrawLight& light, const DrawSettings& settings, const DrawView& eye) {
  DrawView view;
  view.near = eye.near;
  view.far = eye.far;
  const Vec3<double> forward = Load3(light.dir);
  const Vec3<double> side = std::abs(forward.x) < 0.7 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  const Vec3<double> right = Normalized(Cross(forward, side));
  std::copy_n(light.pos, 3, view.pos);
  Store3(forward, view.forward);
  Store3(right, view.right);
  Store3(Cross(right, forward), view.up);
  view.orthographic = light.directional;
  float half = settings.shadow_clip;
  if (!light.directional) {
    const float angle = std::min(2 * light.cutoff * settings.shadow_scale, kWidestShadow);
    half = view.near * std::tan(angle * std::numbers::pi_v<float> / 360);
  }
  view.top = view.right_border = half;
  view.bottom = view.left = -half;
  return view;
}

DrawView MirrorView(DrawView view, const Vec3<double>& at, const Vec3<double>& normal) {
  const auto turn = [&](float* v) { Store3(Load3(v) - normal * (2 * Dot(Load3(v), normal)), v); };
  Store3(Load3(view.pos) - normal * (2 * Dot(Load3(view.pos) - at, normal)), view.pos);
  turn(view.forward);
  turn(view.up);
  turn(view.right);
  return view;
}

Vec3<double> AxisZ(const DrawInstance& instance) {
  return {double(instance.mat[2]), double(instance.mat[5]), double(instance.mat[8])};
}

GpuFrame FrameOf(const DrawAssets& assets, const DrawList& list, const DrawView& view, const float mirror[4],
                 bool depth_from_zero) {
  GpuFrame frame = {};
  ClipMatrix(view, depth_from_zero, frame.to_clip);
  std::copy_n(view.pos, 3, frame.eye);
  frame.eye[3] = view.orthographic ? 1 : 0;
  std::copy_n(view.forward, 3, frame.forward);
  const Vec3<double> right = Load3(view.right), up = Load3(view.up), forward = Load3(view.forward);
  if (view.orthographic) {
    Store3(forward, frame.corner);
  } else {
    Store3(forward * double(view.near) + right * double(view.left) + up * double(view.bottom), frame.corner);
    Store3(right * (double(view.right_border) - double(view.left)), frame.across);
    Store3(up * (double(view.top) - double(view.bottom)), frame.upward);
  }
  std::copy_n(mirror, 4, frame.mirror);
  const DrawSettings& settings = list.settings;
  const float range = settings.fog_end - settings.fog_start;
  frame.fog[0] = settings.fog_end;
  frame.fog[1] = range != 0 ? 1 / range : 0;
  frame.fog[2] = list.fog ? 1 : 0;
  std::copy_n(settings.fog_rgba, 4, frame.fog_color);
  const bool has_sky = list.skybox >= 0 && !list.depth_picture;
  const float radius = kSkyRadius * view.far;
  frame.sky[0] = has_sky ? 1 : 0;
  frame.sky[1] = radius * radius;
  frame.sky[2] = radius;
  if (has_sky && list.haze && list.haze_plane >= 0 && assets.haze > 0) {
    const DrawInstance& plane = list.instances[static_cast<size_t>(list.haze_plane)];
    Store3(AxisZ(plane), frame.haze);
    frame.haze[3] = static_cast<float>(Dot(AxisZ(plane), Load3(view.pos) - Load3(plane.pos)));
  }
  std::copy_n(assets.haze_rgba, 4, frame.haze_color);
  frame.misc[0] = list.ambient;
  frame.misc[1] = assets.haze;
  frame.misc[2] = view.near;
  frame.misc[3] = view.far;
  return frame;
}

void FillLights(const DrawList& list, const GpuLimits& limits, GpuPlan& plan) {
  plan.lights.clear();
  int layer = 0;
  for (size_t i = 0; i < list.lights.size() && i < mjMAXLIGHT; ++i) {
    const DrawLight& from = list.lights[i];
    GpuLight to = {};
    std::copy_n(from.pos, 3, to.pos);
    // The cutoff [degree] is kept as its cosine; -2 is below all cosines and lets every direction through.
    to.pos[3] = from.cutoff >= 180 ? -2.0f : std::cos(from.cutoff * std::numbers::pi_v<float> / 180);
    std::copy_n(from.dir, 3, to.dir);
    to.dir[3] = from.exponent;
    std::copy_n(from.attenuation, 3, to.attenuation);
    to.attenuation[3] = from.directional ? 1 : 0;
    std::copy_n(from.ambient, 3, to.ambient);
    std::copy_n(from.diffuse, 3, to.diffuse);
    std::copy_n(from.specular, 3, to.specular);
    to.shadow[0] = -1;
    if (from.shadow && plan.shadow_layers > 0) {
      const DrawView view = ViewOfLight(from, list.settings, list.views.front());
      // A texel has a width in metres: at the near plane for spots, where it grows with distance, and anywhere
      // for directional lights.
      const float texel = 2 * view.top / static_cast<float>(plan.shadow_size);
      to.shadow[0] = static_cast<float>(layer++);
      to.shadow[1] = from.directional ? 0 : texel / view.near;
      to.shadow[2] = from.directional ? texel : 0;
      to.shadow[3] = static_cast<float>(plan.shadow_size);
      float clip[16];
      ClipMatrix(view, limits.depth_from_zero, clip);
      // from clip coordinates to places of the map and its depths
      for (int c = 0; c < 4; ++c) {
        const float w = clip[4 * c + 3];
        for (int r = 0; r < 3; ++r) {
          // Depths may lie in 0..1 already; the other coordinates always lie in -1..1.
          const bool as_is = r == 2 && limits.depth_from_zero;
          to.to_map[4 * c + r] = as_is ? clip[4 * c + r] : 0.5f * (clip[4 * c + r] + w);
        }
        to.to_map[4 * c + 3] = w;
      }
    }
    plan.lights.push_back(to);
  }
}

namespace {

// Appends the bars of opaque or of transparent segments.
void AddBars(const DrawList& list, const DrawView& view, bool depth_from_zero, bool transparent,
             std::vector<float>& vertices) {
  float clip[16];
  ClipMatrix(view, depth_from_zero, clip);
  // Finds the clip coordinates of a point, before the division by w.
  const auto project = [&](const float* p, double* to) {
    for (int r = 0; r < 4; ++r) {
      to[r] = double(clip[12 + r]);
      for (int c = 0; c < 3; ++c) to[r] += double(clip[4 * c + r]) * double(p[c]);
    }
  };
  const Vec3<double> forward = Load3(view.forward), eye = Load3(view.pos);
  const auto depth_of = [&](const float* p) { return Dot(forward, Load3(p) - eye); };
  for (const DrawSegment& segment : list.segments) {
    if ((list.segment && segment.segid < 0) || segment.transparent != transparent) continue;
    double ends[2][4];
    project(segment.from, ends[0]);
    project(segment.to, ends[1]);
    const double near = double(view.near), depths[2] = {depth_of(segment.from), depth_of(segment.to)};
    // The division would invert points behind the near plane: a line is cut there, and left out if it is all
    // behind.
    if (depths[0] < near && depths[1] < near) continue;
    for (int k = 0; k < 2; ++k) {
      if (depths[k] >= near) continue;
      const double share = (near - depths[k]) / (depths[1 - k] - depths[k]);
      for (int r = 0; r < 4; ++r) ends[k][r] += share * (ends[1 - k][r] - ends[k][r]);
    }
    const double half_w = 0.5 * view.viewport.width, half_h = 0.5 * view.viewport.height;
    const double dx = (ends[1][0] / ends[1][3] - ends[0][0] / ends[0][3]) * half_w,
                 dy = (ends[1][1] / ends[1][3] - ends[0][1] / ends[0][3]) * half_h;
    const double length = std::max(std::hypot(dx, dy), 1e-9), half = 0.5 * std::max(double(segment.width), 1.0);
    const double across_x = -dy / length * half / half_w, across_y = dx / length * half / half_h;
    const float* rgb = list.segment ? segment.segment_rgb : segment.rgba;
    const float once = std::clamp(segment.rgba[3], 0.0f, 1.0f);
    const float alpha = list.segment ? 1 : 1 - (1 - once) * (1 - once);  // transparent things are drawn twice
    constexpr int kCorners[6][2] = {{0, -1}, {1, -1}, {1, 1}, {0, -1}, {1, 1}, {0, 1}};
    for (const auto& [end, side] : kCorners) {
      const double* p = ends[end];
      for (const double x : {p[0] + side * across_x * p[3], p[1] + side * across_y * p[3], p[2], p[3]}) {
        vertices.push_back(static_cast<float>(x));
      }
      vertices.insert(vertices.end(), {rgb[0], rgb[1], rgb[2], alpha});
    }
  }
}

}  // namespace

size_t BarsOfSegments(const DrawList& list, const DrawView& view, bool depth_from_zero, std::vector<float>& vertices) {
  vertices.clear();
  AddBars(list, view, depth_from_zero, false, vertices);
  const size_t opaque = vertices.size() / 8;
  AddBars(list, view, depth_from_zero, true, vertices);
  return opaque;
}

}  // namespace sinew::inline render
