// mujoco.elasticity.cable: bending and torsion of slender bodies, one behind the other in the kinematic tree.
//
// A body of the cable and its parent, if that belongs to the cable too, form a joint of a rod (Kirchhoff). Its strain
// is the rotation vector w of the body relative to its parent, less that of the reference shape w0; stress and torque
// are
//   t = -K (w - w0),    K = diag(G J, E Iy, E Iz) / L
// in the parent's frame, on the body; the opposite acts on the parent. L is their distance. The section is that of the
// body's first geom, whose long axis is x: a capsule, cylinder or box.
//   twist   shear modulus G [Pa]        bend   Young's modulus E [Pa]
//   flat    "true": the reference shape is straight, otherwise it is that of the model
//   vmax    stress that is drawn red [N m]; zero: bodies keep their colours
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "math/quat.h"
#include "plugin/first_party/config.h"
#include "plugin/first_party/first_party.h"
#include "plugin/first_party/instance.h"

namespace sinew::inline plugin {
namespace {

using Vector = Vec3<double>;

constexpr const char* kAttributes[] = {"twist", "bend", "flat", "vmax"};

// Polar and axial second moments of a section [m^4].
struct Section {
  double J, Iy, Iz;
};
Section SectionOf(const mjModel* m, int geom) {
  const mjtNum* size = m->geom_size + 3 * geom;
  switch (m->geom_type[geom]) {
    case mjGEOM_CAPSULE:
    case mjGEOM_CYLINDER: {
      const double r4 = size[0] * size[0] * size[0] * size[0];
      return {mjPI * r4 / 2, mjPI * r4 / 4, mjPI * r4 / 4};
    }
    case mjGEOM_BOX: {
      // torsion constant of a rectangle with sides a >= b (W. Young, R. Budynas, Roark's Formulas for Stress and
      // Strain, table 10.1)
      const double y = 2 * size[1], z = 2 * size[2], a = std::max(y, z), b = std::min(y, z);
      const double ratio = b / a, ratio4 = ratio * ratio * ratio * ratio;
      const double J = a * b * b * b * (1.0 / 3 - 0.21 * ratio * (1 - ratio4 / 12));
      return {J, z * z * z * y / 12, y * y * y * z / 12};
    }
    default:
      return {0, 0, 0};
  }
}

class Cable {
 public:
  // Null, with a warning, for an attribute that is not a number.
  static Cable* Make(const mjModel* m, int instance) {
    double G = 0, E = 0;
    auto cable = std::make_unique<Cable>();
    for (const auto& [attribute, number] : {std::pair{"twist", &G}, {"bend", &E}, {"vmax", &cable->vmax_}}) {
      if (ReadNumber(m, instance, attribute, number)) continue;
      mju_warning("mujoco.elasticity.cable: attribute '%s' is '%s', give a number", attribute,
                  mj_getPluginConfig(m, instance, attribute));
      return nullptr;
    }
    const char* flat = mj_getPluginConfig(m, instance, "flat");
    const bool is_flat = flat && std::strcmp(flat, "true") == 0;
    for (int body = 1; body < m->nbody; ++body) {
      if (m->body_plugin[body] == instance) cable->Add(m, body, G, E, is_flat);
    }
    return cable.release();
  }

  // Adds to qfrc_passive. Torques between a body and its parent act on the joints between them alone.
  void AddForce(const mjModel* m, mjData* d) const {
    for (const Joint& joint : joints_) {
      const Vector torque = Rotate(LoadQuat(d->xquat + 4 * joint.parent), Torque(d, joint));
      const int first = m->body_dofadr[joint.body], end = first + m->body_dofnum[joint.body];
      for (int dof = first; dof < end; ++dof) d->qfrc_passive[dof] += Dot(LoadVec3(d->cdof + 6 * dof), torque);
    }
  }

  // Colours of the bodies' first geoms, from blue to red, by the mean stress of the joints at both ends.
  void Paint(const mjModel* m, const mjData* d) const {
    if (!(vmax_ > 0)) return;
    for (int body : bodies_) {
      Vector sum = {0, 0, 0};
      int count = 0;
      for (const Joint& joint : joints_) {
        if (joint.body != body && joint.parent != body) continue;
        sum += Rotate(Conjugate(Relative(d, joint)), Torque(d, joint));
        ++count;
      }
      if (m->body_geomnum[body] == 0) continue;
      const double stress = count > 0 ? Norm(sum) / count : 0;
      SetColor(stress / vmax_, m->geom_rgba + 4 * m->body_geomadr[body]);
    }
  }

 private:
  struct Joint {
    int body, parent;
    Vector stiffness, reference;  // diagonal of K, w0
  };

  void Add(const mjModel* m, int body, double G, double E, bool is_flat) {
    bodies_.push_back(body);
    const int parent = m->body_parentid[body];
    const double length = Norm(LoadVec3(m->body_pos + 3 * body));
    if (parent == 0 || m->body_plugin[parent] != m->body_plugin[body] || length < mjMINVAL) return;
    if (m->body_geomnum[body] == 0) return;
    const Section section = SectionOf(m, m->body_geomadr[body]);
    const Vector reference =
        is_flat ? Vector{0, 0, 0} : RotationVector(LoadQuat(static_cast<const double*>(m->body_quat) + 4 * body));
    joints_.push_back(
        {body, parent, {G * section.J / length, E * section.Iy / length, E * section.Iz / length}, reference});
  }

  static Quat<double> Relative(const mjData* d, const Joint& joint) {
    return Conjugate(LoadQuat(d->xquat + 4 * joint.parent)) * LoadQuat(d->xquat + 4 * joint.body);
  }
  static Vector Torque(const mjData* d, const Joint& joint) {
    const Vector strain = RotationVector(Relative(d, joint)) - joint.reference, &K = joint.stiffness;
    return {-K.x * strain.x, -K.y * strain.y, -K.z * strain.z};
  }

  // 0 blue, 1/4 cyan, 1/2 green, 3/4 yellow, 1 red.
  static void SetColor(double level, float* rgba) {
    const double x = 4 * std::min(level, 1.0);
    const double red = std::clamp(x - 2, 0.0, 1.0), blue = std::clamp(2 - x, 0.0, 1.0);
    const double green = std::clamp(std::min(x, 4 - x), 0.0, 1.0);
    rgba[0] = static_cast<float>(red);
    rgba[1] = static_cast<float>(green);
    rgba[2] = static_cast<float>(blue);
  }

  double vmax_ = 0;
  std::vector<int> bodies_;
  std::vector<Joint> joints_;
};

}  // namespace

mjpPlugin CablePlugin() {
  mjpPlugin plugin = PluginOf<Cable::Make>("mujoco.elasticity.cable", kAttributes, mjPLUGIN_PASSIVE);
  plugin.compute = [](const mjModel* m, mjData* d, int instance, int) {
    InstanceOf<Cable>(d, instance).AddForce(m, d);
  };
  plugin.visualize = [](const mjModel* m, mjData* d, const mjvOption*, mjvScene*, int instance) {
    InstanceOf<Cable>(d, instance).Paint(m, d);
  };
  return plugin;
}

}  // namespace sinew::inline plugin
