// Files beside the model: binary files whose headers lie, includes and attachments in circles, paths.
#include <cstdint>
#include <limits>

#include "tests/unit/hostile/cases.h"

namespace sinew::hostile {
namespace {

constexpr int32_t kBillion = 1000000000, kMax = std::numeric_limits<int32_t>::max();
const float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();

void AddAsset(Cases& cases, const std::string& name, const std::string& element, const std::string& file,
              const std::string& content, Outcome outcome = Outcome::kError) {
  cases.push_back({name + "_" + std::to_string(cases.size()), outcome, Asset(element), {{file, content}}});
}

// A mesh that a geom uses, so that its hull and inertia are computed.
void AddMesh(Cases& cases, const std::string& name, const std::string& file, const std::string& content,
             Outcome outcome = Outcome::kError) {
  cases.push_back({name + "_" + std::to_string(cases.size()),
                   outcome,
                   Model("<asset><mesh name='m' file='" + file +
                         "'/></asset><worldbody><body><freejoint/><geom type='mesh' mesh='m'/></body></worldbody>"),
                   {{file, content}}});
}

std::string Triangles(size_t count, float a, float b) {
  std::string bytes;
  for (size_t i = 0; i < count; ++i) {
    bytes += Bytes(0.f, 0.f, 1.f, a, b, 0.f, b, a, a, 0.f, b, b) + std::string(2, '\0');
  }
  return bytes;
}

void AddMeshes(Cases& cases) {
  const std::string header(80, 'h');
  for (const uint32_t count : {uint32_t{kBillion}, 0xffffffffu, 0u, 5u}) {
    AddMesh(cases, "stl_count", "a.stl", header + Bytes(count) + Triangles(4, 0, 1));
  }
  AddMesh(cases, "stl_empty", "a.stl", "");
  AddMesh(cases, "stl_short", "a.stl", "solid");
  AddMesh(cases, "stl_text", "a.stl", "solid x\nfacet normal 0 0 1\nendsolid x\n");
  AddMesh(cases, "stl_nan", "a.stl", header + Bytes(4u) + Triangles(4, kNan, 1));
  AddMesh(cases, "stl_infinite", "a.stl", header + Bytes(4u) + Triangles(4, kInf, 1));
  AddMesh(cases, "stl_huge", "a.stl", header + Bytes(4u) + Triangles(4, 3e38f, -3e38f));
  AddMesh(cases, "stl_flat", "a.stl", header + Bytes(4u) + Triangles(4, 0, 0));
  AddMesh(cases, "stl_degenerate", "a.stl", header + Bytes(100000u) + Triangles(100000, 1, 1));

  for (const int32_t v : {kBillion, kMax, -1, -kMax}) {
    AddMesh(cases, "msh_vertices", "a.msh", Bytes(v, 0, 0, 1) + std::string(400, '\0'));
    AddMesh(cases, "msh_faces", "a.msh", Bytes(4, 0, 0, v) + std::string(400, '\0'));
    AddMesh(cases, "msh_normals", "a.msh", Bytes(4, v, 0, 1) + std::string(400, '\0'));
    AddMesh(cases, "msh_face_index", "a.msh",
            Bytes(4, 0, 0, 1, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, v, 1, 2));
  }

  const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
  for (const char* face : {"f 1 2 1000000000\n", "f 2147483648 1 2\n", "f -1000000000 1 2\n", "f 0 0 0\n",
                           "f 1/9/9 2 3\n", "f a b c\n", "f 99999999999999999999 1 2\n"}) {
    AddMesh(cases, "obj_index", "a.obj", corners + face);
  }
  for (const char* face : {"f 1//9 2//9 3//9\n", "f\n", "f 1\n", "f 1 2 3/"}) {
    AddMesh(cases, "obj_face", "a.obj", corners + face, Outcome::kEither);
  }
  AddMesh(cases, "obj_polygon", "a.obj", corners + "f" + Repeat(1000000, " 1 2 3"), Outcome::kEither);
  AddMesh(cases, "obj_line_of_1MB", "a.obj", "v " + std::string(1 << 20, '1') + "\n");
  AddMesh(cases, "obj_objects", "a.obj", Repeat(100000, "o x\ng y\n"));
  AddMesh(cases, "obj_material_library", "a.obj", "mtllib /dev/zero\nmtllib ../../etc/passwd\n" + corners,
          Outcome::kEither);
  AddMesh(cases, "obj_nan", "a.obj", "v nan inf 1e400\n" + corners + "f 1 2 3\n");
  AddMesh(cases, "obj_smoothing", "a.obj", "s 99999999999999999999\nvn\nvt\n" + corners, Outcome::kEither);
  AddMesh(cases, "mesh_of_unknown_format", "a.xyz", "1 2 3");
}

// A chunk without a valid checksum: readers must not get as far as the pixels.
std::string PngHeader(uint32_t width, uint32_t height, char depth, char color) {
  const auto big = [](uint32_t x) {
    return std::string(
        {static_cast<char>(x >> 24), static_cast<char>(x >> 16), static_cast<char>(x >> 8), static_cast<char>(x)});
  };
  return "\x89PNG\r\n\x1a\n" + big(13) + "IHDR" + big(width) + big(height) + std::string({depth, color, 0, 0, 0}) +
         big(0);
}

void AddImages(Cases& cases) {
  const std::string texture = "<texture name='t' type='2d' file='a.png'/>";
  const std::string hfield = "<hfield name='h' size='1 1 1 1' file='a.png'/>";
  for (const std::string& element : {texture, hfield}) {
    AddAsset(cases, "png_empty", element, "a.png", "");
    AddAsset(cases, "png_text", element, "a.png", "hello, this is no picture");
    AddAsset(cases, "png_signature", element, "a.png", "\x89PNG\r\n\x1a\n");
    for (const uint32_t size : {0u, 100000u, 0x7fffffffu, 0xffffffffu}) {
      AddAsset(cases, "png_size", element, "a.png", PngHeader(size, size, 8, 2));
    }
    AddAsset(cases, "png_depth", element, "a.png", PngHeader(1, 1, 77, 2));
  }
  const std::string raw = "<texture name='t' type='2d' file='a.bin'/>";
  const std::string field = "<hfield name='h' size='1 1 1 1' file='a.bin'/>";
  for (const std::string& element : {raw, field}) {
    for (const int32_t size : {kBillion, kMax, 65536, 0, -1}) {
      AddAsset(cases, "binary_size", element, "a.bin", Bytes(size, size) + std::string(12, '\0'));
    }
    AddAsset(cases, "binary_short", element, "a.bin", "abc");
  }
  AddAsset(cases, "hfield_nan", field, "a.bin", Bytes(1, 2, 1.f, kNan));
  AddAsset(cases, "hfield_infinite", field, "a.bin", Bytes(1, 2, 1.f, kInf));
  AddAsset(cases, "hfield_range", field, "a.bin", Bytes(1, 2, 3e38f, -3e38f));
}

void AddSkins(Cases& cases) {
  const std::string element = "<skin name='s' file='a.skn'/>";
  const std::string vertices = Bytes(0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f);
  const auto bone = [](int32_t count) {
    return "world" + std::string(35, '\0') + Bytes(0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, count, 0, 1, 2, 1.f, 1.f, 1.f);
  };
  for (const int32_t count : {kBillion, kMax, -1, 2}) {
    AddAsset(cases, "skn_vertices", element, "a.skn", Bytes(count, 0, 1, 1) + vertices + Bytes(0, 1, 2) + bone(3));
    AddAsset(cases, "skn_texcoords", element, "a.skn", Bytes(3, count, 1, 1) + vertices + Bytes(0, 1, 2) + bone(3));
    AddAsset(cases, "skn_faces", element, "a.skn", Bytes(3, 0, count, 1) + vertices + Bytes(0, 1, 2) + bone(3));
    AddAsset(cases, "skn_bones", element, "a.skn", Bytes(3, 0, 1, count) + vertices + Bytes(0, 1, 2) + bone(3));
    AddAsset(cases, "skn_bone_vertices", element, "a.skn", Bytes(3, 0, 1, 1) + vertices + Bytes(0, 1, 2) + bone(count));
    AddAsset(cases, "skn_face_index", element, "a.skn",
             Bytes(3, 0, 1, 1) + vertices + Bytes(0, 1, count == 2 ? 3 : count) + bone(3));
  }
}

void AddIncludes(Cases& cases) {
  const std::string include = "<include file='a.xml'/>";
  cases.push_back({"include_of_itself", Outcome::kError, Model("<include file='hostile.xml'/>")});
  cases.push_back({"includes_in_a_circle",
                   Outcome::kError,
                   Model(include),
                   {{"a.xml", Model("<include file='b.xml'/>")}, {"b.xml", Model(include)}}});
  cases.push_back({"include_twice", Outcome::kError, Model(include + include), {{"a.xml", Model("<worldbody/>")}}});
  Case chain = {"includes_in_a_chain", Outcome::kEither, Model("<include file='0.xml'/>")};
  for (int i = 0; i < 2000; ++i) {
    chain.files[std::to_string(i) + ".xml"] = Model("<include file='" + std::to_string(i + 1) + ".xml'/>");
  }
  chain.files["2000.xml"] = Model("<worldbody/>");
  cases.push_back(chain);
  cases.push_back({"include_of_a_device", Outcome::kError, Model("<include file='/dev/zero'/>")});
  cases.push_back({"include_of_a_folder", Outcome::kError, Model("<include file='/'/>")});
  cases.push_back({"include_of_no_model", Outcome::kError, Model(include), {{"a.xml", std::string(100000, '<')}}});
  cases.push_back({"texture_from_a_device", Outcome::kError, Asset("<texture name='t' file='/dev/zero' type='2d'/>")});

  const std::string model = "<asset><model name='m' file='a.xml'/></asset>";
  const std::string attach = "<worldbody><attach model='m' body='b' prefix='p'/></worldbody>";
  const std::string tree = "<worldbody><body name='b'><attach model='m' body='b' prefix='p'/></body></worldbody>";
  cases.push_back(
      {"attach_itself", Outcome::kError, Model("<asset><model name='m' file='hostile.xml'/></asset>" + tree)});
  cases.push_back(
      {"attach_in_a_circle",
       Outcome::kError,
       Model(model + attach),
       {{"a.xml", Model("<asset><model name='m' file='c.xml'/></asset>" + tree)}, {"c.xml", Model(model + tree)}}});
  cases.push_back({"attach_nothing", Outcome::kError, Model(model + attach), {{"a.xml", Model("")}}});
  Case doubling = {"attachments_that_double", Outcome::kError, Model(model + attach)};
  for (int i = 0; i < 40; ++i) {
    const std::string file = i == 0 ? "a.xml" : std::to_string(i) + ".xml", next = std::to_string(i + 1) + ".xml";
    doubling.files[file] =
        Model("<asset><model name='m' file='" + next + "'/></asset><worldbody><body name='b'>" +
              "<attach model='m' body='b' prefix='p'/><attach model='m' body='b' prefix='q'/>" + "</body></worldbody>");
  }
  doubling.files["40.xml"] = World("<body name='b'><geom size='1'/></body>");
  cases.push_back(doubling);
}

}  // namespace

Cases FileCases() {
  Cases cases;
  AddMeshes(cases);
  AddImages(cases);
  AddSkins(cases);
  AddIncludes(cases);
  return cases;
}

}  // namespace sinew::hostile
