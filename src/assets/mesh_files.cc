// Tells the format of a mesh file by its extension or media type, and reads it by the reader of that format.
#include "assets/mesh_files.h"

#include <string>

#include "core/path.h"

namespace sinew {

std::optional<MeshFormat> FindMeshFormat(std::string_view file, std::string_view content_type) {
  const std::string name = ToLower(file), type = ToLower(content_type);
  if (name.ends_with(".stl")) return MeshFormat::kStl;
  if (name.ends_with(".obj")) return MeshFormat::kObj;
  if (name.ends_with(".msh")) return MeshFormat::kMsh;
  if (type.starts_with("model/stl")) return MeshFormat::kStl;
  if (type.starts_with("model/obj")) return MeshFormat::kObj;
  if (type.starts_with("model/vnd.mujoco.msh")) return MeshFormat::kMsh;
  return std::nullopt;
}

MeshData LoadMesh(std::span<const std::byte> bytes, MeshFormat format) {
  switch (format) {
    case MeshFormat::kStl:
      return LoadStl(bytes);
    case MeshFormat::kObj:
      return LoadObj(bytes);
    case MeshFormat::kMsh:
      return LoadMsh(bytes);
  }
  return {};
}

}  // namespace sinew
