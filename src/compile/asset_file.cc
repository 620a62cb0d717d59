#include "compile/asset_file.h"

#include "core/error.h"
#include "core/path.h"

namespace sinew {

std::string AssetFileName(const Element& asset, const std::string& file) {
  return asset.spec->strippath ? std::string(BaseName(file)) : file;
}

std::unique_ptr<Resource> OpenAssetFile(const Element& asset, const std::string& folder, const std::string& file,
                                        const mjVFS* vfs) {
  const std::string name = AssetFileName(asset, file);
  const std::string path = JoinPath(folder, name);
  if (auto resource = Resource::Open(vfs, *asset.spec->modelfiledir, path)) return resource;

  // An element of an included file may name a file beside that one, whatever the folder.
  const std::string_view included = DirName(asset.where.file);
  if (included != *asset.spec->modelfiledir) {
    if (auto resource = Resource::Open(vfs, std::string(included), name)) return resource;
  }
  throw Error("cannot open the file '" + JoinPath(*asset.spec->modelfiledir, path) + "'",
              "correct the name, or the folder that the compiler settings give");
}

std::span<const std::byte> ContentOf(Resource& resource) {
  const auto content = resource.Read();
  if (!content) throw Error("cannot read the file '" + std::string(resource.name) + "'", "check its provider");
  return std::as_bytes(*content);
}

}  // namespace sinew
