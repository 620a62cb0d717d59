// Finds and opens the files of assets: below the folder of the compiler settings, which is below that of the model,
// unless the name is an absolute path or names a provider.
#include "compile/assets/asset_file.h"

#include "core/error.h"
#include "core/file_policy.h"
#include "core/path.h"

namespace sinew::inline compile {

std::string AssetFileName(const Element& asset, const std::string& file) {
  return asset.home->strippath ? std::string(BaseName(file)) : file;
}

std::unique_ptr<Resource> OpenAssetFile(const Element& asset, const std::string& folder, const std::string& file,
                                        const mjVFS* vfs) {
  const std::string name = AssetFileName(asset, file);
  const std::string path = ResolvePath(folder, name);
  if (auto resource = Resource::Open(vfs, *asset.home->modelfiledir, path)) return resource;
  const std::string whole = JoinPath(*asset.home->modelfiledir, path);
  throw Error("cannot open the file '" + whole + "'" + WhyBlocked(whole, Vfs::RootOf(vfs)),
              "correct the name, or the folder that the compiler settings give");
}

std::span<const std::byte> ContentOf(Resource& resource) {
  const auto content = resource.Read();
  if (!content) throw Error("cannot read the file '" + std::string(resource.name) + "'", "check its provider");
  return std::as_bytes(*content);
}

}  // namespace sinew::inline compile
