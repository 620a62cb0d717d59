// Tells the format of a mesh file by its extension or media type, and reads it by the reader of that format.
#include "assets/mesh_files.h"

#include <algorithm>
#include <string>

#include "core/path.h"

namespace sinew::inline assets {
namespace {

struct Format {
  MeshFormat format;
  std::string_view extension, media_type;
};
constexpr Format kFormats[] = {{MeshFormat::kStl, ".stl", "model/stl"},
                               {MeshFormat::kObj, ".obj", "model/obj"},
                               {MeshFormat::kMsh, ".msh", "model/vnd.mujoco.msh"},
                               {MeshFormat::kPly, ".ply", "model/ply"},
                               {MeshFormat::kOff, ".off", "model/off"},
                               {MeshFormat::kGltf, ".gltf", "model/gltf+json"},
                               {MeshFormat::kGltf, ".glb", "model/gltf-binary"},
                               {MeshFormat::kDae, ".dae", "model/vnd.collada+xml"},
                               {MeshFormat::kVtp, ".vtp", "model/vnd.vtk.polydata+xml"}};

}  // namespace

std::optional<MeshFormat> FindMeshFormat(std::string_view file, std::string_view content_type) {
  const std::string name = ToLower(file), type = ToLower(content_type);
  for (const Format& format : kFormats) {
    if (name.ends_with(format.extension)) return format.format;
  }
  for (const Format& format : kFormats) {
    if (type.starts_with(format.media_type)) return format.format;
  }
  return std::nullopt;
}

std::string MeshExtensions() {
  std::string all;
  for (const Format& format : kFormats) all += (all.empty() ? "" : ", ") + std::string(format.extension);
  return all;
}

MeshData LoadMesh(std::span<const std::byte> bytes, MeshFormat format, const OpenBeside& open) {
  switch (format) {
    case MeshFormat::kStl:
      return LoadStl(bytes);
    case MeshFormat::kObj:
      return LoadObj(bytes);
    case MeshFormat::kMsh:
      return LoadMsh(bytes);
    case MeshFormat::kPly:
      return LoadPly(bytes);
    case MeshFormat::kOff:
      return LoadOff(bytes);
    case MeshFormat::kGltf:
      return LoadGltf(bytes, open);
    case MeshFormat::kDae:
      return LoadDae(bytes);
    case MeshFormat::kVtp:
      return LoadVtp(bytes);
  }
  return {};
}

}  // namespace sinew::inline assets
