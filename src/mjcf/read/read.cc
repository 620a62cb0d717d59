// Reads a document: first the check against the schema, then section by section in an order that lets each refer to
// what it needs. A name that is wrong stays a name: the compiler resolves references.
#include "mjcf/read/read.h"

#include "mjcf/read/sections.h"
#include "mjcf/schema/validate.h"
#include "mjcf/xml/problems.h"

namespace sinew::mjcf {
namespace {

struct Section {
  const char* name;
  void (*read)(Context&, const XmlNode&);
};

// Defaults come before what starts from them, the tree last: so elements that the tree creates stand behind those of
// the other sections. Within a kind of section, the order of the document counts.
constexpr Section kSections[] = {
    {"compiler", ReadCompiler},   {"option", ReadOption},         {"size", ReadSize},
    {"visual", ReadVisual},       {"statistic", ReadStatistic},   {"default", ReadDefault},
    {"extension", ReadExtension}, {"custom", ReadCustom},         {"asset", ReadAsset},
    {"contact", ReadContact},     {"deformable", ReadDeformable}, {"equality", ReadEquality},
    {"tendon", ReadTendon},       {"actuator", ReadActuator},     {"sensor", ReadSensor},
    {"keyframe", ReadKeyframe},   {"worldbody", ReadWorldBody}};

}  // namespace

// Classes that attached models have brought are found in the specification, those of the document by name.
const Default* FindClass(Context& context, ElementReader& reader, const char* attribute) {
  const auto name = reader.String(attribute);
  if (!name) return nullptr;
  const auto known_class = context.classes.find(*name);
  const Default* found =
      known_class != context.classes.end() ? known_class->second : context.spec.main_class().Find(*name);
  if (!found) {
    std::vector<std::string_view> known;
    context.spec.main_class().ListNames(&known);
    reader.Fail("there is no default class '" + *name + "'", Suggest(*name, known));
  }
  return found;
}

// The place in the text goes with the element, so that the compiler can name it.
void Identify(Context& context, ElementReader& reader, Element* element) {
  element->where = reader.Location();
  const auto name = reader.String("name");
  if (name && !context.spec.SetName(*element, *name)) {
    reader.Fail(std::string("another ") + TypeName(element->elemtype) + " has the name '" + *name + "'");
  }
}

void NotSupported(Context& context, const XmlNode& node) {
  context.problems.Add(node, "element '" + node.tag + "' is not supported in this release");
}

std::unique_ptr<Spec> ReadMjcf(const XmlDocument& document, const mjVFS* vfs, ModelReader read_model) {
  const XmlNode& root = *document.root;
  Problems problems;
  Validate(root, &problems);
  if (root.tag != Root().name) problems.Throw();

  auto spec = std::make_unique<Spec>();
  spec->where = root.Location();
  *spec->comment = document.comment;
  *spec->modelfiledir = document.directory;
  Context context{*spec, problems, vfs, read_model};
  ReadRoot(context, root);
  ReadDirectories(context, root);
  for (const Section& section : kSections) {
    for (const XmlNode& child : root.children) {
      if (child.tag == section.name) section.read(context, child);
    }
  }
  problems.Throw();
  AddPieces(context);
  CheckKeysBesideReplicates(context);
  problems.WarnOfNaN();
  spec->warnings = problems.TakeWarnings();
  return spec;
}

}  // namespace sinew::mjcf
