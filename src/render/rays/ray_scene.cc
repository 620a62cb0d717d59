// Converts a draw list into a scene for rays. Colours of textures are converted to linear ones once and
// kept as bytes, four a texel; levels of detail are means of neighbours, each half as large as the one before (OpenGL
// 4.5, section 8.14).
#include "render/rays/ray_scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "render/gpu_views.h"

namespace sinew::inline render::rays {
namespace {

constexpr int kTrianglesPerLeaf = 3, kShapesPerLeaf = 2;
constexpr float kExponent = 128;  // of shininess 1

// Turns an sRGB value 0..1 into a linear one (IEC 61966-2-1).
float Linear(float srgb) { return srgb <= 0.04045f ? srgb / 12.92f : std::pow((srgb + 0.055f) / 1.055f, 2.4f); }

// The colour of a texel; grey from one channel, opaque from three.
int32_t Texel(const DrawTexture& texture, const uint8_t table[256], size_t i) {
  const uint8_t* p = texture.pixels.data() + i * static_cast<size_t>(texture.channels);
  const bool colored = texture.channels >= 3;
  const uint32_t r = table[p[0]], g = table[p[colored ? 1 : 0]], b = table[p[colored ? 2 : 0]];
  const uint32_t a = texture.channels == 4 ? p[3] : texture.channels == 2 ? p[1] : 255u;
  return static_cast<int32_t>(r | g << 8 | b << 16 | a << 24);
}

// Texels around the middle of a texel of the next level, along one axis, and how much the second counts. Where a size
// is odd, they are not two and two.
struct Neighbours {
  int low, high;
  float share;
};
Neighbours Around(int i, int size, int next_size) {
  const float at = (static_cast<float>(i) + 0.5f) * static_cast<float>(size) / static_cast<float>(next_size) - 0.5f;
  const int low = std::clamp(static_cast<int>(at), 0, size - 1);
  return {low, std::min(low + 1, size - 1), std::max(at - static_cast<float>(low), 0.0f)};
}

// A texel of the next level: between the four of this one about its middle.
int32_t Between(const int32_t* face, int width, const Neighbours& x, const Neighbours& y) {
  const auto at = [&](int row, int column, int shift) {
    return static_cast<float>((static_cast<uint32_t>(face[row * width + column]) >> shift) & 255u);
  };
  uint32_t mean = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    const float low = at(y.low, x.low, shift) * (1 - x.share) + at(y.low, x.high, shift) * x.share;
    const float high = at(y.high, x.low, shift) * (1 - x.share) + at(y.high, x.high, shift) * x.share;
    mean |= static_cast<uint32_t>(low * (1 - y.share) + high * y.share + 0.5f) << shift;
  }
  return static_cast<int32_t>(mean);
}

// Appends coarser levels until both sides are one texel. Faces of a cube never mix.
void AddLevels(RayTexture& made) {
  const int faces = made.cube ? 6 : 1;
  int width = made.width, height = made.height, start = 0;
  made.levels = 1;
  while ((width > 1 || height > 1) && made.levels < RayTexture::kMostLevels) {
    const int w = std::max(width / 2, 1), h = std::max(height / 2, 1);
    const int next = static_cast<int>(made.texels.size());
    made.texels.resize(made.texels.size() + static_cast<size_t>(faces) * w * h);
    for (int f = 0; f < faces; ++f) {
      const int32_t* face = made.texels.data() + start + f * width * height;
      for (int i = 0; i < w * h; ++i) {
        made.texels[static_cast<size_t>(next + f * w * h + i)] =
            Between(face, width, Around(i % w, width, w), Around(i / w, height, h));
      }
    }
    made.level_start[made.levels++] = start = next;
    width = w;
    height = h;
  }
}

// The box around a shape turned by mat: |mat| times half sizes.
RayBox BoxOf(const DrawInstance& instance) {
  float half[3] = {instance.size[0], instance.size[1], instance.size[2]}, center[3] = {0, 0, 0};
  if (instance.shape == DrawShape::kCapsule) half[2] += half[0];
  if (instance.shape == DrawShape::kCone) center[2] = half[2] *= 0.5f;
  RayBox box;
  for (int i = 0; i < 3; ++i) {
    const float* row = instance.mat + 3 * i;
    const float middle = instance.pos[i] + row[2] * center[2];
    const float reach = std::abs(row[0]) * half[0] + std::abs(row[1]) * half[1] + std::abs(row[2]) * half[2];
    box.low[i] = middle - reach;
    box.high[i] = middle + reach;
  }
  return box;
}

// The box around the box of triangles in a turned frame.
RayBox BoxOf(const DrawInstance& instance, const RayNode& root) {
  RayBox box;
  for (int i = 0; i < 3; ++i) {
    box.low[i] = box.high[i] = instance.pos[i];
    for (int k = 0; k < 3; ++k) {
      const float a = instance.mat[3 * i + k] * root.low[k], b = instance.mat[3 * i + k] * root.high[k];
      box.low[i] += std::min(a, b);
      box.high[i] += std::max(a, b);
    }
  }
  return box;
}

// Cosine and sine of equal steps from one angle to another, both of them included [rad].
std::vector<float> CircleTable(int steps, double from, double to) {
  std::vector<float> table;
  for (int i = 0; i <= steps; ++i) {
    const double angle = from + (to - from) * i / steps;
    table.push_back(static_cast<float>(std::cos(angle)));
    table.push_back(static_cast<float>(std::sin(angle)));
  }
  return table;
}

}  // namespace

// Returns an empty one, with no levels, where sizes make no sense; shapes are then drawn without a texture.
RayTexture MakeRayTexture(const DrawTexture& texture) {
  RayTexture made;
  uint8_t table[256];
  for (int i = 0; i < 256; ++i) {
    const float value = static_cast<float>(i) / 255;
    table[i] = static_cast<uint8_t>(std::lround(255 * (texture.srgb ? Linear(value) : value)));
  }
  made.cube = texture.type != mjTEXTURE_2D;
  made.width = texture.width;
  made.height = made.cube ? texture.height / 6 : texture.height;
  if (made.width < 1 || made.height < 1 || texture.channels < 1) return {};
  const size_t count = static_cast<size_t>(made.width) * static_cast<size_t>(made.height) * (made.cube ? 6 : 1);
  made.texels.resize(count);
  for (size_t i = 0; i < count; ++i) made.texels[i] = Texel(texture, table, i);
  AddLevels(made);
  return made;
}

// Sorts triangles as the leaves of their tree are, so that a ray reads neighbours in memory.
RayMesh MakeRayMesh(const TriangleList& triangles) {
  RayMesh mesh;
  std::vector<RayBox> boxes(static_cast<size_t>(triangles.size()));
  for (size_t i = 0; i < boxes.size(); ++i) {
    const float* p = triangles.positions.data() + 9 * i;
    for (size_t k = 0; k < 3; ++k) {
      boxes[i].low[k] = std::min({p[k], p[3 + k], p[6 + k]});
      boxes[i].high[k] = std::max({p[k], p[3 + k], p[6 + k]});
    }
  }
  BuildTree(boxes, kTrianglesPerLeaf, mesh.tree);
  const auto take = [&](const std::vector<float>& from, size_t each, std::vector<float>& to) {
    to.reserve(from.size());
    for (const int i : mesh.tree.order) {
      const float* p = from.data() + each * static_cast<size_t>(i);
      to.insert(to.end(), p, p + each);
    }
  };
  take(triangles.positions, 9, mesh.triangles.positions);
  take(triangles.normals, 9, mesh.triangles.normals);
  if (triangles.HasTexcoords()) {
    std::vector<float> padded = triangles.texcoords;
    padded.resize(6 * boxes.size());
    take(padded, 6, mesh.triangles.texcoords);
  }
  return mesh;
}

RayAssets::RayAssets(DrawAssets assets) : draw(std::move(assets)) {
  for (const TriangleList& mesh : draw.meshes) meshes.push_back(MakeRayMesh(mesh));
  for (const TriangleList& field : draw.height_fields) height_fields.push_back(MakeRayMesh(field));
  for (const DrawTexture& texture : draw.textures) textures.push_back(MakeRayTexture(texture));
  ring = CircleTable(draw.divisions.slices, 0, 2 * std::numbers::pi);
  arc = CircleTable(draw.divisions.stacks, -std::numbers::pi / 2, std::numbers::pi / 2);
  cap = CircleTable(draw.divisions.HalfStacks(), 0, std::numbers::pi / 2);
}

// Shapes that the picture does not show are left out here: in segmented pictures, shapes without a number; flexes and
// skins without triangles.
void RayScene::AddShape(const RayAssets& assets, const DrawList& list, int instance_id) {
  const DrawInstance& instance = list.instances[static_cast<size_t>(instance_id)];
  if (list.segment && instance.segid < 0) return;
  RayShape shape = {};
  shape.kind = instance.shape;
  shape.sphere = instance.shape == DrawShape::kEllipsoid && instance.size[0] == instance.size[1] &&
                 instance.size[1] == instance.size[2];
  shape.two_sided = !list.cull;
  shape.casts = instance.casts_shadow;
  shape.transparent = instance.transparent && !list.segment && !list.depth_picture;
  shape.flipped = instance.from_behind;
  shape.instance = instance_id;
  std::copy_n(instance.pos, 3, shape.pos);
  std::copy_n(instance.mat, 9, shape.mat);
  std::copy_n(instance.size, 3, shape.size);
  std::copy_n(instance.cell, 2, shape.cell);
  shape.mapping = instance.mapping;
  if (instance.texture >= 0 && static_cast<size_t>(instance.texture) < assets.textures.size() && !list.segment) {
    shape.texture = &assets.textures[static_cast<size_t>(instance.texture)];
    if (shape.texture->levels == 0) shape.texture = nullptr;
    if (shape.texture) shape.texels = shape.texture->texels.data();
  }
  std::copy_n(instance.scale, 3, shape.scale);
  std::copy_n(instance.rgba, 4, shape.rgba);
  shape.emission = instance.emission;
  shape.specular = instance.specular;
  shape.exponent = kExponent * instance.shininess;
  shape.reflectance = instance.reflectance;
  std::copy_n(instance.segment_rgb, 3, shape.flat_rgb);

  RayBox box = {};
  const RayMesh* mesh = nullptr;
  if (shape.kind == DrawShape::kMesh) mesh = &assets.meshes[static_cast<size_t>(instance.asset)];
  if (shape.kind == DrawShape::kField) mesh = &assets.height_fields[static_cast<size_t>(instance.asset)];
  if (shape.kind == DrawShape::kTriangles) {
    // Triangles of the list change from picture to picture, and their tree with them.
    TriangleList part;
    const auto cut = [&](const std::vector<float>& from, int each, std::vector<float>& to) {
      if (from.size() < static_cast<size_t>(each * (instance.asset + instance.count))) return;
      to.assign(from.begin() + each * instance.asset, from.begin() + each * (instance.asset + instance.count));
    };
    cut(list.triangles.positions, 9, part.positions);
    cut(list.triangles.normals, 9, part.normals);
    cut(list.triangles.texcoords, 6, part.texcoords);
    surfaces_.push_back(MakeRayMesh(part));
    mesh = &surfaces_.back();
  }
  if (mesh) {
    if (mesh->tree.nodes.empty()) return;
    shape.nodes = mesh->tree.nodes.data();
    shape.node_count = static_cast<int>(mesh->tree.nodes.size());
    shape.positions = mesh->triangles.positions.data();
    shape.normals = mesh->triangles.normals.data();
    if (mesh->triangles.HasTexcoords()) shape.texcoords = mesh->triangles.texcoords.data();
    box = BoxOf(instance, mesh->tree.nodes[0]);
  } else if (shape.kind != DrawShape::kPlane) {
    box = BoxOf(instance);
  }
  if (instance_id == list.reflector) view_.reflector = static_cast<int>(shapes_.size());
  if (instance_id == list.haze_plane && list.haze) view_.haze_plane = static_cast<int>(shapes_.size());

  Group& group = shape.transparent ? transparent_ : opaque_;
  if (shape.kind == DrawShape::kPlane) {
    group.planes.push_back(static_cast<int>(shapes_.size()));
  } else {
    group.members.push_back(static_cast<int>(shapes_.size()));
    group.boxes.push_back(box);
  }
  shapes_.push_back(shape);
}

// The tree numbers its own entries; kernels need numbers of shapes.
void RayScene::MakeGroup(Group& group, RayGroup& view) {
  BuildTree(group.boxes, kShapesPerLeaf, group.tree);
  group.order.resize(group.tree.order.size());
  for (size_t i = 0; i < group.order.size(); ++i) {
    group.order[i] = group.members[static_cast<size_t>(group.tree.order[i])];
  }
  view = {group.tree.nodes.data(), group.order.data(), static_cast<int>(group.tree.nodes.size()), group.planes.data(),
          static_cast<int>(group.planes.size())};
}

// Needs a sky, whose radius is where ground and sky meet. The height of the camera above the plane is in metres.
void RayScene::SetHaze(const RayAssets& assets, const DrawList& list) {
  const DrawView& view = list.views.front();
  view_.sky_radius = kSkyRadius * view.far;
  view_.haze_share = assets.draw.haze;
  std::copy_n(assets.draw.haze_rgba, 4, view_.haze_rgba);
  if (!(view_.haze_share > 0)) view_.haze_plane = -1;
  if (view_.haze_plane < 0) return;
  const RayShape& plane = shapes_[static_cast<size_t>(view_.haze_plane)];
  for (int i = 0; i < 3; ++i) view_.haze_height += plane.mat[3 * i + 2] * (view.pos[i] - plane.pos[i]);
}

void RayScene::Update(const RayAssets& assets, const DrawList& list) {
  shapes_.clear();
  surfaces_.clear();
  surfaces_.reserve(list.instances.size());  // shapes point into it
  lights_.clear();
  for (Group* group : {&opaque_, &transparent_}) {
    group->members.clear();
    group->planes.clear();
    group->boxes.clear();
  }
  view_ = {};
  view_.reflector = view_.haze_plane = -1;
  for (int i = 0; i < static_cast<int>(list.instances.size()); ++i) AddShape(assets, list, i);
  MakeGroup(opaque_, view_.opaque);
  MakeGroup(transparent_, view_.transparent);
  view_.shapes = shapes_.data();

  for (const DrawLight& light : list.lights) {
    const float cutoff = light.cutoff * std::numbers::pi_v<float> / 180;
    lights_.push_back({light, light.cutoff >= 180 ? -2.0f : std::cos(cutoff), {}});
    if (light.shadow) lights_.back().map = ViewOfLight(light, list.settings, list.views.front());
    view_.any_shadow |= light.shadow;
  }
  view_.lights = lights_.data();
  view_.light_count = static_cast<int>(lights_.size());
  view_.ambient = list.ambient;
  view_.segment = list.segment;
  view_.additive = list.additive;
  if (list.segment || list.depth_picture) view_.reflector = -1;
  if (list.skybox >= 0 && !list.segment) {
    view_.sky = &assets.textures[static_cast<size_t>(list.skybox)];
    if (view_.sky->levels == 0) view_.sky = nullptr;
    if (view_.sky) view_.sky_texels = view_.sky->texels.data();
  }
  if (view_.sky) SetHaze(assets, list);
  view_.vertex_light = list.settings.vertex_light;
  const Divisions& divisions = assets.draw.divisions;
  view_.facets = {divisions.slices,   divisions.stacks,  divisions.HalfStacks(), divisions.quads,
                  assets.ring.data(), assets.arc.data(), assets.cap.data()};
  view_.fog = list.fog;
  view_.fog_start = list.settings.fog_start;
  view_.fog_end = list.settings.fog_end;
  std::copy_n(list.settings.fog_rgba, 3, view_.fog_rgb);
}

}  // namespace sinew::inline render::rays
