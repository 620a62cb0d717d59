#include "info.h"

#include <sinew/sinew.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace sinew {
namespace {

nlohmann::ordered_json Describe(const std::string& path) {
  const Model model = Model::FromXml(path);
  const Data data(model);
  const mjModel* m = model;
  return {{"model", m->names},
          {"bodies", m->nbody - 1},
          {"joints", m->njnt},
          {"degrees of freedom", m->nv},
          {"geoms", m->ngeom},
          {"sites", m->nsite},
          {"tendons", m->ntendon},
          {"actuators", m->nu},
          {"sensors", m->nsensor},
          {"equalities", m->neq},
          {"keyframes", m->nkey},
          {"mass (kg)", mj_getTotalmass(m)},
          {"time step (s)", m->opt.timestep},
          {"model (bytes)", mj_sizeModel(m)},
          {"data (bytes)", data->nbuffer},
          {"arena (bytes)", data->narena}};
}

}  // namespace

void AddInfo(CLI::App& app) {
  auto path = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("info", "Print sizes, mass and memory of a model");
  command->add_option("model", *path, "MJCF or URDF file")->required();
  command->add_flag("--json", *json, "Print as JSON");
  command->callback([path, json] {
    const nlohmann::ordered_json facts = Describe(*path);
    if (*json) {
      std::printf("%s\n", facts.dump(2).c_str());
      return;
    }
    for (const auto& [name, value] : facts.items()) {
      std::printf("%-20s %s\n", name.c_str(),
                  value.is_string() ? value.get<std::string>().c_str() : value.dump().c_str());
    }
  });
}

}  // namespace sinew
