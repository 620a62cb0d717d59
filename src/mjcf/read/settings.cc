// Reads the sections compiler, option, size, visual and statistic, whose attributes are mostly fields of mjSpec. Where
// an element stands twice, later attributes replace earlier ones.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mjcf/asset_folders.h"
#include "mjcf/numbers.h"
#include "mjcf/option_numbers.h"
#include "mjcf/read/sections.h"
#include "model/storage/error_control.h"

namespace sinew::mjcf {
namespace {

mjSpec* Public(Context& context) { return &context.spec; }

// An element whose attributes are all fields, and the elements in it, likewise.
void ReadSettings(Context& context, const XmlNode& node, const ElementRow& row) {
  ElementReader reader(node, row, &context.problems);
  reader.ReadFields(Public(context));
  reader.Finish();
  for (const XmlNode& child : node.children) {
    if (const ElementRow* child_row = FindChild(row, child.tag)) ReadSettings(context, child, *child_row);
  }
}

// Letters name the axes of three rotations: small ones are moving axes, capital ones are fixed.
void ReadEulerSequence(Context& context, ElementReader& reader) {
  const auto sequence = reader.String("eulerseq");
  if (!sequence) return;
  if (sequence->size() != 3 || sequence->find_first_not_of("xyzXYZ") != std::string::npos) {
    reader.Fail("attribute 'eulerseq' is \"" + *sequence + "\"",
                "give three letters of xyz (moving axes) or XYZ (fixed axes)");
    return;
  }
  sequence->copy(Public(context)->compiler.eulerseq, 3);
}

}  // namespace

void ReadRoot(Context& context, const XmlNode& root) {
  ElementReader reader(root, Root(), &context.problems);
  reader.ReadFields(Public(context));
  reader.Finish();
}

// ---- compiler

// The document may have several compiler elements; folders are those of all of them together.
AssetFolders FindAssetFolders(const XmlNode& root) {
  AssetFolders folders;
  std::string asset;
  for (const XmlNode& node : root.children) {
    if (node.tag != "compiler") continue;
    if (const std::string* text = node.Find("assetdir")) asset = *text;
    if (const std::string* text = node.Find("meshdir")) folders.mesh = *text;
    if (const std::string* text = node.Find("texturedir")) folders.texture = *text;
    if (const std::string* text = node.Find("strippath")) folders.strip_path = *text == "true";
  }
  // The special folders win over the general one wherever they stand.
  for (std::string* special : {&folders.mesh, &folders.texture}) {
    if (special->empty()) *special = asset;
  }
  return folders;
}

void ReadDirectories(Context& context, const XmlNode& root) {
  const AssetFolders folders = FindAssetFolders(root);
  *Public(context)->compiler.meshdir = folders.mesh;
  *Public(context)->compiler.texturedir = folders.texture;
}

// The level comes before everything whose default depends on it.
void ReadLevel(Context& context, ElementReader& reader) {
  const auto release = reader.String("level");
  if (!release) return;
  const Level level = LevelOf(*release);
  if (level) return SetLevel(level, context.spec);
  reader.Fail("attribute 'level' is '" + *release + "'", "give a release of MuJoCo, such as 3.9");
}

// The folders were read before, so their attributes are only marked as taken here.
void ReadCompiler(Context& context, const XmlNode& section) {
  const ElementRow& row = *FindPath("compiler");
  ElementReader reader(section, row, &context.problems);
  reader.ReadFields(Public(context));
  ReadEulerSequence(context, reader);
  // Coordinates are local: the other value is refused with the words that are gone. Folders were read before.
  reader.Keyword("coordinate");
  for (const char* directory : {"assetdir", "meshdir", "texturedir"}) reader.String(directory);
  ReadLevel(context, reader);
  reader.Finish();
  for (const XmlNode& child : section.children) {
    if (const ElementRow* child_row = FindChild(row, child.tag)) ReadSettings(context, child, *child_row);
  }
}

// ---- option

// The settings of an integrator that controls its error.
void ReadErrorControl(Context& context, ElementReader& reader) {
  constexpr std::pair<const char*, int> kNumbers[] = {
      {"accuracy", kAccuracy}, {"minstep", kMinStep}, {"maxstep", kMaxStep}};
  const bool any = reader.Has("errornorm") || std::any_of(std::begin(kNumbers), std::end(kNumbers),
                                                          [&](const auto& n) { return reader.Has(n.first); });
  if (!any) return;
  std::vector<double>& numbers = OptionNumbers(context, reader, kErrorControlArray, {1e-3, 0, 0, 0});
  for (const auto& [name, place] : kNumbers) numbers[place] = reader.Real(name, numbers[place]);
  numbers[kErrorNorm] = reader.Keyword("errornorm").value_or(static_cast<int>(numbers[kErrorNorm]));
}

// Groups of actuators that are disabled are bits of one integer, of which 31 can be used.
void ReadOption(Context& context, const XmlNode& section) {
  const ElementRow& row = *FindPath("option");
  ElementReader reader(section, row, &context.problems);
  reader.ReadFields(Public(context));
  ReadErrorControl(context, reader);
  ReadContactOption(context, reader);
  ReadStickOption(context, reader);
  if (const auto groups = reader.Ints("actuatorgroupdisable")) {
    for (const int group : *groups) {
      if (group < 0 || group > 30) {
        reader.Fail("attribute 'actuatorgroupdisable' has the group " + std::to_string(group), "groups are 0 to 30");
      } else {
        Public(context)->option.disableactuator |= 1 << group;
      }
    }
  }
  reader.Finish();
  for (const XmlNode& child : section.children) {
    if (const ElementRow* child_row = FindChild(row, child.tag)) ReadSettings(context, child, *child_row);
  }
}

// ---- size

namespace {

// The memory of the arena may be given in bytes, or by two attributes of older versions.
void ReadMemory(Context& context, ElementReader& reader) {
  const auto text = reader.String("memory");
  if (!text) return;
  long long bytes = 0;
  if (!ParseBytes(*text, &bytes)) {
    reader.Fail("attribute 'memory' is \"" + *text + "\"",
                "give bytes as digits with an optional suffix K, M, G, T, P or E");
    return;
  }
  Public(context)->memory = bytes;
  // Both say how large the arena is.
  for (const char* old : {"njmax", "nstack"}) {
    if (reader.Has(old))
      reader.Fail(std::string("attributes 'memory' and '") + old + "' exclude each other", "keep 'memory'");
  }
}

}  // namespace

// A count of -1 lets the compiler find as many as are needed.
void ReadSize(Context& context, const XmlNode& section) {
  ElementReader reader(section, *FindPath("size"), &context.problems);
  context.spec.size_where = section.Location();
  ReadMemory(context, reader);
  reader.ReadFields(Public(context));
  for (const auto index : reader.row().attributes) {
    const Attribute& attribute = Attributes()[index];
    const std::string_view name = attribute.name;
    if (!name.starts_with("nuser_") && name != "nconmax") continue;
    int value = 0;
    std::memcpy(&value, reinterpret_cast<const char*>(Public(context)) + attribute.offset, sizeof value);
    if (value < -1) {
      reader.Fail("attribute '" + std::string(name) + "' is " + std::to_string(value),
                  "-1, as many as needed, or more");
    }
  }
  if (const auto nstack = reader.Int("nstack")) Public(context)->nstack = *nstack;
  reader.Finish();
}

// ---- visual, statistic

// A near plane of zero would make the projection singular.
void ReadVisual(Context& context, const XmlNode& section) {
  ReadSettings(context, section, *FindPath("visual"));
  if (!(Public(context)->visual.map.znear <= 0)) return;
  context.problems.Add(section, "attribute 'znear' of 'map' is not positive",
                       "give the distance of the near plane, in units of the model's extent");
}

// Numbers that are given replace those that the compiler computes.
void ReadStatistic(Context& context, const XmlNode& section) {
  ReadSettings(context, section, *FindPath("statistic"));
  if (Public(context)->stat.extent <= 0) {
    context.problems.Add(section, "attribute 'extent' is not positive", "give the size of the model");
  }
}

}  // namespace sinew::mjcf
