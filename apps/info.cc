#include "info.h"

#include <sinew/elements_beyond.h>
#include <sinew/extensions.h>
#include <sinew/level.h>
#include <sinew/sinew.h>
#include <sinew/text.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lints.h"
#include "load.h"
#include "muscle_lengths.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

// The release of MuJoCo whose meaning the model was compiled with, where that made a difference; else null.
Json Level(const mjModel* m) {
  const int array = mj_name2id(m, mjOBJ_NUMERIC, sinewLEVEL);
  if (array < 0 || m->numeric_size[array] != 2) return {};
  const mjtNum* release = m->numeric_data + m->numeric_adr[array];
  return std::to_string(static_cast<int>(release[0])) + "." + std::to_string(static_cast<int>(release[1]));
}

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
  return name && *name ? name : std::to_string(id);
}

Json Range(const mjtNum* range, bool limited) { return limited ? Json{range[0], range[1]} : Json(); }

// ---- elements by name

Json Bodies(const mjModel* m) {
  Json list = Json::array();
  for (int i = 1; i < m->nbody; ++i) {
    list.push_back({{"body", NameOf(m, mjOBJ_BODY, i)},
                    {"parent", NameOf(m, mjOBJ_BODY, m->body_parentid[i])},
                    {"mass (kg)", m->body_mass[i]},
                    {"degrees of freedom", m->body_dofnum[i]}});
  }
  return list;
}

Json Joints(const mjModel* m) {
  static constexpr const char* kTypes[] = {"free", "ball", "slide", "hinge"};
  Json list = Json::array();
  for (int i = 0; i < m->njnt; ++i) {
    list.push_back({{"joint", NameOf(m, mjOBJ_JOINT, i)},
                    {"type", kTypes[m->jnt_type[i]]},
                    {"body", NameOf(m, mjOBJ_BODY, m->jnt_bodyid[i])},
                    {"range (rad, m)", Range(m->jnt_range + 2 * i, m->jnt_limited[i])}});
  }
  return list;
}

// What deformables cost. A body or flex has at most 50 contacts with another one.
Json Flexes(const mjModel* m) {
  Json list = Json::array();
  for (int i = 0; i < m->nflex; ++i) {
    list.push_back({{"flex", NameOf(m, mjOBJ_FLEX, i)},
                    {"dimension", m->flex_dim[i]},
                    {"vertices", m->flex_vertnum[i]},
                    {"elements", m->flex_elemnum[i]},
                    {"nodes", m->flex_nodenum[i]},
                    {"edges held", m->flex_edgeequality[i] == 1 ? m->flex_edgenum[i] : 0},
                    {"contacts with a body, at most", std::min<int>(mjMAXCONPAIR, m->flex_elemnum[i])}});
  }
  return list;
}

// Meshes that collide as convex pieces, which are called after them.
Json DecomposedMeshes(const mjModel* m) {
  Json list = Json::array();
  for (int i = 0; i < m->nmesh; ++i) {
    int pieces = 0, vertices = 0;
    const auto piece = [&](int k) {
      return mj_name2id(m, mjOBJ_MESH, (NameOf(m, mjOBJ_MESH, i) + "_piece" + std::to_string(k)).c_str());
    };
    for (int id = piece(0); id >= 0; id = piece(pieces)) {
      vertices += m->mesh_vertnum[id];
      ++pieces;
    }
    if (pieces == 0) continue;
    list.push_back({{"decomposed mesh", NameOf(m, mjOBJ_MESH, i)},
                    {"faces", m->mesh_facenum[i]},
                    {"convex pieces", pieces},
                    {"their vertices", vertices}});
  }
  return list;
}

// What an actuator acts on.
std::string Target(const mjModel* m, int actuator) {
  const int id = m->actuator_trnid[2 * actuator];
  switch (m->actuator_trntype[actuator]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return "joint " + NameOf(m, mjOBJ_JOINT, id);
    case mjTRN_TENDON:
      return "tendon " + NameOf(m, mjOBJ_TENDON, id);
    case mjTRN_SITE:
    case mjTRN_SLIDERCRANK:
      return "site " + NameOf(m, mjOBJ_SITE, id);
    case mjTRN_BODY:
      return "body " + NameOf(m, mjOBJ_BODY, id);
    default:
      return "none";
  }
}

bool IsMuscle(const mjModel* m, int actuator) { return m->actuator_gaintype[actuator] == mjGAIN_MUSCLE; }
bool HasTendon(const mjModel* m, int actuator) { return m->actuator_gaintype[actuator] == sinewFIRST_EXTENSION; }

Json Actuators(const mjModel* m) {
  Json list = Json::array();
  for (int i = 0; i < m->nu; ++i) {
    if (IsMuscle(m, i) || HasTendon(m, i)) continue;
    list.push_back({{"actuator", NameOf(m, mjOBJ_ACTUATOR, i)},
                    {"target", Target(m, i)},
                    {"gear", m->actuator_gear[6 * i]},
                    {"control", Range(m->actuator_ctrlrange + 2 * i, m->actuator_ctrllimited[i])},
                    {"force", Range(m->actuator_forcerange + 2 * i, m->actuator_forcelimited[i])}});
  }
  return list;
}

// The peak force is given, or follows from the acceleration that a unit force causes.
Json Muscles(const mjModel* m) {
  Json list = Json::array();
  for (int i = 0; i < m->nu; ++i) {
    if (!IsMuscle(m, i)) continue;
    const mjtNum* gain = m->actuator_gainprm + mjNGAIN * i;
    const double force = gain[2] >= 0 ? gain[2] : gain[3] / std::max(mjMINVAL, m->actuator_acc0[i]);
    list.push_back({{"muscle", NameOf(m, mjOBJ_ACTUATOR, i)},
                    {"target", Target(m, i)},
                    {"length range (m)", Range(m->actuator_lengthrange + 2 * i, true)},
                    {"peak force (N)", force}});
  }
  return list;
}

// Muscles with tendons; their paths over the ranges of joints are looked at in poses at random.
Json MusclesWithTendons(const mjModel* m) {
  Json list = Json::array();
  std::vector<std::array<double, 2>> paths;
  for (int i = 0; i < m->nu; ++i) {
    if (!HasTendon(m, i)) continue;
    if (paths.empty()) paths = PathRanges(m);
    const mjtNum* gain = m->actuator_gainprm + mjNGAIN * i;
    list.push_back({{"muscle with tendon", NameOf(m, mjOBJ_ACTUATOR, i)},
                    {"target", Target(m, i)},
                    {"peak force (N)", gain[sinewMUSCLE_FORCE]},
                    {"fiber (m)", gain[sinewMUSCLE_FIBERLENGTH]},
                    {"slack tendon (m)", gain[sinewMUSCLE_SLACKLENGTH]},
                    {"path (m)", Range(paths[static_cast<size_t>(i)].data(), true)}});
  }
  return list;
}

// ---- printing

std::string Cell(const Json& value) {
  if (value.is_string()) return Printable(value.get<std::string>(), Lines::kEscaped);
  if (value.is_null()) return "-";
  if (value.is_array()) return Cell(value[0]) + " .. " + Cell(value[1]);
  if (!value.is_number_float()) return value.dump();
  char text[40];
  std::snprintf(text, sizeof(text), "%.5g", value.get<double>());
  return text;
}

// A table of objects with the same keys, below a line of its own.
void PrintRows(const Json& rows) {
  if (rows.empty()) return;
  std::vector<std::vector<std::string>> lines(1);
  for (const auto& [name, value] : rows[0].items()) lines[0].push_back(name);
  for (const Json& row : rows) {
    lines.emplace_back();
    for (const auto& [name, value] : row.items()) lines.back().push_back(Cell(value));
  }
  std::vector<size_t> widths(lines[0].size());
  for (const auto& line : lines) {
    for (size_t k = 0; k < line.size(); ++k) widths[k] = std::max(widths[k], line[k].size());
  }
  std::printf("\n");
  for (const auto& line : lines) {
    for (size_t k = 0; k + 1 < line.size(); ++k) std::printf("%-*s  ", static_cast<int>(widths[k]), line[k].c_str());
    std::printf("%s\n", line.back().c_str());
  }
}

void PrintInfoTable(const Json& facts) {
  for (const auto& [name, value] : facts.items()) {
    if (value.is_array()) {
      PrintRows(value);
    } else {
      std::printf("%-20s %s\n", name.c_str(), value.is_string() ? Cell(value).c_str() : value.dump().c_str());
    }
  }
}

struct InfoOptions {
  std::string model;
  RobotOptions robot;
  bool summary = false, json = false;
};

void RunInfo(const InfoOptions& options) {
  const Loaded loaded = Load(options.model, options.robot);
  const mjModel* m = loaded.model;
  Data data(loaded.model);
  Json facts = Describe(m, data);
  if (const Json level = Level(m); !level.is_null()) facts["level (MuJoCo)"] = level;
  if (!options.summary) {
    facts["body list"] = Bodies(m);
    facts["joint list"] = Joints(m);
    facts["actuator list"] = Actuators(m);
    facts["muscle list"] = Muscles(m);
    facts["muscles with tendons"] = MusclesWithTendons(m);
    facts["flex list"] = Flexes(m);
    facts["decomposed meshes"] = DecomposedMeshes(m);
  }
  std::vector<std::string> warnings = loaded.warnings;
  const std::vector<std::string> found = FindLints(loaded.spec.get(), m, data);
  warnings.insert(warnings.end(), found.begin(), found.end());
  if (options.json) {
    facts["warnings"] = warnings;
    std::printf("%s\n", facts.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
  } else {
    PrintInfoTable(facts);
    PrintWarnings(warnings);
  }
}

}  // namespace

void AddInfo(CLI::App& app) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = app.add_subcommand("info", "Print what a model consists of, and what looks wrong in it");
  command
      ->add_option(
          "model", options->model,
          "MJCF (.xml), URDF (.urdf), OpenSim (.osim), Hyfydy (.hfd), compiled (.mjb) or archive with assets (.zip)")
      ->required();
  command->add_flag("--summary", options->summary, "Sizes only, no bodies, joints, actuators and muscles");
  command->add_flag("--json", options->json, "Print as JSON");
  AddRobotOptions(*command, &options->robot);
  command->callback([options] { RunInfo(*options); });
}

}  // namespace sinew
