// The command line program: one subcommand a file.
#include <mujoco/mujoco.h>
#include <sinew/extensions.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "convert.h"
#include "doctor.h"
#include "info.h"
#include "python_shadow.h"
#include "schema.h"
#include "simulate.h"

int main(int argc, char** argv) {
  CLI::App app("Sinew: simulation of robots and bodies", "sinew");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("sinew ") + sinew_versionString() + ", interface of MuJoCo " +
                                        mj_versionString());
  sinew::AddSimulate(app);
  sinew::AddInfo(app);
  sinew::AddCompile(app);
  sinew::AddConvert(app);
  sinew::AddSchema(app);
  sinew::AddPythonShadow(app);
  sinew::AddDoctor(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "sinew: %s\n", e.what());
    return 1;
  }
  return 0;
}
