// The C++ face of Sinew: owning handles over the C interface.
//
//   sinew::Model model = sinew::Model::FromXml("models/humanoid.xml");
//   sinew::Data data(model);
//   while (data.time() < 10) data.Step();
//
// Handles convert to the C pointers that they own, so that every function of <mujoco/mujoco.h> remains in reach. Sizes
// and units of the spans are those of the fields of the same name in <mujoco/mjdata.h>.
#ifndef SINEW_SINEW_H_
#define SINEW_SINEW_H_

#include <mujoco/mujoco.h>

#include <memory>
#include <span>
#include <stdexcept>
#include <string>

namespace sinew {

// A model or file that cannot be used. what() names the file, the line, the element, and what would be right.
class ModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Model {
 public:
  // Reads and compiles an MJCF or URDF file. Throws ModelError.
  static Model FromXml(const std::string& path) {
    char error[1000] = "";
    mjModel* m = mj_loadXML(path.c_str(), nullptr, error, sizeof(error));
    return Model(m, error);
  }

  // Loads a compiled model (MJB). Throws ModelError.
  static Model FromBinary(const std::string& path) {
    return Model(mj_loadModel(path.c_str(), nullptr), path + " is not a compiled model of this version");
  }

  operator const mjModel*() const { return m_.get(); }  // NOLINT: passes as the C pointer
  const mjModel* operator->() const { return m_.get(); }

  // Settings and parameters may be changed while no step is running.
  mjModel* mutable_get() { return m_.get(); }

  // The id of an element, or -1.
  int Id(mjtObj type, const std::string& name) const { return mj_name2id(m_.get(), type, name.c_str()); }

 private:
  struct Delete {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
  };
  Model(mjModel* m, const std::string& error) : m_(m) {
    if (!m) throw ModelError(error);
  }

  std::unique_ptr<mjModel, Delete> m_;
};

// State, controls and results of one world. The model must outlive it.
class Data {
 public:
  explicit Data(const Model& model) : m_(model), d_(mj_makeData(model)) {
    if (!d_) throw std::bad_alloc();
  }

  void Step() { mj_step(m_, d_.get()); }
  void Forward() { mj_forward(m_, d_.get()); }
  void Reset() { mj_resetData(m_, d_.get()); }
  void ResetToKeyframe(int key) { mj_resetDataKeyframe(m_, d_.get(), key); }

  double time() const { return d_->time; }
  std::span<double> qpos() { return {d_->qpos, Size(m_->nq)}; }
  std::span<double> qvel() { return {d_->qvel, Size(m_->nv)}; }
  std::span<double> ctrl() { return {d_->ctrl, Size(m_->nu)}; }
  std::span<const double> qacc() const { return {d_->qacc, Size(m_->nv)}; }
  std::span<const double> sensordata() const { return {d_->sensordata, Size(m_->nsensordata)}; }
  std::span<const mjContact> contacts() const { return {d_->contact, Size(d_->ncon)}; }

  operator mjData*() { return d_.get(); }              // NOLINT: passes as the C pointer
  operator const mjData*() const { return d_.get(); }  // NOLINT
  mjData* operator->() { return d_.get(); }
  const mjData* operator->() const { return d_.get(); }

 private:
  struct Delete {
    void operator()(mjData* d) const { mj_deleteData(d); }
  };
  static size_t Size(mjtSize n) { return static_cast<size_t>(n); }

  const mjModel* m_;
  std::unique_ptr<mjData, Delete> d_;
};

}  // namespace sinew

#endif  // SINEW_SINEW_H_
