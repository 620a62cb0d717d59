// The fields of mjrContext that follow from the model alone, whichever renderer draws. Programs read and change them
// directly between pictures, so renderers look them up at each picture (DrawSettings::Of).
#include "render/context.h"

#include <algorithm>
#include <string>

#include "core/error.h"

namespace sinew::inline render {
namespace {

constexpr int kDefaultWidth = 800, kDefaultHeight = 600;  // [pixel] of the offscreen buffer without a model
constexpr int kRgb = 0x1907;                              // GL_RGB, of the OpenGL registry

float ToFloat(double x) { return static_cast<float>(x); }

// Tables in mjrContext have a fixed length; a larger model gets an Error before anything is written.
void CheckRoom(const mjModel& m) {
  const auto check = [](long long count, int most, const std::string& what) {
    if (count <= most) return;
    throw Error("mjr_makeContext: the model has " + std::to_string(count) + " " + what + ", a context has room for " +
                    std::to_string(most),
                "remove " + what + " that are not used");
  };
  check(m.ntex, mjMAXTEXTURE, "textures");
  check(m.nmat, mjMAXMATERIAL - 1, "materials");
}

// Lengths are in units of the model's extent.
void SetVisual(const mjModel& m, mjrContext& con) {
  const mjVisual& vis = m.vis;
  const double extent = m.stat.extent;
  con.lineWidth = vis.global.linewidth;
  con.shadowClip = ToFloat(extent * vis.map.shadowclip);
  con.shadowScale = vis.map.shadowscale;
  con.shadowSize = vis.quality.shadowsize;
  con.fogStart = ToFloat(extent * vis.map.fogstart);
  con.fogEnd = ToFloat(extent * vis.map.fogend);
  std::copy_n(vis.rgba.fog, 4, con.fogRGBA);
  con.offWidth = vis.global.offwidth;
  con.offHeight = vis.global.offheight;
  con.offSamples = vis.quality.offsamples;
}

// Programs that draw by themselves read these; our own renderers keep copies of the textures in DrawAssets.
void SetTextures(const mjModel& m, mjrContext& con) {
  con.ntexture = static_cast<int>(m.ntex);
  std::copy_n(m.tex_type, m.ntex, con.textureType);
  std::copy_n(m.mat_texid, m.nmat * mjNTEXROLE, con.mat_texid);
  std::copy_n(m.mat_texrepeat, 2 * m.nmat, con.mat_texrepeat);
  for (int i = 0; i < m.nmat; ++i) con.mat_texuniform[i] = m.mat_texuniform[i];
}

}  // namespace

void MakeContext(const mjModel* m, int font_scale, mjrContext& con) {
  if (m) CheckRoom(*m);
  con = {};
  con.fontScale = NearestFontScale(font_scale);
  con.currentBuffer = mjFB_OFFSCREEN;
  con.readPixelFormat = kRgb;
  con.offWidth = kDefaultWidth;
  con.offHeight = kDefaultHeight;
  std::fill(std::begin(con.mat_texid), std::end(con.mat_texid), -1);
  if (!m) return;
  SetVisual(*m, con);
  SetTextures(*m, con);
}

// Font scales are 100, 150, ... 300 percent here; any other number becomes the nearest of these.
int NearestFontScale(int font_scale) {
  constexpr int kStep = 50;
  const double steps = std::clamp(static_cast<double>(font_scale) / kStep + 0.5, 2.0, 6.0);
  return kStep * static_cast<int>(steps);
}

// The buffer that is asked for if it exists, else the other one.
int AvailableBuffer(const mjrContext& con, int framebuffer) {
  const bool has_offscreen = con.offWidth > 0 && con.offHeight > 0;
  const bool window = con.windowAvailable && (framebuffer == mjFB_WINDOW || !has_offscreen);
  return window ? mjFB_WINDOW : mjFB_OFFSCREEN;
}

// The rectangle is in pixels. A window's size is known to the renderer only, so that it is empty here.
mjrRect WholeBuffer(const mjrContext& con) {
  if (con.currentBuffer == mjFB_WINDOW) return {0, 0, 0, 0};
  return {0, 0, con.offWidth, con.offHeight};
}

// The number of the first rectangle that holds the pixel, -1 for none.
int FindRectangle(int x, int y, int count, const mjrRect* rectangles) {
  for (int i = 0; i < count; ++i) {
    if (Contains(rectangles[i], x, y)) return i;
  }
  return -1;
}

}  // namespace sinew::inline render
