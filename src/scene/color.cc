// Colours that show a state: the island, or the nearness to a limit. All are four floats 0..1.
#include "scene/color.h"

#include <cmath>

#include "constraint/impedance.h"
#include "kinematics/jacobian.h"
#include "math/scalar.h"

namespace sinew::inline scene {
namespace {

constexpr double kGray = 0.7, kAsleepValue = 0.6, kAsleepSaturation = 0.7;

// The first dof of a body's island or, without islands, of its tree where trees may sleep; -1 without.
int IslandIndex(const mjModel* m, const mjData* d, int dof) {
  if (d->nisland > 0 && d->dof_island[dof] >= 0) return d->island_dofadr[d->dof_island[dof]];
  if (!(m->opt.enableflags & mjENBL_SLEEP)) return -1;
  return m->tree_dofadr[m->dof_treeid[dof]];
}

}  // namespace

// `share` of the second colour, 0..1, and the rest of the first.
void MixColors(const float a[4], const float b[4], double share, float rgba[4]) {
  const float second = static_cast<float>(share), first = 1 - second;
  for (int i = 0; i < 4; ++i) rgba[i] = first * a[i] + second * b[i];
}

// Converts from hue, saturation and value, all 0..1 (A. R. Smith, Color gamut transform pairs, 1978, without
// branches). Opacity is left alone.
void SetHsv(double hue, double saturation, double value, float rgba[4]) {
  const int offset[3] = {5, 3, 1};
  for (int i = 0; i < 3; ++i) {
    const double k = std::fmod(offset[i] + 6 * hue, 6);
    rgba[i] = static_cast<float>(value * (1 - saturation * Clamp(Min(k, 4 - k), 0.0, 1.0)));
  }
}

namespace {

// A Halton sequence: colours that follow one another differ. Gray for index -1.
void SetIndexColor(int index, bool asleep, float rgba[4]) {
  double hue = 0, saturation = 0, value = kGray;
  if (index >= 0) {
    hue = RadicalInverse(index + 1, 7);
    saturation = 0.5 + 0.5 * RadicalInverse(index + 1, 3);
    value = 0.6 + 0.4 * RadicalInverse(index + 1, 5);
  }
  if (asleep) {
    value *= kAsleepValue;
    saturation *= kAsleepSaturation;
  }
  SetHsv(hue, saturation, value, rgba);
}

}  // namespace

void SetIslandColor(const mjModel* m, const mjData* d, int body, float rgba[4]) {
  const int dof = LastDof(m, body);
  SetIndexColor(dof < 0 ? -1 : IslandIndex(m, d, dof), d->body_awake[body] == mjS_ASLEEP, rgba);
}

// A tendon belongs to the island of its limit or friction; one without such a row is grey.
void SetTendonIslandColor(const mjData* d, int tendon, float rgba[4]) {
  int index = -1;
  for (int row = 0; d->nisland > 0 && row < d->nefc && index < 0; ++row) {
    const int type = d->efc_type[row];
    const bool own = (type == mjCNSTR_LIMIT_TENDON || type == mjCNSTR_FRICTION_TENDON) && d->efc_id[row] == tendon;
    if (own && d->efc_island[row] >= 0) index = d->island_dofadr[d->efc_island[row]];
  }
  SetIndexColor(index, false, rgba);
}

// Tells how much a limit acts: its impedance, 0 outside of the margin.
double LimitNearness(double distance, double margin, const double solimp[mjNIMP]) {
  return distance < margin ? EvaluateImpedance(solimp, distance, margin).value : 0;
}

}  // namespace sinew::inline scene
