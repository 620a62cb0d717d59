// What compiles is served: any model that the compiler takes gets a world, which is computed and stepped, alone and in
// a batch, and is the same after it has been written and read. No check behind the compiler is stricter than it.
//
// Models are generated from the schema: elements in their places, with random attributes whose values are legal by
// themselves, however odd together. Most of what comes of that is refused by the compiler; the rest is what counts.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>
#include <sinew/batch.h>
#include <sinew/extensions.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "mjcf/schema/schema.h"
#include "tests/testing/longer.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

using mjcf::Attribute;
using mjcf::ElementRow;
using mjcf::Value;

void Throw(const char* text) { throw std::runtime_error(text); }
void Ignore(const char*) {}

// ---- models

// Something of every kind to refer to.
constexpr char kNamed[] = R"(
  <asset><mesh name='tetra' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/><hfield name='hills' nrow='2' ncol='3' size='1 1 1 1'/>
    <texture name='t' type='2d' builtin='flat' width='4' height='4'/><material name='m' texture='t'/></asset>
  <default><default class='c'><geom size='.1 .1 .1'/></default></default>
  <worldbody><site name='w' pos='0 0 2'/><camera name='eye'/>
    <body name='b' pos='0 0 1'><joint name='j' range='-1 1'/><joint name='k' type='slide'/><geom name='g' size='.1'/>
      <site name='s'/><body name='arm' pos='.3 0 0'><joint name='ball' type='ball'/><geom name='box' type='box'
        size='.1 .1 .1'/><site name='e'/></body></body>
    <body name='free' pos='2 0 0'><freejoint name='f'/><geom name='h' type='cylinder' size='.1 .1'/></body>
    <body name='moc' mocap='true' pos='0 3 0'><geom name='i' size='.1'/></body>
    <flexcomp name='x' type='grid' count='3 3 1' spacing='.1 .1 .1' radius='.01' dim='2' pos='5 0 0' mass='1'/>
    </worldbody>
  <tendon><fixed name='fix'><joint joint='j' coef='1'/></fixed>
    <spatial name='cord'><site site='w'/><site site='s'/></spatial></tendon>
  <actuator><motor name='a' joint='j'/></actuator><sensor><jointpos name='n' joint='j'/></sensor>
  <custom><numeric name='num' data='1'/></custom>)";

const std::map<std::string_view, std::vector<const char*>> kNames = {{"body", {"b", "arm", "free", "moc", "world"}},
                                                                     {"joint", {"j", "k", "ball", "f"}},
                                                                     {"geom", {"g", "box", "h", "i"}},
                                                                     {"site", {"s", "e", "w"}},
                                                                     {"tendon", {"fix", "cord"}},
                                                                     {"actuator", {"a"}},
                                                                     {"sensor", {"n"}},
                                                                     {"camera", {"eye"}},
                                                                     {"material", {"m"}},
                                                                     {"texture", {"t"}},
                                                                     {"mesh", {"tetra"}},
                                                                     {"hfield", {"hills"}},
                                                                     {"flex", {"x"}},
                                                                     {"class", {"c"}},
                                                                     {"subtree", {"b", "arm", "free"}}};
// Attributes that name something of a kind other than their own name says.
const std::map<std::string_view, std::string_view> kKinds = {
    {"childclass", "class"}, {"target", "body"},     {"jointinparent", "joint"}, {"cranksite", "site"},
    {"slidersite", "site"},  {"refsite", "site"},    {"sidesite", "site"},       {"objname", "body"},
    {"refname", "body"},     {"bodyname", "body"},   {"body1", "body"},          {"body2", "body"},
    {"geom1", "geom"},       {"geom2", "geom"},      {"joint1", "joint"},        {"joint2", "joint"},
    {"site1", "site"},       {"site2", "site"},      {"tendon1", "tendon"},      {"tendon2", "tendon"},
    {"subtree1", "subtree"}, {"subtree2", "subtree"}};
// Elements that read files or call plugins, or make copies without number.
constexpr std::string_view kLeftOut[] = {"include", "plugin",    "extension", "model",
                                         "attach",  "composite", "skin",      "size"};
// Attributes of these.
constexpr std::string_view kUnset[] = {"file",     "fileright",    "fileleft",    "fileup",     "filedown", "filefront",
                                       "fileback", "content_type", "meshdir",     "texturedir", "assetdir", "count",
                                       "nsample",  "prefix",       "resolution",  "cellcount",  "width",    "height",
                                       "nrow",     "ncol",         "contactmodel"};

template <size_t n>
bool IsOneOf(const std::string_view (&list)[n], std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::string Model() {
    std::string xml = "<mujoco>" + std::string(kNamed);
    const int sections = 1 + Below(3);
    for (int i = 0; i < sections; ++i) AppendChild(mjcf::Root(), 0, &xml);
    return xml + "</mujoco>";
  }

 private:
  int Below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  template <class List>
  const auto& OneOf(const List& list) {
    return list[static_cast<size_t>(Below(static_cast<int>(std::size(list))))];
  }

  void AppendChild(const ElementRow& parent, int depth, std::string* xml) {
    if (parent.children.empty()) return;
    const ElementRow& row = mjcf::Elements()[OneOf(parent.children)];
    if (!IsOneOf(kLeftOut, row.name)) Append(row, depth, xml);
  }

  // An element with what it must have, and some of what it may have.
  void Append(const ElementRow& row, int depth, std::string* xml) {
    *xml += std::string("<") + row.name;
    const int share = 1 + Below(6);  // one in so many attributes is given
    for (const std::uint16_t index : row.attributes) {
      const Attribute& attribute = mjcf::Attributes()[index];
      if (IsOneOf(kUnset, attribute.name) || (!attribute.required && Below(share + 2) > 0)) continue;
      if (const std::string text = TextOf(attribute); !text.empty()) {
        *xml += std::string(" ") + attribute.name + "='" + text + "'";
      }
    }
    // a thing that takes room has a size
    if (std::string_view(row.name) == "geom" && xml->rfind(" size=") < xml->rfind('<')) *xml += " size='.1 .2 .3'";
    *xml += ">";
    if (depth < 4) {
      for (int i = Below(4); i > 0; --i) AppendChild(row, depth + 1, xml);
    }
    *xml += std::string("</") + row.name + ">";
  }

  std::string TextOf(const Attribute& attribute) {
    const int most = attribute.max < 0 ? 6 : attribute.max,
              count = std::max(attribute.min, 1 + Below(std::max(most, 1)));
    std::string text;
    switch (attribute.value) {
      case Value::kKeyword:
      case Value::kFlag:
        return OneOf(attribute.keywords).word;
      case Value::kKeywords:
        for (int i = 1 + Below(3); i > 0; --i) text += std::string(OneOf(attribute.keywords).word) + " ";
        return text;
      case Value::kReal:
        for (int i = 0; i < count; ++i) text += std::string(OneOf(kReals)) + " ";
        return text;
      case Value::kInt:
        for (int i = 0; i < count; ++i) text += std::to_string(Below(5) - Below(2)) + " ";
        return text;
      default:
        return NameFor(attribute.name);
    }
  }

  // Names of what the model has, for attributes that refer; new ones for the element's own.
  std::string NameFor(std::string_view attribute) {
    if (attribute == "name") return Below(2) ? "" : "new" + std::to_string(++names_);
    const auto kind = kKinds.find(attribute);
    const auto names = kNames.find(kind == kKinds.end() ? attribute : kind->second);
    if (names != kNames.end()) return OneOf(names->second);
    static constexpr const char* kWords[] = {"body", "xbody", "geom", "site", "camera", "free", "0 1 2", "xyz", ""};
    return OneOf(kWords);
  }

  static constexpr const char* kReals[] = {"0",    "1",    ".5",  ".1",    "-1", "-.3", "2",  "1e-3",
                                           "1e-9", "1000", "1e6", "0.123", "45", "90",  ".9", "3.2"};
  std::mt19937 random_;
  int names_ = 0;
};

// ---- what is served

void Step(const mjModel* m) {
  const DataPtr d(mj_makeData(m));
  if (!d) throw std::runtime_error("there is no world");
  mj_forward(m, d.get());
  for (int i = 0; i < 5; ++i) mj_step(m, d.get());
}

void ReadAgain(const mjModel* m) {
  std::vector<char> bytes(static_cast<size_t>(mj_sizeModel(m)));
  mj_saveModel(m, nullptr, bytes.data(), static_cast<int>(bytes.size()));
  const ModelPtr again(mj_loadModelBuffer(bytes.data(), static_cast<int>(bytes.size())));
  if (!again) throw std::runtime_error("what is saved cannot be read");
  Step(again.get());
}

struct DeleteBatchOf {
  void operator()(sinewBatch* batch) const { sinew_batch_delete(batch); }
};

void StepBatch(const mjModel* m) {
  sinewBatchConfig config = {};
  config.threads = 1;
  config.persistent = (m->opt.enableflags & mjENBL_SLEEP) != 0;
  char error[500] = "";
  const std::unique_ptr<sinewBatch, DeleteBatchOf> batch(sinew_batch_make(m, 2, &config, error, sizeof(error)));
  if (!batch) throw std::runtime_error(error);
  if (sinew_batch_step(batch.get(), nullptr, 3, mjSTAGE_NONE, error, sizeof(error)) == 0) return;
  sinew_batch_cause(batch.get(), 0, error, sizeof(error));
  throw std::runtime_error(std::string("batch: ") + error);
}

TEST(Served, WhatCompilesHasWorldsThatStep) {
  mju_user_error = Throw;
  mju_user_warning = Ignore;
  sinew_setLoadLimits(3e8, 2);
  Generator generator(7);
  const int count = CountOr("SINEW_SERVED_MODELS", 2000);
  int compiled = 0, failures = 0;
  for (int i = 0; i < count && failures < 10; ++i) {
    const std::string xml = generator.Model();
    ModelPtr m;
    try {
      m = ModelFromText(xml);
    } catch (const std::exception&) {
      continue;
    }
    ++compiled;
    // A step of bounded error has as many internal steps as fit into it: seconds of microseconds would take minutes.
    m->opt.timestep = std::min(m->opt.timestep, 1e-3);
    try {
      Step(m.get());
      ReadAgain(m.get());
      StepBatch(m.get());
    } catch (const std::exception& error) {
      ++failures;
      ADD_FAILURE() << i << ": " << error.what() << "\n" << xml.substr(8 + sizeof(kNamed));
    }
  }
  sinew_setLoadLimits(0, 0);
  mju_user_error = nullptr;
  mju_user_warning = nullptr;
  EXPECT_GT(compiled, count / 10) << "too few of the models are any";
}

}  // namespace
}  // namespace sinew
