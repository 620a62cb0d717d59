#include "urdf/meshes.h"

#include <algorithm>

#include "core/path.h"
#include "urdf/tag_reader.h"

namespace sinew::urdf {
namespace {

std::string Stem(const std::string& file) {
  const std::string_view name = BaseName(file);
  return std::string(name.substr(0, name.find_last_of('.')));
}

}  // namespace

Meshes::Meshes(Context& context)
    : context_(context),
      packages_(context.options.package_path, *static_cast<mjSpec&>(context.spec).modelfiledir, context.vfs) {}

std::string Meshes::Require(const XmlNode& node) {
  TagReader reader(context_, node);
  std::string file = reader.RequiredText("filename");
  std::array<double, 3> scale = {1, 1, 1};
  reader.Numbers("scale", scale.data(), scale.size());
  if (static_cast<mjSpec&>(context_.spec).strippath) file = BaseName(file);

  const auto [known, is_new] = names_.try_emplace({file, scale});
  if (!is_new) return known->second;
  bool found;
  const std::string path = packages_.Resolve(file, &found);
  if (!found) {
    context_.dropped.Note(node, "no package has the file '" + file + "'",
                          "name its folder in SINEW_PACKAGE_PATH; searched: " + packages_.Searched());
  }

  Mesh& mesh = context_.spec.Add<Mesh>();
  mesh.where = node.Location();
  context_.spec.SetName(mesh, known->second = NewName(file));
  *mesh.file = path;
  std::copy(scale.begin(), scale.end(), static_cast<mjsMesh&>(mesh).scale);
  return known->second;
}

std::string Meshes::NewName(const std::string& file) const {
  const std::string stem = Stem(file);
  std::string name = stem;
  for (int number = 1; context_.spec.Find<Mesh>(name); ++number) name = stem + std::to_string(number);
  return name;
}

}  // namespace sinew::urdf
