// default: every class with what distinguishes it from the class around it.
#include <cmath>
#include <utility>

#include "mjcf/write/write_sections.h"

namespace sinew::mjcf {
namespace {

// The values of one kind. Poses are left out: elements always say where they stand.
template <class T, class Write>
void WriteValues(const WriteContext& context, const Default& values, const Default& parent, const char* path,
                 XmlNode* into, Write&& write) {
  using Struct = typename T::PublicStruct;
  const Struct own = AtLevelOf<Struct>(context.spec, values.Get<T>(), values.home);
  const Struct base = AtLevelOf<Struct>(context.spec, parent.Get<T>(), parent.home);
  ElementWriter writer(*FindPath(path), context.precision);
  write(own, base, writer);
  if constexpr (requires { &T::contact_law; }) {
    WriteContactLaw(values.Get<T>().contact_law, parent.Get<T>().contact_law, writer);
  }
  if constexpr (requires { &T::surface; }) {
    WriteSurface(values.Get<T>().surface, parent.Get<T>().surface, writer);
  }
  if constexpr (requires { &T::adhesion; }) {
    WriteAdhesion(values.Get<T>().adhesion, parent.Get<T>().adhesion, writer);
  }
  if constexpr (requires { &T::collision; }) {
    WriteMeshCollision(values.Get<T>().collision, parent.Get<T>().collision, writer);
  }
  if constexpr (requires { &T::stick; }) WriteStick(values.Get<T>().stick, parent.Get<T>().stick, writer);
  if (!writer.empty()) into->children.push_back(writer.Take());
}

// Values that are fields throughout, or without some.
template <class T>
void WriteValues(const WriteContext& context, const Default& values, const Default& parent, const char* path,
                 XmlNode* into, std::initializer_list<std::string_view> except = {}) {
  WriteValues<T>(context, values, parent, path, into,
                 [&](const auto& own, const auto& base, ElementWriter& writer) { writer.Fields(&own, &base, except); });
}

// A geom that has a mass writes it itself, and its density then has no effect.
void WriteGeomValues(const mjsGeom& own, const mjsGeom& base, ElementWriter& writer) {
  mjsGeom values = own;
  if (!std::isnan(own.mass)) values.density = base.density;
  writer.Fields(&values, &base, {"pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "fromto", "mass"});
}

// The classes inside are written behind the values of their parent, which they start from.
XmlNode WriteClass(const WriteContext& context, const Default& values, const Default& parent) {
  XmlNode node = Section("default");
  if (values.parent_class) node.attributes.emplace_back("class", values.name);
  WriteValues<Mesh>(context, values, parent, "default/mesh", &node);
  WriteValues<Material>(context, values, parent, "default/material", &node,
                        [&](const mjsMaterial& own, const mjsMaterial& base, ElementWriter& writer) {
                          writer.Fields(&own, &base);
                          WriteTextures(context, own, base, writer);
                        });
  WriteValues<Joint>(context, values, parent, "default/joint", &node, {"pos", "axis", "springdamper"});
  WriteValues<Geom>(context, values, parent, "default/geom", &node, WriteGeomValues);
  WriteValues<Site>(context, values, parent, "default/site", &node,
                    {"pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "fromto"});
  WriteValues<Camera>(context, values, parent, "default/camera", &node,
                      {"pos", "quat", "axisangle", "xyaxes", "zaxis", "euler"});
  WriteValues<Light>(context, values, parent, "default/light", &node,
                     [](const mjsLight& own, const mjsLight& base, ElementWriter& writer) {
                       writer.Fields(&own, &base, {"pos", "dir"});
                       if (own.type != base.type) writer.Keyword("type", own.type);
                     });
  WriteValues<Pair>(context, values, parent, "default/pair", &node);
  WriteValues<Equality>(context, values, parent, "default/equality", &node);
  WriteValues<Tendon>(context, values, parent, "default/tendon", &node,
                      [](const mjsTendon& own, const mjsTendon& base, ElementWriter& writer) {
                        writer.Fields(&own, &base);
                        WriteSpringLength(own, base, writer);
                      });
  WriteValues<Actuator>(context, values, parent, "default/general", &node);
  for (const auto& child : values.children) node.children.push_back(WriteClass(context, *child, values));
  return node;
}

}  // namespace

XmlNode WriteDefault(const WriteContext& context) {
  return WriteClass(context, context.spec.main_class(), Untouched(context.spec.level).main_class());
}

}  // namespace sinew::mjcf
