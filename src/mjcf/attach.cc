// asset/model and attach: parts of other documents.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/path.h"
#include "mjcf/read.h"
#include "mjcf/sections.h"
#include "spec/attach.h"
#include "spec/traverse.h"

namespace sinew::mjcf {
namespace {

// Documents that are being read, each for the one before it: a document must not need itself.
thread_local std::vector<std::string> open_models;

class OpenModel {
 public:
  explicit OpenModel(std::string path) { open_models.push_back(std::move(path)); }
  ~OpenModel() { open_models.pop_back(); }
  OpenModel(const OpenModel&) = delete;
};

std::size_t CountElements(Spec& spec) {
  std::size_t count = 0;
  const auto add = [&](const auto& list) { count += list.size(); };
  spec.ForEachList(add);
  for (Body* body = &spec.world(); body; body = NextBody(spec.world(), body)) body->ForEachList(add);
  return count;
}

// Attached models may be made of attached models, so that their size doubles with every document.
void CheckSize(Context& context, Spec& model) {
  const std::size_t count = CountElements(model);
  if (count > context.copies_left) {
    throw Error("the copies have too many elements", "attach smaller models, or fewer of them");
  }
  context.copies_left -= count;
}

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
  reader.String("content_type");
  const std::string path = NormalizePath(JoinPath(*context.spec.modelfiledir, file));
  if (std::find(open_models.begin(), open_models.end(), path) != open_models.end()) {
    return reader.Fail("model file '" + file + "' needs itself", "remove it from the files that it names");
  }
  const OpenModel open(path);
  try {
    std::unique_ptr<Spec> model = ReadXml(path, context.vfs);
    const std::string key = name.value_or(*model->modelname);
    if (!context.models.emplace(key, std::move(model)).second) {
      reader.Fail("another model has the name '" + key + "'", "give it another one by the attribute 'name'");
    }
  } catch (const Error& error) {
    reader.Fail("model file '" + file + "' cannot be read: " + error.what());
  }
}

void ReadAttach(Context& context, ElementReader& reader, Body& body, Frame* frame) {
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
    CheckSize(context, *found->second);
    UpdateKeys(context);
    if (!frame) frame = &body.Add<Frame>();
    Attach(*frame, *part, {prefix, ""}, true);
    context.key_layout.emplace(context.spec);
  } catch (const Error& error) {
    reader.Fail(error.problem(), error.remedy());
  }
}

}  // namespace sinew::mjcf
