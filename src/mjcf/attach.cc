// asset/model and attach: parts of other documents.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/path.h"
#include "mjcf/sections.h"
#include "spec/attach.h"

namespace sinew::mjcf {
namespace {

// Documents that are being read, each for the one before it: a document must not need itself. All that are read for one
// are counted, since two that each name the next one twice make it the power of their number.
struct Reading {
  std::vector<std::string> open;
  int count = 0;
};
thread_local Reading reading;
constexpr int kMaxModels = 10000;

class OpenModel {
 public:
  explicit OpenModel(std::string path) {
    if (reading.open.empty()) reading.count = 0;
    ++reading.count;
    reading.open.push_back(std::move(path));
  }
  ~OpenModel() { reading.open.pop_back(); }
  OpenModel(const OpenModel&) = delete;
};

Element* FindPart(Spec& model, ElementReader& reader) {
  const auto name = reader.String("body");
  if (!name) return &model;
  Body* body = model.Find<Body>(*name);
  if (!body || !body->parent) {
    reader.Fail("model '" + *model.modelname + "' has no body '" + *name + "'", "name one of its bodies");
    return nullptr;
  }
  return body;
}

}  // namespace

void ReadModel(Context& context, ElementReader& reader) {
  const std::string file = reader.String("file").value_or("");
  const auto name = reader.String("name");
  const std::string content_type = reader.String("content_type").value_or("");
  const std::string path = NormalizePath(JoinPath(*context.spec.modelfiledir, file));
  if (std::find(reading.open.begin(), reading.open.end(), path) != reading.open.end()) {
    return reader.Fail("model file '" + file + "' needs itself", "remove it from the files that it names");
  }
  if (!reading.open.empty() && reading.count >= kMaxModels) {
    return reader.Fail("the document needs more than " + std::to_string(kMaxModels) + " models",
                       "name a model once, and attach it as often as needed");
  }
  const OpenModel open(path);
  try {
    std::unique_ptr<Spec> model = context.read_model(path, content_type, context.vfs);
    const std::string key = name.value_or(*model->modelname);
    if (!context.models.emplace(key, std::move(model)).second) {
      reader.Fail("another model has the name '" + key + "'", "give it another one by the attribute 'name'");
    }
  } catch (const Error& error) {
    reader.Fail("model file '" + file + "' cannot be read: " + error.what());
  }
}

void ReadAttach(Context& context, ElementReader& reader, const Place& place) {
  const std::string name = reader.String("model").value_or("");
  const std::string prefix = reader.String("prefix").value_or("");
  const auto found = context.models.find(name);
  if (found == context.models.end()) {
    std::vector<std::string_view> known;
    for (const auto& [key, model] : context.models) known.push_back(key);
    return reader.Fail("there is no model '" + name + "'", Suggest(name, known));
  }
  if (prefix.empty()) return reader.Fail("attribute 'prefix' is empty", "give the beginning of the new names");
  Element* part = FindPart(*found->second, reader);
  if (!part) return;
  try {
    UpdateKeys(context);
    Frame& frame = place.frame ? *place.frame : place.body->Add<Frame>();
    Attach(frame, *part, {prefix, ""}, true, &context.copies_left);
    context.key_layout.emplace(context.spec);
  } catch (const Error& error) {
    reader.Fail(error.problem(), error.remedy());
  }
}

}  // namespace sinew::mjcf
