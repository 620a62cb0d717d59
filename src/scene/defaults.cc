#include "scene/defaults.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <iterator>

#include "math/scalar.h"

namespace sinew::inline scene {
namespace {

// Groups that are drawn until the user says otherwise.
constexpr int kVisibleGroups = 3;

constexpr float kLineColors[][3] = {{1, 0.3f, 0.3f}, {0.1f, 1, 0.1f}, {0.3f, 0.3f, 1}, {0.1f, 1, 1},
                                    {1, 0.2f, 1},    {1, 1, 0.1f},    {1, 0.6f, 0.2f}, {0.6f, 0.7f, 0.4f}};

// Copies a list into an array of a C struct.
template <class T, std::size_t n>
void Set(T (&array)[n], std::initializer_list<T> values) {
  std::copy(values.begin(), values.end(), array);
}

// Colours that differ from all before them: a Halton sequence in the upper part of the colour cube.
void SetLineColor(int line, float* rgb) {
  if (line < static_cast<int>(std::size(kLineColors))) {
    std::copy_n(kLineColors[line], 3, rgb);
    return;
  }
  static constexpr int kPrimes[] = {2, 3, 5};
  for (int i = 0; i < 3; ++i) rgb[i] = static_cast<float>(0.1 + 0.8 * RadicalInverse(line, kPrimes[i]));
}

}  // namespace

void SetDefaults(mjvOption* option) {
  *option = {};
  option->label = mjLABEL_NONE;
  option->frame = mjFRAME_NONE;
  option->bvh_depth = 1;
  for (mjtByte* group : {option->geomgroup, option->sitegroup, option->jointgroup, option->tendongroup,
                         option->actuatorgroup, option->flexgroup, option->skingroup}) {
    std::fill_n(group, kVisibleGroups, mjtByte{1});
  }
  for (int i = 0; i < mjNVISFLAG; ++i) option->flags[i] = mjVISSTRING[i][1][0] == '1';
}

void SetDefaults(mjvCamera* camera) {
  *camera = {};
  camera->type = mjCAMERA_FREE;
  camera->fixedcamid = camera->trackbodyid = -1;
  camera->distance = 2;
  camera->azimuth = 90;
  camera->elevation = -45;
}

void SetFreeCamera(const mjModel* m, mjvCamera* camera) {
  SetDefaults(camera);
  std::copy_n(m->stat.center, 3, camera->lookat);
  camera->distance = 1.5 * m->stat.extent;
  camera->azimuth = static_cast<mjtNum>(m->vis.global.azimuth);
  camera->elevation = static_cast<mjtNum>(m->vis.global.elevation);
  camera->orthographic = m->vis.global.orthographic;
}

void SetDefaults(mjvPerturb* perturb) {
  *perturb = {};
  perturb->flexselect = perturb->skinselect = -1;
  perturb->refquat[0] = 1;
  perturb->scale = 1;
}

void SetDefaults(mjvFigure* figure) {
  std::memset(figure, 0, sizeof(mjvFigure));
  figure->flg_legend = figure->flg_extend = 1;
  figure->flg_ticklabel[0] = figure->flg_ticklabel[1] = 1;
  figure->linewidth = 3;
  figure->gridwidth = 1;
  Set(figure->gridsize, {2, 2});
  Set(figure->gridrgb, {0.4f, 0.4f, 0.4f});
  figure->figurergba[3] = figure->panergba[3] = 1;
  figure->legendrgba[3] = 0.3f;
  Set(figure->textrgb, {1.0f, 1.0f, 1.0f});
  figure->range[0][1] = figure->range[1][1] = 1;
  std::strcpy(figure->xformat, "%.0f");
  std::strcpy(figure->yformat, "%.2g");
  std::strcpy(figure->minwidth, "XXX");
  figure->highlightid = -1;
  for (int line = 0; line < mjMAXLINE; ++line) SetLineColor(line, figure->linergb[line]);
}

}  // namespace sinew::inline scene
