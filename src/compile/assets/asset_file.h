// Files of assets.
#ifndef SINEW_COMPILE_ASSETS_ASSET_FILE_H_
#define SINEW_COMPILE_ASSETS_ASSET_FILE_H_

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "core/resources.h"
#include "spec/spec.h"

namespace sinew::inline compile {

// The name of an asset's file as the model keeps it: without folders when the compiler settings say so.
std::string AssetFileName(const Element& asset, const std::string& file);

// Opens the file of an asset in its folder (meshdir or texturedir of the compiler settings, below the folder of the
// model). Throws when there is none.
std::unique_ptr<Resource> OpenAssetFile(const Element& asset, const std::string& folder, const std::string& file,
                                        const mjVFS* vfs);

// Its content, which lives as long as the resource. Throws when it cannot be read.
std::span<const std::byte> ContentOf(Resource& resource);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_ASSETS_ASSET_FILE_H_
