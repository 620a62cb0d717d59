// Meshes in formats of other programs: what of a file counts, and what is refused, without taking more memory or time
// than the file is long.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <tuple>

#include "assets/mesh_builder.h"
#include "assets/mesh_files.h"
#include "core/error.h"
#include "core/load_limits.h"

namespace sinew {
namespace {

std::span<const std::byte> Bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

using Point = std::tuple<float, float, float>;
std::set<Point> PointsOf(const MeshData& mesh) {
  std::set<Point> points;
  for (size_t i = 0; i + 2 < mesh.vertex.size(); i += 3) {
    points.emplace(mesh.vertex[i], mesh.vertex[i + 1], mesh.vertex[i + 2]);
  }
  return points;
}
const std::set<Point> kTetrahedron = {{0.f, 0.f, 0.f}, {1.f, 0.f, 0.f}, {0.f, 1.f, 0.f}, {0.f, 0.f, 1.f}};

// Six times the volume that the faces enclose, outward positive.
double Volume(const MeshData& mesh) {
  double volume = 0;
  const auto v = [&](size_t corner, size_t axis) {
    return static_cast<double>(mesh.vertex[3 * static_cast<size_t>(mesh.face[corner]) + axis]);
  };
  for (size_t f = 0; f + 2 < mesh.face.size(); f += 3) {
    volume += v(f, 0) * (v(f + 1, 1) * v(f + 2, 2) - v(f + 1, 2) * v(f + 2, 1)) -
              v(f, 1) * (v(f + 1, 0) * v(f + 2, 2) - v(f + 1, 2) * v(f + 2, 0)) +
              v(f, 2) * (v(f + 1, 0) * v(f + 2, 1) - v(f + 1, 1) * v(f + 2, 0));
  }
  return volume;
}

template <class Load>
std::string Refusal(Load&& load) {
  try {
    load();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// ---- PLY

const std::string kPlyHeader =
    "ply\nformat ascii 1.0\ncomment x\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    "property uchar red\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n";
const std::string kPlyRows = "0 0 0 9\n1 0 0 9\n0 1 0 9\n0 0 1 9\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

TEST(Ply, TextHasVerticesAndFaces) {
  const MeshData mesh = LoadPly(Bytes(kPlyHeader + kPlyRows));
  EXPECT_EQ(PointsOf(mesh), kTetrahedron);
  EXPECT_EQ(mesh.face_count(), 4u);
  EXPECT_DOUBLE_EQ(Volume(mesh), 1);
}

template <class T>
void Put(std::string* to, T value, bool big) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  if (big) std::reverse(bytes, bytes + sizeof(T));
  to->append(bytes, sizeof(T));
}

TEST(Ply, BothByteOrdersAndAllTypes) {
  for (const bool big : {false, true}) {
    std::string file =
        std::string("ply\r\nformat binary_") + (big ? "big" : "little") +
        "_endian 1.0\r\nelement face 1\r\nproperty list uint16 uint8 vertex_index\r\nproperty int8 flag\r\n"
        "element vertex 4\r\nproperty list uchar float32 extra\r\nproperty double x\r\nproperty int16 y\r\n"
        "property int z\r\nend_header\r\n";
    Put<uint16_t>(&file, 4, big);
    for (int index = 0; index < 4; ++index) Put(&file, static_cast<uint8_t>(index), big);
    Put<int8_t>(&file, -1, big);
    const int corners[4][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    for (const auto& corner : corners) {
      Put<uint8_t>(&file, 1, big);
      Put<float>(&file, 7, big);
      Put<double>(&file, corner[0], big);
      Put<int16_t>(&file, static_cast<int16_t>(corner[1]), big);
      Put<int32_t>(&file, -3, big);
    }
    const MeshData mesh = LoadPly(Bytes(file));
    EXPECT_EQ(PointsOf(mesh),
              (std::set<Point>{{0.f, 0.f, -3.f}, {2.f, 0.f, -3.f}, {2.f, 2.f, -3.f}, {0.f, 2.f, -3.f}}));
    EXPECT_EQ(mesh.face_count(), 2u);
  }
}

TEST(Ply, StripsTurnEverySecondTriangle) {
  const std::string file =
      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
      "element tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
      "9 0 2 1 3 0 2 -1 9 9\n";
  // 0 2 1, then 1 2 3 turned, 1 3 0, then 0 3 2 turned: the closed tetrahedron
  const MeshData mesh = LoadPly(Bytes(file));
  EXPECT_EQ(mesh.face_count(), 4u);
  EXPECT_DOUBLE_EQ(Volume(mesh), 1);
}

TEST(Ply, PointsAloneStayPoints) {
  const std::string file =
      "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\n"
      "end_header\n0 0 0\n1 2 3\n";
  const MeshData mesh = LoadPly(Bytes(file));
  EXPECT_EQ(mesh.vertex, (std::vector<float>{0, 0, 0, 1, 2, 3}));
  EXPECT_TRUE(mesh.face.empty());
}

TEST(Ply, RefusesWhatIsDamaged) {
  const auto refusal = [](const std::string& file) { return Refusal([&] { LoadPly(Bytes(file)); }); };
  const auto with = [](std::string text, const std::string& what, const std::string& by) {
    return text.replace(text.find(what), what.size(), by);
  };
  const std::string good = kPlyHeader + kPlyRows;
  EXPECT_NE(refusal("").find("'ply'"), std::string::npos);
  EXPECT_NE(refusal(with(good, "3 1 2 3", "3 1 2 2147483647")).find("vertex 2147483647"), std::string::npos);
  EXPECT_NE(refusal(with(good, "3 1 2 3", "3 1 2 -5")).find("vertex"), std::string::npos);
  EXPECT_NE(refusal(with(good, "vertex 4", "vertex 4000000000")).find("more than it has"), std::string::npos);
  EXPECT_NE(refusal(with(good, "vertex 4\nproperty float x", "vertex t x")).find("whole number"), std::string::npos);
  EXPECT_NE(refusal(with(good, "vertex 4", "vertex -4")).find("more than it has"), std::string::npos);
  EXPECT_NE(refusal(with(good, "3 1 2 3", "999999 1 2 3")).find("longer than the file"), std::string::npos);
  EXPECT_NE(refusal(with(good, "end_header", "end\vheader")).find("unknown word"), std::string::npos);
  EXPECT_NE(refusal(with(good, "float x", "floor x")).find("unknown type"), std::string::npos);
  EXPECT_NE(refusal(with(good, "float z", "float w")).find("without x, y and z"), std::string::npos);
  EXPECT_NE(refusal(good.substr(0, good.size() - 9)).find("too early"), std::string::npos);
  EXPECT_NE(refusal(kPlyHeader.substr(0, 31)).find("does not end"), std::string::npos);
  // An element without properties takes no bytes, however often it is there.
  EXPECT_EQ(refusal(with(good, "element face", "element nothing 4000000000\nelement face")), "");
}

// ---- OFF

TEST(Off, CommentsColoursAndTheFirstLine) {
  for (const char* begin : {"OFF\n4 4 6\n", "OFF 4 4 0\n", "OFF4 4 0\n", "# a comment\nCOFF\n\n4 4 6 # counts\n"}) {
    const MeshData mesh = LoadOff(Bytes(
        std::string(begin) + "0 0 0 9 9 9\n1 0 0\n0 1 0 # y\n\n0 0 1\n3 0 2 1 255 0 0\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"));
    EXPECT_EQ(PointsOf(mesh), kTetrahedron) << begin;
    EXPECT_DOUBLE_EQ(Volume(mesh), 1) << begin;
  }
}

TEST(Off, RefusesWhatIsDamaged) {
  const auto refusal = [](const std::string& file) { return Refusal([&] { LoadOff(Bytes(file)); }); };
  EXPECT_NE(refusal("OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 3 2\n3 1 2 3\n").find("too early"),
            std::string::npos);
  EXPECT_NE(refusal("OFF\n4000000000 1 1\n0 0 0\n").find("more than it has"), std::string::npos);
  EXPECT_NE(refusal("OFF\n3 1 1\n0 0 0\n1 0 0\n0 1 0\n999 0 1 2\n").find("longer than its line"), std::string::npos);
  EXPECT_NE(refusal("OFF\n3 1 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n").find("vertex 7"), std::string::npos);
  EXPECT_NE(refusal("4OFF\n1 0 0\n0 0 0 0\n").find("three dimensions"), std::string::npos);
  EXPECT_NE(refusal("OFF BINARY\nxx").find("binary"), std::string::npos);
  EXPECT_NE(refusal("").find("too early"), std::string::npos);
}

// ---- glTF

std::string Gltf(const std::string& nodes, const std::string& more = "", int indices = 12,
                 const std::string& uri = "") {
  // four positions, then twelve indices of two bytes
  std::string buffer;
  for (const auto& [x, y, z] :
       {Point{0.f, 0.f, 0.f}, Point{1.f, 0.f, 0.f}, Point{0.f, 1.f, 0.f}, Point{0.f, 0.f, 1.f}}) {
    for (const float number : {x, y, z}) Put(&buffer, number, false);
  }
  for (const int index : {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}) Put(&buffer, static_cast<uint16_t>(index), false);
  const std::string json =
      R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":)" + nodes +
      R"(,"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"accessors":[)" +
      R"({"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},{"bufferView":1,"componentType":5123,"count":)" +
      std::to_string(indices) + R"(,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteLength":48},)" +
      R"({"buffer":0,"byteOffset":48,"byteLength":24}],"buffers":[{"byteLength":72)" + uri + "}]" + more + "}";
  std::string file = "glTF";
  Put<uint32_t>(&file, 2, false);
  Put<uint32_t>(&file, static_cast<uint32_t>(28 + json.size() + buffer.size()), false);
  Put<uint32_t>(&file, static_cast<uint32_t>(json.size()), false);
  file += "JSON" + json;
  Put<uint32_t>(&file, static_cast<uint32_t>(buffer.size()), false);
  return file + std::string("BIN\0", 4) + buffer;
}

TEST(Gltf, NodesPlaceMeshes) {
  const MeshData plain = LoadGltf(Bytes(Gltf(R"([{"mesh":0}])")), {});
  EXPECT_EQ(PointsOf(plain), kTetrahedron);
  EXPECT_DOUBLE_EQ(Volume(plain), 1);
  const MeshData placed = LoadGltf(
      Bytes(Gltf(R"([{"children":[1],"translation":[0,0,5]},{"mesh":0,"scale":[2,2,2],"rotation":[0,0,1,0]}])")), {});
  EXPECT_EQ(PointsOf(placed), (std::set<Point>{{0.f, 0.f, 5.f}, {-2.f, 0.f, 5.f}, {0.f, -2.f, 5.f}, {0.f, 0.f, 7.f}}));
  EXPECT_NEAR(Volume(placed), 8, 1e-6);  // single precision
  const MeshData mirrored = LoadGltf(Bytes(Gltf(R"([{"mesh":0,"matrix":[-1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}])")), {});
  EXPECT_NEAR(Volume(mirrored), 1, 1e-6) << "its outside stays outside";
}

TEST(Gltf, BuffersBesideAreOpenedByTheCaller) {
  std::string asked;
  const std::string file = Gltf(R"([{"mesh":0}])", "", 12, R"(,"uri":"a%20b/../c.bin")");
  const std::string told = Refusal([&] {
    LoadGltf(Bytes(file), [&](const std::string& name) {
      asked = name;
      return std::optional<sinew::Bytes>();
    });
  });
  EXPECT_EQ(asked, "a b/../c.bin");
  EXPECT_NE(told.find("cannot open the buffer"), std::string::npos);
}

TEST(Gltf, RefusesWhatIsDamaged) {
  const auto refusal = [](const std::string& file) { return Refusal([&] { LoadGltf(Bytes(file), {}); }); };
  EXPECT_NE(refusal("").find("no JSON"), std::string::npos);
  EXPECT_NE(refusal("{}").find("version 2"), std::string::npos);
  EXPECT_NE(refusal(Gltf(R"([{"mesh":0}])", "", 13)).find("longer than their bufferView"), std::string::npos);
  EXPECT_NE(refusal(Gltf(R"([{"mesh":0}])", "", 2000000000)).find("longer than their bufferView"), std::string::npos);
  EXPECT_NE(refusal(Gltf(R"([{"mesh":7}])")).find("meshes[7]"), std::string::npos);
  EXPECT_NE(refusal(Gltf(R"([{"mesh":-1}])")).find("no whole number"), std::string::npos);
  EXPECT_NE(refusal(Gltf(R"([{"children":[0]}])")).find("deep"), std::string::npos);
  EXPECT_NE(refusal(Gltf(R"([{}])")).find("no triangles"), std::string::npos);
  EXPECT_NE(refusal(Gltf("[{\"mesh\":0}]", R"(,"extensionsRequired":["KHR_draco_mesh_compression"])")).find("draco"),
            std::string::npos);
}

// Nodes that stand in several places: 2^40 of them in a few lines.
TEST(Gltf, NodesThatDoubleEnd) {
  std::string nodes = "[";
  for (int i = 0; i < 40; ++i) {
    const std::string next = std::to_string(i + 1);
    nodes += "{\"children\":[" + next + "," + next + "]},";
  }
  EXPECT_NE(Refusal([&] { LoadGltf(Bytes(Gltf(nodes + "{\"mesh\":0}]")), {}); }).find("nodes"), std::string::npos);
}

// ---- COLLADA

std::string Dae(const std::string& node,
                const std::string& faces =
                    "<triangles><input semantic='VERTEX' source='#v' offset='0'/>"
                    "<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>",
                const std::string& unit = "1", const std::string& accessor = "count='4' stride='3'") {
  return "<COLLADA><asset><unit meter='" + unit +
         "'/><up_axis>Y_UP</up_axis></asset><library_geometries><geometry id='g'><mesh>"
         "<source id='p'><float_array id='a'>0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common><accessor "
         "source='#a' " +
         accessor +
         "/></technique_common></source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices>" + faces +
         "</mesh></geometry></library_geometries><library_nodes><node id='n'>" + node + "</node></library_nodes>" +
         "<library_visual_scenes><visual_scene id='s'><node><instance_node "
         "url='#n'/></node></visual_scene></library_visual_scenes>"
         "<scene><instance_visual_scene url='#s'/></scene></COLLADA>";
}

TEST(Dae, UnitsAndTransformationsCountAndTheUpAxisDoesNot) {
  const MeshData plain = LoadDae(Bytes(Dae("<instance_geometry url='#g'/>")));
  EXPECT_EQ(PointsOf(plain), kTetrahedron);
  EXPECT_DOUBLE_EQ(Volume(plain), 1);
  const MeshData centimetres =
      LoadDae(Bytes(Dae("<translate>0 0 50</translate><scale>100 100 -100</scale><instance_geometry url='#g'/>",
                        "<polylist><input semantic='NORMAL' source='#x' offset='0'/>"
                        "<input semantic='VERTEX' source='#v' offset='1'/><vcount>3 3 3 3</vcount>"
                        "<p>9 0 9 2 9 1 9 0 9 1 9 3 9 0 9 3 9 2 9 1 9 2 9 3</p></polylist>",
                        "0.01")));
  EXPECT_EQ(PointsOf(centimetres),
            (std::set<Point>{{0.f, 0.f, .5f}, {1.f, 0.f, .5f}, {0.f, 1.f, .5f}, {0.f, 0.f, -.5f}}));
  EXPECT_NEAR(Volume(centimetres), 1, 1e-6) << "mirrored, its outside stays outside";
}

TEST(Dae, RefusesWhatIsDamaged) {
  const auto refusal = [](const std::string& file) { return Refusal([&] { LoadDae(Bytes(file)); }); };
  const std::string geometry = "<instance_geometry url='#g'/>";
  const auto faces = [&](const std::string& p) {
    return Dae(geometry, "<triangles><input semantic='VERTEX' source='#v' offset='0'/><p>" + p + "</p></triangles>");
  };
  EXPECT_NE(refusal("<COLLADA>").find("no XML"), std::string::npos);
  EXPECT_NE(refusal("<mujoco/>").find("root element"), std::string::npos);
  EXPECT_NE(refusal(Dae("")).find("no triangles"), std::string::npos);
  EXPECT_NE(refusal(Dae("<instance_node url='#n'/>")).find("deep"), std::string::npos);
  EXPECT_NE(refusal(faces("0 1 99")).find("vertex 99"), std::string::npos);
  EXPECT_NE(refusal(faces("0 1 x")).find("'x'"), std::string::npos);
  EXPECT_NE(refusal(Dae(geometry, "", "1")).find("no triangles"), std::string::npos);
  EXPECT_NE(refusal(Dae("<matrix>1 2</matrix>" + geometry)).find("'matrix'"), std::string::npos);
  const std::string triangles = "<triangles><input semantic='VERTEX' source='#v' offset='0'/><p>0 1 2</p></triangles>";
  EXPECT_NE(refusal(Dae(geometry, triangles, "1", "count='400000000' stride='3'")).find("less positions"),
            std::string::npos);
  EXPECT_NE(refusal(Dae(geometry, triangles, "-1")).find("unit"), std::string::npos);
}

// ---- VTK

std::string Vtp(const std::string& points, const std::string& polygons, const std::string& root = "") {
  return "<VTKFile type='PolyData' " + root + "><PolyData><Piece><Points>" + points + "</Points>" + polygons +
         "</Piece></PolyData></VTKFile>";
}
const std::string kVtpPoints = "<DataArray format='ascii'>0 0 0 1 0 0 0 1 0 0 0 1</DataArray>";
const std::string kVtpPolygons =
    "<Polys><DataArray Name='connectivity'>0 2 1 0 1 3 0 3 2 1 2 3</DataArray><DataArray Name='offsets'>3 6 9 12"
    "</DataArray></Polys>";

TEST(Vtp, PolygonsAndStripsOfAllPieces) {
  // a compressor is named by files of text, too, and then has nothing to do
  const MeshData mesh = LoadVtp(Bytes(Vtp(kVtpPoints, kVtpPolygons, "compressor='vtkZLibDataCompressor'")));
  EXPECT_EQ(PointsOf(mesh), kTetrahedron);
  EXPECT_DOUBLE_EQ(Volume(mesh), 1);
  const std::string strip =
      "<Strips><DataArray Name='connectivity'>0 2 1 3 0 2</DataArray><DataArray Name='offsets'>6</DataArray></Strips>";
  EXPECT_DOUBLE_EQ(Volume(LoadVtp(Bytes(Vtp(kVtpPoints, strip)))), 1);
  const std::string piece = "<Piece><Points>" + kVtpPoints + "</Points>" + kVtpPolygons + "</Piece>";
  EXPECT_EQ(
      LoadVtp(Bytes("<VTKFile type='PolyData'><PolyData>" + piece + piece + "</PolyData></VTKFile>")).face_count(), 8u);
  EXPECT_EQ(LoadVtp(Bytes(Vtp(kVtpPoints, ""))).vertex_count(), 4u) << "points alone are those of a hull";
}

// What Python's base64 and struct make of the same numbers: a length of 32 or 64 bits, in the same block or in its own.
TEST(Vtp, NumbersMayBeBase64) {
  const auto points = [](const std::string& type, const std::string& text) {
    return "<DataArray type='" + type + "' format='binary'>\n " + text + "\n</DataArray>";
  };
  const std::string in_one_block = "MAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAPw==";
  const std::string own_block = "MAAAAA==AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/";
  const std::string long_header = "MAAAAAAAAAAAAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8=";
  for (const std::string& text : {in_one_block, own_block}) {
    EXPECT_EQ(PointsOf(LoadVtp(Bytes(Vtp(points("Float32", text), kVtpPolygons)))), kTetrahedron);
  }
  EXPECT_EQ(PointsOf(LoadVtp(Bytes(Vtp(points("Float32", long_header), kVtpPolygons, "header_type='UInt64'")))),
            kTetrahedron);
}

TEST(Vtp, RefusesWhatIsDamaged) {
  const auto refusal = [](const std::string& file) { return Refusal([&] { LoadVtp(Bytes(file)); }); };
  const auto binary = [](const std::string& text) {
    return "<DataArray type='Float32' format='binary'>" + text + "</DataArray>";
  };
  const auto polygons = [](const std::string& corners, const std::string& ends) {
    return "<Polys><DataArray Name='connectivity'>" + corners + "</DataArray><DataArray Name='offsets'>" + ends +
           "</DataArray></Polys>";
  };
  EXPECT_NE(refusal("<VTKFile>").find("no XML"), std::string::npos);
  EXPECT_NE(refusal("<VTKFile type='ImageData'/>").find("no polygons"), std::string::npos);
  EXPECT_NE(refusal(Vtp("", "")).find("no points"), std::string::npos);
  EXPECT_NE(refusal(Vtp("<DataArray>0 0 0 1</DataArray>", "")).find("three coordinates"), std::string::npos);
  EXPECT_NE(refusal(Vtp(kVtpPoints, polygons("0 1 9", "3"))).find("vertex 9"), std::string::npos);
  EXPECT_NE(refusal(Vtp(kVtpPoints, polygons("0 1 2", "4"))).find("corners that it lacks"), std::string::npos);
  EXPECT_NE(refusal(Vtp(kVtpPoints, polygons("0 1 2", "3 1"))).find("corners that it lacks"), std::string::npos);
  EXPECT_NE(refusal(Vtp("<DataArray format='appended'/>", "")).find("'appended'"), std::string::npos);
  EXPECT_NE(refusal(Vtp(binary("MAAA!"), "")).find("no base64"), std::string::npos);
  EXPECT_NE(refusal(Vtp(binary("MAAAAAAA"), "")).find("shorter"), std::string::npos);
  EXPECT_NE(refusal(Vtp(binary("MA"), "")).find("too early"), std::string::npos);
  EXPECT_NE(refusal(Vtp(binary("BAAAAA=="), "", "compressor='x'")).find("compressed"), std::string::npos);
  EXPECT_NE(refusal(Vtp(binary("BAAAAA=="), "", "byte_order='BigEndian'")).find("largest byte"), std::string::npos);
}

// ---- what all have in common

TEST(MeshFormats, AreKnownByExtensionAndMediaType) {
  EXPECT_EQ(FindMeshFormat("A.PLY", ""), MeshFormat::kPly);
  EXPECT_EQ(FindMeshFormat("a.glb", ""), MeshFormat::kGltf);
  EXPECT_EQ(FindMeshFormat("a", "model/gltf-binary"), MeshFormat::kGltf);
  EXPECT_EQ(FindMeshFormat("a", "model/vnd.collada+xml"), MeshFormat::kDae);
  EXPECT_EQ(FindMeshFormat("pelvis.vtp", ""), MeshFormat::kVtp);
  EXPECT_EQ(FindMeshFormat("a.fbx", ""), std::nullopt);
}

TEST(MeshBuilder, CornersAtOnePlaceAreOneVertex) {
  MeshBuilder builder;
  const float points[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.f, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const auto& point : points) builder.AddCorner(point);
  const MeshData mesh = builder.Finish();
  EXPECT_EQ(mesh.vertex_count(), 4u);
  EXPECT_EQ(mesh.face, (std::vector<int>{0, 1, 2, 0, 2, 3}));
}

// A polygon that is not convex is cut, not fanned: no triangle covers its notch.
TEST(MeshBuilder, PolygonsAreCut) {
  const std::vector<float> vertices = {0, 0, 0, 2, 0, 0, 2, 2, 0, 1, .5f, 0, 0, 2, 0};
  const std::vector<int64_t> polygon = {0, 1, 2, 3, 4};
  MeshBuilder builder;
  builder.AddPolygon(polygon, vertices);
  const MeshData mesh = builder.Finish();
  double area = 0, signed_area = 0;
  for (size_t f = 0; f + 2 < mesh.face.size(); f += 3) {
    const auto v = [&](size_t k, size_t axis) {
      return static_cast<double>(mesh.vertex[3 * static_cast<size_t>(mesh.face[f + k]) + axis]);
    };
    const double twice = (v(1, 0) - v(0, 0)) * (v(2, 1) - v(0, 1)) - (v(1, 1) - v(0, 1)) * (v(2, 0) - v(0, 0));
    area += std::abs(twice) / 2;
    signed_area += twice / 2;
  }
  EXPECT_DOUBLE_EQ(area, 2.5);  // 4 less the notch of 1.5
  EXPECT_DOUBLE_EQ(signed_area, 2.5);
}

}  // namespace
}  // namespace sinew
