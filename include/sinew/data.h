// Data: state, controls and results of one world, by arrays and by name.
//
//   data.joint("hip").qpos()[0] = 0.3;
//   data.actuator("motor").ctrl() = 1;
//   data.Forward();
//   std::span<const double, 3> p = data.body("hand").xpos();
//
// Elements are listed in elements.h, functions of the interface in functions.h. Names are looked up at each call: keep
// what it returns. Spans and views live as long as the data.
#ifndef SINEW_DATA_H_
#define SINEW_DATA_H_

#include <mujoco/mujoco.h>
#include <sinew/dense_output.h>
#include <sinew/extensions.h>
#include <sinew/gradients.h>
#include <sinew/model.h>
#include <sinew/threads.h>

#include <array>
#include <cstring>
#include <new>
#include <optional>

namespace sinew {
inline namespace face {

// The pose that a mocap body is given; its number among mocap bodies is the view's id.
template <class D>
class MocapView : public Element<D> {
 public:
  using Element<D>::Element;
  auto pos() const { return this->template Row<3>(this->d_->mocap_pos); }
  auto quat() const { return this->template Row<4>(this->d_->mocap_quat); }
};

// A step as a linear map, row-major: dy' = A dy + B du with y = (qpos, qvel, act), positions in the tangent space, and
// sensordata as one, ds = C dy + D du, where it is asked for.
struct Linearization {
  std::vector<double> A, B;  // n x n, n x nu with n = 2 nv + na
  std::vector<double> C, D;  // nsensordata x n, nsensordata x nu; empty without sensors
};

// The gradient of a scalar of a rollout: by the state at the start (qpos, qvel, act) and by the controls of all steps.
struct RolloutGradients {
  std::vector<double> start, controls;
};

// A world has a share in its model: the model lives as long as one of them. Functions throw EngineError where the C
// interface calls mju_error.
class Data : public WorldElements<Data> {
 public:
  explicit Data(const Model& model) : Data(model.m_, Checked([&] { return mj_makeData(model.m_.get()); })) {}

  Data Copy() const {
    Data copy(m_, Checked([&] { return mj_copyData(nullptr, m_.get(), d_.get()); }));
    if (threads_) copy.Use(threads_);
    return copy;
  }

  void Step() {
    Checked([&] { mj_step(m_.get(), d_.get()); });
  }
  // A step, with the states (qpos, qvel, act) at ascending times within it, one after the other. The integrator must be
  // one that controls its error.
  std::vector<double> StepDense(std::span<const double> times) {
    std::vector<double> states(times.size() * (Size(m_->nq) + Size(m_->nv) + Size(m_->na)));
    const int count = static_cast<int>(times.size());
    Checked([&] { sinew_stepDense(m_.get(), d_.get(), times.data(), count, states.data()); });
    return states;
  }
  // The derivatives of a step from here, analytically, with those of sensors if `sensors`. Throws EngineError with the
  // reason where there are none.
  Linearization Linearize(bool sensors = false) {
    const size_t n = 2 * Size(m_->nv) + Size(m_->na), s = sensors ? Size(m_->nsensordata) : 0;
    Linearization result = {std::vector<double>(n * n), std::vector<double>(n * Size(m_->nu)),
                            std::vector<double>(s * n), std::vector<double>(s * Size(m_->nu))};
    char error[1000];
    const int status = Checked([&] {
      return sinew_transition(m_.get(), d_.get(), result.A.data(), result.B.data(), s ? result.C.data() : nullptr,
                              s ? result.D.data() : nullptr, error, sizeof(error));
    });
    if (status != 0) throw EngineError(error);
    return result;
  }
  // A and B of a step with smoothed constraints, over a width of velocities (sinew_smoothTransition).
  Linearization SmoothedLinearize(double width) {
    const size_t n = 2 * Size(m_->nv) + Size(m_->na);
    Linearization result = {std::vector<double>(n * n), std::vector<double>(n * Size(m_->nu)), {}, {}};
    char error[1000];
    const int status = Checked([&] {
      return sinew_smoothTransition(m_.get(), d_.get(), width, result.A.data(), result.B.data(), error, sizeof(error));
    });
    if (status != 0) throw EngineError(error);
    return result;
  }
  // The gradient of a scalar of a rollout from here with the controls (steps x nu), given its slopes by the state
  // (qpos, qvel, act) after each step (steps x size). Adds to those by parameters, as sinew_rolloutGradient does.
  // Throws EngineError with the reason where there is none.
  RolloutGradients RolloutGradient(std::span<const double> controls, std::span<const double> by_states,
                                   const sinewParameterGradients& by_parameters = {}) {
    return SmoothedRolloutGradient(0, controls, by_states, by_parameters);
  }
  // The same with smoothed constraints in the derivative of each step.
  RolloutGradients SmoothedRolloutGradient(double width, std::span<const double> controls,
                                           std::span<const double> by_states,
                                           const sinewParameterGradients& by_parameters = {}) {
    const size_t size = Size(m_->nq) + Size(m_->nv) + Size(m_->na), steps = by_states.size() / size;
    if (by_states.size() != steps * size || controls.size() != steps * Size(m_->nu)) {
      throw EngineError("slopes by states take " + std::to_string(size) + " numbers for each step, and controls " +
                        std::to_string(m_->nu));
    }
    RolloutGradients result = {std::vector<double>(size), std::vector<double>(controls.size())};
    char error[1000];
    const int status = Checked([&] {
      return sinew_smoothRolloutGradient(m_.get(), d_.get(), width, static_cast<int>(steps), controls.data(),
                                         by_states.data(), result.start.data(), result.controls.data(), &by_parameters,
                                         error, sizeof(error));
    });
    if (status != 0) throw EngineError(error);
    return result;
  }
  // Size and counts of the steps of bounded error; nothing where the integrator has none.
  std::optional<sinewErrorControl> ErrorControl() const {
    constexpr int kNumbers = sizeof(sinewErrorControl) / sizeof(mjtNum);
    if (mj_name2id(m_.get(), mjOBJ_NUMERIC, sinewACCURACY) < 0 || m_->nhistory < kNumbers) return std::nullopt;
    sinewErrorControl control;
    std::memcpy(&control, d_->history + m_->nhistory - kNumbers, sizeof(control));
    return control;
  }
  void Forward() {
    Checked([&] { mj_forward(m_.get(), d_.get()); });
  }
  void Inverse() {
    Checked([&] { mj_inverse(m_.get(), d_.get()); });
  }
  void Reset() {
    Checked([&] { mj_resetData(m_.get(), d_.get()); });
  }
  void ResetToKeyframe(int key) {
    Checked([&] { mj_resetDataKeyframe(m_.get(), d_.get(), key); });
  }
  void ResetToKeyframe(const std::string& name) { ResetToKeyframe(FindElement(m_.get(), mjOBJ_KEY, name)); }

  // Parts of the state (mjtState) as one vector.
  std::vector<double> State(unsigned int parts = mjSTATE_INTEGRATION) const {
    const int signature = static_cast<int>(parts);
    std::vector<double> state(Size(Checked([&] { return mj_stateSize(m_.get(), signature); })));
    mj_getState(m_.get(), d_.get(), state.data(), signature);
    return state;
  }
  void SetState(std::span<const double> state, unsigned int parts = mjSTATE_INTEGRATION) {
    const int signature = static_cast<int>(parts);
    const size_t size = Size(Checked([&] { return mj_stateSize(m_.get(), signature); }));
    if (state.size() != size) {
      throw EngineError("a state of these parts has " + std::to_string(size) + " numbers, not " +
                        std::to_string(state.size()));
    }
    mj_setState(m_.get(), d_.get(), state.data(), signature);
  }

  // Versioned bytes with a checksum, from which a world continues bit for bit. One that is damaged or belongs to
  // another model throws EngineError and changes nothing.
  std::vector<std::byte> Snapshot() const {
    std::vector<std::byte> bytes(Size(sinew_snapshotSize(m_.get())));
    Checked([&] { sinew_saveSnapshot(m_.get(), d_.get(), bytes.data(), static_cast<int>(bytes.size())); });
    return bytes;
  }
  void Restore(std::span<const std::byte> snapshot) {
    char error[1000];
    const int size = static_cast<int>(snapshot.size());
    if (sinew_loadSnapshot(m_.get(), d_.get(), snapshot.data(), size, error, sizeof(error)) != 0)
      throw EngineError(error);
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

  // Force and torque of a contact on its second geom, in the contact's frame: the normal comes first.
  std::array<double, 6> ContactForce(int contact) const {
    if (contact < 0 || contact >= d_->ncon) {
      throw EngineError("there is no contact " + std::to_string(contact) + "; there are " + std::to_string(d_->ncon));
    }
    std::array<double, 6> force;
    Checked([&] { mj_contactForce(m_.get(), d_.get(), contact, force.data()); });
    return force;
  }

  // Threads for this world; null: none. Several worlds may share them, one step at a time.
  void Use(std::shared_ptr<Threads> threads) {
    d_->threadpool = 0;  // the C interface binds a world once
    if (threads) Checked([&] { mju_bindThreadPool(d_.get(), static_cast<mjThreadPool*>(*threads)); });
    threads_ = std::move(threads);
  }

  // The pose of a mocap body; NameError when the body is none.
  MocapView<mjData> mocap(const std::string& body) { return {m_.get(), d_.get(), FindMocap(body)}; }
  MocapView<const mjData> mocap(const std::string& body) const { return {m_.get(), d_.get(), FindMocap(body)}; }

  const mjModel* model() const { return m_.get(); }

  operator mjData*() & { return d_.get(); }             // NOLINT: passes as the C pointer
  operator const mjData*() const& { return d_.get(); }  // NOLINT
  operator const mjData*() const&& = delete;
  mjData* operator->() { return d_.get(); }
  const mjData* operator->() const { return d_.get(); }

 private:
  friend class WorldElements<Data>;

  struct Delete {
    void operator()(mjData* d) const { mj_deleteData(d); }
  };
  Data(std::shared_ptr<const mjModel> m, mjData* d) : m_(std::move(m)), d_(d) {
    if (!d) throw std::bad_alloc();
  }
  static size_t Size(mjtSize n) { return static_cast<size_t>(n); }

  template <class Element>
  Element View(mjtObj type, const std::string& name) const {
    return Element(m_.get(), d_.get(), FindElement(m_.get(), type, name));
  }
  template <class Element>
  Element View(mjtObj type, int id) const {
    return Element(m_.get(), d_.get(), CheckId(m_.get(), type, id));
  }

  int FindMocap(const std::string& body) const {
    const int id = m_->body_mocapid[FindElement(m_.get(), mjOBJ_BODY, body)];
    if (id < 0) throw NameError("body '" + body + "' is not a mocap body");
    return id;
  }

  std::shared_ptr<const mjModel> m_;
  std::shared_ptr<Threads> threads_;  // outlive the data
  std::unique_ptr<mjData, Delete> d_;
};

}  // namespace face
}  // namespace sinew

#endif  // SINEW_DATA_H_
