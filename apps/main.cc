// The command line program: one subcommand a file.
#include <mujoco/mujoco.h>
#include <sinew/extensions.h>
#include <sinew/names.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "bench.h"
#include "completion.h"
#include "convert.h"
#include "doctor.h"
#include "info.h"
#include "new_model.h"
#include "plot_muscle.h"
#include "python_shadow.h"
#include "render.h"
#include "schema.h"
#include "simulate.h"
#include "terminal.h"
#include "view.h"

namespace {

// A first word that is no command: its nearest relative.
std::string UnknownCommand(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  std::string list;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
    if (names.back() == word) return "";
    list += (list.empty() ? "" : ", ") + names.back();
  }
  const std::string suggestion = sinew::Suggestion(word, names);
  return "there is no command '" + word + "'" + (suggestion.empty() ? "; there are: " + list : suggestion);
}

int Fail(const std::string& text, int code) {
  std::fprintf(stderr, "%s %s\n", sinew::Paint("sinew:", sinew::Color::kRed, stderr).c_str(), text.c_str());
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Sinew: simulation of robots and bodies", "sinew");
  app.require_subcommand(1);
  app.set_version_flag("--version",
                       std::string("sinew ") + sinew_versionString() + ", interface of MuJoCo " + mj_versionString());
  sinew::AddSimulate(app);
  sinew::AddRender(app);
  sinew::AddBench(app);
  sinew::AddView(app);
  sinew::AddInfo(app);
  sinew::AddCompile(app);
  sinew::AddConvert(app);
  sinew::AddPlotMuscle(app);
  sinew::AddNew(app);
  sinew::AddSchema(app);
  sinew::AddPythonShadow(app);
  sinew::AddDoctor(app);
  sinew::AddCompletion(app);
  if (argc > 1 && argv[1][0] != '-') {
    const std::string text = UnknownCommand(app, argv[1]);
    if (!text.empty()) return Fail(text, static_cast<int>(CLI::ExitCodes::ExtrasError));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e);
  } catch (const std::exception& e) {
    return Fail(e.what(), 1);
  }
  return 0;
}
