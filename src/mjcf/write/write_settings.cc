// Writes the sections compiler, option, size, visual and statistic: what differs from a specification that nobody has
// touched.
#include <string>
#include <utility>

#include "compile/diagnose.h"
#include "compile/passes.h"
#include "mjcf/numbers.h"
#include "mjcf/option_numbers.h"
#include "mjcf/write/write_sections.h"
#include "model/storage/error_control.h"
#include "spec/traverse.h"

namespace sinew::mjcf {
namespace {

const mjSpec* Public(const WriteContext& context) { return &context.spec; }

// An element whose attributes are all fields, and the elements in it, likewise.
XmlNode WriteSettings(const WriteContext& context, const ElementRow& row) {
  ElementWriter writer(row, context.precision);
  writer.Fields(Public(context), static_cast<const mjSpec*>(&Untouched(context.spec.level)));
  for (const auto index : row.children) {
    XmlNode child = WriteSettings(context, Elements()[index]);
    if (!child.attributes.empty()) writer.Append(std::move(child));
  }
  return writer.Take();
}

// Folders end with a slash, so that reading them back gives the same paths.
std::string Folder(const std::string& path) {
  return path.empty() || path.ends_with('/') || path.ends_with('\\') ? path : path + "/";
}

// Writes as many user numbers as the widest element of a kind has, or as are asked for.
template <class T>
void Widen(const ElementList<T>& elements, int* columns) {
  for (const auto& element : elements) *columns = std::max(*columns, static_cast<int>(element->userdata->size()));
}

void WidenAll(Spec& spec, mjSpec* sizes) {
  Body& world = spec.world();
  for (Body* body = &world; body; body = NextBody(world, body)) {
    sizes->nuser_body = std::max(sizes->nuser_body, static_cast<int>(body->userdata->size()));
    Widen(body->joints, &sizes->nuser_jnt);
    Widen(body->geoms, &sizes->nuser_geom);
    Widen(body->sites, &sizes->nuser_site);
    Widen(body->cameras, &sizes->nuser_cam);
  }
  Widen(spec.List<Tendon>(), &sizes->nuser_tendon);
  Widen(spec.List<Actuator>(), &sizes->nuser_actuator);
  Widen(spec.List<Sensor>(), &sizes->nuser_sensor);
}

// Where all inertias follow from geoms, those of bodies that were attached with other settings could not be given; so
// then only those that are not given do.
int InertiaFromGeom(Spec& spec) {
  const mjsCompiler& document = static_cast<const mjSpec&>(spec).compiler;
  if (document.inertiafromgeom != mjINERTIAFROMGEOM_TRUE) return document.inertiafromgeom;
  for (Body* body = &spec.world(); body; body = NextBody(spec.world(), body)) {
    if (HasOtherInertiaSettings(body->compiler(), document)) return mjINERTIAFROMGEOM_AUTO;
  }
  return document.inertiafromgeom;
}

}  // namespace

const Spec& Untouched(Level level) {
  static const Spec first(kFirstLevel), later(kLimitsFromRanges);
  return level < kLimitsFromRanges ? first : later;
}

// Angles are radians wherever they came from, and folders are those of meshes and textures.
XmlNode WriteCompiler(const WriteContext& context) {
  const ElementRow& row = *FindPath("compiler");
  ElementWriter writer(row, context.precision);
  writer.Text("angle", "radian");
  const mjSpec* untouched = &Untouched(context.spec.level);
  writer.Fields(Public(context), untouched, {"angle", "inertiafromgeom"});
  const int from_geom = InertiaFromGeom(context.spec);
  if (from_geom != untouched->compiler.inertiafromgeom) writer.Keyword("inertiafromgeom", from_geom);
  writer.NonEmpty("meshdir", Folder(*Public(context)->compiler.meshdir));
  writer.NonEmpty("texturedir", Folder(*Public(context)->compiler.texturedir));
  if (context.spec.level > kFirstLevel && EffectiveLevel(context.spec) > kFirstLevel) {
    writer.Text("level", LevelName(context.spec.level));
  }
  XmlNode length_range = WriteSettings(context, *FindPath("compiler/lengthrange"));
  if (!length_range.attributes.empty()) writer.Append(std::move(length_range));
  return writer.Take();
}

XmlNode WriteOption(const WriteContext& context) {
  const ElementRow& row = *FindPath("option");
  ElementWriter writer(row, context.precision);
  writer.Fields(Public(context), static_cast<const mjSpec*>(&Untouched(context.spec.level)));
  std::vector<double> groups;
  for (int group = 0; group < 31; ++group) {
    if (Public(context)->option.disableactuator & (1 << group)) groups.push_back(group);
  }
  if (!groups.empty()) writer.Reals("actuatorgroupdisable", groups);
  if (const std::vector<double>* of_array = OptionNumbers(context, kErrorControlArray)) {
    const std::vector<double>& numbers = *of_array;
    writer.Real("accuracy", numbers[kAccuracy]);
    writer.Keyword("errornorm", static_cast<int>(numbers[kErrorNorm]));
    if (numbers[kMinStep] > 0) writer.Real("minstep", numbers[kMinStep]);
    if (numbers[kMaxStep] > 0) writer.Real("maxstep", numbers[kMaxStep]);
  }
  WriteContactOption(context, writer);
  WriteStickOption(context, writer);
  XmlNode flag = WriteSettings(context, *FindPath("option/flag"));
  if (!flag.attributes.empty()) writer.Append(std::move(flag));
  return writer.Take();
}

// Counts are those of the compiled model, so that the file says how many user numbers an element has.
XmlNode WriteSize(const WriteContext& context) {
  mjSpec sizes = context.spec, none = Untouched(context.spec.level);
  sizes.nkey = KeyCount(context.spec);
  none.nuser_body = none.nuser_jnt = none.nuser_geom = none.nuser_site = 0;
  none.nuser_cam = none.nuser_tendon = none.nuser_actuator = none.nuser_sensor = 0;
  for (int mjSpec::*columns :
       {&mjSpec::nuser_body, &mjSpec::nuser_jnt, &mjSpec::nuser_geom, &mjSpec::nuser_site, &mjSpec::nuser_cam,
        &mjSpec::nuser_tendon, &mjSpec::nuser_actuator, &mjSpec::nuser_sensor}) {
    sizes.*columns = std::max(sizes.*columns, 0);
  }
  WidenAll(context.spec, &sizes);

  ElementWriter writer(*FindPath("size"), context.precision);
  writer.Fields(&sizes, &none);
  if (sizes.memory != -1) writer.Text("memory", BytesText(sizes.memory));
  if (sizes.nstack != -1) writer.Text("nstack", std::to_string(sizes.nstack));
  return writer.Take();
}

XmlNode WriteVisual(const WriteContext& context) { return WriteSettings(context, *FindPath("visual")); }

XmlNode WriteStatistic(const WriteContext& context) {
  ElementWriter writer(*FindPath("statistic"), context.precision);
  writer.Fields(Public(context), static_cast<const mjSpec*>(&Untouched(context.spec.level)));
  return writer.Take();
}

}  // namespace sinew::mjcf
