// OFF (Object File Format, as Geomview has it): a word, the numbers of vertices, faces and edges, then a line for each
// vertex and each face. Numbers after the coordinates of a vertex (a normal, a colour) or the corners of a face (a
// colour) are ignored, and so is the rest of a line after a "#".
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assets/mesh_builder.h"
#include "assets/mesh_files.h"
#include "assets/text_reader.h"
#include "core/error.h"

namespace sinew::inline assets {
namespace {

[[noreturn]] void Refuse(const std::string& problem) { throw Error("the OFF file " + problem, "save it again"); }

// The next line that is not empty without its comment.
std::string NextLine(TextReader& file) {
  while (const auto line = file.Line()) {
    const std::string_view content = line->substr(0, line->find('#'));
    if (content.find_first_not_of(" \t\v\f") != std::string_view::npos) return std::string(content);
  }
  Refuse("ends too early");
}

// The counts of vertices and faces; the first may stand in the line of the word, even without a blank.
struct Counts {
  int64_t vertices, faces;
};
Counts ReadCounts(TextReader& file) {
  std::string line = NextLine(file);
  const size_t word = line.find("OFF");
  // Letters before the word name further data of a vertex; other counts of coordinates are another format.
  if (word == std::string::npos || line.substr(0, word).find_first_not_of("STCN") != std::string::npos) {
    Refuse("does not begin with the word OFF of three dimensions");
  }
  line = line.substr(word + 3);
  if (line.find("BINARY") != std::string::npos) Refuse("is binary, and only text is read");
  if (line.find_first_not_of(" \t") == std::string::npos) line = NextLine(file);
  TextReader words(line);
  const int64_t vertices = words.Int(), faces = words.Int();
  const auto lines = static_cast<int64_t>(file.left() / 2) + 1;  // each takes two bytes at least
  if (vertices < 0 || faces < 0 || vertices > lines || faces > lines) {
    Refuse("declares " + std::to_string(vertices) + " vertices and " + std::to_string(faces) +
           " faces, which is more than it has");
  }
  return {vertices, faces};
}

}  // namespace

MeshData LoadOff(std::span<const std::byte> bytes) {
  TextReader file(bytes);
  const Counts counts = ReadCounts(file);
  std::vector<float> vertices;
  vertices.reserve(3 * static_cast<size_t>(counts.vertices));
  for (int64_t i = 0; i < counts.vertices; ++i) {
    TextReader words(NextLine(file));
    for (int k = 0; k < 3; ++k) vertices.push_back(static_cast<float>(words.Real()));
  }
  MeshBuilder builder;
  std::vector<int64_t> face;
  for (int64_t i = 0; i < counts.faces; ++i) {
    TextReader words(NextLine(file));
    const int64_t corners = words.Int();
    if (corners < 0 || corners > static_cast<int64_t>(words.left())) Refuse("has a face that is longer than its line");
    face.clear();
    for (int64_t k = 0; k < corners; ++k) face.push_back(words.Int());
    builder.AddPolygon(face, vertices);
  }
  return builder.Finish(std::move(vertices));
}

}  // namespace sinew::inline assets
