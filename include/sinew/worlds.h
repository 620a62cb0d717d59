// Batch: many worlds of a model, stepped on a few threads.
//
//   sinew::Batch batch(model, 4096);
//   sinew::WorldsView<double> ctrl = batch.State("ctrl"), height = batch.Output<double>("xpos");
//   while (training) {
//     for (int i = 0; i < batch.count(); ++i) ctrl[i][0] = policy(height[i]);
//     batch.Step(5);
//   }
#ifndef SINEW_WORLDS_H_
#define SINEW_WORLDS_H_

#include <sinew/batch.h>
#include <sinew/data.h>
#include <sinew/gradients.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sinew {
inline namespace face {

// An array over all worlds: numbers of one, or all of them one behind the other. Valid as long as its batch.
template <class T>
class WorldsView {
 public:
  WorldsView(T* data, size_t size, size_t worlds) : data_(data), size_(size), worlds_(worlds) {}

  std::span<T> operator[](int world) const { return {data_ + static_cast<size_t>(world) * size_, size_}; }
  std::span<T> all() const { return {data_, size_ * worlds_}; }
  size_t size() const { return size_; }  // of one world

 private:
  T* data_;
  size_t size_, worlds_;
};

// Errors in arguments throw EngineError, which names them. Masks have a byte for each world; empty: all worlds.
class Batch {
 public:
  using Mask = std::span<const unsigned char>;

  Batch(const mjModel* model, int worlds, const sinewBatchConfig& config = {}) : b_(nullptr, sinew_batch_delete) {
    char error[kErrorSize];
    b_.reset(sinew_batch_make(model, worlds, &config, error, kErrorSize));
    if (!b_) throw EngineError(error);
  }

  int count() const { return sinew_batch_count(b_.get()); }
  int threads() const { return sinew_batch_threads(b_.get()); }
  const mjModel* model() const { return sinew_batch_model(b_.get()); }
  // How well packs were used so far.
  sinewPackUse UseOfPacks() const {
    sinewPackUse use;
    sinew_batch_packUse(b_.get(), &use);
    return use;
  }
  // Why worlds run one after the other and not in packs; empty: they run in packs.
  std::string ObstacleToPacks() const {
    const char* obstacle = sinew_batch_obstacle(b_.get());
    return obstacle ? obstacle : "";
  }

  WorldsView<double> State(const char* name) { return View<double>(name, sinew_batch_state); }
  template <class T>
  WorldsView<T> Output(const char* name) {
    return View<T>(name, sinew_batch_output);
  }
  template <class T>
  WorldsView<T> Parameter(const char* name) {
    return View<T>(name, sinew_batch_parameter);
  }

  // These return how many worlds failed.
  int Step(int steps = 1, Mask mask = {}, mjtStage stage = mjSTAGE_NONE) {
    return Call([&](char* e, int n) { return sinew_batch_step(b_.get(), Bytes(mask), steps, stage, e, n); });
  }
  int Forward(Mask mask = {}, mjtStage stage = mjSTAGE_ACC) {
    return Call([&](char* e, int n) { return sinew_batch_forward(b_.get(), Bytes(mask), stage, e, n); });
  }
  int Reset(Mask mask = {}, std::span<const int> keys = {}, mjtStage stage = mjSTAGE_ACC) {
    if (!keys.empty() && keys.size() != static_cast<size_t>(count())) {
      throw EngineError("keys has " + std::to_string(keys.size()) + " numbers; it takes one for each world");
    }
    const int* each = keys.empty() ? nullptr : keys.data();
    return Call([&](char* e, int n) { return sinew_batch_reset(b_.get(), Bytes(mask), each, stage, e, n); });
  }

  // Calls keep contacts from now on, or no longer; Contacts copies those of the last call to arrays with `capacity`
  // rows for each selected world, and returns the most that one has.
  void KeepContacts(bool keep = true) {
    Call([&](char* e, int n) { return sinew_batch_keepContacts(b_.get(), keep, e, n); });
  }
  int Contacts(int capacity, const sinewBatchContacts& arrays, Mask mask = {}) {
    return Call([&](char* e, int n) { return sinew_batch_contacts(b_.get(), Bytes(mask), capacity, &arrays, e, n); });
  }
  // Rays in the present states.
  void Rays(const sinewBatchRays& rays, Mask mask = {}) {
    Call([&](char* e, int n) { return sinew_batch_rays(b_.get(), Bytes(mask), &rays, e, n); });
  }
  // Jacobians of a body, geom or site, 3 x nv of each selected world: of its position and of its rotation.
  void Jacobian(mjtObj type, int id, std::span<double> jacp, std::span<double> jacr, Mask mask = {}) {
    const size_t size = CountOf(mask) * 3 * static_cast<size_t>(model()->nv);
    for (const std::span<double>& jacobian : {jacp, jacr}) {
      if (jacobian.empty() || jacobian.size() == size) continue;
      throw EngineError("jacobians have " + std::to_string(size) + " numbers, not " + std::to_string(jacobian.size()));
    }
    Call([&](char* e, int n) {
      return sinew_batch_jacobian(b_.get(), Bytes(mask), type, id, jacp.empty() ? nullptr : jacp.data(),
                                  jacr.empty() ? nullptr : jacr.data(), e, n);
    });
  }

  // The derivatives of a step of the selected worlds, one behind the other. Throws EngineError with the cause where a
  // world has none.
  Linearization Linearize(bool sensors = false, Mask mask = {}) {
    const mjModel& m = *sinew_batch_model(b_.get());
    const size_t worlds = CountOf(mask);
    const size_t n = static_cast<size_t>(2 * m.nv + m.na), nu = static_cast<size_t>(m.nu);
    const size_t s = sensors ? static_cast<size_t>(m.nsensordata) : 0;
    Linearization all = {std::vector<double>(worlds * n * n), std::vector<double>(worlds * n * nu),
                         std::vector<double>(worlds * s * n), std::vector<double>(worlds * s * nu)};
    const int failed = Call([&](char* e, int size) {
      return sinew_batch_transition(b_.get(), Bytes(mask), all.A.data(), all.B.data(), s ? all.C.data() : nullptr,
                                    s ? all.D.data() : nullptr, e, size);
    });
    if (failed > 0) ThrowFirstCause();
    return all;
  }

  // A and B with smoothed constraints, over a width of velocities (sinew_smoothTransition).
  Linearization SmoothedLinearize(double width, Mask mask = {}) {
    const mjModel& m = *sinew_batch_model(b_.get());
    const size_t worlds = CountOf(mask), n = static_cast<size_t>(2 * m.nv + m.na), nu = static_cast<size_t>(m.nu);
    Linearization all = {std::vector<double>(worlds * n * n), std::vector<double>(worlds * n * nu), {}, {}};
    const int failed = Call([&](char* e, int size) {
      return sinew_batch_smoothTransition(b_.get(), Bytes(mask), width, all.A.data(), all.B.data(), e, size);
    });
    if (failed > 0) ThrowFirstCause();
    return all;
  }

  // Gradients of a rollout of each selected world, as Data::RolloutGradient has them, one behind the other; each array
  // of `by_parameters` has a part for each world.
  RolloutGradients RolloutGradient(std::span<const double> controls, std::span<const double> by_states,
                                   const sinewParameterGradients& by_parameters = {}, Mask mask = {}) {
    return SmoothedRolloutGradient(0, controls, by_states, by_parameters, mask);
  }
  // The same with smoothed constraints in the derivative of each step.
  RolloutGradients SmoothedRolloutGradient(double width, std::span<const double> controls,
                                           std::span<const double> by_states,
                                           const sinewParameterGradients& by_parameters = {}, Mask mask = {}) {
    const mjModel& m = *sinew_batch_model(b_.get());
    const size_t size = static_cast<size_t>(m.nq + m.nv + m.na), nu = static_cast<size_t>(m.nu);
    const size_t worlds = CountOf(mask), steps = worlds > 0 ? by_states.size() / (worlds * size) : 0;
    if (by_states.size() != worlds * steps * size || controls.size() != worlds * steps * nu) {
      throw EngineError("slopes by states take " + std::to_string(size) + " numbers for each step of each world, and " +
                        "controls " + std::to_string(nu));
    }
    RolloutGradients all = {std::vector<double>(worlds * size), std::vector<double>(controls.size())};
    const int failed = Call([&](char* e, int n) {
      return sinew_batch_smoothRolloutGradient(b_.get(), Bytes(mask), width, static_cast<int>(steps), controls.data(),
                                               by_states.data(), all.start.data(), all.controls.data(), &by_parameters,
                                               e, n);
    });
    if (failed > 0) ThrowFirstCause();
    return all;
  }

  // What happened to each world since its last reset (sinewRUNNING, ...), and its cause in words.
  std::span<const int> statuses() const { return {sinew_batch_status(b_.get()), static_cast<size_t>(count())}; }
  std::string CauseOf(int world) const {
    char text[kErrorSize] = "";
    if (sinew_batch_cause(b_.get(), world, text, kErrorSize) < 0) throw EngineError(text);
    return text;
  }

  operator sinewBatch*() & { return b_.get(); }  // NOLINT: passes as the C pointer

 private:
  static constexpr int kErrorSize = 1000;

  template <class T>
  static constexpr char kType = std::is_same_v<T, double>  ? 'd'
                                : std::is_same_v<T, float> ? 'f'
                                : std::is_same_v<T, int>   ? 'i'
                                                           : 'B';

  size_t CountOf(Mask mask) const {
    size_t worlds = mask.empty() ? static_cast<size_t>(count()) : 0;
    for (const unsigned char chosen : mask) worlds += chosen != 0;
    return worlds;
  }
  void ThrowFirstCause() const {
    for (int world = 0; world < count(); ++world) {
      if (statuses()[static_cast<size_t>(world)] == sinewFAILED) throw EngineError(CauseOf(world));
    }
  }

  template <class Function>
  static int Call(Function&& function) {
    char error[kErrorSize];
    const int result = function(error, kErrorSize);
    if (result < 0) throw EngineError(error);
    return result;
  }

  const unsigned char* Bytes(Mask mask) const {
    if (mask.empty()) return nullptr;
    if (mask.size() == static_cast<size_t>(count())) return mask.data();
    throw EngineError("mask has " + std::to_string(mask.size()) + " bytes; it takes one for each world");
  }

  template <class T, class Find>
  WorldsView<T> View(const char* name, Find find) {
    sinewBatchArray array;
    Call([&](char* e, int n) { return find(b_.get(), name, &array, e, n); });
    if (array.type != kType<T>) throw EngineError(std::string("'") + name + "' has elements of another type");
    return {static_cast<T*>(array.data), static_cast<size_t>(array.size), static_cast<size_t>(count())};
  }

  std::unique_ptr<sinewBatch, decltype(&sinew_batch_delete)> b_;
};

}  // namespace face
}  // namespace sinew

#endif  // SINEW_WORLDS_H_
