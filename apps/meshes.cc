#include "meshes.h"

#include <sinew/meshes.h>
#include <sinew/sinew.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "foreign_mesh.h"
#include "output_file.h"
#include "read_file.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::string Extension(const std::string& file) {
  std::string extension = fs::path(file).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

// Formats that 3.8.0 reads. Meshes in others are written as OBJ.
bool IsCommon(const std::string& file) {
  const std::string extension = Extension(file);
  return extension == ".obj" || extension == ".stl" || extension == ".msh";
}

// The folder of assets, and where the compiler looks for one of them.
fs::path FolderOf(const mjSpec* spec, const mjString* folder) {
  return fs::path(mjs_getString(spec->modelfiledir)) / mjs_getString(folder);
}
fs::path PathOf(const mjSpec* spec, const mjString* folder, const std::string& file) {
  return FolderOf(spec, folder) / (spec->strippath ? fs::path(file).filename() : fs::path(file));
}

// Whether a shape that collides has a mesh.
bool Collides(mjSpec* spec, const std::string& mesh) {
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_GEOM); e; e = mjs_nextElement(spec, e)) {
    const mjsGeom* geom = mjs_asGeom(e);
    if (mesh != mjs_getString(geom->meshname)) continue;
    if (geom->contype != 0 || geom->conaffinity != 0) return true;
  }
  return false;
}

void LeaveOut(mjSpec* spec, mjsMesh* mesh, const std::string& name) {
  std::vector<mjsElement*> users;
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_GEOM); e; e = mjs_nextElement(spec, e)) {
    if (name == mjs_getString(mjs_asGeom(e)->meshname)) users.push_back(e);
  }
  for (mjsElement* user : users) mjs_delete(spec, user);
  mjs_delete(spec, mesh->element);
}

std::vector<mjsMesh*> Meshes(mjSpec* spec) {
  std::vector<mjsMesh*> meshes;
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_MESH); e; e = mjs_nextElement(spec, e)) {
    meshes.push_back(mjs_asMesh(e));
  }
  return meshes;
}

// The vertices and faces of a file become those of the mesh itself.
void TakeIn(mjsMesh* mesh, const fs::path& path, const mjVFS* vfs) {
  if (IsForeign(path.string())) {
    const ForeignMesh read = ReadForeignMesh(path.string(), ReadFile(path.string(), vfs));
    mjs_setFloat(mesh->uservert, read.vertices.data(), static_cast<int>(read.vertices.size()));
    mjs_setInt(mesh->userface, read.faces.data(), static_cast<int>(read.faces.size()));
  } else {
    char error[1000] = "";
    const std::unique_ptr<mjSpec, decltype(&mj_deleteSpec)> read(
        sinew_readMesh("", path.c_str(), vfs, error, sizeof(error)), mj_deleteSpec);
    if (!read) throw std::runtime_error(error);
    const mjsMesh* found = mjs_asMesh(mjs_firstElement(read.get(), mjOBJ_MESH));
    *mesh->uservert = *found->uservert;
    *mesh->userface = *found->userface;
  }
  mjs_setString(mesh->file, "");
}

// Whether a file can be read; else why not.
std::string WhyUnreadable(const fs::path& path, const mjVFS* vfs) {
  char error[1000] = "";
  mjSpec* const read = sinew_readMesh("", path.c_str(), vfs, error, sizeof(error));
  if (read) mj_deleteSpec(read);
  return read ? "" : error;
}

// Sets the name of an asset's file relative to a folder; addresses of other kinds stay, and so do names in models that
// are attached, which have folders of their own: the writer sees to them.
void Relate(const mjSpec* spec, mjsElement* asset, const mjString* assets, mjString* file, const fs::path& folder) {
  const std::string name = mjs_getString(file);
  if (name.empty() || name.find("://") != std::string::npos || mjs_getCompiler(asset) != &spec->compiler) return;
  const fs::path path = fs::absolute(PathOf(spec, assets, name)).lexically_normal();
  mjs_setString(file, path.lexically_relative(folder).string().c_str());
}

void WriteObj(const fs::path& path, const mjsMesh& mesh) {
  // A link in the folder could lead elsewhere.
  if (fs::is_symlink(fs::symlink_status(path)) || fs::is_symlink(fs::symlink_status(path.parent_path()))) {
    throw std::runtime_error("cannot write '" + path.string() + "': it is a link; remove it");
  }
  const std::vector<float>& vertices = *mesh.uservert;
  const std::vector<int>& faces = *mesh.userface;
  std::ostringstream text;
  text.precision(9);  // floats read back as they were
  for (size_t i = 0; i + 2 < vertices.size(); i += 3) {
    text << "v " << vertices[i] << ' ' << vertices[i + 1] << ' ' << vertices[i + 2] << '\n';
  }
  for (size_t i = 0; i + 2 < faces.size(); i += 3) {
    text << "f " << faces[i] + 1 << ' ' << faces[i + 1] + 1 << ' ' << faces[i + 2] + 1 << '\n';
  }
  WriteToFile(path.string(), text.str());
}

// Names of files for meshes, whose own names may look like paths: letters, digits, "-", "_" and "." stay.
class FileNames {
 public:
  // A name that no other mesh has, also where case does not count.
  std::string Take(const std::string& mesh) {
    constexpr size_t kLongest = 100;
    std::string stem = mesh.substr(0, kLongest);
    for (char& c : stem) {
      const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
      if (!is_plain) c = '_';
    }
    if (stem.empty() || stem.front() == '.') stem = "mesh" + stem;
    std::string name = stem;
    for (int i = 2; !taken_.insert(Lower(name)).second; ++i) name = stem + "_" + std::to_string(i);
    return name + ".obj";
  }

 private:
  static std::string Lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
  }
  std::set<std::string> taken_;
};

}  // namespace

void ReadForeignMeshes(mjSpec* spec, const mjVFS* vfs, bool leave_out, std::vector<std::string>* warnings) {
  for (mjsMesh* mesh : Meshes(spec)) {
    const std::string file = mjs_getString(mesh->file), name = mjs_getString(mjs_getName(mesh->element));
    if (file.empty()) continue;
    const bool is_optional = leave_out && !Collides(spec, name);
    // What is only seen may be flat: its volume is not asked for.
    if (is_optional) mesh->inertia = mjMESH_INERTIA_SHELL;
    const fs::path path = PathOf(spec, spec->compiler.meshdir, file);
    std::string reason;
    if (IsForeign(file)) {
      try {
        TakeIn(mesh, path, vfs);
      } catch (const std::runtime_error& error) {
        reason = error.what();
        if (!is_optional) throw ModelError("mesh '" + name + "': " + path.string() + ": " + reason);
      }
    } else if (is_optional && !Extension(file).empty()) {
      reason = WhyUnreadable(path, vfs);
    }
    if (reason.empty()) continue;
    LeaveOut(spec, mesh, name);
    warnings->push_back("shapes with the mesh '" + name + "' are left out: " + path.string() + ": " + reason);
  }
}

void PlaceAssets(mjSpec* spec, const fs::path& output) {
  const fs::path folder = fs::absolute(output).parent_path().lexically_normal();
  const fs::path own = output.stem().string() + "_meshes";
  FileNames names;
  for (mjsMesh* mesh : Meshes(spec)) {
    const std::string file = mjs_getString(mesh->file);
    if (!file.empty() && file.find("://") == std::string::npos && !IsCommon(file)) {
      TakeIn(mesh, PathOf(spec, spec->compiler.meshdir, file), nullptr);
    }
    constexpr size_t kInline = 3 * 100;  // a text of a hundred vertices is no burden to the file
    if (*mjs_getString(mesh->file) == '\0' && mesh->uservert->size() > kInline) {
      fs::create_directories(folder / own);
      const fs::path place = own / names.Take(mjs_getString(mjs_getName(mesh->element)));
      WriteObj(folder / place, *mesh);
      mesh->uservert->clear();
      mesh->userface->clear();
      mjs_setString(mesh->file, place.string().c_str());
    } else {
      Relate(spec, mesh->element, spec->compiler.meshdir, mesh->file, folder);
    }
  }
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_HFIELD); e; e = mjs_nextElement(spec, e)) {
    Relate(spec, e, spec->compiler.meshdir, mjs_asHField(e)->file, folder);
  }
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_SKIN); e; e = mjs_nextElement(spec, e)) {
    Relate(spec, e, spec->compiler.meshdir, mjs_asSkin(e)->file, folder);
  }
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_TEXTURE); e; e = mjs_nextElement(spec, e)) {
    Relate(spec, e, spec->compiler.texturedir, mjs_asTexture(e)->file, folder);
  }
  mjs_setString(spec->compiler.meshdir, "");
  mjs_setString(spec->compiler.texturedir, "");
  mjs_setString(spec->modelfiledir, folder.string().c_str());
  spec->strippath = 0;
}

}  // namespace sinew
