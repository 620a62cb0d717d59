// Adds the parts of a scene: holds the model and its state, the options of the user, and the list of geoms.
#ifndef SINEW_SCENE_BUILDER_H_
#define SINEW_SCENE_BUILDER_H_

#include <mujoco/mujoco.h>

#include "math/mat3.h"
#include "math/vec3.h"
#include "model/view/data_view.h"

namespace sinew::inline scene {

// The object of the model for which a geom of a scene stands.
struct SceneTag {
  int category;  // mjtCatBit
  int objtype;   // mjtObj
  int objid;
};

inline SceneTag Decor(int objid, int objtype = mjOBJ_UNKNOWN) { return {mjCAT_DECOR, objtype, objid}; }

// Knows what the user wants and appends geoms to the scene, which it does not own. Model and state are read;
// positions are in the world, in metres, and become single precision in the geoms.
class SceneBuilder {
 public:
  using Vec = Vec3<double>;
  using Mat = Mat3<double>;

  // `perturb` may be null. Without the static flag, the category of static objects is dropped.
  SceneBuilder(const mjModel* model, mjData* state, const mjvOption* wanted, const mjvPerturb* perturb, int categories,
               mjvScene* target)
      : m(model),
        d(state),
        data(state),
        option(*wanted),
        scene(target),
        perturb_(perturb),
        categories_(wanted->flags[mjVIS_STATIC] ? categories : categories & ~mjCAT_STATIC) {}

  const mjModel* const m;
  mjData* const d;
  const DataView<double> data;
  const mjvOption& option;
  mjvScene* const scene;

  // ---- what is wanted

  bool Shows(mjtVisFlag flag) const { return option.flags[flag] != 0; }
  bool Labels(mjtLabel label) const { return option.label == label; }
  bool Frames(mjtFrame frame) const { return option.frame == frame; }
  bool HasCategory(int category) const { return (categories_ & category) != 0; }
  const mjvPerturb* perturb() const { return perturb_; }

  // Whether a body is selected; the world never is.
  bool IsSelected(int body) const { return perturb_ && perturb_->select > 0 && perturb_->select == body; }

  // Static: welded to a world that is no mocap body.
  int CategoryOf(int body) const {
    const bool fixed = m->body_weldid[body] == 0 && m->body_mocapid[m->body_rootid[body]] < 0;
    return fixed ? mjCAT_STATIC : mjCAT_DYNAMIC;
  }

  // Decorations have sizes relative to the mean size of bodies.
  double Scaled(float size) const { return m->stat.meansize * static_cast<double>(size); }

  // ---- geoms

  // Makes a geom of given half sizes [m] and pose, not yet in the scene; a null colour is the default grey.
  mjvGeom Shape(const SceneTag& tag, int type, const Vec& size, const Vec& pos, const Mat& mat,
                const float* rgba) const;
  // Makes a capsule or cylinder between two points, or an arrow or line from one to the other. `width` is a radius in
  // metres, of lines a width in pixels.
  mjvGeom Connector(const SceneTag& tag, int type, double width, const Vec& from, const Vec& to,
                    const float* rgba) const;

  // Material first; a colour of its own, other than the default, replaces that of the material.
  void Paint(mjvGeom* geom, int material, const float* rgba) const;

  // The name of an object, or its type and id.
  void Name(mjvGeom* geom, int objtype, int id) const;

  // Appends; when there is no room, the geom is lost and the scene's status says so.
  void Push(mjvGeom geom);

  void PushShape(const SceneTag& tag, int type, const Vec& size, const Vec& pos, const Mat& mat, const float* rgba) {
    Push(Shape(tag, type, size, pos, mat, rgba));
  }
  void PushConnector(const SceneTag& tag, int type, double width, const Vec& from, const Vec& to, const float* rgba) {
    Push(Connector(tag, type, width, from, to, rgba));
  }

  // Three axes as cylinders in red, green and blue; `scale` is relative to the size of other frames.
  void PushFrame(const SceneTag& tag, const Vec& pos, const Mat& mat, double scale = 1);

  // A text alone, still to be written.
  mjvGeom Label(const SceneTag& tag, const Vec& pos, const Mat& mat) const;

 private:
  const mjvPerturb* perturb_;
  int categories_;
};

// Whether objects of a group are shown; groups out of range count as the nearest.
inline bool ShowsGroup(const mjtByte* shown, int group) {
  return shown[group < 0 ? 0 : group < mjNGROUP ? group : mjNGROUP - 1] != 0;
}

}  // namespace sinew::inline scene

#endif  // SINEW_SCENE_BUILDER_H_
