// Names of asset files in a model that is about to be written: they lead to the files from where the document will
// stand.
#ifndef SINEW_MJCF_RELOCATE_H_
#define SINEW_MJCF_RELOCATE_H_

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "spec/spec.h"

namespace sinew::mjcf {

// While it lives, the names of files and folders in a specification are those for a document beside its own (`place`
// is null), or for one that is written to the file `place`. Names that lead there already stay as they are.
class Relocation {
 public:
  Relocation(Spec& spec, const char* place);
  ~Relocation();
  Relocation(const Relocation&) = delete;

 private:
  using Path = std::filesystem::path;

  // A name in the specification: of a file of an asset, below one of the folders of the settings.
  struct File {
    const Element* asset;
    std::string* name;
    bool is_texture;
  };

  void Collect();
  bool IsOwn(const Element& asset) const;
  bool IsBound() const;
  std::string& FolderOf(const Spec& spec, bool is_texture) const;
  Path PlaceOf(const File& file) const;
  Path PlaceFrom(const Path& place, const File& file) const;
  void MoveFolder(const Path& place, bool is_texture);
  void ReleaseFolder(const Path& place, bool is_texture);
  void MoveForeignFiles(const Path& place, bool to_whole_paths);
  void Set(std::string* text, std::string value);

  Spec& spec_;
  std::vector<File> files_;
  std::vector<std::pair<std::string*, std::string>> before_;
  const mjtByte strippath_;
};

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_RELOCATE_H_
