// sensor: type by element name, sensed object, and the parameters that only some types have.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/warning.h"
#include "mjcf/read/sections.h"
#include "model/kinds/names.h"
#include "model/storage/extension.h"

namespace sinew::mjcf {
namespace {

// Attributes that name an object of a fixed type. A subtree is its root body with what hangs on it.
constexpr std::pair<const char*, mjtObj> kObjects[] = {
    {"site", mjOBJ_SITE}, {"joint", mjOBJ_JOINT},   {"tendon", mjOBJ_TENDON}, {"actuator", mjOBJ_ACTUATOR},
    {"body", mjOBJ_BODY}, {"camera", mjOBJ_CAMERA}, {"geom", mjOBJ_GEOM},     {"mesh", mjOBJ_MESH}};

// Objects whose names have fields: the attribute's name gives the type.
void ReadFixedObjects(ElementReader& reader, mjsSensor* sensor) {
  for (const auto& [name, type] : kObjects) {
    const Attribute* attribute = FindAttribute(reader.row(), name);
    if (!attribute || attribute->storage == Storage::kNone || !reader.Has(name)) continue;
    (attribute->offset == offsetof(mjsSensor, objname) ? sensor->objtype : sensor->reftype) = type;
  }
}

// objtype and objname, or reftype and refname: both or none. A word that is no type makes no object; where the sensor
// can do without one, that is no error, but hardly what the author meant.
void ReadNamedObject(ElementReader& reader, const char* type_attribute, const char* name_attribute, bool needed,
                     mjtObj* type, mjString* name) {
  if (!FindAttribute(reader.row(), type_attribute)) return;
  const auto given_type = reader.String(type_attribute);
  const auto given_name = reader.String(name_attribute);
  if (given_type.has_value() != given_name.has_value()) {
    reader.Fail(std::string("attributes '") + type_attribute + "' and '" + name_attribute + "' go together");
    return;
  }
  if (!given_type) return;
  *type = static_cast<mjtObj>(StringToType(given_type->c_str()));
  *name = *given_name;
  if (*type != mjOBJ_UNKNOWN) return;
  const std::string problem = std::string("attribute '") + type_attribute + "' is \"" + *given_type + "\"";
  const std::string remedy = Suggest(*given_type, ObjectTypeNames());
  if (needed) {
    reader.Fail(problem, remedy);
  } else {
    Warn("%s",
         Error(problem + ", which is no type: the sensor has no such object", remedy, reader.node().Location()).what());
  }
}

// One of several attributes that name an object of their own type each. `required`: exactly one must be given.
void ReadOneOf(ElementReader& reader, const std::vector<std::pair<const char*, mjtObj>>& choices, bool required,
               mjtObj* type, mjString* name) {
  int given = 0;
  std::string names;
  for (const auto& [attribute, object] : choices) {
    names += (names.empty() ? "" : ", ") + std::string(attribute);
    if (const auto text = reader.String(attribute)) {
      ++given;
      *type = object;
      *name = *text;
    }
  }
  if (given > 1) reader.Fail("more than one of " + names, "give one of them");
  if (given == 0 && required) reader.Fail("none of " + names, "give one of them");
}

// The bits of `data` say which numbers of a contact are delivered; `reduce` and `num` select the contacts
// (docs/how/sensors.md).
void ReadContactSensor(ElementReader& reader, mjsSensor* sensor) {
  ReadOneOf(reader, {{"geom1", mjOBJ_GEOM}, {"body1", mjOBJ_BODY}, {"subtree1", mjOBJ_XBODY}, {"site", mjOBJ_SITE}},
            false, &sensor->objtype, sensor->objname);
  ReadOneOf(reader, {{"geom2", mjOBJ_GEOM}, {"body2", mjOBJ_BODY}, {"subtree2", mjOBJ_XBODY}}, false, &sensor->reftype,
            sensor->refname);
  sensor->intprm[0] = reader.Words("data", true).value_or(1 << mjCONDATA_FOUND);
  sensor->intprm[1] = reader.Keyword("reduce").value_or(0);
  sensor->intprm[2] = reader.Int("num").value_or(1);
  if (sensor->intprm[2] <= 0) reader.Fail("attribute 'num' is " + std::to_string(sensor->intprm[2]), "it is 1 or more");
}

// Types that sense one of several kinds of objects have attributes that exclude each other; all others are driven by
// the schema.
void ReadParameters(ElementReader& reader, mjsSensor* sensor) {
  switch (sensor->type) {
    case mjSENS_RANGEFINDER:
      ReadOneOf(reader, {{"site", mjOBJ_SITE}, {"camera", mjOBJ_CAMERA}}, true, &sensor->objtype, sensor->objname);
      sensor->intprm[0] = reader.Words("data", true).value_or(1 << mjRAYDATA_DIST);
      break;
    case mjSENS_GEOMDIST:
    case mjSENS_GEOMNORMAL:
    case mjSENS_GEOMFROMTO:
      ReadOneOf(reader, {{"geom1", mjOBJ_GEOM}, {"body1", mjOBJ_BODY}}, true, &sensor->objtype, sensor->objname);
      ReadOneOf(reader, {{"geom2", mjOBJ_GEOM}, {"body2", mjOBJ_BODY}}, true, &sensor->reftype, sensor->refname);
      break;
    case mjSENS_CONTACT:
      ReadContactSensor(reader, sensor);
      break;
    default:
      ReadFixedObjects(reader, sensor);
      ReadNamedObject(reader, "objtype", "objname", sensor->type != mjSENS_USER, &sensor->objtype, sensor->objname);
      ReadNamedObject(reader, "reftype", "refname", sensor->type == mjSENS_PLUGIN, &sensor->reftype, sensor->refname);
  }
}

}  // namespace

// A type of an extension is kept beside the struct, whose enumeration does not have it.
void ReadSensor(Context& context, const XmlNode& section) {
  ForEachChild(context, section, "sensor", [&](ElementReader& reader, const XmlNode& child) {
    Sensor& sensor = AddElement<Sensor>(context, reader);
    const int type = reader.row().type;
    sensor.extension = IsExtensionSensor(type) ? type : 0;
    sensor.type = sensor.extension ? mjSENS_USER : static_cast<mjtSensor>(type);
    reader.ReadFields(static_cast<mjsSensor*>(&sensor));
    ReadParameters(reader, &sensor);
    if (child.tag == "plugin") ReadPluginUse(context, reader, &sensor.plugin);
    reader.Finish();
  });
}

}  // namespace sinew::mjcf
