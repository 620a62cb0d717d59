// Reads the sections custom and keyframe: numbers, texts and tuples for programs, and states to reset to.
#include <algorithm>
#include <string>

#include "mjcf/numbers.h"
#include "mjcf/read/sections.h"
#include "model/kinds/names.h"

namespace sinew::mjcf {
namespace {

constexpr int kLongestNumeric = 500;

// A size larger than the data fills up with zeros; the limit of 500 is that of the format.
void ReadNumeric(Context& context, ElementReader& reader) {
  Numeric& numeric = AddElement<Numeric>(context, reader);
  const auto data = reader.Reals("data");
  if (data) *numeric.data = *data;
  const int given = static_cast<int>(numeric.data->size());
  numeric.size = reader.Int("size").value_or(given);
  if (numeric.size < 1 || numeric.size > kLongestNumeric) {
    reader.Fail("the array has the size " + std::to_string(numeric.size), "it has 1 to 500 numbers");
  } else if (given > numeric.size) {
    reader.Fail("attribute 'data' has " + std::to_string(given) + " numbers",
                "'size' is " + std::to_string(numeric.size));
  } else {
    numeric.data->resize(static_cast<std::size_t>(numeric.size));
  }
}

// An empty text is refused where it is given, as programs test for its first letter.
void ReadText(Context& context, ElementReader& reader) {
  Text& text = AddElement<Text>(context, reader);
  *text.data = reader.String("data").value_or("");
  if (reader.Has("data") && text.data->empty()) reader.Fail("attribute 'data' is empty", "give a text");
}

// The type of an object is a word of mju_str2Type, and its name is resolved by the compiler.
void ReadTupleElement(ElementReader& reader, Tuple* tuple) {
  const std::string type_name = reader.String("objtype").value_or("");
  const std::string name = reader.String("objname").value_or("");
  const auto type = static_cast<mjtObj>(StringToType(type_name.c_str()));
  if (type == mjOBJ_UNKNOWN) {
    reader.Fail("attribute 'objtype' is \"" + type_name + "\"", Suggest(type_name, ObjectTypeNames()));
  }
  tuple->objtype->push_back(type);
  tuple->objname->push_back(name);
  tuple->objprm->push_back(reader.Real("prm", 0));
  reader.Finish();
}

}  // namespace

void ReadCustom(Context& context, const XmlNode& section) {
  ForEachChild(context, section, "custom", [&](ElementReader& reader, const XmlNode& child) {
    if (child.tag == "numeric") {
      ReadNumeric(context, reader);
    } else if (child.tag == "text") {
      ReadText(context, reader);
    } else {
      Tuple& tuple = AddElement<Tuple>(context, reader);
      ForEachChild(context, child, reader.row(),
                   [&](ElementReader& element, const XmlNode&) { ReadTupleElement(element, &tuple); });
    }
    reader.Finish();
  });
}

void ReadKeyframe(Context& context, const XmlNode& section) {
  ForEachChild(context, section, "keyframe", [&](ElementReader& reader, const XmlNode&) {
    Key& key = AddElement<Key>(context, reader);
    reader.ReadFields(static_cast<mjsKey*>(&key));
    reader.Finish();
  });
}

}  // namespace sinew::mjcf
