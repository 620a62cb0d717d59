// Registers STL and OBJ as decoders that programs can use.
#include "assets/mesh_decoder.h"

#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "assets/mesh_files.h"
#include "core/codecs.h"
#include "core/error.h"
#include "core/path.h"
#include "core/resources.h"
#include "core/warning.h"
#include "spec/spec.h"

namespace sinew::inline assets {
namespace {

template <MeshFormat format>
int CanDecode(const mjResource* resource) {
  return FindMeshFormat(resource->name, "") == format;
}

}  // namespace

MeshData ReadMeshFile(Resource& resource, MeshFormat format, const mjVFS* vfs) {
  const auto content = resource.Read();
  if (!content) throw Error("cannot read the file");
  const std::string folder(std::string_view(resource.name).substr(0, DirLength(resource)));
  return LoadMesh(std::as_bytes(*content), format,
                  [&](const std::string& name) { return ReadResource(vfs, folder, name); });
}

std::unique_ptr<Spec> ReadMeshSpec(Resource& resource, const mjVFS* vfs) {
  const std::string_view file = resource.name;
  const auto format = FindMeshFormat(file, "");
  if (!format) throw Error("no format of meshes has this extension", "use one of " + MeshExtensions());
  MeshData data = ReadMeshFile(resource, *format, vfs);

  auto spec = std::make_unique<Spec>();
  Mesh& mesh = spec->Add<Mesh>();
  spec->SetName(mesh, std::string(Stem(file)));
  *mesh.uservert = std::move(data.vertex);
  *mesh.usernormal = std::move(data.normal);
  *mesh.usertexcoord = std::move(data.texcoord);
  *mesh.userface = std::move(data.face);
  *mesh.userfacenormal = std::move(data.facenormal);
  *mesh.userfacetexcoord = std::move(data.facetexcoord);
  return spec;
}

// A handler of warnings may leave by longjmp: no object with a destructor is alive when it is called.
mjSpec* DecodeMesh(mjResource* resource, const mjVFS* vfs) {
  char problem[512] = "";
  try {
    Resource* opened = Resource::Of(resource);
    if (!opened) throw Error("the file is not open");
    return ReadMeshSpec(*opened, vfs).release();
  } catch (const std::exception& error) {
    std::snprintf(problem, sizeof(problem), "%s", error.what());
  }
  Warn("mesh file '%s': %s", resource->name, problem);
  return nullptr;
}

void RegisterMeshDecoders() {
  RegisterDecoder({"model/stl", ".stl", CanDecode<MeshFormat::kStl>, DecodeMesh});
  RegisterDecoder({"model/obj", ".obj", CanDecode<MeshFormat::kObj>, DecodeMesh});
}

}  // namespace sinew::inline assets
