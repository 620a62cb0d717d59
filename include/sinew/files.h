// Files: files in memory, in front of those on the disk, for models that are not there.
//
//   sinew::Files files;
//   files.Add("model.xml", text);
//   files.Add("hand.stl", bytes);
//   sinew::Model model = sinew::Model::FromXml("model.xml", {.files = &files});
#ifndef SINEW_FILES_H_
#define SINEW_FILES_H_

#include <mujoco/mujoco.h>
#include <sinew/error.h>
#include <sinew/extensions.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sinew {
inline namespace face {

class Files {
 public:
  Files() : vfs_(new mjVFS) { mj_defaultVFS(vfs_.get()); }

  // Copies; a name that is taken throws NameError.
  void Add(const std::string& name, std::string_view text) { Add(name, std::as_bytes(std::span(text))); }
  void Add(const std::string& name, std::span<const std::byte> bytes) {
    const int result = Checked(
        [&] { return mj_addBufferVFS(vfs_.get(), name.c_str(), bytes.data(), static_cast<int>(bytes.size())); });
    if (result == 2) throw NameError("there is a file '" + name + "' already");
    if (result != 0) throw EngineError("the file '" + name + "' could not be added");
  }

  // Copies a file from the disk, under its name without folder.
  void AddFile(const std::string& path) {
    const size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
    const std::string name = path.substr(folder.size());
    const int result = Checked([&] { return mj_addFileVFS(vfs_.get(), folder.c_str(), name.c_str()); });
    if (result == 2) throw NameError("there is a file '" + name + "' already");
    if (result != 0) throw EngineError("the file '" + path + "' cannot be read");
  }

  // Loads with these files read from disk below this folder alone (sinew_setFileRoot); "" lifts the bound.
  void SetRoot(const std::string& folder) {
    Checked([&] { sinew_setFileRoot(vfs_.get(), folder.c_str()); });
  }

  // A name that is not there throws NameError.
  void Remove(const std::string& name) {
    if (mj_deleteFileVFS(vfs_.get(), name.c_str()) != 0) throw NameError("there is no file '" + name + "'");
  }

  operator mjVFS*() { return vfs_.get(); }              // NOLINT: passes as the C pointer
  operator const mjVFS*() const { return vfs_.get(); }  // NOLINT

 private:
  struct Delete {
    void operator()(mjVFS* vfs) const {
      mj_deleteVFS(vfs);
      delete vfs;
    }
  };
  std::unique_ptr<mjVFS, Delete> vfs_;
};

}  // namespace face
}  // namespace sinew

#endif  // SINEW_FILES_H_
