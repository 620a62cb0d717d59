// Colours that stand for quantities.
#ifndef SINEW_SCENE_COLOR_H_
#define SINEW_SCENE_COLOR_H_

#include <mujoco/mujoco.h>

namespace sinew::inline scene {

// (1 - share) a + share b
void MixColors(const float a[4], const float b[4], double share, float rgba[4]);

// Sets red, green and blue from hue, saturation and value, all in [0, 1].
void SetHsv(double hue, double saturation, double value, float rgba[4]);

// The colour of the island of a body that moves: one of its own for every island, gray without, dull when asleep.
void SetIslandColor(const mjModel* m, const mjData* d, int body, float rgba[4]);

// The same for a tendon with constraint rows of its own: friction or a limit.
void SetTendonIslandColor(const mjData* d, int tendon, float rgba[4]);

// How close a limit is: its impedance, 0 farther away than its margin.
double LimitNearness(double distance, double margin, const double solimp[mjNIMP]);

}  // namespace sinew::inline scene

#endif  // SINEW_SCENE_COLOR_H_
