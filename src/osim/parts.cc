#include "osim/parts.h"

#include <algorithm>

#include "core/path.h"
#include "core/resources.h"
#include "model/kinds/integrator.h"

namespace sinew::osim {
namespace {

constexpr double kTimestep = 0.001;  // s
constexpr int kPointGroup = 3, kContactGroup = 2, kShapeGroup = 1;
constexpr double kPointSize = 0.003, kTendonWidth = 0.004;  // m
constexpr float kMuscleColor[4] = {0.8F, 0.1F, 0.1F, 1}, kContactColor[4] = {0, 0.7F, 0.7F, 0.5F};

std::string FindMeshFile(const ImportContext& context, const std::string& file) {
  for (const char* folder : {"", "Geometry/"}) {
    if (Resource::Exists(context.vfs, context.folder, folder + file)) return folder + file;
  }
  return "";
}

}  // namespace

void BecomeMuscleModel(mjSpec& spec, const Vec3<double>& gravity) {
  spec.compiler.degree = 0;
  spec.option.timestep = kTimestep;
  spec.option.integrator = kDiscrete;
  StoreVec3(Vec3<double>{gravity.x, 0 - gravity.z, gravity.y}, spec.option.gravity);  // up is z; 0, and not -0
}

void ShowPathPoint(Site& site) {
  site.size[0] = kPointSize;
  site.group = kPointGroup;
}

void ShowMuscle(Tendon& tendon) {
  tendon.width = kTendonWidth;
  std::copy_n(kMuscleColor, 4, tendon.rgba);
}

void ShowContact(Geom& geom) {
  geom.group = kContactGroup;
  std::copy_n(kContactColor, 4, geom.rgba);
}

void ShowShape(Geom& geom) {
  geom.contype = geom.conaffinity = 0;
  geom.density = 0;
  geom.group = kShapeGroup;
}

const Mesh* AddShownMesh(ImportContext& context, const XmlNode& node, const std::string& file, const std::string& name,
                         const Vec3<double>& scale) {
  const std::string extension = ToLower(Extension(file));
  const bool is_read = extension == ".vtp" || extension == ".obj" || extension == ".stl";
  const std::string found = is_read ? FindMeshFile(context, file) : "";
  if (found.empty()) {
    context.dropped.Note(node, "a mesh is not shown",
                         is_read ? "put its file beside the model, or into the folder Geometry there"
                                 : "convert its file to .vtp, .obj or .stl, and name that");
    return nullptr;
  }
  Mesh& mesh = context.spec.Add<Mesh>();
  Name(context, mesh, node, name.empty() ? file : name);
  *mesh.file = found;
  StoreVec3(scale, mesh.scale);
  return &mesh;
}

}  // namespace sinew::osim
