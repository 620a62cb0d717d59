// Writes the section sensor: the element is the type, and its attributes refer to what is sensed.
#include <string>
#include <utility>

#include "compile/diagnose.h"
#include "mjcf/write/write_sections.h"
#include "model/kinds/names.h"

namespace sinew::mjcf {
namespace {

const ElementRow& RowOf(const Sensor& sensor) {
  const int type = sensor.extension ? sensor.extension : sensor.type;
  const ElementRow& section = *FindPath("sensor");
  for (const auto index : section.children) {
    if (Elements()[index].type == type) return Elements()[index];
  }
  throw Error("the sensor has no type of the format: " + std::to_string(type), "set a type of mjtSensor")
      .At(Place(sensor));
}

// An object that has no field: by type and name, or by an attribute that is called after the type, as "geom1". Objects
// with a field are written with the fields.
void WriteObject(mjtObj type, const std::string& name, const char* type_attribute, const char* name_attribute,
                 const char* number, ElementWriter& writer) {
  if (name.empty()) return;
  const std::string type_name = TypeToString(type) ? TypeToString(type) : "";
  if (FindAttribute(writer.row(), type_attribute)) {
    writer.Text(type_attribute, type_name);
    return writer.Text(name_attribute, name);
  }
  const std::string word = type == mjOBJ_XBODY ? "subtree" : type_name;
  for (const std::string& attribute : {word + number, word}) {
    const Attribute* found = FindAttribute(writer.row(), attribute);
    if (found && found->storage == Storage::kNone) return writer.Text(attribute, name);
  }
}

// Values that the reader assumes are left out.
void WriteParameters(const Sensor& sensor, ElementWriter& writer) {
  if (sensor.type == mjSENS_USER && !sensor.extension) {
    writer.Keyword("needstage", sensor.needstage);
    writer.Keyword("datatype", sensor.datatype);
  }
  if (sensor.type == mjSENS_RANGEFINDER && sensor.intprm[0] != 1 << mjRAYDATA_DIST) {
    writer.Bits("data", sensor.intprm[0]);
  }
  if (sensor.type != mjSENS_CONTACT) return;
  if (sensor.intprm[0] != 1 << mjCONDATA_FOUND) writer.Bits("data", sensor.intprm[0]);
  if (sensor.intprm[1] != 0) writer.Keyword("reduce", sensor.intprm[1]);
  if (sensor.intprm[2] != 1) writer.Real("num", sensor.intprm[2]);
}

XmlNode WriteOneSensor(const WriteContext& context, const Sensor& sensor) {
  const Sensor untouched;
  ElementWriter writer(RowOf(sensor), context.precision);
  writer.NonEmpty("name", sensor.name);
  writer.Fields(static_cast<const mjsSensor*>(&sensor), static_cast<const mjsSensor*>(&untouched),
                {"needstage", "datatype"});
  WriteObject(sensor.objtype, *sensor.objname, "objtype", "objname", "1", writer);
  WriteObject(sensor.reftype, *sensor.refname, "reftype", "refname", "2", writer);
  WriteParameters(sensor, writer);
  if (sensor.plugin.active) WritePlugin(context, sensor.plugin, writer);
  return writer.Take();
}

}  // namespace

XmlNode WriteSensor(const WriteContext& context) { return SectionOf<Sensor>(context, "sensor", WriteOneSensor); }

}  // namespace sinew::mjcf
