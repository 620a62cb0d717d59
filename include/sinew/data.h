// Data: state, controls and results of one world, by arrays and by name.
//
//   data.joint("hip").qpos()[0] = 0.3;
//   data.actuator("motor").ctrl() = 1;
//   data.Forward();
//   std::span<const double, 3> p = data.body("hand").xpos();
//
// Sizes and units are those of the fields of the same name in <mujoco/mjdata.h>. Names are looked up at each call: keep
// what it returns. Spans and views live as long as the data.
#ifndef SINEW_DATA_H_
#define SINEW_DATA_H_

#include <mujoco/mujoco.h>
#include <sinew/extensions.h>
#include <sinew/model.h>

#include <new>

namespace sinew {
inline namespace face {

// Elements of a world. Their model and data must outlive them.
class Element {
 public:
  int id() const { return id_; }

 protected:
  Element(const mjModel* m, mjData* d, int id) : m_(m), d_(d), id_(id) {}

  template <size_t N, class T>
  std::span<T, N> Row(T* array) const {
    return std::span<T, N>(array + static_cast<ptrdiff_t>(N) * id_, N);
  }

  const mjModel* m_;
  mjData* d_;
  int id_;
};

class BodyView : public Element {
 public:
  BodyView(const mjModel* m, mjData* d, int id) : Element(m, d, id) {}
  std::span<const double, 3> xpos() const { return Row<3, const double>(d_->xpos); }
  std::span<const double, 4> xquat() const { return Row<4, const double>(d_->xquat); }
  std::span<const double, 9> xmat() const { return Row<9, const double>(d_->xmat); }
  std::span<const double, 3> xipos() const { return Row<3, const double>(d_->xipos); }
  std::span<const double, 3> subtree_com() const { return Row<3, const double>(d_->subtree_com); }
  std::span<const double, 6> cvel() const { return Row<6, const double>(d_->cvel); }
  std::span<double, 6> xfrc_applied() const { return Row<6>(d_->xfrc_applied); }
};

class JointView : public Element {
 public:
  JointView(const mjModel* m, mjData* d, int id) : Element(m, d, id) {}
  std::span<double> qpos() const { return {d_->qpos + m_->jnt_qposadr[id_], Width(7, 4)}; }
  std::span<double> qvel() const { return Dofs(d_->qvel); }
  std::span<const double> qacc() const { return Dofs(d_->qacc); }
  std::span<double> qfrc_applied() const { return Dofs(d_->qfrc_applied); }
  std::span<const double> qfrc_actuator() const { return Dofs(d_->qfrc_actuator); }
  std::span<const double> qfrc_constraint() const { return Dofs(d_->qfrc_constraint); }

 private:
  size_t Width(size_t free, size_t ball) const {
    const int type = m_->jnt_type[id_];
    return type == mjJNT_FREE ? free : type == mjJNT_BALL ? ball : 1;
  }
  std::span<double> Dofs(double* array) const { return {array + m_->jnt_dofadr[id_], Width(6, 3)}; }
};

class GeomView : public Element {
 public:
  GeomView(const mjModel* m, mjData* d, int id) : Element(m, d, id) {}
  std::span<const double, 3> xpos() const { return Row<3, const double>(d_->geom_xpos); }
  std::span<const double, 9> xmat() const { return Row<9, const double>(d_->geom_xmat); }
};

class SiteView : public Element {
 public:
  SiteView(const mjModel* m, mjData* d, int id) : Element(m, d, id) {}
  std::span<const double, 3> xpos() const { return Row<3, const double>(d_->site_xpos); }
  std::span<const double, 9> xmat() const { return Row<9, const double>(d_->site_xmat); }
};

class ActuatorView : public Element {
 public:
  ActuatorView(const mjModel* m, mjData* d, int id) : Element(m, d, id) {}
  double& ctrl() const { return d_->ctrl[id_]; }
  std::span<double> act() const {
    const int adr = m_->actuator_actadr[id_];
    return {d_->act + (adr < 0 ? 0 : adr), static_cast<size_t>(m_->actuator_actnum[id_])};
  }
  double force() const { return d_->actuator_force[id_]; }
  double length() const { return d_->actuator_length[id_]; }
  double velocity() const { return d_->actuator_velocity[id_]; }
};

class TendonView : public Element {
 public:
  TendonView(const mjModel* m, mjData* d, int id) : Element(m, d, id) {}
  double length() const { return d_->ten_length[id_]; }
  double velocity() const { return d_->ten_velocity[id_]; }
};

class SensorView : public Element {
 public:
  SensorView(const mjModel* m, mjData* d, int id) : Element(m, d, id) {}
  std::span<const double> data() const {
    return {d_->sensordata + m_->sensor_adr[id_], static_cast<size_t>(m_->sensor_dim[id_])};
  }
};

class MocapView : public Element {
 public:
  MocapView(const mjModel* m, mjData* d, int id) : Element(m, d, id) {}
  std::span<double, 3> pos() const { return Row<3>(d_->mocap_pos); }
  std::span<double, 4> quat() const { return Row<4>(d_->mocap_quat); }
};

// The model must outlive the data. Functions throw EngineError where the C interface calls mju_error.
class Data {
 public:
  explicit Data(const Model& model) : Data(model, Checked([&] { return mj_makeData(model); })) {}

  Data Copy() const {
    return Data(m_, Checked([&] { return mj_copyData(nullptr, m_, d_.get()); }));
  }

  void Step() {
    Checked([&] { mj_step(m_, d_.get()); });
  }
  void Forward() {
    Checked([&] { mj_forward(m_, d_.get()); });
  }
  void Inverse() {
    Checked([&] { mj_inverse(m_, d_.get()); });
  }
  void Reset() {
    Checked([&] { mj_resetData(m_, d_.get()); });
  }
  void ResetToKeyframe(int key) {
    Checked([&] { mj_resetDataKeyframe(m_, d_.get(), key); });
  }
  void ResetToKeyframe(const std::string& name) { ResetToKeyframe(Find(mjOBJ_KEY, name)); }

  // Parts of the state (mjtState) as one vector.
  std::vector<double> State(unsigned int parts = mjSTATE_INTEGRATION) const {
    const int signature = static_cast<int>(parts);
    std::vector<double> state(Size(Checked([&] { return mj_stateSize(m_, signature); })));
    mj_getState(m_, d_.get(), state.data(), signature);
    return state;
  }
  void SetState(std::span<const double> state, unsigned int parts = mjSTATE_INTEGRATION) {
    const int signature = static_cast<int>(parts);
    const size_t size = Size(Checked([&] { return mj_stateSize(m_, signature); }));
    if (state.size() != size) {
      throw EngineError("a state of these parts has " + std::to_string(size) + " numbers, not " +
                        std::to_string(state.size()));
    }
    mj_setState(m_, d_.get(), state.data(), signature);
  }

  // Versioned bytes with a checksum, from which a world continues bit for bit. One that is damaged or belongs to
  // another model throws EngineError and changes nothing.
  std::vector<std::byte> Snapshot() const {
    std::vector<std::byte> bytes(Size(sinew_snapshotSize(m_)));
    Checked([&] { sinew_saveSnapshot(m_, d_.get(), bytes.data(), static_cast<int>(bytes.size())); });
    return bytes;
  }
  void Restore(std::span<const std::byte> snapshot) {
    char error[1000];
    const int size = static_cast<int>(snapshot.size());
    if (sinew_loadSnapshot(m_, d_.get(), snapshot.data(), size, error, sizeof(error)) != 0) throw EngineError(error);
  }

  double time() const { return d_->time; }
  std::span<double> qpos() { return {d_->qpos, Size(m_->nq)}; }
  std::span<double> qvel() { return {d_->qvel, Size(m_->nv)}; }
  std::span<double> act() { return {d_->act, Size(m_->na)}; }
  std::span<double> ctrl() { return {d_->ctrl, Size(m_->nu)}; }
  std::span<double> qfrc_applied() { return {d_->qfrc_applied, Size(m_->nv)}; }
  std::span<double> xfrc_applied() { return {d_->xfrc_applied, 6 * Size(m_->nbody)}; }
  std::span<const double> qpos() const { return {d_->qpos, Size(m_->nq)}; }
  std::span<const double> qvel() const { return {d_->qvel, Size(m_->nv)}; }
  std::span<const double> act() const { return {d_->act, Size(m_->na)}; }
  std::span<const double> ctrl() const { return {d_->ctrl, Size(m_->nu)}; }
  std::span<const double> qacc() const { return {d_->qacc, Size(m_->nv)}; }
  std::span<const double> actuator_force() const { return {d_->actuator_force, Size(m_->nu)}; }
  std::span<const double> sensordata() const { return {d_->sensordata, Size(m_->nsensordata)}; }
  std::span<const mjContact> contacts() const { return {d_->contact, Size(d_->ncon)}; }

  // Elements by name; NameError when there is none.
  BodyView body(const std::string& name) { return {m_, d_.get(), Find(mjOBJ_BODY, name)}; }
  JointView joint(const std::string& name) { return {m_, d_.get(), Find(mjOBJ_JOINT, name)}; }
  GeomView geom(const std::string& name) { return {m_, d_.get(), Find(mjOBJ_GEOM, name)}; }
  SiteView site(const std::string& name) { return {m_, d_.get(), Find(mjOBJ_SITE, name)}; }
  ActuatorView actuator(const std::string& name) { return {m_, d_.get(), Find(mjOBJ_ACTUATOR, name)}; }
  TendonView tendon(const std::string& name) { return {m_, d_.get(), Find(mjOBJ_TENDON, name)}; }
  SensorView sensor(const std::string& name) { return {m_, d_.get(), Find(mjOBJ_SENSOR, name)}; }
  // The pose that a mocap body is given; its number among mocap bodies is the view's id.
  MocapView mocap(const std::string& body) {
    const int id = m_->body_mocapid[Find(mjOBJ_BODY, body)];
    if (id < 0) throw NameError("body '" + body + "' is not a mocap body");
    return {m_, d_.get(), id};
  }

  operator mjData*() { return d_.get(); }              // NOLINT: passes as the C pointer
  operator const mjData*() const { return d_.get(); }  // NOLINT
  mjData* operator->() { return d_.get(); }
  const mjData* operator->() const { return d_.get(); }

 private:
  struct Delete {
    void operator()(mjData* d) const { mj_deleteData(d); }
  };
  Data(const mjModel* m, mjData* d) : m_(m), d_(d) {
    if (!d) throw std::bad_alloc();
  }
  static size_t Size(mjtSize n) { return static_cast<size_t>(n); }

  int Find(mjtObj type, const std::string& name) const {
    const int id = mj_name2id(m_, type, name.c_str());
    if (id < 0) throw NameError(std::string("the model has no ") + mju_type2Str(type) + " named '" + name + "'");
    return id;
  }

  const mjModel* m_;
  std::unique_ptr<mjData, Delete> d_;
};

}  // namespace face
}  // namespace sinew

#endif  // SINEW_DATA_H_
