#include "view.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "arguments.h"
#include "load.h"
#include "web_page.h"

#ifdef SINEW_WINDOW
#include "viewer/window/window.h"
#endif

namespace sinew {
namespace {

struct ViewCommandOptions {
  RobotOptions robot;
  std::string model, size, record, screenshot, keyframe, output;
  double seconds = 0;
  int text = 0;
  bool paused = false, panels = false, web = false, follow = false;
};

// What a browser shows is set up by the part of its address behind #.
void RunWeb(const ViewCommandOptions& options) {
  if (options.model.empty()) throw std::runtime_error("--web needs a model");
  const Loaded loaded = Load(options.model, options.robot);
  PrintWarnings(loaded.warnings);
  const std::filesystem::path model = options.model;
  const std::filesystem::path file = options.output.empty() ? model.stem().string() + ".html" : options.output;
  const mjModel* compiled = loaded.model;
  WriteWebPage(*compiled, model.stem().string(), file);
  std::printf("wrote %s; open it in a browser\n", file.string().c_str());
}

#ifdef SINEW_WINDOW

void ReadWindowSize(const std::string& size, WindowOptions& window) {
  char extra = 0;
  if (std::sscanf(size.c_str(), "%dx%d%c", &window.width, &window.height, &extra) != 2 || window.width < 1 ||
      window.height < 1) {
    throw std::runtime_error("the size '" + size + "' is not like 1280x800");
  }
}

void RunWindow(const ViewCommandOptions& options) {
  WindowOptions window;
  if (!options.size.empty()) ReadWindowSize(options.size, window);
  window.text_percent = options.text;
  window.record = options.record;
  window.screenshot = options.screenshot;
  window.seconds = options.seconds;
  window.all_panels = options.panels;
  Session session(options.robot);
  if (!options.model.empty() && !session.Open(options.model)) throw std::runtime_error(session.error());
  if (session.loaded()) PrintWarnings(session.warnings());
  if (!options.keyframe.empty()) {
    if (!session.loaded()) throw std::runtime_error("--keyframe needs a model");
    session.ResetToKeyframe(FindKeyframe(session.m(), options.keyframe));
  }
  session.paused = options.paused;
  if (options.follow) {
    if (!session.loaded()) throw std::runtime_error("--follow needs a model");
    session.Follow();
  }
  ShowWindow(session, window);
}

#else

void RunWindow(const ViewCommandOptions&) {
  throw std::runtime_error(
      "this program was built without a window: install libglfw3-dev and libimgui-dev, and build again; sinew render "
      "and sinew simulate --video work without one");
}

#endif

void RunView(const ViewCommandOptions& options) { options.web ? RunWeb(options) : RunWindow(options); }

}  // namespace

void AddView(CLI::App& app) {
  auto options = std::make_shared<ViewCommandOptions>();
  CLI::App* command = app.add_subcommand("view", "Show a model in a window and simulate it; F1 there tells the keys");
  command->add_option("model", options->model, "MJCF, URDF or MJB file, or an archive (.zip); or drop one later");
  command->add_option("-k,--keyframe", options->keyframe, "Name or number of the keyframe to start from");
  command->add_option("--size", options->size, "Size of the window, like 1280x800; by default, as the screen has room");
  command
      ->add_option("--text", options->text, "Size of texts [percent of the usual]; by default, as the screen asks for")
      ->check(CLI::Range(60, 400));
  command->add_flag("--paused", options->paused, "Do not simulate before Space is pressed");
  command->add_flag("--panels", options->panels, "With all panels open");
  command->add_option("--record", options->record, "Video file (.mp4) of what is shown, without panels");
  command->add_option("-t,--time", options->seconds, "Seconds after which the window closes")->check(NonNegativeReal());
  command->add_option("--screenshot", options->screenshot, "PNG file of the window, written when --time is over");
  CLI::Option* web =
      command->add_flag("--web", options->web, "Write a page for browsers instead, with the engine in it");
  command->add_option("-o,--output", options->output, "File of the page; MODEL.html by default")->needs(web);
  command
      ->add_flag(
          "--follow", options->follow,
          "Show what the program that starts this one simulates (sinew.view in Python), by standard input and output")
      ->group("");  // not in the help: people do not call it
  AddRobotOptions(*command, &options->robot);
  command->callback([options] { RunView(*options); });
}

}  // namespace sinew
