// Makes mesh assets for the shapes of a robot, one for each file and scale.
#include "urdf/meshes.h"

#include <algorithm>

#include "core/path.h"
#include "urdf/tag_reader.h"

namespace sinew::urdf {

Meshes::Meshes(Context& context)
    : context_(context),
      packages_(context.options.package_path, *static_cast<mjSpec&>(context.spec).modelfiledir, context.vfs) {}

// The scale is three factors; its sign mirrors the mesh.
std::string Meshes::Require(const XmlNode& node) {
  TagReader reader(context_, node);
  std::string file = reader.RequiredText("filename");
  Scale scale = {1, 1, 1};
  reader.Numbers("scale", scale.data(), scale.size());
  if (static_cast<mjSpec&>(context_.spec).strippath) file = BaseName(file);
  const Asset* known = Find(file, scale);
  return known ? known->name : Make(node, file, scale).name;
}

const Meshes::Asset* Meshes::Find(const std::string& file, const Scale& scale) const {
  const auto found = std::find_if(assets_.begin(), assets_.end(),
                                  [&](const Asset& asset) { return asset.file == file && asset.scale == scale; });
  return found == assets_.end() ? nullptr : &*found;
}

// A file that no package has stays as an address, so that the compiler's message names it.
const Meshes::Asset& Meshes::Make(const XmlNode& node, const std::string& file, const Scale& scale) {
  bool found;
  const std::string path = packages_.Resolve(file, &found);
  if (!found) {
    context_.dropped.Note(node, "no package has the file '" + file + "'",
                          "name its folder in SINEW_PACKAGE_PATH; searched: " + packages_.Searched());
  }
  const std::string stem(Stem(file));
  std::string name = stem;
  for (int number = 1; context_.spec.Find<Mesh>(name); ++number) name = stem + std::to_string(number);

  Mesh& mesh = context_.spec.Add<Mesh>();
  mesh.where = node.Location();
  context_.spec.SetName(mesh, name);
  *mesh.file = path;
  std::copy(scale.begin(), scale.end(), static_cast<mjsMesh&>(mesh).scale);
  return assets_.emplace_back(Asset{name, file, scale});
}

}  // namespace sinew::urdf
