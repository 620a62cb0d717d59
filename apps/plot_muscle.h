// sinew plot-muscle: curves and tests of a muscle with a tendon, as a picture.
#ifndef SINEW_APPS_PLOT_MUSCLE_H_
#define SINEW_APPS_PLOT_MUSCLE_H_

namespace CLI {
class App;
}

namespace sinew {

void AddPlotMuscle(CLI::App& app);

}  // namespace sinew

#endif  // SINEW_APPS_PLOT_MUSCLE_H_
