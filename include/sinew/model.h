// Model: a compiled model that owns its memory.
#ifndef SINEW_MODEL_H_
#define SINEW_MODEL_H_

#include <mujoco/mujoco.h>
#include <sinew/error.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew {
inline namespace face {

class Model {
 public:
  // Reads and compiles an MJCF or URDF file, or text. Throws ModelError.
  static Model FromXml(const std::string& path) {
    char error[1000] = "";
    mjModel* m = mj_loadXML(path.c_str(), nullptr, error, sizeof(error));
    return Model(m, error);
  }
  static Model FromXmlText(std::string_view text) {
    mjVFS files;
    mj_defaultVFS(&files);
    char error[1000] = "";
    mjModel* m = nullptr;
    if (mj_addBufferVFS(&files, "model.xml", text.data(), static_cast<int>(text.size())) == 0) {
      m = mj_loadXML("model.xml", &files, error, sizeof(error));
    }
    mj_deleteVFS(&files);
    return Model(m, error);
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

  Model Copy() const { return Model(mj_copyModel(nullptr, m_.get()), "a model could not be copied"); }

  void SaveBinary(const std::string& path) const {
    Checked([&] { mj_saveModel(m_.get(), path.c_str(), nullptr, 0); });
  }
  std::vector<std::byte> ToBytes() const {
    std::vector<std::byte> bytes(Count(mj_sizeModel(m_.get())));
    Checked([&] { mj_saveModel(m_.get(), nullptr, bytes.data(), static_cast<int>(bytes.size())); });
    return bytes;
  }

  operator const mjModel*() const { return m_.get(); }  // NOLINT: passes as the C pointer
  const mjModel* operator->() const { return m_.get(); }

  // Settings and parameters may be changed while no step is running.
  mjModel* mutable_get() { return m_.get(); }
  mjOption& option() { return m_->opt; }
  const mjOption& option() const { return m_->opt; }

  int nq() const { return static_cast<int>(m_->nq); }
  int nv() const { return static_cast<int>(m_->nv); }
  int nu() const { return static_cast<int>(m_->nu); }
  int na() const { return static_cast<int>(m_->na); }
  int nbody() const { return static_cast<int>(m_->nbody); }
  int nsensordata() const { return static_cast<int>(m_->nsensordata); }

  // The id of an element, or -1.
  int Id(mjtObj type, const std::string& name) const { return mj_name2id(m_.get(), type, name.c_str()); }

  // The same; throws NameError.
  int Find(mjtObj type, const std::string& name) const {
    const int id = Id(type, name);
    if (id < 0) throw NameError(std::string("the model has no ") + mju_type2Str(type) + " named '" + name + "'");
    return id;
  }

  // Empty for an element without a name. Lives as long as the model.
  std::string_view Name(mjtObj type, int id) const {
    const char* name = mj_id2name(m_.get(), type, id);
    return name ? name : std::string_view();
  }

 private:
  struct Delete {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
  };
  Model(mjModel* m, const std::string& error) : m_(m) {
    if (!m) throw ModelError(error);
  }
  static size_t Count(mjtSize n) { return static_cast<size_t>(n); }

  std::unique_ptr<mjModel, Delete> m_;
};

}  // namespace face
}  // namespace sinew

#endif  // SINEW_MODEL_H_
