// File names of the document itself are relative to its folders, which move with it. Those of an attached model
// are relative to that model's folders, which a document cannot state: each file is named from the document's
// own. A text that is bound to no folder, because no file of its own is, names them by their whole paths, so that it
// can be read anywhere.
#include "mjcf/relocate.h"

#include <algorithm>
#include <system_error>

#include "core/path.h"

namespace sinew::mjcf {
namespace {

namespace fs = std::filesystem;

// Returns the absolute path of the folder that a model file is in.
fs::path AbsoluteFolder(const std::string& folder) {
  std::error_code error;
  const fs::path absolute = fs::absolute(folder.empty() ? "." : folder, error).lexically_normal();
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

bool IsOnDisk(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// Below a link, ".." does not lead to where the path comes from.
bool HasLinks(const fs::path& folder) {
  std::error_code error;
  return fs::weakly_canonical(folder, error) != folder;
}

// From one folder to a path: absolute where they have nothing but the root in common.
std::string NameFrom(const fs::path& folder, const fs::path& path) {
  const fs::path relative = path.lexically_relative(folder);
  const auto ups = std::count(relative.begin(), relative.end(), "..");
  const auto depth = std::distance(folder.begin(), folder.end()) - 1;
  const bool is_far = relative.empty() || (ups > 0 && (ups >= depth || HasLinks(folder)));
  return (is_far ? path : relative).generic_string();
}

}  // namespace

Relocation::Relocation(Spec& spec, const char* place) : spec_(spec), strippath_(spec.strippath) {
  Collect();
  const fs::path own = AbsoluteFolder(*spec.modelfiledir);
  const fs::path folder = place ? AbsoluteFolder(std::string(DirName(place))) : own;
  if (folder != own) {
    MoveFolder(folder, false);
    MoveFolder(folder, true);
  }
  ReleaseFolder(folder, false);
  ReleaseFolder(folder, true);
  MoveForeignFiles(folder, !place && !IsBound());
}

Relocation::~Relocation() {
  for (auto change = before_.rbegin(); change != before_.rend(); ++change) *change->first = std::move(change->second);
  spec_.strippath = strippath_;
}

void Relocation::Collect() {
  const auto add = [&](const Element& asset, std::string* name, bool is_texture) {
    if (!name->empty() && !IsAbsolutePath(*name)) files_.push_back({&asset, name, is_texture});
  };
  for (const auto& mesh : spec_.List<Mesh>()) add(*mesh, mesh->file, false);
  for (const auto& hfield : spec_.List<HField>()) add(*hfield, hfield->file, false);
  for (const auto& skin : spec_.List<Skin>()) add(*skin, skin->file, false);
  for (const auto& texture : spec_.List<Texture>()) {
    add(*texture, texture->file, true);
    for (std::string& face : *texture->cubefiles) add(*texture, &face, true);
  }
}

std::string& Relocation::FolderOf(const Spec& spec, bool is_texture) const {
  const mjsCompiler& compiler = static_cast<const mjSpec&>(spec).compiler;
  return is_texture ? *compiler.texturedir : *compiler.meshdir;
}

bool Relocation::IsOwn(const Element& asset) const { return asset.home == &spec_; }

// Files of the document's own are below a folder that moves with it.
bool Relocation::IsBound() const {
  return std::any_of(files_.begin(), files_.end(), [&](const File& file) {
    return IsOwn(*file.asset) && !IsAbsolutePath(FolderOf(spec_, file.is_texture));
  });
}

// Where a file is, by the settings that it was written for.
Relocation::Path Relocation::PlaceOf(const File& file) const {
  const Spec& home = *file.asset->home;
  const std::string name = home.strippath ? std::string(BaseName(*file.name)) : *file.name;
  const std::string below = ResolvePath(FolderOf(home, file.is_texture), name);
  return (AbsoluteFolder(*home.modelfiledir) / below).lexically_normal();
}

// A folder that has no files on the disk is one of the memory (mjVFS), whose names stay.
void Relocation::MoveFolder(const Path& place, bool is_texture) {
  std::string& folder = FolderOf(spec_, is_texture);
  const bool is_used = std::any_of(files_.begin(), files_.end(), [&](const File& file) {
    return file.is_texture == is_texture && IsOwn(*file.asset) && IsOnDisk(PlaceOf(file));
  });
  if (!is_used || IsAbsolutePath(folder)) return;
  const Path there = (AbsoluteFolder(*spec_.modelfiledir) / folder).lexically_normal();
  Set(&folder, NameFrom(place, there.has_filename() ? there : there.parent_path()));
}

// Where a document in the folder `place` looks for a file, by its own settings.
Relocation::Path Relocation::PlaceFrom(const Path& place, const File& file) const {
  const std::string name = spec_.strippath ? std::string(BaseName(*file.name)) : *file.name;
  return (place / FolderOf(spec_, file.is_texture) / name).lexically_normal();
}

// A folder without files of the document's own may not exist where it is saved. It stays where all files of attached
// models are found in it, as when a program has set it for them.
void Relocation::ReleaseFolder(const Path& place, bool is_texture) {
  bool has_files = false, has_own = false, all_there = true;
  for (const File& file : files_) {
    if (file.is_texture != is_texture) continue;
    has_files = true;
    has_own |= IsOwn(*file.asset);
    all_there &= PlaceFrom(place, file) == PlaceOf(file);
  }
  if (has_files && !has_own && !all_there) Set(&FolderOf(spec_, is_texture), "");
}

// Names with folders cannot be kept where the settings strip them: then those of the document's own files are stripped
// now.
void Relocation::MoveForeignFiles(const Path& place, bool to_whole_paths) {
  const auto stays = [&](const File& file) { return IsOwn(*file.asset) || PlaceFrom(place, file) == PlaceOf(file); };
  if (std::all_of(files_.begin(), files_.end(), stays)) return;
  for (const File& file : files_) {
    if (spec_.strippath && IsOwn(*file.asset)) Set(file.name, std::string(BaseName(*file.name)));
  }
  spec_.strippath = 0;
  for (const File& file : files_) {
    if (stays(file)) continue;
    const Path there = PlaceOf(file);
    const Path folder = (place / FolderOf(spec_, file.is_texture)).lexically_normal();
    Set(file.name, to_whole_paths && IsOnDisk(there)
                       ? there.generic_string()
                       : NameFrom(folder.has_filename() ? folder : folder.parent_path(), there));
  }
}

void Relocation::Set(std::string* text, std::string value) {
  before_.emplace_back(text, std::exchange(*text, std::move(value)));
}

}  // namespace sinew::mjcf
