// Matrices are by rows, and their columns are the axes of a shape. Sizes keep the meaning that mjvGeom gives them until
// a shape is pushed.
#include "render/draw_geoms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/error.h"
#include "render/float3.h"

namespace sinew::inline render {
namespace {

constexpr float kOpaque = 0.995f;    // alpha from which a geom hides what is behind
constexpr float kBackAlpha = 0.3f;   // of the back of a plane
constexpr float kBeyondFar = 1.05f;  // half size of an infinite plane, in distances of the far plane

// pos + mat * (0, 0, z): a point on a shape's axis
void AlongAxis(const float* pos, const float* mat, float z, float* to) {
  for (int i = 0; i < 3; ++i) to[i] = pos[i] + mat[3 * i + 2] * z;
}

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
  GeomDrawer(const DrawAssets& assets, const mjvScene& scene, const DrawHead& head, DrawList& list)
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
    for (int i = 0; i < 2; ++i) SetGrid(i, plane);
    if (infinite && list_.haze_plane < 0) list_.haze_plane = static_cast<int>(list_.instances.size());
    Push(plane);
  }

  // Lines of the grid of a plane lie at multiples of a cell about its middle. With borders, cells are twice size[2],
  // but no more than kGridLines cells fit. Without, they are kGridLines in all, and the plane reaches beyond the far
  // plane by as much as its middle may be from the camera: one period of the texture, or a cell. Measured on
  // MuJoCo 3.8.0.
  static constexpr float kGridLines = mjMAXPLANEGRID;
  void SetGrid(int axis, DrawInstance& plane) const {
    float& size = plane.size[axis];
    if (size > 0) {
      plane.cell[axis] = std::max(2 * geom_->size[2], 2 * size / (kGridLines - 2));
      return;
    }
    const float beyond = kBeyondFar * head_.far;
    const float step = plane.mapping == DrawMapping::kFlat ? 1 / plane.scale[axis] : 2 * beyond / (kGridLines - 2);
    size = beyond + step;
    plane.cell[axis] = 2 * size / kGridLines;
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
    segment.transparent = base_.transparent;
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
  // replaces the first two; a flex of lines has none, since it has no faces.
  void AddFlex() {
    const int id = geom_->objid;
    if (id < 0 || id >= scene_.nflex) return;
    const float radius = geom_->size[0];
    const float* vertices = scene_.flexvert + 3 * scene_.flexvertadr[id];
    const bool skin = scene_.flexskinopt && scene_.flexfaceused[id] > 0;
    if (scene_.flexvertopt && !skin) {
      for (int v = 0; v < scene_.flexvertnum[id]; ++v) AddBead(vertices + 3 * v, radius);
    }
    if (scene_.flexedgeopt && !skin) AddFlexEdges(id, vertices, radius);
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
      Store3((from + to) * 0.5, edge.pos);
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
  const DrawHead& head_;
  DrawList& list_;
  mjvGeom* geom_ = nullptr;
  DrawInstance base_;
};

}  // namespace

void AddGeoms(const DrawAssets& assets, const DrawHead& head, mjvScene& scene, DrawList& list) {
  GeomDrawer drawer(assets, scene, head, list);
  for (int i = 0; i < scene.ngeom; ++i) drawer.Add(scene.geoms[i], i);
}

}  // namespace sinew::inline render
