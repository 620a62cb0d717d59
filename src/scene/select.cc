// Finds the object under the mouse: a ray from the head through a point of the window, against geoms, flexes and
// skins that are shown. Places are in the world, distances along the ray in metres.
#include "scene/select.h"

#include <algorithm>

#include "collision/ray/ray.h"
#include "collision/ray/ray_flex.h"
#include "collision/ray/ray_triangle.h"
#include "math/rows.h"
#include "model/view/view_of.h"
#include "scene/builder.h"
#include "scene/room.h"
#include "scene/scene.h"

namespace sinew::inline scene {
namespace {

using Vec = Vec3<double>;

// (x, y) is relative to the window, 0..1 from its lower left corner; `aspect` is the window's width over its height.
Ray RayThrough(const mjvScene& scene, double aspect, double x, double y) {
  const Head head = HeadInModel(scene);
  const mjvGLCamera camera = AverageCamera(scene.camera[0], scene.camera[1]);
  const double top = static_cast<double>(camera.frustum_top), bottom = static_cast<double>(camera.frustum_bottom);
  const double half_width = aspect * (top - bottom) / 2;
  const Vec right = Cross(head.forward, head.up);
  const Vec offset = right * (static_cast<double>(camera.frustum_center) + (2 * x - 1) * half_width) +
                     head.up * (bottom + y * (top - bottom));
  // parallel rays start at different points, others at the head
  if (camera.orthographic) return {head.pos + offset, head.forward};
  return {head.pos, Normalized(head.forward * static_cast<double>(camera.frustum_near) + offset)};
}

// Keeps the nearest of what was hit so far; each kind of object is tried by a function of its own.
class Picker {
 public:
  Picker(const mjModel* m, const mjData* d, const mjvOption& option, const mjvScene& scene, const Ray& ray)
      : m_(m), d_(d), option_(option), scene_(scene), ray_(ray) {}

  void PickGeom() {
    const RayFilter filter = {.groups = option_.geomgroup, .sees_static = option_.flags[mjVIS_STATIC] != 0};
    const WorldHit found = RayWorld(m_, d_, filter, ray_);
    if (!found.hit || !IsNearer(found.hit.x)) return;
    picked_ = {
        .body = m_->geom_bodyid[found.geom], .geom = found.geom, .point = ray_.point + ray_.direction * nearest_};
  }

  // The nearest vertex of what was hit is selected, and the body that carries it; that of interpolated flexes is
  // known from its nodes alone.
  void PickFlex(int flex) {
    const auto shows = [this](mjtVisFlag flag) { return option_.flags[flag] != 0; };
    const FlexParts parts = {option_.flex_layer, shows(mjVIS_FLEXVERT), shows(mjVIS_FLEXEDGE), shows(mjVIS_FLEXFACE),
                             shows(mjVIS_FLEXSKIN)};
    if (!ShowsGroup(option_.flexgroup, m_->flex_group[flex])) return;
    const FlexHit found = RayFlex(m_, d_, flex, parts, ray_);
    if (!found.hit || !IsNearer(found.hit.x)) return;
    const int vertex = m_->flex_vertadr[flex] + found.vertex;
    picked_ = {.body = m_->flex_interp[flex] ? -1 : m_->flex_vertbodyid[vertex],
               .flex = flex,
               .point = ViewOf(d_).flexvert_xpos(vertex)};
  }

  // The scene holds where the vertices are.
  void PickSkin(int skin) {
    if (!ShowsGroup(option_.skingroup, m_->skin_group[skin])) return;
    const float* vertices = Row3(scene_.skinvert, m_->skin_vertadr[skin]);
    const TriangleSurface surface = {m_->skin_facenum[skin], Row3(m_->skin_face, m_->skin_faceadr[skin]), vertices};
    int vertex = -1;
    const double x = RaySurface(surface, ray_.point, ray_.direction, &vertex);
    if (x < 0 || !IsNearer(x)) return;
    const float* at = Row3(vertices, vertex);
    picked_ = {
        .body = HeaviestBone(skin, vertex), .skin = skin, .point = {double(at[0]), double(at[1]), double(at[2])}};
  }

  const Selection& picked() const { return picked_; }

 private:
  bool IsNearer(double x) {
    if (x >= nearest_) return false;
    nearest_ = x;
    return true;
  }

  // The body that moves a vertex most.
  int HeaviestBone(int skin, int vertex) const {
    int body = -1;
    float most = 0;
    for (int bone = m_->skin_boneadr[skin]; bone < m_->skin_boneadr[skin] + m_->skin_bonenum[skin]; ++bone) {
      for (int i = m_->skin_bonevertadr[bone]; i < m_->skin_bonevertadr[bone] + m_->skin_bonevertnum[bone]; ++i) {
        if (m_->skin_bonevertid[i] != vertex || m_->skin_bonevertweight[i] <= most) continue;
        most = m_->skin_bonevertweight[i];
        body = m_->skin_bonebodyid[bone];
      }
    }
    return body;
  }

  const mjModel* m_;
  const mjData* d_;
  const mjvOption& option_;
  const mjvScene& scene_;
  Ray ray_;
  double nearest_ = kInfinity;
  Selection picked_;
};

}  // namespace

Selection SelectAt(const mjModel* m, const mjData* d, const mjvOption& option, const mjvScene& scene, double aspect,
                   double x, double y) {
  Picker picker(m, d, option, scene, RayThrough(scene, aspect, x, y));
  picker.PickGeom();
  const bool flexes = std::any_of(option.flags + mjVIS_FLEXVERT, option.flags + mjVIS_FLEXSKIN + 1,
                                  [](mjtByte flag) { return flag != 0; });
  for (int flex = 0; flexes && flex < m->nflex; ++flex) picker.PickFlex(flex);
  if (option.flags[mjVIS_SKIN]) RequireSkinsOf(*m, scene);
  for (int skin = 0; option.flags[mjVIS_SKIN] && skin < m->nskin; ++skin) picker.PickSkin(skin);
  return picker.picked();
}

}  // namespace sinew::inline scene
