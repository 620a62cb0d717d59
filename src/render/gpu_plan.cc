// The passes over a draw list. The list has decided what is drawn and in which order; here each instance gets the kind
// of a program made for it, its numbers, and one to three unit shapes. Views and lights are in gpu_views.cc.
#include "render/gpu_plan.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "math/vec3.h"
#include "render/float3.h"
#include "render/gpu_views.h"
#include "render/shaders.h"

namespace sinew::inline render {
namespace {

constexpr float kExponent = 128;                  // of shininess 1
constexpr long long kMostShadowTexels = 1 << 27;  // of all layers; larger maps are made coarser

// A program with only these terms is faster than one that tests at each pixel.
int KindOf(const DrawLight& light) {
  const auto any = [](const float* rgb) { return rgb[0] != 0 || rgb[1] != 0 || rgb[2] != 0; };
  const float* fall = light.attenuation;
  return (light.directional ? kDirectional : 0) | (fall[0] != 1 || fall[1] != 0 || fall[2] != 0 ? kFades : 0) |
         (light.exponent > 0 ? kNarrows : 0) | (any(light.ambient) ? kAmbient : 0) |
         (any(light.specular) ? kSpecular : 0) | (light.shadow ? kShadow : 0);
}

// A mesh that is scaled, and then moved along z. The count of vertices is that of the whole mesh where it is negative.
struct Piece {
  int mesh;
  float x, y, z, shift = 0;
  int first = 0, count = -1;
};

// A part of a plane, in its frame.
struct Rectangle {
  float low[2], high[2];
};

// A capsule is a tube and two half spheres, a cylinder a tube and two disks, a cone a mantle and a disk. Negative
// scales along y and z turn a cap over and keep its faces' sense of rotation. Returns how many pieces there are.
int PiecesOf(const DrawInstance& instance, int meshes, Piece pieces[3]) {
  const float x = instance.size[0], y = instance.size[1], z = instance.size[2];
  const auto are = [&](std::initializer_list<Piece> made) {
    std::copy(made.begin(), made.end(), pieces);
    return static_cast<int>(made.size());
  };
  switch (instance.shape) {
    case DrawShape::kPlane:
      return are({{kPlaneMesh, x, y, 1}});
    case DrawShape::kEllipsoid:
      return are({{kSphereMesh, x, y, z}});
    case DrawShape::kCapsule:
      return are({{kTubeMesh, x, x, z}, {kCapMesh, x, x, x, z}, {kCapMesh, x, -x, -x, -z}});
    case DrawShape::kCylinder:
      return are({{kTubeMesh, x, y, z}, {kDiskMesh, x, y, 1, z}, {kDiskMesh, x, -y, -1, -z}});
    case DrawShape::kCone:
      return are({{kConeMesh, x, y, z}, {kDiskMesh, x, -y, -1}});
    case DrawShape::kBox:
      return are({{kBoxMesh, x, y, z}});
    case DrawShape::kMesh:
      return are({{kFirstAssetMesh + instance.asset, 1, 1, 1}});
    case DrawShape::kField:
      return are({{kFirstAssetMesh + meshes + instance.asset, 1, 1, 1}});
    case DrawShape::kTriangles:
      return are({{kListMesh, 1, 1, 1, 0, 3 * instance.asset, 3 * instance.count}});
  }
  return 0;
}

// A shape is drawn for its colour, its mirror image, over what is behind it, as the mirror image of that, as one colour
// without light (segments and depth), or its depth alone (shadows and the mirror's stencil).
enum class Look { kColor, kMirror, kTransparent, kMirrorVeil, kFlat, kDepth };

bool IsMirrored(Look look) { return look == Look::kMirror || look == Look::kMirrorVeil; }
bool IsTransparent(Look look) { return look == Look::kTransparent || look == Look::kMirrorVeil; }

class Planner {
 public:
  Planner(const DrawAssets& assets, const DrawList& list, const GpuLimits& limits, GpuPlan& plan)
      : assets_(assets), list_(list), limits_(limits), plan_(plan) {}

  // The order matters: numbers of lights need the size of the shadow map, programs whether there is one.
  void Run() {
    plan_.passes.clear();
    plan_.frames.clear();
    plan_.draws.clear();
    plan_.shadow_layers = 0;
    const bool flat = list_.segment || list_.depth_picture;
    if (!flat) ChooseShadowMap();
    FillLights(list_, limits_, plan_);
    for (const DrawLight& light : list_.lights) lights_.push_back(KindOf(light));
    lights_.resize(plan_.lights.size());
    if (plan_.shadow_layers > 0) AddShadows();
    for (size_t i = 0; i < list_.views.size(); ++i) AddView(static_cast<int>(i), flat);
  }

 private:
  const DrawInstance& Instance(int i) const { return list_.instances[static_cast<size_t>(i)]; }

  void ChooseShadowMap() {
    int layers = 0;
    for (const DrawLight& light : list_.lights) layers += light.shadow ? 1 : 0;
    if (layers == 0) return;
    int size = std::clamp(list_.settings.shadow_size, 4, std::max(limits_.most_shadow_size, 4));
    while (static_cast<long long>(size) * size * layers > kMostShadowTexels) size /= 2;
    plan_.shadow_size = size;
    plan_.shadow_layers = layers;
  }

  // Draws that follow belong to this pass.
  void Begin(GpuPassKind kind, int index) {
    plan_.passes.push_back({kind,
                            index,
                            static_cast<int>(plan_.frames.size()) - 1,
                            static_cast<int>(plan_.draws.size()),
                            0,
                            {0, 0, 1, 1}});
  }

  void SetFrame(const DrawView& view, const float mirror[4]) {
    eye_ = Load3(view.pos);
    sky_radius_ = list_.skybox >= 0 && !list_.depth_picture ? double(kSkyRadius * view.far) : 0;
    plan_.frames.push_back(FrameOf(assets_, list_, view, mirror, limits_.depth_from_zero));
  }

  void AddShadows() {
    int layer = 0;
    for (const DrawLight& light : list_.lights) {
      if (!light.shadow) continue;
      SetFrame(ViewOfLight(light, list_.settings, list_.views.front()), kNoMirror);
      Begin(GpuPassKind::kShadow, layer++);
      for (const DrawInstance& instance : list_.instances) {
        if (instance.casts_shadow) Add(instance, Look::kDepth);
      }
    }
  }

  void AddView(int index, bool flat) {
    const DrawView& view = list_.views[static_cast<size_t>(index)];
    const bool lines = list_.wireframe && !flat;
    if (list_.reflector >= 0 && !flat && !lines && limits_.stencil) AddMirrorImage(index, view);
    SetFrame(view, kNoMirror);
    if (flat) {
      Begin(GpuPassKind::kFlat, index);
      for (const DrawInstance& instance : list_.instances) {
        if (!list_.segment || instance.segid >= 0) Add(instance, Look::kFlat);
      }
      return;
    }
    // The reflector comes first and is blended onto its mirror image; what stands on it follows as usual.
    if (list_.reflector >= 0) {
      Begin(GpuPassKind::kMirrorFace, index);
      Add(Instance(list_.reflector), Look::kColor);
    }
    Begin(GpuPassKind::kOpaque, index);
    for (const int i : list_.opaque) {
      if (i != list_.reflector) Add(Instance(i), Look::kColor);
    }
    AddSky(index);
    AddTransparent(GpuPassKind::kTransparent, index, Look::kTransparent);
  }

  void AddSky(int index) {
    if (list_.skybox < 0 || !UsableTexture(assets_.textures[static_cast<size_t>(list_.skybox)])) return;
    Begin(GpuPassKind::kSky, index);
    GpuProgramKind kind;
    kind.sky = true;
    kind.fog = list_.fog;
    kind.haze = Hazy();
    GpuDraw draw = {kNoMesh, 0, 3, NumberOf(std::move(kind)), list_.skybox, true, {}};
    // Corners on the far plane: places 0 and 2 of the viewport, of which 0..1 is seen, and depth.
    const float depth = limits_.depth_from_zero ? 0.0f : -1.0f;
    const float places[3][4] = {{0, 0, depth, 0}, {2, 0, depth, 0}, {0, 2, depth, 0}};
    std::memcpy(draw.part.rows, places, sizeof(places));
    plan_.draws.push_back(draw);
    plan_.passes.back().draws = 1;
  }

  bool Hazy() const { return list_.haze && list_.haze_plane >= 0 && assets_.haze > 0 && sky_radius_ > 0; }

  // Adds the mirror image of the scene in front of the mirror.
  void AddMirrorImage(int index, const DrawView& view) {
    const DrawInstance& mirror = Instance(list_.reflector);
    const Vec3<double> normal = AxisZ(mirror);
    const double height = mirror.shape == DrawShape::kBox ? static_cast<double>(mirror.size[2]) : 0;
    const Vec3<double> at = Load3(mirror.pos) + normal * height;
    if (Dot(Load3(view.pos) - at, normal) <= 0) return;
    SetFrame(view, kNoMirror);
    Begin(GpuPassKind::kMirrorMark, index);
    DrawInstance face = mirror;
    face.shape = DrawShape::kPlane;
    Store3(at, face.pos);
    Add(face, Look::kDepth);
    const size_t mark = plan_.passes.size() - 1;

    const float plane[4] = {static_cast<float>(normal.x), static_cast<float>(normal.y), static_cast<float>(normal.z),
                            static_cast<float>(-Dot(normal, at))};
    SetFrame(MirrorView(view, at, normal), plane);
    Begin(GpuPassKind::kMirrorImage, index);
    for (const int i : list_.opaque) {
      if (i != list_.reflector) Add(Instance(i), Look::kMirror);
    }
    AddTransparent(GpuPassKind::kMirrorVeils, index, Look::kMirrorVeil);
    BoundMirrorImage(mark);
  }

  // The mirror fills much of a picture and its image little: the passes from `first` on are bounded by the rectangle
  // that holds the boxes about all spheres.
  void BoundMirrorImage(size_t first) {
    float low[2] = {1, 1}, high[2] = {0, 0};
    for (const auto* list : {&list_.opaque, &list_.transparent}) {
      for (const int i : *list) {
        if (i != list_.reflector && !Extend(Instance(i), low, high)) return;
      }
    }
    for (size_t pass = first; pass < plan_.passes.size(); ++pass) {
      float* bounds = plan_.passes[pass].bounds;
      for (int k = 0; k < 2; ++k) {
        bounds[k] = low[k];
        bounds[2 + k] = std::max(low[k], high[k]);
      }
    }
  }

  // Extends a rectangle (shares of the viewport) by the box about an instance's sphere, as the last frame sees it.
  // Returns false where there is no sphere, or a corner is beside or behind the eye.
  bool Extend(const DrawInstance& instance, float low[2], float high[2]) const {
    if (instance.shape == DrawShape::kTriangles || !std::isfinite(instance.radius)) return false;
    const float* clip = plan_.frames.back().to_clip;
    for (int corner = 0; corner < 8; ++corner) {
      float p[4];
      for (int r = 0; r < 4; ++r) {
        p[r] = clip[12 + r];
        for (int c = 0; c < 3; ++c) {
          p[r] += clip[4 * c + r] * (instance.pos[c] + (corner >> c & 1 ? 1.0f : -1.0f) * instance.radius);
        }
      }
      if (p[3] <= 0) return false;
      for (int k = 0; k < 2; ++k) {
        const float share = std::clamp(0.5f + 0.5f * p[k] / p[3], 0.0f, 1.0f);
        low[k] = std::min(low[k], share);
        high[k] = std::max(high[k], share);
      }
    }
    return true;
  }

  // First in the list's order and then in the reverse one, as MuJoCo 3.8.0 lays transparent things over twice; with
  // additive blending the order does not matter and once is enough.
  void AddTransparent(GpuPassKind kind, int index, Look look) {
    if (list_.transparent.empty()) return;
    Begin(kind, index);
    for (const int i : list_.transparent) Add(Instance(i), look);
    for (size_t k = list_.transparent.size(); k > 0 && !list_.additive; --k) {
      Add(Instance(list_.transparent[k - 1]), look);
    }
  }

  // The texture of an instance, or -1 where a flat picture is asked to cover a cube or the other way round.
  int TextureOf(const DrawInstance& instance) const {
    const auto texture = static_cast<size_t>(instance.texture);
    if (instance.texture < 0 || texture >= assets_.textures.size()) return -1;
    const DrawTexture& image = assets_.textures[texture];
    const bool cube = image.type != mjTEXTURE_2D;
    if (!UsableTexture(image) || cube != (instance.mapping == DrawMapping::kCube)) return -1;
    return instance.texture;
  }

  // The number of the program with exactly what this instance needs.
  int ProgramFor(const DrawInstance& instance, int texture, Look look) {
    GpuProgramKind kind;
    kind.plane = instance.shape == DrawShape::kPlane;
    if (look != Look::kFlat && LightsVertices()) {
      kind.vertex = true;
      kind.plane *= 2;
    }
    if (look == Look::kFlat) {
      kind.flat = list_.segment ? 1 : 2;
    } else {
      kind.mapping = texture >= 0 ? static_cast<int>(instance.mapping) : 0;
      kind.lights = lights_;
      kind.gloss = instance.specular > 0;
      kind.fog = list_.fog;
      kind.haze = Hazy() && !IsMirrored(look) && &instance == &Instance(list_.haze_plane);
      kind.shadows = !IsTransparent(look) && plan_.shadow_layers > 0;
      kind.cut = sky_radius_ > 0 && MayBeBehindSky(instance);
    }
    return NumberOf(std::move(kind));
  }

  // Each light with shadows takes one of the few numbers that vertices may pass on.
  bool LightsVertices() const {
    constexpr int kMostShadows = 16;
    return list_.settings.vertex_light && plan_.shadow_layers <= kMostShadows;
  }

  // Only what reaches beyond the sky's cylinder pays for the test at each pixel; free triangles have no radius to tell.
  bool MayBeBehindSky(const DrawInstance& instance) const {
    const Vec3<double> way = Load3(instance.pos) - eye_;
    return instance.shape == DrawShape::kTriangles || std::hypot(way.x, way.y) + double(instance.radius) > sky_radius_;
  }

  int NumberOf(GpuProgramKind kind) {
    const auto known = std::find(plan_.programs.begin(), plan_.programs.end(), kind);
    const auto number = static_cast<int>(known - plan_.programs.begin());
    if (known == plan_.programs.end()) plan_.programs.push_back(std::move(kind));
    return number;
  }

  void Add(const DrawInstance& instance, Look look) {
    GpuDraw draw = {};
    const bool depth = look == Look::kDepth;
    draw.texture = depth || look == Look::kFlat ? -1 : TextureOf(instance);
    draw.program = depth ? -1 : ProgramFor(instance, draw.texture, look);
    // Shadows and stencils need a face whichever way it looks.
    draw.both_sides = depth || instance.from_behind || !list_.cull;
    GpuPart& part = draw.part;
    for (int i = 0; i < 3; ++i) {
      std::copy_n(instance.mat + 3 * i, 3, part.rows[i]);
      part.rows[i][3] = instance.pos[i];
    }
    std::copy_n(instance.rgba, 4, part.rgba);
    part.emission = instance.emission;
    part.specular = instance.specular;
    part.exponent = kExponent * instance.shininess;
    part.factor = IsMirrored(look) ? Instance(list_.reflector).reflectance : 1;
    if (IsMirrored(look) && LightsVertices()) {
      // Fixed pipelines dim the colours of what is mirrored, and highlights stay as bright as they are.
      for (int i = 0; i < 3; ++i) part.rgba[i] *= part.factor;
      part.factor = 1;
    }
    part.adds = look == Look::kColor && list_.reflector >= 0 && &instance == &Instance(list_.reflector);
    std::copy_n(instance.scale, 3, part.texture_scale);
    std::copy_n(instance.segment_rgb, 3, part.flat_rgb);
    if (instance.shape == DrawShape::kPlane && draw.program >= 0) return AddPlane(instance, draw);
    Piece pieces[3];
    const int count = PiecesOf(instance, static_cast<int>(assets_.meshes.size()), pieces);
    for (int i = 0; i < count; ++i) {
      const Piece& piece = pieces[i];
      draw.mesh = piece.mesh;
      draw.first = piece.first;
      draw.count = piece.count;
      part.scale[0] = piece.x;
      part.scale[1] = piece.y;
      part.scale[2] = piece.z;
      part.shift = piece.shift;
      plan_.draws.push_back(draw);
      ++plan_.passes.back().draws;
    }
  }

  // A plane under the sky is divided, that the part around the eye need not ask at each pixel whether it is behind the
  // sky: processors then test depth before they shade. Neighbours share corners exactly, or there would be gaps.
  void AddPlane(const DrawInstance& plane, GpuDraw& draw) {
    draw.mesh = kPlaneMesh;
    draw.count = -1;
    const float* size = plane.size;
    const GpuProgramKind kind = plan_.programs[static_cast<size_t>(draw.program)];
    if (kind.vertex) {
      std::copy_n(plane.cell, 2, draw.part.scale);
      draw.mesh = kGridMesh;
      const float reach = std::max(size[0] / plane.cell[0], size[1] / plane.cell[1]);
      draw.count = VerticesOfPlaneGrid(static_cast<int>(std::ceil(std::min(reach, float{mjMAXPLANEGRID}) - 1e-3f)));
      return AddRectangle({{-size[0], -size[1]}, {size[0], size[1]}}, draw);
    }
    if (!kind.cut) return AddRectangle({{-size[0], -size[1]}, {size[0], size[1]}}, draw);
    // the square in the circle that the sphere of the sky's radius about the eye cuts out of the plane
    const Vec3<double> way = eye_ - Load3(plane.pos);
    const auto axis = [&](int i) {
      return Vec3<double>{double(plane.mat[i]), double(plane.mat[3 + i]), double(plane.mat[6 + i])};
    };
    const double height = Dot(way, axis(2));
    const double half = std::sqrt(std::max(0.5 * (sky_radius_ * sky_radius_ - height * height), 0.0));
    float edges[2][4];  // along x and y
    for (int i = 0; i < 2; ++i) {
      const double middle = Dot(way, axis(i));
      edges[i][0] = -size[i];
      edges[i][1] = std::clamp(static_cast<float>(middle - half), -size[i], size[i]);
      edges[i][2] = std::clamp(static_cast<float>(middle + half), -size[i], size[i]);
      edges[i][3] = size[i];
    }
    GpuProgramKind inner = kind;
    inner.cut = 0;
    const int programs[2] = {draw.program, NumberOf(std::move(inner))};
    for (int x = 0; x < 3; ++x) {
      for (int y = 0; y < 3; ++y) {
        draw.program = programs[x == 1 && y == 1];
        AddRectangle({{edges[0][x], edges[1][y]}, {edges[0][x + 1], edges[1][y + 1]}}, draw);
      }
    }
  }

  void AddRectangle(const Rectangle& r, GpuDraw& draw) {
    if (r.low[0] >= r.high[0] || r.low[1] >= r.high[1]) return;
    const float rectangle[4] = {r.low[0], r.low[1], r.high[0], r.high[1]};
    std::copy_n(rectangle, 4, draw.part.rectangle);
    plan_.draws.push_back(draw);
    ++plan_.passes.back().draws;
  }

  static constexpr float kNoMirror[4] = {};
  const DrawAssets& assets_;
  const DrawList& list_;
  const GpuLimits& limits_;
  GpuPlan& plan_;
  std::vector<int> lights_;  // kinds
  Vec3<double> eye_ = {};
  double sky_radius_ = 0;  // of the view that is planned; 0 without a sky
};

std::string Define(const char* name, int value) {
  return std::string("#define ") + name + " " + std::to_string(value) + "\n";
}

int CountShadows(const GpuProgramKind& kind) {
  return static_cast<int>(
      std::count_if(kind.lights.begin(), kind.lights.end(), [](int light) { return light & kShadow; }));
}

std::string Defines(const GpuProgramKind& kind) {
  std::string lights;
  for (const int light : kind.lights) lights += (lights.empty() ? "" : ", ") + std::to_string(light);
  return Define("LIGHTS", static_cast<int>(kind.lights.size())) + "#define KINDS " + lights + "\n" +
         Define("GLOSS", kind.gloss) + Define("FOG", kind.fog) + Define("HAZE", kind.haze) +
         Define("MAPPING", kind.mapping) + Define("FLAT", kind.flat) + Define("SHADOWS", kind.shadows) +
         Define("CUT", kind.cut) + Define("PLANE", kind.plane) + Define("VERTEX", kind.vertex) +
         Define("SHADOW_LIGHTS", kind.shadows ? CountShadows(kind) : 0);
}

}  // namespace

std::string VertexSource(const std::string& prefix, const GpuProgramKind& kind) {
  return prefix + Defines(kind) + kFrameBlock + (kind.sky ? kSkyVertex : std::string(kLights) + kSurfaceVertex);
}

std::string FragmentSource(const std::string& prefix, const GpuProgramKind& kind) {
  return prefix + Defines(kind) + kFrameBlock + (kind.sky ? kSkyFragment : std::string(kLights) + kSurfaceFragment);
}

std::vector<TriangleList> UnitShapes(Divisions divisions) {
  return {UnitSphere(divisions), UnitCap(divisions), UnitTube(divisions), UnitDisk(divisions),
          UnitCone(divisions),   UnitBox(divisions), UnitPlane(divisions)};
}

bool UsableTexture(const DrawTexture& texture) {
  const int height = texture.type != mjTEXTURE_2D ? texture.height / 6 : texture.height;
  return texture.width >= 1 && height >= 1 && texture.channels >= 1 && texture.channels <= 4;
}

void MakeGpuPlan(const DrawAssets& assets, const DrawList& list, const GpuLimits& limits, GpuPlan& plan) {
  Planner(assets, list, limits, plan).Run();
}

}  // namespace sinew::inline render
