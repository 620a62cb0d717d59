// Loaders of mesh files: what they read, and what they refuse without running out of time or memory.
#include "assets/mesh_files.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.h"

namespace sinew {
namespace {

// Builds a file number by number.
class File {
 public:
  template <class T>
  File& Put(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
    return *this;
  }
  File& Text(const std::string& text) {
    bytes_ += text;
    return *this;
  }
  void Truncate(size_t count) { bytes_.resize(bytes_.size() - count); }
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(bytes_)); }

 private:
  std::string bytes_;
};

constexpr float kCorners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constexpr int kFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

// A tetrahedron; `declared` is the count in the header.
File Stl(uint32_t declared = 4) {
  File file;
  file.Text(std::string(80, ' ')).Put(declared);
  for (const auto& face : kFaces) {
    for (int i = 0; i < 3; ++i) file.Put(0.0f);
    for (const int vertex : face) {
      for (const float x : kCorners[vertex]) file.Put(x);
    }
    file.Put(uint16_t{0});
  }
  return file;
}

File Msh(int vertices = 4, int normals = 0, int texcoords = 0, int faces = 4) {
  File file;
  for (const int count : {vertices, normals, texcoords, faces}) file.Put(count);
  for (const auto& corner : kCorners) {
    for (const float x : corner) file.Put(x);
  }
  for (const auto& face : kFaces) {
    for (const int vertex : face) file.Put(vertex);
  }
  return file;
}

std::string Message(const File& file, MeshFormat format) {
  try {
    LoadMesh(file.bytes(), format);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Stl, SharesCornersInOrderOfFirstUse) {
  const MeshData mesh = LoadStl(Stl().bytes());
  EXPECT_EQ(mesh.vertex, (std::vector<float>{0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(mesh.face, (std::vector<int>{0, 1, 2, 0, 2, 3, 0, 3, 1, 2, 1, 3}));
}

TEST(Stl, RefusesWrongCounts) {
  for (const uint32_t count : {0u, 3u, 5u, 1000000000u, 0xFFFFFFFFu}) {
    EXPECT_NE(Message(Stl(count), MeshFormat::kStl), "") << count;
  }
}

TEST(Stl, RefusesTextByteOrderMarksAndTruncation) {
  EXPECT_NE(Message(File().Text("solid s\n facet normal 0 0 1\n" + std::string(100, ' ')), MeshFormat::kStl), "");
  EXPECT_NE(Message(File().Text("\xEF\xBB\xBF").Text(std::string(300, ' ')), MeshFormat::kStl), "");
  EXPECT_NE(Message(File(), MeshFormat::kStl), "");
  File truncated = Stl();
  truncated.Truncate(1);
  EXPECT_NE(Message(truncated, MeshFormat::kStl), "");
}

TEST(Stl, TellsTextAsText) {
  for (const char* end : {"endsolid s\n", "facet normal 0 0 1\nouter loop\nvertex 0 0 0\n"}) {
    const std::string message = Message(File().Text(std::string("  solid s\n") + end), MeshFormat::kStl);
    EXPECT_NE(message.find("ASCII STL"), std::string::npos) << message;
  }
  // The header of a binary file may begin so too.
  File binary;
  binary.Text("solid facet" + std::string(69, ' ')).Put(uint32_t{1});
  for (int i = 0; i < 12; ++i) binary.Put(i == 3 || i == 7 ? 1.0f : 0.0f);
  binary.Put(uint16_t{0});
  EXPECT_EQ(LoadStl(binary.bytes()).face_count(), 1u);
}

TEST(Stl, RefusesAbsurdCoordinates) {
  File file;
  file.Text(std::string(80, ' ')).Put(uint32_t{1});
  for (int i = 0; i < 12; ++i) file.Put(i == 5 ? 2e9f : 0.0f);
  file.Put(uint16_t{0});
  EXPECT_NE(Message(file, MeshFormat::kStl), "");
}

TEST(Msh, ReadsWhatItDeclares) {
  const MeshData mesh = LoadMsh(Msh().bytes());
  EXPECT_EQ(mesh.vertex_count(), 4u);
  EXPECT_EQ(mesh.face_count(), 4u);
  EXPECT_TRUE(mesh.facenormal.empty());
}

TEST(Msh, RefusesCountsThatDoNotFit) {
  EXPECT_NE(Message(Msh(3), MeshFormat::kMsh), "");
  EXPECT_NE(Message(Msh(-4), MeshFormat::kMsh), "");
  EXPECT_NE(Message(Msh(4, 1), MeshFormat::kMsh), "");
  EXPECT_NE(Message(Msh(4, 0, 0, 1000000000), MeshFormat::kMsh), "");
  EXPECT_NE(Message(Msh(std::numeric_limits<int>::max(), 0, 0, 4), MeshFormat::kMsh), "");
  EXPECT_NE(Message(File().Text("abc"), MeshFormat::kMsh), "");
}

TEST(Obj, ReadsAllObjectsAndCutsPolygons) {
  const MeshData mesh = LoadObj(File()
                                    .Text("o a\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nf 1 2 3 4\nf 1 2 5\n"
                                          "o b\nv 7 7 7\nf 1 2 6\n")
                                    .bytes());
  EXPECT_EQ(mesh.vertex_count(), 6u);
  EXPECT_EQ(mesh.face, (std::vector<int>{0, 1, 2, 0, 2, 3, 0, 1, 4, 0, 1, 5}));
}

// Objects, groups and materials divide a file, and a mesh is all of it: a box whose sides stand in groups has six.
TEST(Obj, IsWholeHoweverItIsDivided) {
  const std::string corners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n";
  const char* const sides[] = {"1 4 3 2", "5 6 7 8", "1 2 6 5", "2 3 7 6", "3 4 8 7", "4 1 5 8"};
  for (const std::string divider : {"o ", "g ", "usemtl "}) {
    std::string text = corners;
    for (const char* side : sides) text += divider + std::string(1, side[0]) + side[2] + "\nf " + side + "\n";
    EXPECT_EQ(LoadObj(File().Text(text).bytes()).face_count(), 12u) << divider;
  }
}

// A mesh has one material: more are told, one is no loss that the file could not have meant.
TEST(Obj, TellsMaterials) {
  const std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl red\nf 1 2 3\n";
  EXPECT_EQ(LoadObj(File().Text(text).bytes()).note, "");
  EXPECT_EQ(LoadObj(File().Text(text + "usemtl red\nf 1 2 4\n").bytes()).note, "");
  const std::string note = LoadObj(File().Text(text + "usemtl blue\nf 1 2 4\n").bytes()).note;
  EXPECT_NE(note.find("2 materials"), std::string::npos) << note;
}

// More corners than the reader's counter holds.
TEST(Obj, CutsPolygonsOfManyCorners) {
  constexpr int kSides = 259;
  std::ostringstream vertices, face;
  for (int i = 0; i < kSides; ++i) {
    vertices << "v " << std::cos(0.02 * i) << ' ' << std::sin(0.02 * i) << " 0\n";
    face << ' ' << i + 1;
  }
  EXPECT_EQ(LoadObj(File().Text(vertices.str() + "f" + face.str() + "\n").bytes()).face_count(), size_t{kSides - 2});
}

constexpr char kObjVertices[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt .5 .5\nvn 1 0 0\n";

TEST(Obj, CornersMayLackWhatTheFileHas) {
  const std::string vertices = kObjVertices;
  // no corner has one: as if the file had none
  const MeshData without = LoadObj(File().Text(vertices + "f 1 2 3\nf 1 3 4\n").bytes());
  EXPECT_TRUE(without.normal.empty() && without.facenormal.empty());
  EXPECT_TRUE(without.texcoord.empty() && without.facetexcoord.empty());
  // the second face lacks both: it is flat, and at the image's corner
  const MeshData mixed = LoadObj(File().Text(vertices + "f 1/1/1 2/1/1 3/1/1\nf 1 2 4\n").bytes());
  EXPECT_EQ(mixed.facenormal, (std::vector<int>{0, 0, 0, 1, 2, 3}));
  EXPECT_EQ(std::vector<float>(mixed.normal.begin() + 3, mixed.normal.begin() + 6), (std::vector<float>{0, -1, 0}));
  EXPECT_EQ(mixed.facetexcoord, (std::vector<int>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(mixed.texcoord.size(), 4u);
}

TEST(Obj, TurnsTextureCoordinatesOver) {
  const MeshData mesh = LoadObj(File().Text("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt .5 .25\nf 1/1 2/1 3/1\n").bytes());
  EXPECT_EQ(mesh.texcoord, (std::vector<float>{0.5f, 0.75f}));
  EXPECT_EQ(mesh.facetexcoord, (std::vector<int>{0, 0, 0}));
}

// Found by fuzzing: the parser turns the first number of a pair into an int, whatever its size.
TEST(Obj, PassesOverSkinWeightsAndTags) {
  const MeshData mesh = LoadObj(File()
                                    .Text("v 0 0 0\nv 1 0 0\nv 0 1 0\nvw 0 88888888888888888888888885 0\n"
                                          " \tvw 0 -1 0\rt weight 999999999/0/0 1\r\nf 1 2 3\nvw 1")
                                    .bytes());
  EXPECT_EQ(mesh.vertex_count(), 3u);
  EXPECT_EQ(mesh.face_count(), 1u);
}

TEST(Obj, NamesTheLineOfANumberThatIsNone) {
  const auto message = [](const std::string& text) { return Message(File().Text(text), MeshFormat::kObj); };
  EXPECT_NE(message("v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n").find("line 2: 'nan' is not a finite number"),
            std::string::npos);
  EXPECT_NE(message("v 0 0 0\r\nv 1 0 0\r\nv 0 -inf 0\r\n").find("line 3: '-inf'"), std::string::npos);
  EXPECT_NE(message("v 0 0 0\rvn 0 0 x\r").find("line 2: 'x'"), std::string::npos);
  EXPECT_NE(message("vt 0.5 1,5\n").find("line 1: '1,5'"), std::string::npos);
  EXPECT_EQ(message("v 0 0 0 # origin\nv +1. 0 0 1 0 0\nv 0 1e0 0\nvt .5 # half\nf 1 2 3\n"), "");
}

TEST(Obj, SurvivesJunk) {
  EXPECT_NE(Message(File().Text("v 0 0 0\nf 0 1 2\n"), MeshFormat::kObj), "");
  EXPECT_EQ(LoadObj(File().Text(std::string(1000, '\x01')).bytes()).vertex_count(), 0u);
  EXPECT_EQ(LoadObj(File().bytes()).vertex_count(), 0u);
}

TEST(MeshFormat, ExtensionWinsOverMediaType) {
  EXPECT_EQ(FindMeshFormat("a/B.STL", ""), MeshFormat::kStl);
  EXPECT_EQ(FindMeshFormat("b.stl", "model/obj"), MeshFormat::kStl);
  EXPECT_EQ(FindMeshFormat("noextension", "model/obj"), MeshFormat::kObj);
  EXPECT_EQ(FindMeshFormat("b.dae", ""), MeshFormat::kDae);
  EXPECT_EQ(FindMeshFormat("b.fbx", ""), std::nullopt);
}

}  // namespace
}  // namespace sinew
