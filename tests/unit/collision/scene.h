// Worlds for tests of collision detection: geoms at given poses on bodies that float freely.
#ifndef SINEW_TESTS_UNIT_COLLISION_SCENE_H_
#define SINEW_TESTS_UNIT_COLLISION_SCENE_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <vector>

#include "math/quat.h"
#include "model/storage/data.h"
#include "model/storage/model.h"

namespace sinew {

struct GeomSpec {
  int type;
  Vec3<double> size;
  Vec3<double> pos = {0, 0, 0};
  Quat<double> quat = {1, 0, 0, 0};  // of any length
  int body = 0;                      // geoms are given in ascending order of it
  double margin = 0, gap = 0;
};

// Geom i stands at the given pose in the world; its body's frame is the world's. Bodies other than 0 are free. Meshes
// are the octahedron with the half axes `size`, without hull graph.
class Scene {
 public:
  explicit Scene(const std::vector<GeomSpec>& geoms) {
    const int nbody = geoms.empty() ? 1 : geoms.back().body + 1;
    mjModel sizes = {};
    sizes.nbody = nbody;
    sizes.ngeom = static_cast<mjtSize>(geoms.size());
    sizes.nmesh = sizes.ngeom;
    sizes.nmeshvert = 6 * sizes.ngeom;
    sizes.narena = 1 << 20;
    model_.reset(MakeModel(sizes));
    model_->opt.ccd_tolerance = 1e-6;
    model_->opt.ccd_iterations = 35;
    for (int body = 0; body < nbody; ++body) {
      model_->body_weldid[body] = body;
      model_->body_mocapid[body] = model_->body_treeid[body] = -1;
      model_->body_bvhadr[body] = -1;
      model_->body_geomadr[body] = -1;
    }
    for (int i = 0; i < sizes.ngeom; ++i) SetGeom(i, geoms[i]);
    data_.reset(MakeData(*model_));
    for (int i = 0; i < sizes.ngeom; ++i) Place(i, geoms[i].pos, geoms[i].quat);
  }

  mjModel* m() { return model_.get(); }
  mjData* d() { return data_.get(); }
  const mjContact& contact(int i) { return data_->contact[i]; }

  void Place(int geom, const Vec3<double>& pos, Quat<double> quat) {
    Normalize(quat);
    StoreVec3(pos, data_->geom_xpos + 3 * geom);
    Orient(geom, ToMat3(quat));
  }
  void Orient(int geom, const Mat3<double>& mat) { std::copy_n(mat.m, 9, data_->geom_xmat + 9 * geom); }

  void Resize(int geom, const Vec3<double>& size) {
    const GeomSpec spec = {model_->geom_type[geom], size};
    StoreVec3(size, model_->geom_size + 3 * geom);
    SetBounds(geom, spec);
    SetMesh(geom, spec);
  }

  // Calls the pair's function; geoms in the order of their types. The contacts are in con().
  int Collide(int g1, int g2, double margin = 0) {
    if (model_->geom_type[g1] > model_->geom_type[g2]) std::swap(g1, g2);
    return mjCOLLISIONFUNC[model_->geom_type[g1]][model_->geom_type[g2]](m(), d(), con_, g1, g2, margin);
  }
  const mjContact& con(int i) const { return con_[i]; }

 private:
  void SetGeom(int i, const GeomSpec& geom) {
    mjModel* m = model_.get();
    m->geom_type[i] = geom.type;
    StoreVec3(geom.size, m->geom_size + 3 * i);
    m->geom_bodyid[i] = geom.body;
    if (m->body_geomnum[geom.body]++ == 0) m->body_geomadr[geom.body] = i;
    m->geom_contype[i] = m->geom_conaffinity[i] = 1;
    m->body_contype[geom.body] = m->body_conaffinity[geom.body] = 1;
    m->geom_condim[i] = 3;
    m->geom_solmix[i] = 1;
    const double friction[3] = {1, .005, .0001}, solref[2] = {.02, 1}, solimp[5] = {.9, .95, .001, .5, 2};
    std::copy_n(friction, 3, m->geom_friction + 3 * i);
    std::copy_n(solref, 2, m->geom_solref + mjNREF * i);
    std::copy_n(solimp, 5, m->geom_solimp + mjNIMP * i);
    m->geom_margin[i] = geom.margin;
    m->geom_gap[i] = geom.gap;
    SetBounds(i, geom);
    SetMesh(i, geom);
  }

  // A sphere and a cube around it, wide enough for every shape of that size.
  void SetBounds(int i, const GeomSpec& geom) {
    if (geom.type == mjGEOM_PLANE) return;
    const double radius = geom.size.x + geom.size.y + geom.size.z;
    model_->geom_rbound[i] = radius;
    for (int k = 3; k < 6; ++k) model_->geom_aabb[6 * i + k] = radius;
  }

  void SetMesh(int i, const GeomSpec& geom) {
    model_->geom_dataid[i] = i;
    model_->mesh_vertadr[i] = 6 * i;
    model_->mesh_vertnum[i] = 6;
    model_->mesh_graphadr[i] = -1;
    for (int k = 0; k < 3; ++k) {
      model_->mesh_vert[3 * (6 * i + 2 * k) + k] = static_cast<float>(geom.size[k]);
      model_->mesh_vert[3 * (6 * i + 2 * k + 1) + k] = static_cast<float>(-geom.size[k]);
    }
  }

  ModelPtr model_;
  DataPtr data_;
  mjContact con_[mjMAXCONPAIR] = {};
};

}  // namespace sinew

#endif  // SINEW_TESTS_UNIT_COLLISION_SCENE_H_
