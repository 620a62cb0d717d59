// Makes mesh assets for the shapes of a robot, one for each file as far as names tell them apart.
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
  const Asset* known = context_.options.meshpaths ? FindByPath(file, scale) : FindByStem(node, file, scale);
  return known ? known->name : Make(node, file, scale).name;
}

const Meshes::Asset* Meshes::FindByPath(const std::string& file, const Scale& scale) const {
  const auto found = std::find_if(assets_.begin(), assets_.end(),
                                  [&](const Asset& asset) { return asset.file == file && asset.scale == scale; });
  return found == assets_.end() ? nullptr : &*found;
}

// The first asset of the name stands for all whose scale is known under that name.
const Meshes::Asset* Meshes::FindByStem(const XmlNode& node, const std::string& file, const Scale& scale) {
  const std::string_view stem = Stem(file);
  const auto same = [&](const Asset& asset) { return Stem(asset.file) == stem && asset.scale == scale; };
  if (std::none_of(assets_.begin(), assets_.end(), same)) return nullptr;
  const Asset& first =
      *std::find_if(assets_.begin(), assets_.end(), [&](const Asset& asset) { return Stem(asset.file) == stem; });
  if (first.file != file || first.scale != scale) {
    context_.dropped.Note(node, "the mesh '" + first.file + "' stands in for one of the same name",
                          "the option 'meshpaths' tells them apart");
  }
  return &first;
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
