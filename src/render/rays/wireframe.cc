// Shapes are shown as the edges of their triangles: a list of segments stands in place of the list of instances.
// Round shapes have few faces, since edges close together would fill them.
#include "render/rays/wireframe.h"

#include <algorithm>

#include "render/unit_shapes.h"

namespace sinew::inline render::rays {
namespace {

constexpr Divisions kCoarse = {16, 8, 4};

// Edges of triangles that are scaled, and moved along z, in the frame of an instance.
void AddEdges(const DrawInstance& instance, const TriangleList& triangles, int first, int count, const float* scale,
              float shift, DrawList& list) {
  const auto place = [&](const float* p, float* to) {
    const float q[3] = {p[0] * scale[0], p[1] * scale[1], p[2] * scale[2] + shift};
    for (int i = 0; i < 3; ++i) {
      const float* row = instance.mat + 3 * i;
      to[i] = instance.pos[i] + row[0] * q[0] + row[1] * q[1] + row[2] * q[2];
    }
  };
  for (int t = first; t < first + count; ++t) {
    const float* corners = triangles.positions.data() + 9 * static_cast<size_t>(t);
    for (int k = 0; k < 3; ++k) {
      DrawSegment segment = {};
      place(corners + 3 * k, segment.from);
      place(corners + 3 * ((k + 1) % 3), segment.to);
      std::copy_n(instance.rgba, 4, segment.rgba);
      segment.width = list.settings.line_width;
      segment.segid = instance.segid;
      std::copy_n(instance.segment_rgb, 3, segment.segment_rgb);
      list.segments.push_back(segment);
    }
  }
}

// Adds the edges of one shape, from the same unit shapes as those that OpenGL draws.
void AddInstance(const DrawAssets& assets, const DrawInstance& instance, DrawList& list) {
  const float* size = instance.size;
  const float unit[3] = {1, 1, 1};
  const auto whole = [&](const TriangleList& triangles, const float* scale, float shift = 0) {
    AddEdges(instance, triangles, 0, triangles.size(), scale, shift, list);
  };
  switch (instance.shape) {
    case DrawShape::kPlane:
      return whole(UnitPlane({16, 8, 20}), size);
    case DrawShape::kEllipsoid:
      return whole(UnitSphere(kCoarse), size);
    case DrawShape::kCapsule: {
      const float round[3] = {size[0], size[0], size[0]}, below[3] = {size[0], size[0], -size[0]};
      whole(UnitTube(kCoarse), size);
      whole(UnitCap(kCoarse), round, size[2]);
      return whole(UnitCap(kCoarse), below, -size[2]);
    }
    case DrawShape::kCylinder:
      whole(UnitTube(kCoarse), size);
      whole(UnitDisk(kCoarse), size, size[2]);
      return whole(UnitDisk(kCoarse), size, -size[2]);
    case DrawShape::kCone:
      whole(UnitCone(kCoarse), size);
      return whole(UnitDisk(kCoarse), size);
    case DrawShape::kBox:
      return whole(UnitBox(kCoarse), size);
    case DrawShape::kMesh:
      return whole(assets.meshes[static_cast<size_t>(instance.asset)], unit);
    case DrawShape::kField:
      return whole(assets.height_fields[static_cast<size_t>(instance.asset)], unit);
    case DrawShape::kTriangles:
      return AddEdges(instance, list.triangles, instance.asset, instance.count, unit, 0, list);
  }
}

}  // namespace

DrawList WireframeOf(const DrawAssets& assets, const DrawList& list) {
  DrawList lines = list;
  for (const DrawInstance& instance : list.instances) AddInstance(assets, instance, lines);
  lines.instances.clear();
  lines.opaque.clear();
  lines.transparent.clear();
  lines.reflector = lines.haze_plane = -1;
  lines.haze = lines.wireframe = false;
  return lines;
}

}  // namespace sinew::inline render::rays
