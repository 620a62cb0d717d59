// Collects the files that a model needs, in the order in which reading it would open them. The document is parsed but
// not compiled: names of files are attributes of a few elements.
#include "mjcf/dependencies.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/error.h"
#include "core/path.h"
#include "core/resources.h"
#include "mjcf/asset_folders.h"
#include "mjcf/xml/xml_node.h"

namespace sinew::mjcf {
namespace {

// Elements whose files stand in the folder of meshes.
constexpr std::array<std::string_view, 4> kOfMeshFolder = {"mesh", "hfield", "skin", "flexcomp"};
constexpr std::array<std::string_view, 7> kFilesOfTexture = {"file",     "fileright", "fileleft", "fileup",
                                                             "filedown", "filefront", "fileback"};

class Collector {
 public:
  void AddModel(const std::string& file);
  std::vector<std::string> Take() { return std::move(found_); }

 private:
  // The folders to which paths in a document are relative.
  struct Origin {
    std::string directory;
    AssetFolders folders;
  };

  bool Add(const std::string& path);
  void AddAssets(const XmlNode& node, const Origin& origin);
  void AddAsset(const XmlNode& node, std::string_view attribute, const std::string& folder, const Origin& origin);

  std::vector<std::string> found_;
};

// Returns whether the path is new.
bool Collector::Add(const std::string& path) {
  const std::string normal = NormalizePath(path);
  if (std::find(found_.begin(), found_.end(), normal) != found_.end()) return false;
  found_.push_back(normal);
  return true;
}

// A model that has been seen is not read again, which also ends circles of models that name each other.
void Collector::AddModel(const std::string& file) {
  if (!Add(file)) return;
  const auto content = ReadResource(nullptr, "", file);
  if (!content) throw Error("cannot open the file", "", {file, 0, ""});
  const XmlDocument document = LoadXml(file, std::string(content->begin(), content->end()), nullptr);
  for (const std::string& included : document.files) Add(included);
  AddAssets(*document.root, {document.directory, FindAssetFolders(*document.root)});
}

// Assets may stand anywhere in the tree, such as those of flexcomp.
void Collector::AddAssets(const XmlNode& node, const Origin& origin) {
  if (std::find(kOfMeshFolder.begin(), kOfMeshFolder.end(), node.tag) != kOfMeshFolder.end()) {
    AddAsset(node, "file", origin.folders.mesh, origin);
  } else if (node.tag == "texture") {
    for (const std::string_view file : kFilesOfTexture) AddAsset(node, file, origin.folders.texture, origin);
  } else if (const std::string* file = node.Find("file"); file && node.tag == "model") {
    AddModel(JoinPath(origin.directory, *file));
  }
  for (const XmlNode& child : node.children) AddAssets(child, origin);
}

// Like the compiler, looks in the folder of the settings, then beside the file that names the asset.
void Collector::AddAsset(const XmlNode& node, std::string_view attribute, const std::string& folder,
                         const Origin& origin) {
  const std::string* text = node.Find(attribute);
  if (!text || text->empty()) return;
  const std::string name = origin.folders.strip_path ? std::string(BaseName(*text)) : *text;
  const std::string path = JoinPath(origin.directory, JoinPath(folder, name));
  const std::string beside = JoinPath(DirName(*node.file), name);
  const bool is_beside = !Resource::Exists(nullptr, "", path) && Resource::Exists(nullptr, "", beside);
  Add(is_beside ? beside : path);
}

}  // namespace
std::vector<std::string> XmlDependencies(const std::string& file) {
  Collector collector;
  collector.AddModel(file);
  return collector.Take();
}

}  // namespace sinew::mjcf
