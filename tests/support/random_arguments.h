// Arguments for random calls of the C interface: models, worlds, scenes and specifications that belong together, and
// among them what programs give by mistake: null pointers, ids and counts out of range, numbers that are none, worlds
// of another model. Arrays are always as long as the largest count that is given, since no function can know better.
#ifndef SINEW_TESTS_SUPPORT_RANDOM_ARGUMENTS_H_
#define SINEW_TESTS_SUPPORT_RANDOM_ARGUMENTS_H_

#include <mujoco/mujoco.h>

#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sinew::testing {

class RandomArguments {
 public:
  explicit RandomArguments(unsigned seed);
  ~RandomArguments();
  RandomArguments(const RandomArguments&) = delete;

  // Begins the arguments of a call; writes some bad numbers into the state now and then.
  void BeginCall(std::string_view function);
  // Returns a value for a parameter of this name.
  template <class T>
  T Any(std::string_view name) {
    std::remove_cv_t<T> value{};
    Set(name, value);
    return value;
  }
  // Whether a result is one of the arguments, which stays with the sequence.
  template <class Argument, class Result>
  static bool IsSame(Argument argument, Result result) {
    if constexpr (std::is_pointer_v<Argument>) return static_cast<const void*>(argument) == result;
    return false;
  }
  int Below(size_t count) { return static_cast<int>(chance_() % count); }

 private:
  static constexpr size_t kElements = 1 << 14;  // of an array: more than any that the models need
  static constexpr size_t kArrays = 12;         // more than a function takes

  bool Maybe(double part) { return std::uniform_real_distribution<>()(chance_) < part; }
  bool Is(const char* beginning) const { return function_.starts_with(beginning); }
  double Number();
  void NoteState(int world);
  void Disturb(int world);
  void ChangeOptions(mjModel* m);
  mjsElement* Element(mjtObj kind);

  // ---- numbers and texts

  void Set(std::string_view name, int& value);
  void Set(std::string_view, unsigned char& value) { value = static_cast<unsigned char>(Maybe(0.7) ? Below(2) : 0xcb); }
  void Set(std::string_view name, size_t& value);
  void Set(std::string_view, double& value) { value = Number(); }
  void Set(std::string_view, float& value) { value = static_cast<float>(Number()); }
  void Set(std::string_view, mjtObj& value) { value = static_cast<mjtObj>(Below(30)); }
  void Set(std::string_view, mjtMeshBuiltin& value) { value = static_cast<mjtMeshBuiltin>(Below(8)); }
  void Set(std::string_view, mjrRect& value);
  void Set(std::string_view name, mjrRect*& value);
  void Set(std::string_view name, const char*& value);
  void Set(std::string_view name, char*& value) { value = Array<char>(name); }
  void Set(std::string_view, mjfPluginLibraryLoadCallback& value) { value = nullptr; }
  void Set(std::string_view, void (*&value)(const void*)) {
    value = [](const void*) {};
  }

  // ---- models, worlds and what shows them

  void Set(std::string_view name, mjModel*& value);
  void Set(std::string_view name, mjData*& value);
  void Set(std::string_view name, mjvScene*& value);
  void Set(std::string_view name, mjrContext*& value) { value = Null(name) ? nullptr : &context_; }
  void Set(std::string_view name, mjUI*& value);
  void Set(std::string_view name, mjVFS*& value);
  void Set(std::string_view name, mjCache*& value) { value = Null(name) ? nullptr : mj_getCache(); }
  void Set(std::string_view name, mjThreadPool*& value);
  void Set(std::string_view name, mjTask*& value);
  void Set(std::string_view name, mjvOption*& value);
  void Set(std::string_view name, mjvCamera*& value);
  void Set(std::string_view name, mjvPerturb*& value);
  void Set(std::string_view name, mjvFigure*& value);
  void Set(std::string_view name, mjContact*& value);
  void Set(std::string_view name, mjLROpt*& value);
  void Set(std::string_view name, mjSDF*& value);
  void Set(std::string_view name, mjuiDef*& value);
  void Set(std::string_view name, mjResource*& value);
  void Set(std::string_view name, mjpPlugin*& value);
  void Set(std::string_view name, mjpResourceProvider*& value);
  void Set(std::string_view name, void*& value);

  // ---- specifications

  void Set(std::string_view name, mjSpec*& value);
  void Set(std::string_view name, mjsElement*& value);
  void Set(std::string_view name, mjsDefault*& value);
  void Set(std::string_view name, mjsWrap*& value);
  void Set(std::string_view name, mjsBody**& value);
  void Set(std::string_view name, mjString*& value);
  void Set(std::string_view name, mjStringVec*& value);
  void Set(std::string_view name, mjIntVec*& value);
  void Set(std::string_view name, mjIntVecVec*& value);
  void Set(std::string_view name, mjFloatVec*& value);
  void Set(std::string_view name, mjFloatVecVec*& value);
  void Set(std::string_view name, mjDoubleVec*& value);
  void Set(std::string_view name, mjByteVec*& value);
#define SINEW_HANDLE(Handle, KIND, as)                                                  \
  void Set(std::string_view name, Handle*& value) {                                     \
    if (Is("mjs_default")) return (void)(value = Null(name) ? nullptr : Own<Handle>()); \
    mjsElement* element = Element(KIND);                                                \
    value = Null(name) || !element ? nullptr : as(element);                             \
  }
  SINEW_HANDLE(mjsBody, mjOBJ_BODY, mjs_asBody)
  SINEW_HANDLE(mjsFrame, mjOBJ_FRAME, mjs_asFrame)
  SINEW_HANDLE(mjsActuator, mjOBJ_ACTUATOR, mjs_asActuator)
  SINEW_HANDLE(mjsSensor, mjOBJ_SENSOR, mjs_asSensor)
  SINEW_HANDLE(mjsTendon, mjOBJ_TENDON, mjs_asTendon)
  SINEW_HANDLE(mjsMesh, mjOBJ_MESH, mjs_asMesh)
  SINEW_HANDLE(mjsPlugin, mjOBJ_PLUGIN, mjs_asPlugin)
#undef SINEW_HANDLE

  // Structures and arrays that functions fill: numbers of the kind that the interface takes, or zeros.
  template <class T>
  void Set(std::string_view name, const T*& value) {
    std::remove_cv_t<T>* writable = nullptr;
    Set(name, writable);
    value = writable;
  }
  template <class T>
  void Set(std::string_view name, T*& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      value = Array<T>(name);
    } else {
      value = Null(name) ? nullptr : Own<T>();
    }
  }
  // What earlier calls left beyond the beginning stays.
  template <class T>
  T* Array(std::string_view name) {
    if (Null(name)) return nullptr;
    static std::vector<T> arrays[kArrays];
    std::vector<T>& array = arrays[used_++ % kArrays];
    array.resize(kElements);
    for (size_t i = 0; i < 300; ++i) {
      if constexpr (std::is_floating_point_v<T>) array[i] = static_cast<T>(Number());
      if constexpr (std::is_same_v<T, int>) array[i] = Below(2);  // addresses and ids of small things
    }
    return array.data();
  }
  template <class T>
  T* Own() {
    return static_cast<T*>(Bytes(sizeof(T)));
  }
  bool Null(std::string_view) { return Maybe(0.04); }
  // Zeros that live as long as the call.
  void* Bytes(size_t count);

  std::mt19937 chance_;
  std::string_view function_;
  std::vector<std::vector<double>> memory_;
  size_t used_ = 0;
  bool model_given_ = false;  // in this call: ids within structures can be judged
  // The state of a world as it was made; calls may give the world other arrays.
  struct State {
    const void* buffer;
    std::vector<std::pair<mjtNum*, mjtSize>> arrays;
  };
  State states_[3];
  mjModel* models_[2];
  mjData* worlds_[3];  // the first two belong to the first model
  mjSpec* specs_[2];
  mjvScene scenes_[3] = {};  // of each model, and one that was never made
  mjrContext context_ = {};
  std::vector<mjUI> ui_;
  mjVFS files_;
  mjThreadPool* pool_;
  mjsBody* body_ = nullptr;
};

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_RANDOM_ARGUMENTS_H_
