// The command line program: one subcommand a file.
#include <mujoco/mujoco.h>
#include <sinew/extensions.h>
#include <sinew/names.h>
#include <sinew/text.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "arguments.h"
#include "bench.h"
#include "completion.h"
#include "convert.h"
#include "doctor.h"
#include "info.h"
#include "load.h"
#include "new_model.h"
#include "output_file.h"
#include "plot_muscle.h"
#include "python_shadow.h"
#include "render.h"
#include "schema.h"
#include "simulate.h"
#include "terminal.h"
#include "view.h"

namespace {

// Exit codes; those of wrong arguments begin at 100 (CLI::ExitCodes).
constexpr int kFailed = 1, kDiverged = 2;

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
  std::fprintf(stderr, "%s %s\n", sinew::Paint("sinew:", sinew::Color::kRed, stderr).c_str(),
               sinew::Printable(text).c_str());
  return code;
}

// Warnings of the library go to the standard error stream, beside the program's own.
void PrintWarning(const char* text) { sinew::PrintWarnings({text}); }

// Runs the command that the arguments name; returns the exit code.
int RunProgram(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& e) {
    return app.exit(e);  // --help and --version
  } catch (const CLI::ParseError& e) {
    return Fail(sinew::Explain(app, e), e.get_exit_code());
  } catch (const sinew::Diverged& e) {
    return Fail(e.what(), kDiverged);
  } catch (const std::exception& e) {
    return Fail(e.what(), kFailed);
  }
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
  mju_user_warning = PrintWarning;
  const int code = RunProgram(app, argc, argv);
  try {
    sinew::FlushStandardOutput();
  } catch (const std::exception& e) {
    return Fail(e.what(), kFailed);
  }
  return code;
}
