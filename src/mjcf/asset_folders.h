// Where the compiler settings of a document say that the files of assets are.
#ifndef SINEW_MJCF_ASSET_FOLDERS_H_
#define SINEW_MJCF_ASSET_FOLDERS_H_

#include <string>

#include "mjcf/xml/xml_node.h"

namespace sinew::mjcf {

struct AssetFolders {
  std::string mesh;         // of meshes, height fields, skins and points of flexes
  std::string texture;      // of textures
  bool strip_path = false;  // the last part of a name counts alone
};

// All compiler elements of the document together: of what is given twice, the last counts.
AssetFolders FindAssetFolders(const XmlNode& root);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_ASSET_FOLDERS_H_
