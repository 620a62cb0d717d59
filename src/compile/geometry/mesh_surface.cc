// Meshes for geoms whose shape a plugin describes by signed distance: the surface is found by marching over the box
// that the plugin gives (assets/isosurface.h).
#include "compile/geometry/mesh_surface.h"

#include <string>
#include <string_view>
#include <vector>

#include "assets/isosurface.h"
#include "core/trap.h"
#include "plugin/registry.h"

namespace sinew::inline compile {
namespace {

// The values of an instance as the plugin's numbers. Values that are not given are empty, and get the plugin's default.
std::vector<mjtNum> ReadAttributes(const Plugin& instance, const mjpPlugin& plugin) {
  const auto count = static_cast<size_t>(plugin.nattribute);
  std::vector<const char*> names(plugin.attributes, plugin.attributes + count), values(count, "");
  for (size_t i = 0; i < count; ++i) {
    const auto found = instance.config.find(std::string_view(names[i]));
    if (found != instance.config.end()) values[i] = found->second.c_str();
  }
  std::vector<mjtNum> attributes(count);
  CallTrapped([&] { plugin.sdf_attribute(attributes.data(), names.data(), values.data()); });
  return attributes;
}

}  // namespace

MeshData PluginSurface(const Mesh& mesh, const PluginDraft& instance) {
  const mjpPlugin& plugin = *PluginAt(instance.slot);
  if (!plugin.sdf_attribute || !plugin.sdf_aabb || !plugin.sdf_staticdistance) {
    throw Error("plugin '" + std::string(plugin.name) + "' cannot make meshes", "give the mesh a file instead");
  }
  if (mesh.scale[0] != 1 || mesh.scale[1] != 1 || mesh.scale[2] != 1) {
    throw Error("scale does not apply to a mesh of a plugin", "give the plugin other sizes");
  }
  const std::vector<mjtNum> attributes = ReadAttributes(*instance.source, plugin);
  mjtNum box[6];
  CallTrapped([&] { plugin.sdf_aabb(box, attributes.data()); });
  const auto distance = [&](const Vec3<double>& p) { return plugin.sdf_staticdistance(&p.x, attributes.data()); };
  return Isosurface(distance, LoadVec3(box), LoadVec3(box + 3));
}

}  // namespace sinew::inline compile
