// Polygons of VTK in XML (VTK User's Guide, 11th edition, 2010: "XML file formats"): pieces with points, polygons and
// strips, each of which is a list of corners and one of where each polygon ends. A list is text, or base64 of its
// length in bytes and its numbers. What is compressed, or appended behind the document, is refused: the remedy is to
// save the file as text, which is what files of skeletons are.
#include <cmath>
#include <cstdint>
#include <pugixml.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assets/base64.h"
#include "assets/bytes.h"
#include "assets/mesh_builder.h"
#include "assets/mesh_files.h"
#include "assets/text_reader.h"
#include "core/error.h"
#include "core/load_limits.h"

namespace sinew::inline assets {
namespace {

using Node = pugi::xml_node;

[[noreturn]] void Refuse(const std::string& problem) { throw Error("the VTK file " + problem, "save it as text"); }

// Attributes of the root element by which binary numbers are decoded.
struct Coding {
  bool is_compressed, has_long_header, is_little;
};

// ---- lists of numbers

template <class T>
std::vector<double> NumbersOf(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  const std::vector<T> values = reader.TakeArray<T>(bytes.size() / sizeof(T));
  return std::vector<double>(values.begin(), values.end());
}

std::vector<double> NumbersOfType(std::string_view type, std::span<const std::byte> bytes) {
  if (type == "Float32") return NumbersOf<float>(bytes);
  if (type == "Float64") return NumbersOf<double>(bytes);
  if (type == "Int32") return NumbersOf<int32_t>(bytes);
  if (type == "UInt32") return NumbersOf<uint32_t>(bytes);
  if (type == "Int64") return NumbersOf<int64_t>(bytes);
  if (type == "UInt64") return NumbersOf<uint64_t>(bytes);
  if (type == "Int16") return NumbersOf<int16_t>(bytes);
  if (type == "UInt16") return NumbersOf<uint16_t>(bytes);
  if (type == "Int8") return NumbersOf<int8_t>(bytes);
  if (type == "UInt8") return NumbersOf<uint8_t>(bytes);
  Refuse("has numbers of the unknown type '" + std::string(type.substr(0, 20)) + "'");
}

std::vector<double> TextNumbers(const Node& array) {
  TextReader words{std::string(array.text().get())};
  std::vector<double> numbers;
  while (words.HasWord()) numbers.push_back(words.Real());
  return numbers;
}

std::vector<double> BinaryNumbers(const Node& array, const Coding& coding) {
  if (coding.is_compressed) Refuse("is compressed");
  if (!coding.is_little) Refuse("has numbers whose largest byte comes first");
  TextReader words{std::string(array.text().get())};
  const auto bytes = FromBase64(words.Word());
  if (!bytes) Refuse("has a list that is no base64");
  const auto all = std::as_bytes(std::span(*bytes));
  ByteReader reader(all);
  const uint64_t length = coding.has_long_header ? reader.Take<uint64_t>() : reader.Take<uint32_t>();
  if (length > reader.left()) Refuse("has a list that is shorter than it says");
  return NumbersOfType(array.attribute("type").value(), all.last(reader.left()).first(length));
}

std::vector<double> NumbersIn(const Node& array, const Coding& coding) {
  const std::string_view format = array.attribute("format").value();
  if (format.empty() || format == "ascii") return TextNumbers(array);
  if (format == "binary") return BinaryNumbers(array, coding);
  Refuse("has lists in the format '" + std::string(format.substr(0, 20)) + "'");
}

// The list of this name in a group of a piece; none where it is not there.
std::vector<int64_t> Indices(const Node& group, const char* name, const Coding& coding) {
  const Node array = group.find_child_by_attribute("DataArray", "Name", name);
  std::vector<int64_t> indices;
  for (const double number : NumbersIn(array, coding)) {
    constexpr double kLargest = 1e15;  // what is no whole number in range is no vertex either
    indices.push_back(number >= 0 && number <= kLargest ? static_cast<int64_t>(number) : -2);
  }
  return indices;
}

// ---- pieces

// Calls add(corners) for each polygon or strip of a group.
template <class Add>
void ForEachCell(const Node& group, const Coding& coding, Add&& add) {
  const std::vector<int64_t> corners = Indices(group, "connectivity", coding), ends = Indices(group, "offsets", coding);
  int64_t begin = 0;
  for (const int64_t end : ends) {
    CheckLoadTime("a mesh file");
    if (end < begin || static_cast<size_t>(end) > corners.size()) Refuse("has polygons with corners that it lacks");
    add(std::span(corners).subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin)));
    begin = end;
  }
}

void AddPiece(const Node& piece, const Coding& coding, std::vector<float>& all, MeshBuilder& builder) {
  const std::vector<double> numbers = NumbersIn(piece.child("Points").child("DataArray"), coding);
  if (numbers.size() % 3 != 0) Refuse("has points without three coordinates");
  const std::vector<float> points(numbers.begin(), numbers.end());
  ForEachCell(piece.child("Polys"), coding,
              [&](std::span<const int64_t> polygon) { builder.AddPolygon(polygon, points); });
  ForEachCell(piece.child("Strips"), coding, [&](std::span<const int64_t> strip) { builder.AddStrip(strip, points); });
  all.insert(all.end(), points.begin(), points.end());
}

}  // namespace

MeshData LoadVtp(std::span<const std::byte> bytes) {
  pugi::xml_document document;
  if (!document.load_buffer(bytes.data(), bytes.size())) Refuse("is no XML");
  const Node root = document.child("VTKFile");
  if (std::string_view(root.attribute("type").value()) != "PolyData") Refuse("holds no polygons");
  const Coding coding = {!root.attribute("compressor").empty(),
                         std::string_view(root.attribute("header_type").value()) == "UInt64",
                         std::string_view(root.attribute("byte_order").value()) != "BigEndian"};
  std::vector<float> points;
  MeshBuilder builder;
  for (const Node& piece : root.child("PolyData").children("Piece")) AddPiece(piece, coding, points, builder);
  if (points.empty()) throw Error("the VTK file has no points", "export the shape itself");
  return builder.Finish(std::move(points));
}

}  // namespace sinew::inline assets
