#include "meshes.h"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <array>
#include <assimp/Importer.hpp>
#include <cctype>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::string Extension(const std::string& file) {
  std::string extension = fs::path(file).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

bool IsForeign(const std::string& file) {
  static constexpr std::array<std::string_view, 7> kFormats = {".dae", ".gltf", ".glb", ".ply", ".fbx", ".3ds", ".off"};
  return std::find(kFormats.begin(), kFormats.end(), Extension(file)) != kFormats.end();
}

// Where the compiler looks for an asset.
fs::path PathOf(const mjSpec* spec, const mjString* folder, const std::string& file) {
  const fs::path path = file;
  if (path.is_absolute()) return path;
  return fs::path(mjs_getString(spec->modelfiledir)) / mjs_getString(folder) / path;
}

// All triangles of a scene in its root's frame. COLLADA's up axis does not count: robots give their meshes in the frame
// of the link, whatever the file says.
struct Triangles {
  std::vector<float> vertices;
  std::vector<int> faces;
};
Triangles Import(const fs::path& path) {
  Assimp::Importer importer;
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  const unsigned steps =
      aiProcess_Triangulate | aiProcess_PreTransformVertices | aiProcess_JoinIdenticalVertices | aiProcess_SortByPType;
  const aiScene* scene = importer.ReadFile(path.string(), steps);
  if (!scene) throw std::runtime_error(importer.GetErrorString());
  Triangles triangles;
  for (unsigned i = 0; i < scene->mNumMeshes; ++i) {
    const aiMesh& mesh = *scene->mMeshes[i];
    const int first = static_cast<int>(triangles.vertices.size() / 3);
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
      triangles.vertices.insert(triangles.vertices.end(),
                                {mesh.mVertices[v].x, mesh.mVertices[v].y, mesh.mVertices[v].z});
    }
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      for (int k = 0; k < 3; ++k) triangles.faces.push_back(first + static_cast<int>(mesh.mFaces[f].mIndices[k]));
    }
  }
  if (triangles.faces.empty()) throw std::runtime_error("the file has no triangles");
  return triangles;
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

// Sets the name of an asset's file relative to a folder; addresses of other kinds stay.
void Relate(const mjSpec* spec, const mjString* assets, mjString* file, const fs::path& folder) {
  const std::string name = mjs_getString(file);
  if (name.empty() || name.find("://") != std::string::npos) return;
  const fs::path path = fs::absolute(PathOf(spec, assets, name)).lexically_normal();
  mjs_setString(file, path.lexically_relative(folder).string().c_str());
}

void WriteObj(const fs::path& path, const mjsMesh& mesh) {
  const std::vector<float>& vertices = *mesh.uservert;
  const std::vector<int>& faces = *mesh.userface;
  std::ofstream file(path);
  file.precision(9);  // floats read back as they were
  for (size_t i = 0; i + 2 < vertices.size(); i += 3) {
    file << "v " << vertices[i] << ' ' << vertices[i + 1] << ' ' << vertices[i + 2] << '\n';
  }
  for (size_t i = 0; i + 2 < faces.size(); i += 3) {
    file << "f " << faces[i] + 1 << ' ' << faces[i + 1] + 1 << ' ' << faces[i + 2] + 1 << '\n';
  }
  if (!file) throw std::runtime_error("cannot write '" + path.string() + "'");
}

}  // namespace

void ReadForeignMeshes(mjSpec* spec, bool leave_out, std::vector<std::string>* warnings) {
  for (mjsMesh* mesh : Meshes(spec)) {
    const std::string file = mjs_getString(mesh->file), name = mjs_getString(mjs_getName(mesh->element));
    if (file.empty()) continue;
    // What is only seen may be flat: its volume is not asked for.
    if (leave_out && !Collides(spec, name)) mesh->inertia = mjMESH_INERTIA_SHELL;
    const fs::path path = PathOf(spec, spec->compiler.meshdir, file);
    std::string reason;
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
      if (!leave_out || Extension(file).empty()) continue;
      reason = "there is no such file";
    } else if (!IsForeign(file)) {
      continue;
    } else {
      try {
        const Triangles triangles = Import(path);
        mjs_setFloat(mesh->uservert, triangles.vertices.data(), static_cast<int>(triangles.vertices.size()));
        mjs_setInt(mesh->userface, triangles.faces.data(), static_cast<int>(triangles.faces.size()));
        mjs_setString(mesh->file, "");
        continue;
      } catch (const std::runtime_error& error) {
        reason = error.what();
      }
    }
    if (!leave_out || Collides(spec, name)) continue;
    LeaveOut(spec, mesh, name);
    warnings->push_back("shapes with the mesh '" + name + "' are left out: " + path.string() + ": " + reason);
  }
}

void PlaceAssets(mjSpec* spec, const fs::path& output) {
  const fs::path folder = fs::absolute(output).parent_path().lexically_normal();
  const fs::path own = output.stem().string() + "_meshes";
  for (mjsMesh* mesh : Meshes(spec)) {
    const std::string name = mjs_getString(mjs_getName(mesh->element));
    constexpr size_t kInline = 3 * 100;  // a text of a hundred vertices is no burden to the file
    if (*mjs_getString(mesh->file) == '\0' && mesh->uservert->size() > kInline) {
      fs::create_directories(folder / own);
      const fs::path file = own / (name + ".obj");
      WriteObj(folder / file, *mesh);
      mesh->uservert->clear();
      mesh->userface->clear();
      mjs_setString(mesh->file, file.string().c_str());
    } else {
      Relate(spec, spec->compiler.meshdir, mesh->file, folder);
    }
  }
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_HFIELD); e; e = mjs_nextElement(spec, e)) {
    Relate(spec, spec->compiler.meshdir, mjs_asHField(e)->file, folder);
  }
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_SKIN); e; e = mjs_nextElement(spec, e)) {
    Relate(spec, spec->compiler.meshdir, mjs_asSkin(e)->file, folder);
  }
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_TEXTURE); e; e = mjs_nextElement(spec, e)) {
    Relate(spec, spec->compiler.texturedir, mjs_asTexture(e)->file, folder);
  }
  mjs_setString(spec->compiler.meshdir, "");
  mjs_setString(spec->compiler.texturedir, "");
}

}  // namespace sinew
