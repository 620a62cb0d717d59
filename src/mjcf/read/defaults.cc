// Reads the section default: classes of initial values. Each class starts as a copy of the one around it, so that an
// element later copies one class and nothing else.
#include <string>

#include "mjcf/read/sections.h"
#include "mjcf/schema/gone.h"

namespace sinew::mjcf {
namespace {

// The values of one element kind in a class.
void ReadValues(Context& context, ElementReader& reader, Default* values) {
  const std::string& tag = reader.node().tag;
  if (tag == "mesh") {
    reader.ReadFields(values->mesh);
    ReadMeshCollision(reader, &values->Get<Mesh>().collision);
  } else if (tag == "material") {
    mjsMaterial* material = values->material;
    reader.ReadFields(material);
    const auto texture = reader.String("texture");
    if (texture) (*material->textures)[mjTEXROLE_RGB] = *texture;
    ReadLayers(context, reader.node(), texture.has_value(), material);
  } else if (tag == "joint") {
    reader.ReadFields(values->joint);
  } else if (tag == "geom") {
    reader.ReadPlaced(values->geom);
    ReadContactLaw(reader, /*of_pair=*/false, &values->Get<Geom>().contact_law);
    ReadSurface(reader, &values->Get<Geom>().surface);
    ReadStick(reader, &values->Get<Geom>().stick);
  } else if (tag == "site") {
    reader.ReadPlaced(values->site);
  } else if (tag == "camera") {
    reader.ReadPlaced(values->camera);
  } else if (tag == "light") {
    reader.ReadFields(values->light);
    ReadLightType(reader, values->light);
  } else if (tag == "pair") {
    reader.ReadFields(values->pair);
    ReadContactLaw(reader, /*of_pair=*/true, &values->Get<Pair>().contact_law);
    Pair& pair = values->Get<Pair>();
    pair.adhesion = reader.Real("adhesion", pair.adhesion);
    ReadStick(reader, &pair.stick);
  } else if (tag == "equality") {
    reader.ReadFields(values->equality);
  } else if (tag == "tendon") {
    ReadTendonValues(reader, values->tendon);
  } else {
    // All kinds of actuators share one set of values.
    ReadActuatorValues(reader, values->actuator);
  }
  reader.Finish();
}

// The class of a <default> element: main at the top, else a new one.
Default* OpenClass(Context& context, ElementReader& reader, Default* parent) {
  const std::string name = reader.String("class").value_or("");
  Default& main = context.spec.main_class();
  if (!parent) {
    if (!name.empty() && name != main.name) {
      reader.Fail("the class at the top is '" + name + "'", FindGone("default", "class", "")->Remedy());
    }
    context.classes.emplace(main.name, &main);
    return &main;
  }
  if (name.empty()) {
    reader.Fail("a class inside another one needs a name", "add the attribute 'class'");
  } else if (context.classes.contains(name)) {
    reader.Fail("another default class has the name '" + name + "'",
                name == context.spec.main_class().name ? FindGone("default", "class", "")->Remedy() : "");
  }
  Default* opened = parent->AddChild(name);
  opened->where = reader.node().Location();
  context.classes.emplace(name, opened);
  return opened;
}

// Values of a class are read before the classes inside, wherever they stand in the text.
void ReadClass(Context& context, const XmlNode& node, Default* parent) {
  const ElementRow& row = *FindPath("default");
  ElementReader reader(node, row, &context.problems);
  Default* opened = OpenClass(context, reader, parent);
  reader.Finish();
  // A class inside starts from all values of this one, also from those that stand behind it.
  ForEachChild(context, node, row, [&](ElementReader& values, const XmlNode& child) {
    if (child.tag != "default") ReadValues(context, values, opened);
  });
  for (const XmlNode& child : node.children) {
    if (child.tag == "default") ReadClass(context, child, opened);
  }
}

}  // namespace

void ReadDefault(Context& context, const XmlNode& section) { ReadClass(context, section, nullptr); }

}  // namespace sinew::mjcf
