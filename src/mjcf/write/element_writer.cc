// Writes attributes by the rows of the schema: the counterpart of element_reader.cc. Values that are equal to the
// initial ones of the reader are left out.
#include "mjcf/write/element_writer.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/error.h"
#include "mjcf/numbers.h"

namespace sinew::mjcf {
namespace {

constexpr int kExactPrecision = std::numeric_limits<double>::max_digits10;

// Fields are read by their offset, and copying bytes keeps to the aliasing rules.
template <class T>
T Load(const char* field) {
  T value;
  std::memcpy(&value, field, sizeof value);
  return value;
}

// The numbers of a field: `count` of an array, or all of a vector.
std::vector<double> LoadNumbers(Storage storage, const char* field, int count) {
  const auto array = [&]<class T>(const T* from) { return std::vector<double>(from, from + count); };
  const auto vector = [](const auto& from) { return std::vector<double>(from.begin(), from.end()); };
  switch (storage) {
    case Storage::kDouble:
      return array(reinterpret_cast<const double*>(field));
    case Storage::kFloat:
      return DecimalsOf({reinterpret_cast<const float*>(field), static_cast<std::size_t>(count)});
    case Storage::kInt:
      return array(reinterpret_cast<const int*>(field));
    case Storage::kByte:
      return array(reinterpret_cast<const mjtByte*>(field));
    case Storage::kDoubleVec:
      return vector(*Load<const mjDoubleVec*>(field));
    case Storage::kFloatVec:
      return DecimalsOf(*Load<const mjFloatVec*>(field));
    case Storage::kIntVec:
      return vector(*Load<const mjIntVec*>(field));
    default:
      assert(false && "the schema stores numbers in a text");
      return {};
  }
}

// Places and directions are products of those of frames.
bool IsProduct(std::string_view name) {
  static constexpr std::string_view kProducts[] = {"pos", "quat", "axis", "dir", "anchor", "relpose"};
  return std::find(std::begin(kProducts), std::end(kProducts), name) != std::end(kProducts);
}

// Unit vectors are normalized when they are read, which moves their last digits. With fourteen, far beyond what a
// direction means, they are written again as they were read.
int DigitsOf(std::string_view name, int precision) {
  constexpr int kUnitDigits = 14;
  const bool is_unit = name == "quat" || name == "axis" || name == "dir";
  return is_unit && precision == kAsNeeded ? kUnitDigits : precision;
}

// Numbers that are not further apart are the same: what a product leaves. Others are as they were given.
double Epsilon(const Attribute& attribute) {
  return IsProduct(attribute.name) ? std::numeric_limits<double>::epsilon() : 0;
}

std::string Join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

// ---- fields

// The base is what the element starts from when the text is read again, so what equals it need not be written.
void ElementWriter::Fields(const void* object, const void* base, std::initializer_list<std::string_view> except) {
  for (const auto index : row_.attributes) {
    const Attribute& attribute = Attributes()[index];
    if (attribute.storage == Storage::kNone) continue;
    if (std::find(except.begin(), except.end(), attribute.name) != except.end()) continue;
    const char* field = static_cast<const char*>(object) + attribute.offset;
    const char* base_field = static_cast<const char*>(base) + attribute.offset;
    switch (attribute.value) {
      case Value::kReal:
      case Value::kInt:
        Numbers(attribute, field, base_field);
        break;
      case Value::kString:
        if (*Load<const mjString*>(field) != *Load<const mjString*>(base_field))
          Text(attribute.name, *Load<const mjString*>(field));
        break;
      case Value::kStrings:
        if (*Load<const mjStringVec*>(field) != *Load<const mjStringVec*>(base_field))
          Names(attribute.name, *Load<const mjStringVec*>(field));
        break;
      default:
        Word(attribute, field, base_field);
    }
  }
}

bool ElementWriter::Differ(double value, double base, double epsilon) const {
  if (precision_ >= kExactPrecision) epsilon = 0;
  // Not the same as "greater than": a NaN in the base differs.
  return !(std::fabs(value - base) <= epsilon);
}

bool ElementWriter::Differ(std::span<const double> values, std::span<const double> base) const {
  double scale = 0;  // beside bases that are zeros no number is small
  for (std::size_t i = 0; i < values.size(); ++i) scale = std::max(scale, std::fabs(base[i]));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (Differ(values[i], base[i], std::numeric_limits<double>::epsilon() * scale)) return true;
  }
  return false;
}

// Trailing numbers that equal those of the base are left out where the schema says that a shorter list means the same.
void ElementWriter::Numbers(const Attribute& attribute, const char* field, const char* base_field) {
  std::vector<double> values = LoadNumbers(attribute.storage, field, attribute.max);
  const std::vector<double> base = LoadNumbers(attribute.storage, base_field, attribute.max);
  // In fields of a fixed length NaN says that nothing is given; in lists it is a number like others.
  const bool is_list = attribute.storage == Storage::kDoubleVec || attribute.storage == Storage::kFloatVec;
  const auto is_nan = [](double x) { return std::isnan(x); };
  if (values.empty() || (!is_list && std::any_of(values.begin(), values.end(), is_nan))) return;

  // The number of leading values up to the last one that differs from the base.
  std::size_t count = values.size();
  if (values.size() == base.size()) {
    const double epsilon = Epsilon(attribute);
    while (count > 0 && !Differ(values[count - 1], base[count - 1], epsilon)) --count;
  }
  if (count == 0) return;
  if (attribute.trim) values.resize(std::max(count, static_cast<std::size_t>(attribute.min)));
  if (attribute.value == Value::kInt) return Ints(attribute.name, values);
  Reals(attribute.name, values);
}

// Words are written by their values; a flag is one bit of a field.
void ElementWriter::Word(const Attribute& attribute, const char* field, const char* base_field) {
  const int value = static_cast<int>(LoadNumbers(attribute.storage, field, 1)[0]);
  const int base = static_cast<int>(LoadNumbers(attribute.storage, base_field, 1)[0]);
  if (attribute.value == Value::kFlag) {
    // A bit that is set enables, or disables when the schema has it negated.
    const int bit = std::abs(attribute.bit);
    if ((value & bit) == (base & bit)) return;
    const bool enable = ((value & bit) != 0) == (attribute.bit > 0);
    return Text(attribute.name, enable ? "enable" : "disable");
  }
  if (value == base) return;
  if (attribute.value == Value::kKeywords) return Bits(attribute.name, value);
  Keyword(attribute.name, value);
}

// ---- single attributes

// Attributes are inserted at the place that the schema gives them, since callers write them in another order.
void ElementWriter::Text(std::string_view name, std::string text) {
  const auto rank = [&](std::string_view attribute) {
    return std::find_if(row_.attributes.begin(), row_.attributes.end(),
                        [&](auto index) { return Attributes()[index].name == attribute; });
  };
  assert(rank(name) != row_.attributes.end() && "the schema has the attribute");
  const auto behind = std::find_if(node_.attributes.begin(), node_.attributes.end(),
                                   [&](const auto& other) { return rank(other.first) > rank(name); });
  node_.attributes.emplace(behind, name, std::move(text));
}

// A list of names is separated by spaces, and the format has no other way to say where one ends.
void ElementWriter::Names(std::string_view attribute, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (name.empty() || name.find_first_of(" \t\r\n") != std::string::npos) {
      throw Error("'" + name + "' has no place in the list of names " + std::string(attribute),
                  "give it a name without spaces");
    }
  }
  Text(attribute, Join(names));
}

void ElementWriter::NonEmpty(std::string_view name, const std::string& text) {
  if (!text.empty()) Text(name, text);
}

// Rounding errors that products leave instead of a zero are written as zero.
void ElementWriter::Reals(std::string_view name, std::span<const double> values) {
  constexpr double kNoise = 1e-12;
  constexpr int kFineDigits = 13;  // files that are so exact keep it
  std::vector<double> numbers(values.begin(), values.end());
  if (IsProduct(name) && precision_ < kFineDigits) {
    std::replace_if(
        numbers.begin(), numbers.end(), [](double x) { return std::fabs(x) <= kNoise; }, 0.0);
  }
  Text(name, Join(RealTexts(numbers, DigitsOf(name, precision_))));
}

void ElementWriter::ExactReal(std::string_view name, double value) { Text(name, RealText(value, kExactPrecision)); }

// Whole numbers have all their digits.
void ElementWriter::Ints(std::string_view name, std::span<const double> values) {
  std::vector<std::string> words;
  for (const double value : values) words.push_back(std::to_string(static_cast<long long>(value)));
  Text(name, Join(words));
}

void ElementWriter::Bits(std::string_view name, int bits) {
  const Attribute& attribute = *FindAttribute(row_, name);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < attribute.keywords.size(); ++i) {
    if (bits & (1 << i)) words.emplace_back(attribute.keywords[i].word);
  }
  Text(name, Join(words));
}

void ElementWriter::Keyword(std::string_view name, int value) {
  for (const mjcf::Keyword& keyword : FindAttribute(row_, name)->keywords) {
    if (keyword.value == value) return Text(name, keyword.word);
  }
}

}  // namespace sinew::mjcf
