#include "info.h"

#include <sinew/sinew.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "load.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

Json Describe(const mjModel* m, const mjData* d) {
  return {{"model", m->names},
          {"bodies", m->nbody - 1},
          {"joints", m->njnt},
          {"degrees of freedom", m->nv},
          {"geoms", m->ngeom},
          {"sites", m->nsite},
          {"meshes", m->nmesh},
          {"tendons", m->ntendon},
          {"actuators", m->nu},
          {"sensors", m->nsensor},
          {"equalities", m->neq},
          {"keyframes", m->nkey},
          {"mass (kg)", mj_getTotalmass(m)},
          {"time step (s)", m->opt.timestep},
          {"model (bytes)", mj_sizeModel(m)},
          {"data (bytes)", d->nbuffer},
          {"arena (bytes)", d->narena}};
}

std::string NameOf(const mjModel* m, mjtObj type, int id) {
  const char* name = mj_id2name(m, type, id);
  return name && *name ? std::string("'") + name + "'" : std::to_string(id);
}

using Ids = std::pair<const int*, mjtSize>;
Ids IdsIn(const std::vector<int>& list) { return {list.data(), static_cast<mjtSize>(list.size())}; }

// Assets to which no id of an array points.
void AddUnused(const mjModel* m, mjtObj type, mjtSize count, const std::vector<Ids>& users, const char* what,
               std::vector<std::string>* warnings) {
  for (int id = 0; id < count; ++id) {
    const bool used = std::any_of(users.begin(), users.end(), [id](const auto& ids) {
      return std::find(ids.first, ids.first + ids.second, id) != ids.first + ids.second;
    });
    if (!used) warnings->push_back(std::string(what) + " " + NameOf(m, type, id) + " is not used");
  }
}

// What overlaps in the reference configuration is pushed apart by large forces in the first steps.
void AddOverlaps(const mjModel* m, const mjData* d, std::vector<std::string>* warnings) {
  for (int i = 0; i < d->ncon; ++i) {
    const mjContact& contact = d->contact[i];
    if (contact.dist >= 0 || contact.geom[0] < 0 || contact.geom[1] < 0) continue;
    char depth[40];
    std::snprintf(depth, sizeof(depth), "%.2g m", -contact.dist);
    warnings->push_back("geoms " + NameOf(m, mjOBJ_GEOM, contact.geom[0]) + " and " +
                        NameOf(m, mjOBJ_GEOM, contact.geom[1]) + " overlap at the start by " + depth);
  }
}

std::vector<std::string> Warnings(const mjModel* m, mjData* d) {
  std::vector<std::string> warnings;
  std::vector<int> meshes, fields, skies;  // the same ids of geoms are of meshes or of height fields
  for (int i = 0; i < m->ngeom; ++i) {
    (m->geom_type[i] == mjGEOM_HFIELD ? fields : meshes).push_back(m->geom_dataid[i]);
  }
  for (int i = 0; i < m->ntex; ++i) {
    if (m->tex_type[i] == mjTEXTURE_SKYBOX) skies.push_back(i);  // they need no material
  }
  AddUnused(m, mjOBJ_MESH, m->nmesh, {IdsIn(meshes)}, "mesh", &warnings);
  AddUnused(m, mjOBJ_HFIELD, m->nhfield, {IdsIn(fields)}, "height field", &warnings);
  AddUnused(m, mjOBJ_TEXTURE, m->ntex,
            {{m->mat_texid, m->nmat * mjNTEXROLE}, {m->light_texid, m->nlight}, IdsIn(skies)}, "texture", &warnings);
  AddUnused(m, mjOBJ_MATERIAL, m->nmat,
            {{m->geom_matid, m->ngeom},
             {m->site_matid, m->nsite},
             {m->tendon_matid, m->ntendon},
             {m->skin_matid, m->nskin},
             {m->flex_matid, m->nflex}},
            "material", &warnings);
  mj_forward(m, d);
  AddOverlaps(m, d, &warnings);
  return warnings;
}

void PrintTable(const Json& facts) {
  for (const auto& [name, value] : facts.items()) {
    std::printf("%-20s %s\n", name.c_str(),
                value.is_string() ? value.get<std::string>().c_str() : value.dump().c_str());
  }
}

struct Options {
  std::string model;
  RobotOptions robot;
  bool json = false;
};

void Run(const Options& options) {
  const Loaded loaded = Load(options.model, options.robot);
  const mjModel* m = loaded.model.get();
  const std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(m), mj_deleteData);
  Json facts = Describe(m, data.get());
  std::vector<std::string> warnings = loaded.warnings;
  const std::vector<std::string> found = Warnings(m, data.get());
  warnings.insert(warnings.end(), found.begin(), found.end());
  if (options.json) {
    facts["warnings"] = warnings;
    std::printf("%s\n", facts.dump(2).c_str());
  } else {
    PrintTable(facts);
    PrintWarnings(warnings);
  }
}

}  // namespace

void AddInfo(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("info", "Print sizes, mass and memory of a model, and what looks wrong in it");
  command->add_option("model", options->model, "MJCF, URDF or MJB file")->required();
  command->add_flag("--json", options->json, "Print as JSON");
  AddRobotOptions(*command, &options->robot);
  command->callback([options] { Run(*options); });
}

}  // namespace sinew
