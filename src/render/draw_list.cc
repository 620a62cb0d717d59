// This takes a scene (mjvScene) apart. Matrices are by rows, and their columns are the axes of a shape. Sizes keep
// the meaning that mjvGeom gives them until a shape is pushed.
#include "render/draw_list.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/error.h"
#include "scene/room.h"

namespace sinew {
namespace {

constexpr float kOpaque = 0.995f;    // alpha from which a geom hides what is behind
constexpr float kBackAlpha = 0.3f;   // of the back of a plane
constexpr float kNoLight = 0.3f;     // ambient light of a scene without lights
constexpr float kBeyondFar = 1.05f;  // half size of an infinite plane, in distances of the far plane

// ---- vectors of three floats

// Scenes come in single precision, as mjvScene keeps them, and stay so.
void Copy3(const float* from, float* to) { std::copy_n(from, 3, to); }
float Dot3(const float* a, const float* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// pos + mat * (0, 0, z): a point on a shape's axis
void AlongAxis(const float* pos, const float* mat, float z, float* to) {
  for (int i = 0; i < 3; ++i) to[i] = pos[i] + mat[3 * i + 2] * z;
}

void Store(const Vec3<double>& v, float* to) {
  for (int i = 0; i < 3; ++i) to[i] = static_cast<float>(v[i]);
}

// ---- cameras

// Brings a camera from the room into the model, where lengths are divided by the scale.
DrawView ViewOf(const mjvScene& scene, const mjvGLCamera& camera, const mjrRect& viewport) {
  DrawView view;
  const auto load = [](const float* v) { return Vec3<double>{double(v[0]), double(v[1]), double(v[2])}; };
  Vec3<double> pos = load(camera.pos), forward = Normalized(load(camera.forward)), up = load(camera.up);
  double scale = 1;
  if (scene.enabletransform) {
    // The inverse of the room's rotation turns directions into the model.
    const Quat<double> back = {double(scene.rotate[0]), -double(scene.rotate[1]), -double(scene.rotate[2]),
                               -double(scene.rotate[3])};
    pos = RoomToModel(scene, {pos, {1, 0, 0, 0}}).pos;
    forward = Rotate(back, forward);
    up = Rotate(back, up);
    scale = static_cast<double>(scene.scale);
  }
  // Cameras of users need not be at right angles; forward is kept, and up is made so.
  up = Normalized(up - forward * Dot(up, forward));
  Store(pos, view.pos);
  Store(forward, view.forward);
  Store(up, view.up);
  Store(Cross(forward, up), view.right);

  const auto shrink = static_cast<float>(1 / scale);
  const float aspect = static_cast<float>(viewport.width) / static_cast<float>(std::max(viewport.height, 1));
  // A frustum without a width takes that of the viewport, so that pixels are square.
  const float half =
      camera.frustum_width > 0 ? camera.frustum_width : 0.5f * aspect * (camera.frustum_top - camera.frustum_bottom);
  view.left = (camera.frustum_center - half) * shrink;
  view.right_border = (camera.frustum_center + half) * shrink;
  view.bottom = camera.frustum_bottom * shrink;
  view.top = camera.frustum_top * shrink;
  view.near = camera.frustum_near * shrink;
  view.far = camera.frustum_far * shrink;
  view.orthographic = camera.orthographic != 0;
  view.viewport = viewport;
  return view;
}

// Whether cameras were set; without geoms, they need not be.
bool HasCameras(const mjvScene& scene) {
  for (const mjvGLCamera& camera : scene.camera) {
    const bool set = camera.frustum_near >= static_cast<float>(mjMINVAL) && camera.frustum_far > camera.frustum_near;
    if (set) continue;
    if (scene.ngeom == 0) return false;
    throw Error("a camera of the scene has no near plane before its far plane",
                "call mjv_updateCamera or mjv_updateScene first");
  }
  return true;
}

// Adds one view over the whole viewport, or two for the eyes in its left and right half. One eye's picture is that of
// the mean of both cameras, as MuJoCo 3.8.0 does.
void AddViews(const mjvScene& scene, mjrRect viewport, DrawList& list) {
  // A scene that was made and never updated gives an empty picture: any frustum does.
  if (!HasCameras(scene)) {
    DrawView view;
    view.left = view.bottom = -view.near;
    view.right_border = view.top = view.near;
    view.viewport = viewport;
    list.views.push_back(view);
    return;
  }
  if (scene.stereo == mjSTEREO_NONE) {
    list.views.push_back(ViewOf(scene, AverageCamera(scene.camera[0], scene.camera[1]), viewport));
    return;
  }
  mjrRect half = viewport;
  half.width /= 2;
  list.views.push_back(ViewOf(scene, scene.camera[0], half));
  half.left += half.width;
  list.views.push_back(ViewOf(scene, scene.camera[1], half));
}

// Between the eyes.
struct Head3 {
  float pos[3], forward[3], far;
};

// Distances and sides of planes are told from one place, so that both eyes draw in the same order.
Head3 HeadOf(const DrawList& list) {
  Head3 head;
  const DrawView &a = list.views.front(), &b = list.views.back();
  for (int i = 0; i < 3; ++i) {
    head.pos[i] = 0.5f * (a.pos[i] + b.pos[i]);
    head.forward[i] = 0.5f * (a.forward[i] + b.forward[i]);
  }
  head.far = std::max(a.far, b.far);
  return head;
}

// ---- lights

// Headlights cast no shadows: each would lie behind what casts it.
void AddLights(const mjvScene& scene, DrawList& list) {
  for (int i = 0; i < std::clamp(scene.nlight, 0, mjMAXLIGHT); ++i) {
    const mjvLight& light = scene.lights[i];
    if (light.type != mjLIGHT_DIRECTIONAL && light.type != mjLIGHT_SPOT) continue;
    DrawLight copy;
    copy.directional = light.type == mjLIGHT_DIRECTIONAL;
    copy.headlight = light.headlight != 0;
    copy.shadow = list.shadows && light.castshadow && !light.headlight;
    Copy3(light.pos, copy.pos);
    const float norm = std::sqrt(Dot3(light.dir, light.dir));
    for (int k = 0; k < 3 && norm > 0; ++k) copy.dir[k] = light.dir[k] / norm;
    Copy3(light.attenuation, copy.attenuation);
    copy.cutoff = light.cutoff;
    copy.exponent = light.exponent;
    Copy3(light.ambient, copy.ambient);
    Copy3(light.diffuse, copy.diffuse);
    Copy3(light.specular, copy.specular);
    list.lights.push_back(copy);
  }
  list.ambient = list.lights.empty() ? kNoLight : 0;
}

// ---- instances

// Sets the flat colour of an object in a segmented picture, 0..1 a channel: its number in three bytes for programs,
// or one that people tell apart, spread by Halton's sequences in bases 2, 3 and 5. The first terms lie close together
// and are left out.
void SegmentColor(const DrawList& list, int segid, float* rgb) {
  constexpr int kBase[3] = {2, 3, 5}, kSkipped = 10;
  for (int k = 0; k < 3; ++k) {
    if (list.id_color) {
      rgb[k] = static_cast<float>((static_cast<unsigned>(segid + 1) >> (8 * k)) & 255u) / 255;
    } else {
      rgb[k] = 0.1f + 0.8f * Halton(segid + kSkipped, kBase[k]);
    }
  }
}

// Returns the radius of a sphere about the geom's position that holds it [m]. Geoms of the model bring theirs.
float BoundingRadius(const mjvGeom& geom) {
  if (geom.objtype == mjOBJ_GEOM) return geom.modelrbound;
  const float* s = geom.size;
  switch (geom.type) {
    case mjGEOM_CAPSULE:
      return s[0] + s[2];
    case mjGEOM_CYLINDER:
      return std::sqrt(s[0] * s[0] + s[2] * s[2]);
    case mjGEOM_BOX:
      return std::sqrt(Dot3(s, s));
    default:
      return std::max({s[0], s[1], s[2]});
  }
}

// Turns geoms into instances, one after the other: `base_` has what all pieces of the current geom share.
class GeomDrawer {
 public:
  GeomDrawer(const DrawAssets& assets, const mjvScene& scene, const Head3& head, DrawList& list)
      : assets_(assets), scene_(scene), head_(head), list_(list) {}

  // Appends what a geom consists of, and writes into the geom what programs may read there: transparency and
  // distance.
  void Add(mjvGeom& geom, int index) {
    geom_ = &geom;
    base_ = {};
    base_.geom = index;
    base_.segid = geom.segid;
    if (geom.segid >= 0) SegmentColor(list_, geom.segid, base_.segment_rgb);
    Copy3(geom.pos, base_.pos);
    std::copy_n(geom.mat, 9, base_.mat);
    Copy3(geom.size, base_.size);
    std::copy_n(geom.rgba, 4, base_.rgba);
    base_.emission = geom.emission;
    base_.specular = geom.specular;
    base_.shininess = geom.shininess;
    base_.reflectance = geom.reflectance;
    base_.casts_shadow = geom.category != mjCAT_DECOR;
    base_.from_behind = geom.type == mjGEOM_PLANE && IsBehind();
    if (base_.from_behind) base_.rgba[3] *= kBackAlpha;
    base_.transparent = base_.rgba[3] < kOpaque || base_.from_behind;
    base_.radius = BoundingRadius(geom);
    float to_geom[3];
    for (int i = 0; i < 3; ++i) to_geom[i] = geom.pos[i] - head_.pos[i];
    // Planes are behind everything else among transparent things, however near they are.
    base_.distance = geom.type == mjGEOM_PLANE ? std::numeric_limits<float>::max()
                                               : std::sqrt(Dot3(to_geom, to_geom)) - base_.radius;
    geom.transparent = base_.transparent;
    geom.camdist = base_.distance;
    SetTexture();
    AddShapes();
    if (geom.label[0]) list_.labels.push_back({{geom.pos[0], geom.pos[1], geom.pos[2]}, geom.label});
  }

 private:
  // Tells whether the head is below the plane z = 0 of the geom.
  bool IsBehind() const {
    float height = 0;
    for (int i = 0; i < 3; ++i) height += geom_->mat[3 * i + 2] * (head_.pos[i] - geom_->pos[i]);
    return height < 0;
  }

  // Shapes are drawn by scaling a unit shape; a texture fits that one, unless it is uniform.
  void SetTexture() {
    if (geom_->matid < 0 || geom_->matid >= static_cast<int>(assets_.materials.size())) return;
    const DrawMaterial& material = assets_.materials[static_cast<size_t>(geom_->matid)];
    if (material.texture < 0) return;
    base_.texture = material.texture;
    // Explicit coordinates of a mesh, skin or flex scale by the material's repetitions alone.
    if (geom_->texcoord) {
      base_.mapping = DrawMapping::kExplicit;
      base_.scale[0] = material.repeat[0];
      base_.scale[1] = material.repeat[1];
      return;
    }
    const bool cube = assets_.textures[static_cast<size_t>(material.texture)].type != mjTEXTURE_2D;
    base_.mapping = cube ? DrawMapping::kCube : DrawMapping::kFlat;
    for (int i = 0; i < 3; ++i) {
      // Uniform textures repeat per metre; others, once over the shape.
      const bool per_length = material.uniform || !(geom_->size[i] > 0);
      const float unit = per_length ? 1 : 1 / geom_->size[i];
      base_.scale[i] = cube || i == 2 ? unit : 0.5f * material.repeat[i] * unit;
    }
  }

  // Adds what each type of mjtGeom becomes; the table in draw_list.h says which sizes each shape reads.
  void AddShapes() {
    const float* s = geom_->size;
    switch (geom_->type) {
      case mjGEOM_PLANE:
        return AddPlane();
      case mjGEOM_HFIELD:
        return Push(DrawShape::kField, CheckedAsset(assets_.height_fields.size()));
      case mjGEOM_SPHERE:
      case mjGEOM_ELLIPSOID:
        return Push(DrawShape::kEllipsoid);
      case mjGEOM_CAPSULE:
        return Push(DrawShape::kCapsule);
      case mjGEOM_CYLINDER:
        return Push(DrawShape::kCylinder);
      case mjGEOM_BOX:
        return Push(DrawShape::kBox);
      case mjGEOM_MESH:
      case mjGEOM_SDF:
        return Push(DrawShape::kMesh, CheckedAsset(assets_.meshes.size()));
      case mjGEOM_ARROW:
        return AddArrow(false, kWideHead);
      case mjGEOM_ARROW1:
        return AddArrow(false, 1);
      case mjGEOM_ARROW2:
        return AddArrow(true, kWideHead);
      case mjGEOM_LINE: {
        float to[3];
        AlongAxis(geom_->pos, geom_->mat, s[2], to);
        return AddSegment(geom_->pos, to, s[0] * list_.settings.line_width);
      }
      case mjGEOM_LINEBOX:
        return AddLineBox();
      case mjGEOM_FLEX:
        return AddFlex();
      case mjGEOM_SKIN:
        return AddSkin();
      case mjGEOM_TRIANGLE:
        return AddTriangle();
      case mjGEOM_LABEL:
      case mjGEOM_NONE:
        return;
      default:
        throw Error(
            "geom " + std::to_string(base_.geom) + " of the scene has the unknown type " + std::to_string(geom_->type),
            "use one of mjtGeom");
    }
  }

  // Scenes come from users, and their numbers may belong to another model.
  int CheckedAsset(size_t count) const {
    if (geom_->dataid >= 0 && static_cast<size_t>(geom_->dataid) < count) return geom_->dataid;
    throw Error("geom " + std::to_string(base_.geom) + " of the scene has dataid " + std::to_string(geom_->dataid) +
                    ", the model has " + std::to_string(count) + " of these",
                "make the context for the model of the scene");
  }

  void Push(DrawShape shape, int asset = -1) {
    DrawInstance instance = base_;
    instance.shape = shape;
    instance.asset = asset;
    Push(instance);
  }
  // The order of the scene is kept among opaque instances; transparent ones are sorted later.
  void Push(const DrawInstance& instance) {
    auto& order = instance.transparent ? list_.transparent : list_.opaque;
    order.push_back(static_cast<int>(list_.instances.size()));
    list_.instances.push_back(instance);
  }

  // A size of zero means no border: such a side reaches just beyond the far plane. Haze belongs to the first plane
  // that is infinite along both.
  void AddPlane() {
    DrawInstance plane = base_;
    plane.shape = DrawShape::kPlane;
    plane.radius = std::numeric_limits<float>::infinity();
    const bool infinite = geom_->size[0] <= 0 && geom_->size[1] <= 0;
    for (int i = 0; i < 2; ++i) {
      if (plane.size[i] <= 0) plane.size[i] = kBeyondFar * head_.far;
    }
    if (infinite && list_.haze_plane < 0) list_.haze_plane = static_cast<int>(list_.instances.size());
    Push(plane);
  }

  // Half of size[2] = l is drawn: a shaft up to l/3, then a head, whose base is `head` times as wide. With two heads
  // the shaft is open and reaches from -l/3 to l/3.
  static constexpr float kWideHead = 1.75f;
  void AddArrow(bool two_heads, float head) {
    const float third = geom_->size[2] / 3;
    DrawInstance shaft = base_;
    shaft.shape = DrawShape::kCylinder;
    shaft.size[1] = shaft.size[0];
    shaft.size[2] = two_heads ? third : third / 2;
    if (!two_heads) AlongAxis(geom_->pos, geom_->mat, third / 2, shaft.pos);
    Push(shaft);
    AddArrowHead(third, head);
    if (two_heads) AddArrowHead(-third, head);
  }

  // Adds a cone with its base at height `at` on the arrow's axis, pointing away from the middle.
  void AddArrowHead(float at, float head) {
    DrawInstance tip = base_;
    tip.shape = DrawShape::kCone;
    tip.size[0] = tip.size[1] = head * geom_->size[0];
    tip.size[2] = std::abs(at) / 2;
    AlongAxis(geom_->pos, geom_->mat, at, tip.pos);
    for (int i = 0; i < 3 && at < 0; ++i) {
      tip.mat[3 * i + 1] = -tip.mat[3 * i + 1];  // half a turn about x
      tip.mat[3 * i + 2] = -tip.mat[3 * i + 2];
    }
    Push(tip);
  }

  void AddSegment(const float* from, const float* to, float width) {
    DrawSegment segment;
    Copy3(from, segment.from);
    Copy3(to, segment.to);
    std::copy_n(base_.rgba, 4, segment.rgba);
    segment.width = width;
    segment.segid = base_.segid;
    Copy3(base_.segment_rgb, segment.segment_rgb);
    list_.segments.push_back(segment);
  }

  // Corners are numbered by bits, a set bit for the positive side of an axis; an edge joins two numbers that differ
  // in one bit.
  void AddLineBox() {
    float corners[8][3];
    for (int c = 0; c < 8; ++c) {
      const float local[3] = {c & 1 ? geom_->size[0] : -geom_->size[0], c & 2 ? geom_->size[1] : -geom_->size[1],
                              c & 4 ? geom_->size[2] : -geom_->size[2]};
      for (int i = 0; i < 3; ++i) corners[c][i] = geom_->pos[i] + Dot3(geom_->mat + 3 * i, local);
    }
    constexpr float kWidth = 1.5f;
    for (int c = 0; c < 8; ++c) {
      for (int bit = 1; bit < 8; bit *= 2) {
        if (!(c & bit)) AddSegment(corners[c], corners[c | bit], kWidth * list_.settings.line_width);
      }
    }
  }

  // Instances of triangles in the frame of the model.
  DrawInstance Surface() const {
    DrawInstance surface = base_;
    surface.shape = DrawShape::kTriangles;
    surface.asset = list_.triangles.size();
    std::fill_n(surface.pos, 3, 0.0f);
    const float identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    std::copy_n(identity, 9, surface.mat);
    return surface;
  }
  void PushSurface(DrawInstance surface) {
    surface.count = list_.triangles.size() - surface.asset;
    if (surface.count > 0) Push(surface);
  }

  // size: lengths of the first two edges; the columns of mat are their directions and the normal
  void AddTriangle() {
    DrawInstance surface = Surface();
    float b[3], c[3];
    for (int i = 0; i < 3; ++i) {
      b[i] = geom_->pos[i] + geom_->mat[3 * i] * geom_->size[0];
      c[i] = geom_->pos[i] + geom_->mat[3 * i + 1] * geom_->size[1];
    }
    const float* const corners[3] = {geom_->pos, b, c};
    list_.triangles.Add(corners, nullptr, nullptr);
    PushSurface(surface);
  }

  // Vertices and normals were worked out by mjv_updateScene; faces and texture coordinates are those of the model.
  void AddSkin() {
    const int id = geom_->objid;
    if (id < 0 || id >= scene_.nskin || static_cast<size_t>(id) >= assets_.skins.size()) return;
    const DrawSkin& skin = assets_.skins[static_cast<size_t>(id)];
    DrawInstance surface = Surface();
    const float* vertices = scene_.skinvert + 3 * scene_.skinvertadr[id];
    const float* normals = scene_.skinnormal + 3 * scene_.skinvertadr[id];
    for (size_t f = 0; f + 2 < skin.faces.size(); f += 3) {
      const float *corners[3], *corner_normals[3], *corner_texcoords[3];
      for (size_t k = 0; k < 3; ++k) {
        const int v = skin.faces[f + k];
        corners[k] = vertices + 3 * v;
        corner_normals[k] = normals + 3 * v;
        if (!skin.texcoords.empty()) corner_texcoords[k] = skin.texcoords.data() + 2 * v;
      }
      list_.triangles.Add(corners, corner_normals, skin.texcoords.empty() ? nullptr : corner_texcoords);
    }
    PushSurface(surface);
  }

  // The flags of the scene say what is drawn: vertices as beads, edges as rods, faces. The smooth skin of a flex
  // replaces the first two.
  void AddFlex() {
    const int id = geom_->objid;
    if (id < 0 || id >= scene_.nflex) return;
    const float radius = geom_->size[0];
    const float* vertices = scene_.flexvert + 3 * scene_.flexvertadr[id];
    if (scene_.flexvertopt && !scene_.flexskinopt) {
      for (int v = 0; v < scene_.flexvertnum[id]; ++v) AddBead(vertices + 3 * v, radius);
    }
    if (scene_.flexedgeopt && !scene_.flexskinopt) AddFlexEdges(id, vertices, radius);
    if (scene_.flexfaceopt || scene_.flexskinopt) AddFlexFaces(id);
  }

  // Beads and rods are of the flex's radius [m] and take its colour without its texture.
  void AddBead(const float* pos, float radius) {
    DrawInstance bead = base_;
    bead.shape = DrawShape::kEllipsoid;
    bead.texture = -1;
    bead.mapping = DrawMapping::kNone;
    Copy3(pos, bead.pos);
    std::fill_n(bead.size, 3, radius);
    bead.radius = radius;
    Push(bead);
  }

  void AddFlexEdges(int id, const float* vertices, float radius) {
    const int* edges = scene_.flexedge + 2 * scene_.flexedgeadr[id];
    for (int e = 0; e < scene_.flexedgenum[id]; ++e) {
      const float *a = vertices + 3 * edges[2 * e], *b = vertices + 3 * edges[2 * e + 1];
      const Vec3<double> from = {double(a[0]), double(a[1]), double(a[2])},
                         to = {double(b[0]), double(b[1]), double(b[2])};
      Vec3<double> z = to - from;
      const double length = Normalize(z);
      // Any two axes across the edge do: the rod is round.
      const Vec3<double> x = Normalized(Cross(std::abs(z.x) < 0.5 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0}, z));
      const Vec3<double> y = Cross(z, x);
      DrawInstance edge = base_;
      edge.shape = DrawShape::kCapsule;
      edge.texture = -1;
      edge.mapping = DrawMapping::kNone;
      Store((from + to) * 0.5, edge.pos);
      for (int i = 0; i < 3; ++i) {
        edge.mat[3 * i] = static_cast<float>(x[i]);
        edge.mat[3 * i + 1] = static_cast<float>(y[i]);
        edge.mat[3 * i + 2] = static_cast<float>(z[i]);
      }
      edge.size[0] = edge.size[1] = radius;
      edge.size[2] = static_cast<float>(0.5 * length);
      edge.radius = edge.size[0] + edge.size[2];
      Push(edge);
    }
  }

  void AddFlexFaces(int id) {
    DrawInstance surface = Surface();
    const int first = scene_.flexfaceadr[id];
    for (int f = first; f < first + scene_.flexfaceused[id]; ++f) {
      const float *p = scene_.flexface + 9 * f, *n = scene_.flexnormal + 9 * f, *t = scene_.flextexcoord + 6 * f;
      const float* const corners[3] = {p, p + 3, p + 6};
      const float* const normals[3] = {n, n + 3, n + 6};
      const float* const texcoords[3] = {t, t + 2, t + 4};
      list_.triangles.Add(corners, normals, geom_->texcoord ? texcoords : nullptr);
    }
    PushSurface(surface);
  }

  const DrawAssets& assets_;
  const mjvScene& scene_;
  const Head3& head_;
  DrawList& list_;
  mjvGeom* geom_ = nullptr;
  DrawInstance base_;
};

// The first opaque plane or box that mirrors; others stop mirroring, whether mirror images are drawn or not.
void FindReflector(mjvScene& scene, DrawList& list) {
  bool found = false;
  for (size_t i = 0; i < list.instances.size(); ++i) {
    DrawInstance& instance = list.instances[i];
    const bool can = (instance.shape == DrawShape::kPlane || instance.shape == DrawShape::kBox) &&
                     !instance.transparent && instance.reflectance > 0;
    if (can && !found) {
      found = true;
      if (scene.flags[mjRND_REFLECTION]) list.reflector = static_cast<int>(i);
      continue;
    }
    if (instance.reflectance <= 0) continue;
    instance.reflectance = 0;
    if (instance.geom >= 0) scene.geoms[instance.geom].reflectance = 0;
  }
}

// Whether the camera is above the first plane without borders.
bool SeesHaze(const Head3& head, const DrawList& list) {
  if (list.haze_plane < 0) return false;
  const DrawInstance& plane = list.instances[static_cast<size_t>(list.haze_plane)];
  float height = 0;
  for (int i = 0; i < 3; ++i) height += plane.mat[3 * i + 2] * (head.pos[i] - plane.pos[i]);
  return height > 0;
}

void Clear(DrawList& list) {
  list.views.clear();
  list.instances.clear();
  list.opaque.clear();
  list.transparent.clear();
  list.triangles.Clear();
  list.segments.clear();
  list.labels.clear();
  list.lights.clear();
  list.reflector = list.haze_plane = list.skybox = -1;
}

// Copies the flags, and settles which of two contradicting ones wins: a picture of segments has neither depth nor
// fog.
void SetFlags(const mjvScene& scene, const DrawSettings& settings, DrawList& list) {
  const auto on = [&](mjtRndFlag flag) { return scene.flags[flag] != 0; };
  list.settings = settings;
  list.segment = on(mjRND_SEGMENT);
  list.id_color = list.segment && on(mjRND_IDCOLOR);
  list.depth_picture = on(mjRND_DEPTH) && !list.segment;
  list.shadows = on(mjRND_SHADOW) && settings.shadow_size > 0;
  list.additive = on(mjRND_ADDITIVE);
  list.wireframe = on(mjRND_WIREFRAME);
  list.cull = on(mjRND_CULL_FACE);
  list.fog = on(mjRND_FOG) && !list.segment;
  list.frame_width = scene.framewidth;
  Copy3(scene.framergb, list.frame_rgb);
}

}  // namespace

DrawSettings DrawSettings::Of(const mjrContext& con) {
  DrawSettings settings;
  settings.line_width = con.lineWidth;
  settings.fog_start = con.fogStart;
  settings.fog_end = con.fogEnd;
  std::copy_n(con.fogRGBA, 4, settings.fog_rgba);
  settings.shadow_clip = con.shadowClip;
  settings.shadow_scale = con.shadowScale;
  settings.shadow_size = con.shadowSize;
  return settings;
}

DrawSettings DrawSettings::Of(const mjModel& m) {
  DrawSettings settings;
  const auto extent = static_cast<float>(m.stat.extent);
  settings.line_width = m.vis.global.linewidth;
  settings.fog_start = extent * m.vis.map.fogstart;
  settings.fog_end = extent * m.vis.map.fogend;
  std::copy_n(m.vis.rgba.fog, 4, settings.fog_rgba);
  settings.shadow_clip = extent * m.vis.map.shadowclip;
  settings.shadow_scale = m.vis.map.shadowscale;
  settings.shadow_size = m.vis.quality.shadowsize;
  return settings;
}

// Digits of the index in the base, mirrored at the point.
float Halton(int index, int base) {
  double value = 0, digit = 1.0 / base;
  for (int rest = index; rest > 0; rest /= base, digit /= base) value += digit * (rest % base);
  return static_cast<float>(value);
}

// Geoms need the head's place, the reflector needs all geoms, and the haze needs the sky and the planes: hence this
// order.
void BuildDrawList(const DrawAssets& assets, const DrawSettings& settings, mjrRect viewport, mjvScene& scene,
                   DrawList& list) {
  Clear(list);
  SetFlags(scene, settings, list);
  AddViews(scene, viewport, list);
  AddLights(scene, list);
  const Head3 head = HeadOf(list);
  GeomDrawer drawer(assets, scene, head, list);
  for (int i = 0; i < scene.ngeom; ++i) drawer.Add(scene.geoms[i], i);
  FindReflector(scene, list);

  const auto nearer = [&](int a, int b) {
    return list.instances[static_cast<size_t>(a)].distance < list.instances[static_cast<size_t>(b)].distance;
  };
  std::stable_sort(list.transparent.begin(), list.transparent.end(), nearer);
  if (scene.flags[mjRND_SKYBOX] && !list.segment) list.skybox = assets.skybox;
  list.haze = scene.flags[mjRND_HAZE] && list.skybox >= 0 && SeesHaze(head, list);
}

}  // namespace sinew
