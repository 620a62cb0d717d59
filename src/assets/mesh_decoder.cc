// Registers STL and OBJ as decoders that programs can ask for.
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

namespace sinew {
namespace {

template <MeshFormat format>
int CanDecode(const mjResource* resource) {
  return FindMeshFormat(resource->name, "") == format;
}

std::unique_ptr<Spec> ReadMesh(mjResource* resource) {
  const std::string_view file = resource->name;
  Resource* opened = Resource::Of(resource);
  const auto content = opened ? opened->Read() : std::nullopt;
  const auto format = FindMeshFormat(file, "");
  if (!content || !format) throw Error("cannot read the file as STL or OBJ");
  MeshData data = LoadMesh(std::as_bytes(*content), *format);

  auto spec = std::make_unique<Spec>();
  Mesh& mesh = spec->Add<Mesh>();
  const std::string_view name = BaseName(file);
  spec->SetName(mesh, std::string(name.substr(0, name.size() - Extension(file).size())));
  *mesh.uservert = std::move(data.vertex);
  *mesh.usernormal = std::move(data.normal);
  *mesh.usertexcoord = std::move(data.texcoord);
  *mesh.userface = std::move(data.face);
  *mesh.userfacenormal = std::move(data.facenormal);
  *mesh.userfacetexcoord = std::move(data.facetexcoord);
  return spec;
}

}  // namespace

// A handler of warnings may leave by longjmp: no object with a destructor is alive when it is called.
mjSpec* DecodeMesh(mjResource* resource, const mjVFS*) {
  char problem[512] = "";
  try {
    return ReadMesh(resource).release();
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

}  // namespace sinew
