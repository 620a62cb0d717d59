// PLY (Turk, The PLY Polygon File Format, 1994): a header in text declares elements and their properties, one line
// each; then come their values, as text or as numbers of either byte order. Positions, faces and strips are read.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assets/bytes.h"
#include "assets/mesh_builder.h"
#include "assets/mesh_files.h"
#include "assets/text_reader.h"
#include "core/error.h"

namespace sinew::inline assets {
namespace {

enum class Type { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kFloat, kDouble };

constexpr std::array<std::pair<std::string_view, Type>, 16> kTypes = {{{"char", Type::kInt8},
                                                                       {"int8", Type::kInt8},
                                                                       {"uchar", Type::kUint8},
                                                                       {"uint8", Type::kUint8},
                                                                       {"short", Type::kInt16},
                                                                       {"int16", Type::kInt16},
                                                                       {"ushort", Type::kUint16},
                                                                       {"uint16", Type::kUint16},
                                                                       {"int", Type::kInt32},
                                                                       {"int32", Type::kInt32},
                                                                       {"uint", Type::kUint32},
                                                                       {"uint32", Type::kUint32},
                                                                       {"float", Type::kFloat},
                                                                       {"float32", Type::kFloat},
                                                                       {"double", Type::kDouble},
                                                                       {"float64", Type::kDouble}}};

size_t BytesOf(Type type) {
  static constexpr size_t kBytes[] = {1, 1, 2, 2, 4, 4, 4, 8};
  return kBytes[static_cast<size_t>(type)];
}

struct Property {
  std::string name;
  Type type;
  std::optional<Type> count;  // of a list: the type of its length
};

struct Element {
  std::string name;
  int64_t count;
  std::vector<Property> properties;
};

enum class Encoding { kText, kLittle, kBig };

struct Header {
  Encoding encoding;
  std::vector<Element> elements;
  size_t end;  // bytes of the header
};

[[noreturn]] void Refuse(const std::string& problem) { throw Error("the PLY file " + problem, "save it again"); }

// ---- header

Type TypeOf(std::string_view word) {
  const auto found = std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& type) { return type.first == word; });
  if (found == kTypes.end()) Refuse("has a property of the unknown type '" + std::string(word.substr(0, 20)) + "'");
  return found->second;
}

Property ReadProperty(TextReader& words) {
  std::string_view type = words.Word();
  std::optional<Type> count;
  if (type == "list") {
    count = TypeOf(words.Word());
    if (*count == Type::kFloat || *count == Type::kDouble) Refuse("has a list whose length is no whole number");
    type = words.Word();
  }
  const Type of = TypeOf(type);
  return {std::string(words.Word()), of, count};
}

Encoding ReadEncoding(TextReader& words) {
  const std::string_view word = words.Word();
  if (word == "ascii") return Encoding::kText;
  if (word == "binary_little_endian") return Encoding::kLittle;
  if (word == "binary_big_endian") return Encoding::kBig;
  Refuse("has an unknown format");
}

Header ReadHeader(std::span<const std::byte> bytes) {
  // A header is a few lines: what follows may be binary, and is not looked at.
  constexpr size_t kLongest = 1 << 16;
  TextReader lines(bytes.first(std::min(bytes.size(), kLongest)));
  const size_t length = lines.left();
  if (lines.Line() != "ply") Refuse("does not begin with the line 'ply'");
  Header header = {};
  bool has_format = false;
  while (const auto line = lines.Line()) {
    TextReader words{std::string(*line)};
    const std::string_view first = words.Word();
    if (first == "format") {
      header.encoding = ReadEncoding(words);
      has_format = true;
    } else if (first == "element") {
      const std::string name(words.Word());
      header.elements.push_back({name, words.Int(), {}});
    } else if (first == "property") {
      if (header.elements.empty()) Refuse("has a property before any element");
      header.elements.back().properties.push_back(ReadProperty(words));
    } else if (first == "end_header") {
      if (!has_format) Refuse("has no format");
      header.end = length - lines.left();
      return header;
    } else if (!first.empty() && first != "comment" && first != "obj_info") {
      Refuse("has the unknown word '" + std::string(first.substr(0, 20)) + "' in its header");
    }
  }
  Refuse("has a header that does not end");
}

// ---- values

// The values behind the header, in the order of the file.
class Values {
 public:
  Values(std::span<const std::byte> bytes, Encoding encoding)
      : encoding_(encoding), text_(encoding == Encoding::kText ? bytes : bytes.first(0)), binary_(bytes) {}

  size_t left() const { return encoding_ == Encoding::kText ? text_.left() : binary_.left(); }

  // Bytes that a value takes at least.
  size_t Least(Type type) const { return encoding_ == Encoding::kText ? 1 : BytesOf(type); }

  double Take(Type type) {
    if (encoding_ == Encoding::kText) return text_.Real();
    switch (type) {
      case Type::kInt8:
        return TakeBinary<int8_t>();
      case Type::kUint8:
        return TakeBinary<uint8_t>();
      case Type::kInt16:
        return TakeBinary<int16_t>();
      case Type::kUint16:
        return TakeBinary<uint16_t>();
      case Type::kInt32:
        return TakeBinary<int32_t>();
      case Type::kUint32:
        return TakeBinary<uint32_t>();
      case Type::kFloat:
        return TakeBinary<float>();
      default:
        return TakeBinary<double>();
    }
  }

  // The length of a list, which what is left of the file can hold.
  size_t TakeCount(const Property& list) {
    const double count = Take(*list.count);
    if (!(count >= 0) || count > static_cast<double>(left() / Least(list.type))) {
      Refuse("has a list that is longer than the file");
    }
    return static_cast<size_t>(count);
  }

  void Skip(const Property& property) {
    const size_t count = property.count ? TakeCount(property) : 1;
    for (size_t i = 0; i < count; ++i) Take(property.type);
  }

 private:
  template <class T>
  double TakeBinary() {
    std::array<std::byte, sizeof(T)> bytes = binary_.Take<std::array<std::byte, sizeof(T)>>();
    if (encoding_ == Encoding::kBig) std::reverse(bytes.begin(), bytes.end());
    return static_cast<double>(std::bit_cast<T>(bytes));
  }

  Encoding encoding_;
  TextReader text_;
  ByteReader binary_;
};

// How often an element stands in the file; what is left must be able to hold it. An element without properties takes no
// bytes, and there is nothing to read of it.
int64_t Rows(const Element& element, const Values& values) {
  size_t least = 0;
  for (const Property& property : element.properties) least += values.Least(property.count.value_or(property.type));
  if (least == 0) return 0;
  if (element.count >= 0 && static_cast<uint64_t>(element.count) <= values.left() / least) return element.count;
  Refuse("declares " + std::to_string(element.count) + " times the element '" + element.name.substr(0, 20) +
         "', which is more than it has");
}

// ---- elements

std::vector<float> ReadVertices(const Element& element, Values& values) {
  std::vector<float> vertices;
  int found = 0;
  for (const Property& property : element.properties) {
    found += (property.name == "x" || property.name == "y" || property.name == "z") && !property.count;
  }
  if (found != 3) Refuse("has vertices without x, y and z");
  const int64_t rows = Rows(element, values);
  vertices.reserve(3 * static_cast<size_t>(rows));
  for (int64_t row = 0; row < rows; ++row) {
    float point[3] = {};
    for (const Property& property : element.properties) {
      if (property.count || property.name.size() != 1 || property.name < "x" || property.name > "z") {
        values.Skip(property);
      } else {
        point[property.name[0] - 'x'] = static_cast<float>(values.Take(property.type));
      }
    }
    vertices.insert(vertices.end(), point, point + 3);
  }
  return vertices;
}

// Faces or strips, one behind the other: they may stand before the vertices.
struct Lists {
  std::vector<int64_t> indices;
  std::vector<size_t> ends;
};

Lists ReadLists(const Element& element, Values& values) {
  Lists lists;
  const int64_t rows = Rows(element, values);
  for (int64_t row = 0; row < rows; ++row) {
    for (const Property& property : element.properties) {
      const bool is_face = property.count && (property.name == "vertex_indices" || property.name == "vertex_index");
      if (!is_face) {
        values.Skip(property);
        continue;
      }
      for (size_t count = values.TakeCount(property); count > 0; --count) {
        const double index = values.Take(property.type);
        // An index that is not a whole number in range becomes -2, and is refused with those of missing vertices.
        constexpr double kLargest = 1e15;
        lists.indices.push_back(index >= -1 && index <= kLargest ? static_cast<int64_t>(index) : int64_t{-2});
      }
      lists.ends.push_back(lists.indices.size());
    }
  }
  return lists;
}

template <class Add>
void ForEach(const Lists& lists, Add&& add) {
  size_t begin = 0;
  for (const size_t end : lists.ends) {
    add(std::span(lists.indices).subspan(begin, end - begin));
    begin = end;
  }
}

}  // namespace

MeshData LoadPly(std::span<const std::byte> bytes) {
  const Header header = ReadHeader(bytes);
  Values values(bytes.subspan(header.end), header.encoding);
  std::vector<float> vertices;
  Lists faces, strips;
  for (const Element& element : header.elements) {
    if (element.name == "vertex") {
      vertices = ReadVertices(element, values);
    } else if (element.name == "tristrips") {
      strips = ReadLists(element, values);
    } else {
      Lists lists = ReadLists(element, values);  // of other elements, which have no faces, nothing is kept
      if (element.name == "face") faces = std::move(lists);
    }
  }
  MeshBuilder builder;
  ForEach(faces, [&](std::span<const int64_t> face) { builder.AddPolygon(face, vertices); });
  ForEach(strips, [&](std::span<const int64_t> strip) { builder.AddStrip(strip, vertices); });
  return builder.Finish(std::move(vertices));
}

}  // namespace sinew::inline assets
