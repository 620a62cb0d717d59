#include "view.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

#include "load.h"

#ifdef SINEW_WINDOW
#include "viewer/window.h"
#endif

namespace sinew {
namespace {

struct Options {
  RobotOptions robot;
  std::string model, size = "1280x800", record, screenshot, keyframe;
  double seconds = 0;
  bool paused = false, panels = false;
};

#ifdef SINEW_WINDOW

void Run(const Options& options) {
  WindowOptions window;
  char extra = 0;
  if (std::sscanf(options.size.c_str(), "%dx%d%c", &window.width, &window.height, &extra) != 2 || window.width < 1 ||
      window.height < 1) {
    throw std::runtime_error("the size '" + options.size + "' is not like 1280x800");
  }
  window.record = options.record;
  window.screenshot = options.screenshot;
  window.seconds = options.seconds;
  window.all_panels = options.panels;
  Session session(options.robot);
  if (!options.model.empty() && !session.Open(options.model)) throw std::runtime_error(session.error());
  if (session.loaded()) PrintWarnings(session.warnings());
  if (!options.keyframe.empty()) {
    const int key = session.loaded() ? mj_name2id(session.m(), mjOBJ_KEY, options.keyframe.c_str()) : -1;
    if (key < 0) throw std::runtime_error("the model has no keyframe '" + options.keyframe + "'");
    session.ResetToKeyframe(key);
  }
  session.paused = options.paused;
  ShowWindow(session, window);
}

#else

void Run(const Options&) {
  throw std::runtime_error(
      "this program was built without a window: install libglfw3-dev and libimgui-dev, and build again; sinew render "
      "and sinew simulate --video work without one");
}

#endif

}  // namespace

void AddView(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("view", "Show a model in a window and simulate it; F1 there tells the keys");
  command->add_option("model", options->model, "MJCF, URDF or MJB file, or an archive (.zip); or drop one later");
  command->add_option("-k,--keyframe", options->keyframe, "Name of the keyframe to start from");
  command->add_option("--size", options->size, "Size of the window")->capture_default_str();
  command->add_flag("--paused", options->paused, "Do not simulate before Space is pressed");
  command->add_flag("--panels", options->panels, "With all panels open");
  command->add_option("--record", options->record, "Video file (.mp4) of what is shown, without panels");
  command->add_option("-t,--time", options->seconds, "Seconds after which the window closes")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--screenshot", options->screenshot, "PNG file of the window, written when --time is over");
  AddRobotOptions(*command, &options->robot);
  command->callback([options] { Run(*options); });
}

}  // namespace sinew
