// Model: a compiled model that owns its memory, together with the worlds that are made of it.
//
//   sinew::Model model = sinew::Model::FromXml("robot.urdf", {.robot = {.visuals = true, .packages =
//   {"/opt/robots"}}}); for (const std::string& warning : model.warnings()) std::fprintf(stderr, "%s\n",
//   warning.c_str()); model.body("hand").mass() = 0.4;
#ifndef SINEW_MODEL_H_
#define SINEW_MODEL_H_

#include <mujoco/mujoco.h>
#include <sinew/elements.h>
#include <sinew/error.h>
#include <sinew/extensions.h>
#include <sinew/files.h>
#include <sinew/names.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew {
inline namespace face {

// What a reader of URDF does beyond the common core of the format.
struct UrdfOptions {
  bool mimic = false;                      // <mimic> becomes an equality of two joints
  bool visuals = false;                    // shapes that are only seen are kept
  bool actuators = false;                  // transmissions become motors
  bool floatingbase = false;               // links without a parent joint move freely
  bool meshpaths = false;                  // no effect: meshes are told apart by path and scale
  std::vector<std::string> packages = {};  // folders for package:// addresses
};

struct LoadOptions {
  const Files* files = nullptr;  // in front of the disk
  std::string root = {};         // without `files`: a Model reads below this folder alone (Files::SetRoot)
  UrdfOptions robot = {};        // counts when the file is a robot
};

namespace detail {

struct DeleteSpec {
  void operator()(mjSpec* s) const { mj_deleteSpec(s); }
};
using SpecPointer = std::unique_ptr<mjSpec, DeleteSpec>;

// Room for as many problems as a pass lists.
using ErrorText = char[8000];

// Reads an MJCF or URDF file without compiling it; throws ModelError.
inline SpecPointer Parse(const std::string& path, const LoadOptions& options) {
  if (!options.root.empty()) throw EngineError("a specification takes its root with its files: Files::SetRoot");
  std::string packages;
  for (const std::string& folder : options.robot.packages) packages += (packages.empty() ? "" : ":") + folder;
  const UrdfOptions& robot = options.robot;
  const sinewUrdfOptions urdf = {robot.mimic,        robot.visuals,   robot.actuators,
                                 robot.floatingbase, robot.meshpaths, packages.c_str()};
  const mjVFS* files = options.files ? static_cast<const mjVFS*>(*options.files) : nullptr;
  ErrorText error = "";
  SpecPointer spec(sinew_parseUrdf(path.c_str(), &urdf, files, error, sizeof(error)));
  if (!spec) throw ModelError(error);
  return spec;
}

inline SpecPointer ParseText(const std::string& text, const Files* files) {
  ErrorText error = "";
  SpecPointer spec(
      mj_parseXMLString(text.c_str(), files ? static_cast<const mjVFS*>(*files) : nullptr, error, sizeof(error)));
  if (!spec) throw ModelError(error);
  return spec;
}

}  // namespace detail

class Model : public ModelElements<Model> {
 public:
  // Reads and compiles an MJCF or URDF file, or text. Throws ModelError.
  static Model FromXml(const std::string& path, const LoadOptions& options = {}) {
    if (!options.root.empty()) return FromXmlBelow(path, options);
    return Compile(detail::Parse(path, options).get(), options.files);
  }
  static Model FromXmlText(std::string_view text, const Files* files = nullptr) {
    return Compile(detail::ParseText(std::string(text), files).get(), files);
  }

  // Compiles a specification of the C interface. Throws ModelError, which names the element.
  static Model Compile(mjSpec* spec, const Files* files = nullptr) {
    mjModel* m = mj_compile(spec, files ? static_cast<const mjVFS*>(*files) : nullptr);
    Model model(m, mjs_getError(spec));
    std::istringstream lines(mjs_isWarning(spec) ? mjs_getError(spec) : "");
    for (std::string line; std::getline(lines, line);) model.warnings_.push_back(line);
    return model;
  }

  // A compiled model, from a file (MJB) or from the bytes of one. Throws ModelError.
  static Model FromBinary(const std::string& path) {
    return Model(mj_loadModel(path.c_str(), nullptr), path + " is not a compiled model of this version");
  }
  static Model FromBytes(std::span<const std::byte> bytes) {
    return Model(mj_loadModelBuffer(bytes.data(), static_cast<int>(bytes.size())),
                 "these bytes are not a compiled model of this version");
  }

  // Takes over a model of the C interface; null throws ModelError with the text.
  static Model Own(mjModel* m, const std::string& error = "there is no model") { return Model(m, error); }

  Model(Model&&) = default;
  Model& operator=(Model&&) = default;
  Model Copy() const { return Model(mj_copyModel(nullptr, m_.get()), "a model could not be copied"); }

  // Writes a compiled model (MJB). Throws EngineError when the file cannot be written.
  void SaveBinary(const std::string& path) const {
    const std::vector<std::byte> bytes = ToBytes();
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) throw EngineError("cannot write '" + path + "': " + std::strerror(errno));
  }
  std::vector<std::byte> ToBytes() const {
    std::vector<std::byte> bytes(static_cast<size_t>(mj_sizeModel(m_.get())));
    Checked([&] { mj_saveModel(m_.get(), nullptr, bytes.data(), static_cast<int>(bytes.size())); });
    return bytes;
  }

  // What the reader and the compiler warned of; each names file, line and element.
  const std::vector<std::string>& warnings() const { return warnings_; }

  // The C pointer, as long as the model or one of its worlds lives; not of a model that is gone at the end of the line.
  operator const mjModel*() const& { return m_.get(); }  // NOLINT: passes as the C pointer
  operator const mjModel*() const&& = delete;
  const mjModel* operator->() const { return m_.get(); }

  // Settings and parameters may be changed while no step is running.
  mjModel* mutable_get() & { return m_.get(); }
  mjOption& option() & { return m_->opt; }
  const mjOption& option() const& { return m_->opt; }

  int nq() const { return static_cast<int>(m_->nq); }
  int nv() const { return static_cast<int>(m_->nv); }
  int nu() const { return static_cast<int>(m_->nu); }
  int na() const { return static_cast<int>(m_->na); }
  int nbody() const { return static_cast<int>(m_->nbody); }
  int nsensordata() const { return static_cast<int>(m_->nsensordata); }

  // The id of an element, or -1.
  int Id(mjtObj type, const std::string& name) const { return mj_name2id(m_.get(), type, name.c_str()); }

  // The same; throws NameError, which suggests a name that exists.
  int Find(mjtObj type, const std::string& name) const { return FindElement(m_.get(), type, name); }

  // Empty for an element without a name. Lives as long as the model.
  std::string_view Name(mjtObj type, int id) const {
    const char* name = mj_id2name(m_.get(), type, id);
    return name ? name : std::string_view();
  }

 private:
  friend class Data;
  friend class ModelElements<Model>;

  struct Delete {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
  };
  Model(mjModel* m, const std::string& error) {
    if (!m) throw ModelError(error);
    m_.reset(m, Delete());
  }

  static Model FromXmlBelow(const std::string& path, LoadOptions options) {
    if (options.files) throw EngineError("give the root to the files themselves: Files::SetRoot");
    Files files;
    files.SetRoot(options.root);
    options.files = &files;
    options.root.clear();
    return FromXml(path, options);
  }

  template <class Element>
  Element View(mjtObj type, const std::string& name) const {
    return Element(m_.get(), FindElement(m_.get(), type, name));
  }
  template <class Element>
  Element View(mjtObj type, int id) const {
    return Element(m_.get(), CheckId(m_.get(), type, id));
  }

  std::shared_ptr<mjModel> m_;  // worlds have a share in it
  std::vector<std::string> warnings_;
};

}  // namespace face
}  // namespace sinew

#endif  // SINEW_MODEL_H_
