// Files of Gmsh: both versions, text and binary, and what is refused.
#include "assets/gmsh.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "core/error.h"

namespace sinew {
namespace {

GmshMesh Load(const std::string& file) { return LoadGmsh(std::as_bytes(std::span(file))); }

constexpr char kFormat4[] = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
constexpr char kNodes4[] = "$Nodes\n1 5 1 5\n3 1 0 5\n1\n2\n3\n4\n5\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n$EndNodes\n";
constexpr char kTetrahedra4[] = "$Elements\n1 2 1 2\n3 1 4 2\n1 1 2 3 4\n2 2 3 4 5\n$EndElements\n";
constexpr char kFormat2[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
constexpr char kNodes2[] = "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n7 1 1 1\n$EndNodes\n";

template <class T>
void Put(T value, std::string& file) {
  file.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

TEST(Gmsh, ReadsTextOfVersion4) {
  const GmshMesh mesh = Load(std::string(kFormat4) + kNodes4 + kTetrahedra4);
  EXPECT_EQ(mesh.dim, 3);
  ASSERT_EQ(mesh.points.size(), 5u);
  EXPECT_EQ(mesh.points[4].z, 1);
  EXPECT_EQ(mesh.elements, (std::vector<int>{0, 1, 2, 3, 1, 2, 3, 4}));
}

TEST(Gmsh, ReadsTextOfVersion2) {
  const GmshMesh mesh =
      Load(std::string(kFormat2) + kNodes2 + "$Elements\n2\n1 2 2 0 1 1 2 3\n2 2 2 0 1 2 3 7\n$EndElements\n");
  EXPECT_EQ(mesh.dim, 2);
  EXPECT_EQ(mesh.elements, (std::vector<int>{0, 1, 2, 1, 2, 3}));
}

TEST(Gmsh, LeavesOutTheBorder) {
  const GmshMesh mesh = Load(std::string(kFormat2) + kNodes2 +
                             "$Elements\n3\n1 15 2 0 1 1\n2 1 2 0 1 1 2\n3 2 2 0 1 1 2 3\n$EndElements\n");
  EXPECT_EQ(mesh.dim, 2);
  EXPECT_EQ(mesh.elements, (std::vector<int>{0, 1, 2}));
}

TEST(Gmsh, ReadsBinaryOfVersion4) {
  std::string file = "$MeshFormat\n4.1 1 8\n";
  Put(int32_t{1}, file);
  file += "\n$EndMeshFormat\n$Nodes\n";
  for (const int64_t n : {1, 3, 1, 3}) Put(n, file);
  for (const int32_t n : {2, 1, 0}) Put(n, file);
  Put(int64_t{3}, file);
  for (const int64_t tag : {1, 2, 3}) Put(tag, file);
  for (const double x : {0., 0., 0., 1., 0., 0., 0., 1., 0.}) Put(x, file);
  file += "\n$EndNodes\n$Elements\n";
  for (const int64_t n : {1, 1, 1, 1}) Put(n, file);
  for (const int32_t n : {2, 1, 2}) Put(n, file);
  for (const int64_t n : {1, 1, 1, 2, 3}) Put(n, file);
  file += "\n$EndElements\n";
  const GmshMesh mesh = Load(file);
  EXPECT_EQ(mesh.dim, 2);
  EXPECT_EQ(mesh.points.size(), 3u);
  EXPECT_EQ(mesh.elements, (std::vector<int>{0, 1, 2}));
}

TEST(Gmsh, ReadsBinaryOfVersion2) {
  std::string file = "$MeshFormat\n2.2 1 8\n";
  Put(int32_t{1}, file);
  file += "\n$EndMeshFormat\n$Nodes\n2\n";
  for (int32_t tag = 1; tag <= 2; ++tag) {
    Put(tag, file);
    for (const double x : {1. * tag, 0., 0.}) Put(x, file);
  }
  file += "\n$EndNodes\n$Elements\n1\n";
  for (const int32_t n : {1, 1, 2, 1, 0, 1, 1, 2}) Put(n, file);
  file += "\n$EndElements\n";
  const GmshMesh mesh = Load(file);
  EXPECT_EQ(mesh.dim, 1);
  EXPECT_EQ(mesh.elements, (std::vector<int>{0, 1}));
}

TEST(Gmsh, RefusesWhatIsWrong) {
  const std::string good = std::string(kFormat4) + kNodes4 + kTetrahedra4;
  EXPECT_THROW(Load("hello"), Error);
  EXPECT_THROW(Load("$MeshFormat\n"), Error);
  EXPECT_THROW(Load(std::string(kFormat4) + kNodes4), Error);                             // no elements
  EXPECT_THROW(Load("$MeshFormat\n3.0 0 8\n$EndMeshFormat\n" + good.substr(38)), Error);  // version
  EXPECT_THROW(Load(std::string(kFormat4) + "$Nodes\n1 9 1 9\n3 1 0 9000000000\n1\n$EndNodes\n" + kTetrahedra4), Error);
  EXPECT_THROW(Load(std::string(kFormat4) + kNodes4 + "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 9\n$EndElements\n"), Error);
  EXPECT_THROW(Load(std::string(kFormat4) + kNodes4 + "$Elements\n1 1 1 1\n3 1 99 1\n1 1 2 3 4\n$EndElements\n"),
               Error);
  EXPECT_THROW(Load(std::string(kFormat4) + kNodes4 + "$Elements\n1 1 1 1\n3 1 4 1\n1 1 x 3 4\n$EndElements\n"), Error);
}

std::string ErrorOf(const std::string& file) {
  try {
    Load(file);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string WithNodes4(const std::string& nodes) {
  return std::string(kFormat4) + "$Nodes\n" + nodes +
         "\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n";
}
std::string WithNodes2(const std::string& nodes) {
  return std::string(kFormat2) + "$Nodes\n" + nodes + "\n$EndNodes\n$Elements\n1\n1 2 2 0 1 1 2 3\n$EndElements\n";
}

// What a header declares and what follows it are the same.
TEST(Gmsh, RefusesHeadersThatContradictTheirBlocks) {
  const std::string tags = "1\n2\n3\n4\n", places = "0 0 0\n1 0 0\n0 1 0\n0 0 1";
  EXPECT_EQ(ErrorOf(WithNodes4("1 4 1 4\n3 1 0 4\n" + tags + places)), "");
  for (const char* header : {"2 4 1 4\n3 1 0 4\n", "1 5 1 4\n3 1 0 4\n", "1 4 1 4\n3 1 0 3\n", "1 4 1 3\n3 1 0 4\n",
                             "1 4 2 4\n3 1 0 4\n", "1 4 1 4\n3 1 0 5\n", "0 4 1 4\n3 1 0 4\n"}) {
    EXPECT_NE(ErrorOf(WithNodes4(header + tags + places)), "") << header;
  }
  EXPECT_NE(ErrorOf(WithNodes4("1 4 1 4\n3 1 0 4\n" + tags + places + "\n5 5 5")).find("more nodes"),
            std::string::npos);
  EXPECT_EQ(ErrorOf(WithNodes2("3\n1 0 0 0\n2 1 0 0\n3 0 1 0")), "");
  EXPECT_NE(ErrorOf(WithNodes2("3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1")).find("more nodes"), std::string::npos);
  const std::string elements =
      std::string(kFormat2) + kNodes2 + "$Elements\n1\n1 2 2 0 1 1 2 3\n2 2 2 0 1 2 3 7\n$EndElements\n";
  EXPECT_NE(ErrorOf(elements).find("more elements"), std::string::npos);
  const std::string dim = std::string(kFormat4) + kNodes4 + "$Elements\n1 1 1 1\n2 1 4 1\n1 1 2 3 4\n$EndElements\n";
  EXPECT_NE(ErrorOf(dim).find("dimension 2"), std::string::npos);
}

TEST(Gmsh, RefusesLinesThatLackANumber) {
  for (const char* nodes : {"3\n1 0 0 0\n2 1 0\n3 0 1 0", "3\n1 0 0 0\n2 1 0 0\n3 0 1", "3\n1 0 0 0\n2 1 0 0\n0 1 0"}) {
    EXPECT_NE(ErrorOf(WithNodes2(nodes)), "") << nodes;
  }
  EXPECT_NE(ErrorOf(WithNodes2("3\n1 0 0 0\n2.5 1 0 0\n3 0 1 0")).find("'2.5' instead of a number"), std::string::npos);
  EXPECT_NE(ErrorOf(WithNodes2("3\n1 0 0 0\n2 nan 0 0\n3 0 1 0")).find("not finite"), std::string::npos);
}

// Damaged files have bytes that are no text.
TEST(Gmsh, MessagesAreText) {
  try {
    Load(std::string(kFormat4) + kNodes4 + "$Elements\n1 1 1 1\n3 1 4 1\n1 1 \xff@ 3 4\n$EndElements\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'?@'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace sinew
