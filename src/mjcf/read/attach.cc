// Reads asset/model and attach: other documents, and parts of them that are copied into this one. A document that names
// itself, directly or not, is refused before it is read again.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/path.h"
#include "mjcf/read/sections.h"
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

// Keeps a path on the list of open documents while it is read, also when reading throws.
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

// Without a name of a body, the whole model is the part.
Element* FindPart(Spec& model, ElementReader& reader) {
  const std::string name = reader.String("body").value_or("");
  if (name.empty()) return &model;
  Body* body = model.Find<Body>(name);
  if (!body) reader.Fail("model '" + *model.modelname + "' has no body '" + name + "'", "name one of its bodies");
  return body;
}

// A body that is there already, under the name that it would get, is what a saved model has instead of the part that
// was attached: it only takes its place in the frame. Returns whether there is one.
bool PlaceExisting(Spec& spec, const std::string& name, Frame& frame) {
  Body* existing = spec.Find<Body>(name);
  if (!existing) return false;
  if (existing->parent != frame.parent) {
    throw Error("there is a body '" + name + "' already, in another body", "choose another prefix");
  }
  existing->frame = &frame;
  return true;
}

// Models are known by the name that the document gives them, or by their own.
Spec* FindModel(const Spec& spec, std::string_view name) {
  const auto found = std::find_if(spec.models.begin(), spec.models.end(),
                                  [&](const auto& model) { return *model->modelname == name; });
  return found == spec.models.end() ? nullptr : found->get();
}

}  // namespace

// A model is read once, however often it is attached.
void ReadModel(Context& context, ElementReader& reader) {
  const std::string file = reader.String("file").value_or("");
  const auto name = reader.String("name");
  const std::string content_type = reader.String("content_type").value_or("");
  const std::string path = NormalizePath(JoinPath(*context.spec.modelfiledir, file));
  if (std::find(reading.open.begin(), reading.open.end(), path) != reading.open.end()) {
    return reader.Fail("model file '" + file + "' needs itself", "remove it from the files that it names");
  }
  if (!reading.open.empty() && reading.count >= kMaxModels) {
    std::string text = "the document needs more than ";  // appended to: GCC 12 takes the sum for overlapping texts
    text += std::to_string(kMaxModels);
    return reader.Fail(text + " models", "name a model once, and attach it as often as needed");
  }
  const OpenModel open(path);
  try {
    std::unique_ptr<Spec> model = context.read_model(path, content_type, context.vfs);
    if (name) *model->modelname = *name;
    if (FindModel(context.spec, *model->modelname)) {
      return reader.Fail("another model has the name '" + *model->modelname + "'",
                         "give it another one by the attribute 'name'");
    }
    model->named_by = &context.spec;
    context.spec.models.push_back(std::move(model));
  } catch (const Error& error) {
    reader.Fail("model file '" + file + "' cannot be read: " + error.what());
  }
}

// Keyframes are brought up to date before and after, because attaching changes how many coordinates they have.
void ReadAttach(Context& context, ElementReader& reader, const Place& place) {
  const std::string name = reader.String("model").value_or("");
  const std::string prefix = reader.String("prefix").value_or("");
  Spec* model = FindModel(context.spec, name);
  if (!model) {
    std::vector<std::string_view> known;
    for (const auto& named : context.spec.models) known.push_back(*named->modelname);
    return reader.Fail("there is no model '" + name + "'", Suggest(name, known));
  }
  Element* part = FindPart(*model, reader);
  if (!part) return;
  try {
    Frame& frame = place.frame ? *place.frame : place.body->Add<Frame>();
    if (part != model && PlaceExisting(context.spec, prefix + part->name, frame)) return;
    UpdateKeys(context);
    Attach(frame, *part, {prefix, ""}, true, &context.copies_left);
    context.key_layout.emplace(context.spec);
  } catch (const Error& error) {
    reader.Fail(error.problem(), error.remedy());
  }
}

}  // namespace sinew::mjcf
