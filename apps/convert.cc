#include "convert.h"

#include <sinew/carrier.h>
#include <sinew/extensions.h>
#include <sinew/meshes.h>
#include <sinew/migrate.h>
#include <sinew/reflexes.h>
#include <sinew/sinew.h>
#include <sinew/stick.h>
#include <sinew/text.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "load.h"
#include "meshes.h"

namespace sinew {
namespace {

struct ConvertOptions {
  std::string model, output;
  RobotOptions robot;
  bool json = false;
  bool strict = false;
  bool carry = false;
  bool migrate = false;
};

// Geoms and pairs with a law of their own, as type and id.
std::vector<std::pair<int, int>> CompliantSurfaces(const mjModel* m) {
  std::vector<std::pair<int, int>> found;
  const int array = mj_name2id(m, mjOBJ_NUMERIC, sinewCONTACTS);
  if (array < 0) return found;
  const mjtNum* row = m->numeric_data + m->numeric_adr[array] + sinewNCONTACTHEAD;
  for (int i = 0; i < m->ngeom + m->npair; ++i, row += sinewNCONTACTLAW) {
    const bool is_geom = i < m->ngeom;
    if (*row > 0) found.emplace_back(is_geom ? mjOBJ_GEOM : mjOBJ_PAIR, is_geom ? i : i - static_cast<int>(m->ngeom));
  }
  return found;
}

// Geoms and pairs whose surfaces move or stick, as type and id.
std::vector<std::pair<int, int>> OwnSurfaces(const mjModel* m) {
  std::vector<std::pair<int, int>> found;
  const int array = mj_name2id(m, mjOBJ_NUMERIC, sinewSURFACES);
  if (array < 0) return found;
  const mjtNum* numbers = m->numeric_data + m->numeric_adr[array];
  for (int i = 0; i < m->ngeom; ++i, numbers += sinewNSURFACE) {
    if (std::any_of(numbers, numbers + sinewNSURFACE, [](mjtNum x) { return x != 0; })) {
      found.emplace_back(mjOBJ_GEOM, i);
    }
  }
  for (int i = 0; i < m->npair; ++i) {
    if (numbers[i] != 0) found.emplace_back(mjOBJ_PAIR, i);
  }
  return found;
}

// The ids, below a number, for which an array has something: functions of a coordinate, say.
std::vector<int> IdsWithNumbers(const mjModel* m, const char* name, mjtSize count) {
  std::vector<int> found;
  const int array = mj_name2id(m, mjOBJ_NUMERIC, name);
  if (array < 0 || m->numeric_size[array] < count) return found;
  for (int id = 0; id < count; ++id) {
    if (m->numeric_data[m->numeric_adr[array] + id] != 0) found.push_back(id);
  }
  return found;
}

// The tendon that a step of a path belongs to.
int TendonOf(const mjModel* m, int step) {
  int tendon = 0;
  while (m->tendon_adr[tendon] + m->tendon_num[tendon] <= step) ++tendon;
  return tendon;
}

// Everything in a model that MuJoCo 3.8.0 does not know, in words.
std::vector<std::string> Extensions(const mjModel* m) {
  std::vector<std::string> found;
  const auto add = [&](int type, int id, const char* what) {
    const char* name = mj_id2name(m, type, id);
    found.push_back(std::string(mju_type2Str(type)) + " '" + (name ? name : std::to_string(id)) + "' " + what);
  };
  if (m->opt.integrator >= sinewFIRST_EXTENSION) found.push_back("option: an integrator that controls its error");
  for (int i = 0; i < m->nu; ++i) {
    if (m->actuator_gaintype[i] >= sinewFIRST_EXTENSION) add(mjOBJ_ACTUATOR, i, "is a musculotendon");
    if (m->actuator_gaintype[i] != mjGAIN_DCMOTOR) continue;
    if (m->actuator_gainprm[mjNGAIN * i + 8] == 3) add(mjOBJ_ACTUATOR, i, "is a motor with the input 'ff'");
    if (m->actuator_biasprm[mjNBIAS * i + 6] != 0) add(mjOBJ_ACTUATOR, i, "is a motor with dry friction");
  }
  for (int t = 0; t < m->ntendon; ++t) {
    for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; ++w) {
      const auto is_geom = [&](int step) {
        return step < m->nwrap && m->wrap_type[step] != mjWRAP_PULLEY && m->wrap_type[step] >= mjWRAP_SPHERE;
      };
      if (m->wrap_type[w] >= sinewFIRST_EXTENSION) add(mjOBJ_TENDON, t, "wraps around an ellipsoid");
      if (is_geom(w) && is_geom(w + 1)) add(mjOBJ_TENDON, t, "wraps around geoms without a site in between");
    }
  }
  for (const auto& [type, id] : CompliantSurfaces(m)) add(type, id, "has a compliant contact");
  for (const auto& [type, id] : OwnSurfaces(m)) add(type, id, "has a surface that moves or sticks");
  if (mj_name2id(m, mjOBJ_NUMERIC, sinewSTICK) >= 0) found.push_back("option: contacts that hold their point");
  for (const int mesh : IdsWithNumbers(m, sinewTRIANGLES, m->nmesh)) add(mjOBJ_MESH, mesh, "collides by its triangles");
  constexpr const char* kMoves = "moves by functions of a coordinate";
  for (const int joint : IdsWithNumbers(m, sinewMOTIONS, m->njnt)) add(mjOBJ_JOINT, joint, kMoves);
  for (const int site : IdsWithNumbers(m, sinewPOINTS, m->nsite)) add(mjOBJ_SITE, site, kMoves);
  for (const int step : IdsWithNumbers(m, sinewRANGES, m->nwrap)) {
    add(mjOBJ_TENDON, TendonOf(m, step), "has a point that counts in a range of a coordinate");
  }
  for (const int id : IdsWithNumbers(m, sinewCOUPLINGS, m->neq)) add(mjOBJ_EQUALITY, id, "couples by a function");
  for (const int i : IdsWithNumbers(m, sinewREFLEXES, m->nu)) add(mjOBJ_ACTUATOR, i, "has reflexes");
  for (int i = 0; i < m->nsensor; ++i) {
    if (m->sensor_type[i] >= sinewFIRST_EXTENSION) add(mjOBJ_SENSOR, i, "measures a musculotendon");
  }
  return found;
}

void RefuseExtensions(const Loaded& loaded, const std::string& path) {
  std::string text;
  for (const std::string& extension : Extensions(loaded.model)) text += "\n  " + extension;
  if (!text.empty()) throw ModelError(path + " has what MuJoCo 3.8.0 does not know:" + text);
}

// The function that writes texts reports what goes wrong as a warning.
void WriteText(const mjModel* m, const std::string& path) {
  static std::string problem;
  problem.clear();
  const auto handler = std::exchange(mju_user_warning, [](const char* text) { problem = text; });
  mj_printModel(m, path.c_str());
  mju_user_warning = handler;
  if (!problem.empty()) throw ModelError(problem);
}

// Writes in the format that the name of the file says.
void Write(const Loaded& loaded, const std::string& path, bool carry) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (carry && extension != ".xml") throw ModelError("--carry is for XML; the name of the output must end in .xml");
  if (extension == ".mjb") {
    loaded.model.SaveBinary(path);
  } else if (extension == ".txt") {
    WriteText(loaded.model, path);
  } else if (extension == ".xml") {
    char error[1000] = "";
    if (!loaded.spec) throw ModelError("a compiled model cannot be written as XML; convert the file it came from");
    if (loaded.files) throw ModelError("the assets are in an archive; unpack it, and convert the model in its folder");
    PlaceAssets(loaded.spec.get(), path);
    const auto save = carry ? sinew_saveCarrierXml : mj_saveXML;
    if (save(loaded.spec.get(), path.c_str(), error, sizeof(error)) != 0) throw ModelError(error);
  } else {
    throw ModelError("cannot write '" + path + "'; the name must end in .xml, .mjb or .txt");
  }
}

void Report(const ConvertOptions& options, const Loaded& loaded) {
  const mjModel* m = loaded.model;
  if (options.json) {
    const nlohmann::ordered_json json = {{"model", options.model},
                                         {"output", options.output},
                                         {"bodies", m->nbody},
                                         {"degrees_of_freedom", m->nv},
                                         {"warnings", loaded.warnings}};
    std::printf("%s\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
    return;
  }
  PrintWarnings(loaded.warnings);
  std::printf("%s: %lld bodies, %lld degrees of freedom%s%s\n", options.model.c_str(), static_cast<long long>(m->nbody),
              static_cast<long long>(m->nv), options.output.empty() ? "" : "; wrote ", options.output.c_str());
}

// Rewrites an old file, and looks whether the new one loads.
void Migrate(const ConvertOptions& options) {
  std::string changes(1 << 20, '\0');
  char error[1000] = "";
  const int count = sinew_migrateXml(options.model.c_str(), options.output.c_str(), nullptr, changes.data(),
                                     static_cast<int>(changes.size()), error, sizeof(error));
  if (count < 0) throw ModelError(error);
  std::istringstream lines(changes.c_str());
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  if (options.json) {
    const nlohmann::ordered_json json = {{"model", options.model}, {"output", options.output}, {"changes", all}};
    std::printf("%s\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
  } else {
    for (const std::string& change : all) std::printf("%s\n", Printable(change, Lines::kEscaped).c_str());
    std::printf("%s: %d changes; wrote %s\n", options.model.c_str(), count, options.output.c_str());
  }
  PrintWarnings(Load(options.output, options.robot).warnings);
}

void RunConvert(const ConvertOptions& options) {
  if (options.migrate) return Migrate(options);
  const Loaded loaded = Load(options.model, options.robot);
  if (options.strict) RefuseExtensions(loaded, options.model);
  if (!options.output.empty()) Write(loaded, options.output, options.carry);
  Report(options, loaded);
}

CLI::App* AddCommand(CLI::App& app, const char* name, const char* meaning,
                     const std::shared_ptr<ConvertOptions>& options) {
  CLI::App* command = app.add_subcommand(name, meaning);
  command
      ->add_option(
          "model", options->model,
          "MJCF (.xml), URDF (.urdf), OpenSim (.osim), Hyfydy (.hfd), compiled (.mjb) or archive with assets (.zip)")
      ->required();
  command->add_option("output", options->output, "File to write: .mjb, .xml or .txt by its name");
  command->add_flag("--strict", options->strict, "Refuse models that MuJoCo 3.8.0 does not know, and say why");
  command->add_flag("--json", options->json, "Print the report as JSON");
  AddRobotOptions(*command, &options->robot);
  command->callback([options] { RunConvert(*options); });
  return command;
}

}  // namespace

void AddCompile(CLI::App& app) {
  AddCommand(app, "compile", "Check a model; write it compiled", std::make_shared<ConvertOptions>());
}

void AddConvert(CLI::App& app) {
  auto options = std::make_shared<ConvertOptions>();
  RobotOptions& robot = options->robot;
  robot.mimic = robot.visuals = robot.actuators = robot.mend = true;
  CLI::App* command = AddCommand(app, "convert", "Turn a model into another format, as URDF into MJCF", options);
  command->get_option("output")->required();
  command->add_flag("--carry", options->carry,
                    "Put what MuJoCo 3.8.0 does not know into <custom>, with placeholders, so that it loads there");
  command->add_flag(
      "--migrate", options->migrate,
      "Rewrite a file of an older release of MuJoCo without the words that are gone, and list each change");
}

}  // namespace sinew
