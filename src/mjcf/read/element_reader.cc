// Reads attributes by the rows of the schema: what the text must look like, how many numbers it has, and which field of
// the public struct takes them. The table is generated from tables/mjcf.json, so that an attribute is described once
// for reader, writer and documents.
#include "mjcf/read/element_reader.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <utility>

#include "mjcf/entry.h"
#include "mjcf/numbers.h"

namespace sinew::mjcf {
namespace {

std::vector<std::string_view> AllWords(const Attribute& attribute) {
  std::vector<std::string_view> words;
  for (const mjcf::Keyword& keyword : attribute.keywords) words.emplace_back(keyword.word);
  return words;
}

// Stores numbers into the beginning of an array of a struct, or as the content of a vector.
template <class Number>
void StoreNumbers(Storage storage, const std::vector<Number>& values, void* field) {
  const auto copy = [&](auto* to) {
    using T = std::remove_pointer_t<decltype(to)>;
    std::transform(values.begin(), values.end(), to, [](Number value) { return static_cast<T>(value); });
  };
  const auto assign = [&](auto* vector) {
    vector->resize(values.size());
    copy(vector->data());
  };
  switch (storage) {
    case Storage::kDouble:
      return copy(static_cast<double*>(field));
    case Storage::kFloat:
      return copy(static_cast<float*>(field));
    case Storage::kInt:
      return copy(static_cast<int*>(field));
    case Storage::kByte:
      return copy(static_cast<mjtByte*>(field));
    case Storage::kDoubleVec:
      return assign(*static_cast<mjDoubleVec**>(field));
    case Storage::kFloatVec:
      return assign(*static_cast<mjFloatVec**>(field));
    case Storage::kIntVec:
      return assign(*static_cast<mjIntVec**>(field));
    default:
      assert(false && "the schema stores numbers in a text");
  }
}

}  // namespace

// ---- fields

// Attributes that the schema stores nowhere are left to the reader of the element.
void ElementReader::ReadFields(void* object) {
  for (const auto index : row_.attributes) {
    const Attribute& attribute = Attributes()[index];
    if (attribute.storage == Storage::kNone) continue;
    if (const std::string* text = node_.Find(attribute.name)) {
      taken_.insert(attribute.name);
      Store(attribute, *text, object);
    }
  }
}

// Numbers of fields may be stored in another type than they are parsed as, such as float or byte.
void ElementReader::Store(const Attribute& attribute, const std::string& text, void* object) {
  void* field = static_cast<char*>(object) + attribute.offset;
  switch (attribute.value) {
    case Value::kReal:
      if (const auto values = ParseReals(attribute, text)) StoreNumbers(attribute.storage, *values, field);
      break;
    case Value::kInt:
      if (const auto values = ParseInts(attribute, text)) StoreNumbers(attribute.storage, *values, field);
      break;
    case Value::kString:
      **static_cast<mjString**>(field) = text;
      break;
    case Value::kStrings:
      **static_cast<mjStringVec**>(field) = mjcf::Words(text);
      break;
    default:
      StoreWord(attribute, text, field);
  }
}

// A list of words becomes bits, a single word a number, and a flag one bit of a field that has many.
void ElementReader::StoreWord(const Attribute& attribute, const std::string& text, void* field) {
  if (attribute.value == Value::kKeywords) {
    if (const auto bits = Words(attribute.name, false)) *static_cast<int*>(field) = *bits;
    return;
  }
  const auto value = ParseKeyword(attribute, text);
  if (!value) return;
  if (attribute.value == Value::kKeyword) {
    StoreNumbers(attribute.storage, std::vector<int>{*value}, field);
    return;
  }
  // A flag: "disable" sets a disable bit, "enable" an enable bit; the other word clears it.
  int& bits = *static_cast<int*>(field);
  const int bit = std::abs(attribute.bit);
  const bool set = (attribute.bit > 0) == (*value == 1);
  bits = set ? bits | bit : bits & ~bit;
}

// Of several ways to give an orientation one may be used; the numbers themselves are read as fields.
void ElementReader::ReadOrientation(mjsOrientation* alternative, const double* quat) {
  static constexpr std::pair<const char*, mjtOrientation> kKinds[] = {{"quat", mjORIENTATION_QUAT},
                                                                      {"axisangle", mjORIENTATION_AXISANGLE},
                                                                      {"xyaxes", mjORIENTATION_XYAXES},
                                                                      {"zaxis", mjORIENTATION_ZAXIS},
                                                                      {"euler", mjORIENTATION_EULER}};
  std::string given;
  int count = 0;
  for (const auto& [name, kind] : kKinds) {
    if (!Has(name)) continue;
    given += (count++ ? ", " : "") + std::string(name);
    // A class's alternative stays in force against a quaternion here.
    if (kind != mjORIENTATION_QUAT) alternative->type = kind;
  }
  if (count > 1) Fail("more than one orientation: " + given, "give one of them");
  if (std::all_of(quat, quat + 4, [](double x) { return x == 0; })) {
    Fail("attribute 'quat' is zero", "a rotation is a quaternion of length 1, as 1 0 0 0");
  }
}

// ---- single attributes

// Remembers that the attribute was read, whether its value is right or not.
const Attribute* ElementReader::Take(std::string_view name, const std::string** text) {
  const Attribute* attribute = FindAttribute(row_, name);
  *text = node_.Find(name);
  if (!attribute || !*text) return nullptr;
  taken_.insert(attribute->name);
  return attribute;
}

// Texts may be empty, unlike numbers, of which an empty text has none.
std::optional<std::string> ElementReader::String(std::string_view name) {
  const std::string* text;
  if (!Take(name, &text)) return std::nullopt;
  return *text;
}

std::optional<std::vector<double>> ElementReader::Reals(std::string_view name) {
  const std::string* text;
  const Attribute* attribute = Take(name, &text);
  if (!attribute) return std::nullopt;
  auto values = ParseReals(*attribute, *text);
  // A blank text counts as not given.
  return values && values->empty() ? std::nullopt : values;
}

std::optional<std::vector<int>> ElementReader::Ints(std::string_view name) {
  const std::string* text;
  const Attribute* attribute = Take(name, &text);
  return attribute ? ParseInts(*attribute, *text) : std::nullopt;
}

// A word stands for a number, as the schema says.
std::optional<int> ElementReader::Keyword(std::string_view name) {
  const std::string* text;
  const Attribute* attribute = Take(name, &text);
  return attribute ? ParseKeyword(*attribute, *text) : std::nullopt;
}

// Return the first number; the schema allows no more where they are used.
std::optional<double> ElementReader::Real(std::string_view name) {
  const auto values = Reals(name);
  return values ? std::optional(values->front()) : std::nullopt;
}

std::optional<int> ElementReader::Int(std::string_view name) {
  const auto values = Ints(name);
  return values ? std::optional(values->front()) : std::nullopt;
}

// Numbers that are not given stay: the array holds the default.
bool ElementReader::RealsInto(std::string_view name, double* values) {
  const auto given = Reals(name);
  if (given) std::copy(given->begin(), given->end(), values);
  return given.has_value();
}

// The words of a list have a fixed order in some attributes, where they say the order of numbers in a result.
std::optional<int> ElementReader::Words(std::string_view name, bool ordered) {
  const std::string* text;
  const Attribute* attribute = Take(name, &text);
  if (!attribute) return std::nullopt;
  const auto all = AllWords(*attribute);
  int bits = 0;
  std::ptrdiff_t last = -1;
  for (const std::string& word : mjcf::Words(*text)) {
    const auto place = std::distance(all.begin(), std::find(all.begin(), all.end(), word));
    if (place == std::ssize(all)) {
      Wrong(*attribute, *text, "has the unknown word '" + word + "'", Suggest(word, all));
      return std::nullopt;
    }
    if (bits & (1 << place)) {
      Wrong(*attribute, *text, "has the word '" + word + "' twice", "");
      return std::nullopt;
    }
    if (ordered && place < last) {
      Wrong(*attribute, *text, "has its words out of order", Suggest("", all));
      return std::nullopt;
    }
    bits |= 1 << place;
    last = place;
  }
  return bits ? std::optional(bits) : std::nullopt;
}

// An attribute that was never read would be lost silently: it is one that the schema has and a reader lacks.
void ElementReader::Finish() {
  if (has_failed_) return;
  for (const auto& [name, text] : node_.attributes) {
    if (FindAttribute(row_, name) && !taken_.contains(name)) {
      Fail("attribute '" + name + "' is not supported in this release");
    }
  }
}

// ---- text to values

std::optional<int> ElementReader::ParseKeyword(const Attribute& attribute, const std::string& text) {
  for (const mjcf::Keyword& keyword : attribute.keywords) {
    if (text == keyword.word) return keyword.value;
  }
  Wrong(attribute, text, "is not one of its words", Suggest(text, AllWords(attribute)));
  return std::nullopt;
}

// Numbers are those of C: decimal or hexadecimal, inf and nan. Attributes where nan has a meaning exist, so it only
// leaves a note.
std::optional<std::vector<double>> ElementReader::ParseReals(const Attribute& attribute, const std::string& text) {
  std::vector<double> values;
  for (const std::string& word : mjcf::Words(text)) {
    const NumberError error = ParseReal(word, &values.emplace_back());
    if (error == NumberError::kFormat) Wrong(attribute, text, "has '" + word + "', which is not a number", "");
    if (error == NumberError::kRange) Wrong(attribute, text, "has '" + word + "', which is too large", "");
    if (error != NumberError::kNone) return std::nullopt;
    if (std::isnan(values.back())) problems_.NoteNaN(node_, attribute.name);
  }
  // A blank text counts as not given, and leaves the field as it is.
  if (values.empty() || !CheckCount(attribute, values.size())) return std::nullopt;
  return values;
}

// Only a single whole number may not be blank; a blank list counts as not given.
std::optional<std::vector<int>> ElementReader::ParseInts(const Attribute& attribute, const std::string& text) {
  std::vector<int> values;
  for (const std::string& word : mjcf::Words(text)) {
    const NumberError error = ParseInt(word, &values.emplace_back());
    if (error == NumberError::kFormat) Wrong(attribute, text, "has '" + word + "', which is not a whole number", "");
    if (error == NumberError::kRange) Wrong(attribute, text, "has '" + word + "', which is too large", "");
    if (error != NumberError::kNone) return std::nullopt;
  }
  if (values.empty() && attribute.min == 1 && attribute.max == 1)
    Wrong(attribute, text, "is empty", "give a whole number");
  if (values.empty() || !CheckCount(attribute, values.size())) return std::nullopt;
  return values;
}

// A maximum of -1 means that any number will do.
bool ElementReader::CheckCount(const Attribute& attribute, std::size_t count) {
  const int given = static_cast<int>(count);
  if (given >= attribute.min && (attribute.max < 0 || given <= attribute.max)) return true;
  std::string needed = std::to_string(attribute.min);
  if (attribute.max < 0) needed += " or more";
  if (attribute.max > attribute.min) needed += " to " + std::to_string(attribute.max);
  Fail(std::string("attribute '") + attribute.name + "' has " + std::to_string(given) +
           (given == 1 ? " number" : " numbers"),
       "it takes " + needed + "; " + SeeEntry(row_, attribute.name));
  return false;
}

SourceLocation ElementReader::Location() const {
  SourceLocation location = node_.Location();
  location.entry = row_.path;
  return location;
}

// Long texts are cut in messages: arrays of meshes would fill the screen.
void ElementReader::Wrong(const Attribute& attribute, const std::string& text, const std::string& why,
                          const std::string& remedy) {
  constexpr std::size_t kMost = 60;
  const std::string shown = text.size() > kMost ? text.substr(0, kMost) + "..." : text;
  Fail(std::string("attribute '") + attribute.name + "' is \"" + shown + "\" and " + why,
       remedy.empty() ? SeeEntry(row_, attribute.name) : remedy + "; " + SeeEntry(row_, attribute.name));
}

}  // namespace sinew::mjcf
