// The MJCF schema: which elements stand in which, their attributes, and the fields of the public structs that the
// attributes set. The rows are generated from tables/mjcf.json; the reader and the writer are driven by them, and their
// order is that of a file that is written.
#ifndef SINEW_MJCF_SCHEMA_SCHEMA_H_
#define SINEW_MJCF_SCHEMA_SCHEMA_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <mujoco/mujoco.h>

#include "mjcf/xml/xml_node.h"

namespace sinew::mjcf {

// The type of an attribute's text.
enum class Value : std::uint8_t {
  kReal,      // real numbers
  kInt,       // whole numbers
  kKeyword,   // one word of a list
  kKeywords,  // several words of a list, as bits
  kFlag,      // "enable" or "disable" of one bit
  kString,    // text, a name of an element among them
  kStrings,   // names separated by blanks
};

// How the field stores it. kNone: no field; the reader of the element treats the attribute in code.
enum class Storage : std::uint8_t {
  kNone,
  kDouble,
  kFloat,
  kInt,
  kByte,
  kString,
  kStringVec,
  kDoubleVec,
  kFloatVec,
  kIntVec
};

struct Keyword {
  const char* word;
  int value;
};

struct Attribute {
  const char* name;
  Value value;
  Storage storage;
  bool required;
  int min, max;                       // numbers in the text; max -1: any
  bool trim;                          // written without the trailing numbers that are those of the class
  std::size_t offset;                 // of the field in its public struct
  std::span<const Keyword> keywords;  // in the order of the documents
  int bit;                            // of a flag: positive when "enable" sets it, negated when "disable" does
  bool extension;                     // not in the schema of the interface that mj_printSchema prints
  const char* meaning;                // with the unit, for the XML Schema
};

// Elements that stand in different places have rows of their own: "body/geom" and "default/geom" differ.
struct ElementRow {
  const char* name;
  const char* path;
  char cardinality;                           // ! exactly one, ? at most one, * any number, R also at any depth
  std::span<const std::uint16_t> attributes;  // indices into Attributes()
  std::span<const std::uint16_t> children;    // indices into Elements()
  int type;        // mjtSensor of a sensor, or of an extension (model/storage/extension.h), else -1
  bool extension;  // not in the schema of the interface
  const char* meaning;
};

std::span<const Attribute> Attributes();
std::span<const ElementRow> Elements();

// The row of the root, of a path such as "body/geom", of a child by its name, of an attribute; null: no such row.
const ElementRow& Root();
const ElementRow* FindPath(std::string_view path);
const ElementRow* FindChild(const ElementRow& parent, std::string_view name);
const Attribute* FindAttribute(const ElementRow& element, std::string_view name);

// Whether an element gives an attribute. A blank text of real numbers counts as not given; elsewhere a blank is a
// value.
bool IsGiven(const ElementRow& row, const XmlNode& node, std::string_view name);

// All names, for suggestions.
std::vector<std::string_view> ChildNames(const ElementRow& parent);
std::vector<std::string_view> AttributeNames(const ElementRow& element);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_SCHEMA_SCHEMA_H_
