// The order of the assets; materials.
#include "compile/diagnose.h"
#include "compile/passes.h"
#include "compile/rows.h"

namespace sinew::inline compile {
namespace {

// ---- materials

void WriteMaterial(const Material& material, const Spec& spec, mjModel* m) {
  const int id = material.id;
  for (int role = 0; role < mjNTEXROLE; ++role) {
    const auto i = static_cast<size_t>(role);
    const std::string name = i < material.textures->size() ? (*material.textures)[i] : "";
    m->mat_texid[mjNTEXROLE * id + role] = OptionalId(spec, mjOBJ_TEXTURE, name);
  }
  m->mat_texuniform[id] = material.texuniform;
  PutRow(m->mat_texrepeat, id, material.texrepeat);
  m->mat_emission[id] = material.emission;
  m->mat_specular[id] = material.specular;
  m->mat_shininess[id] = material.shininess;
  m->mat_reflectance[id] = material.reflectance;
  m->mat_metallic[id] = material.metallic;
  m->mat_roughness[id] = material.roughness;
  PutRow(m->mat_rgba, id, material.rgba);
}

}  // namespace

void DraftAssets(Draft& draft) {
  Spec& spec = draft.spec;
  DraftMeshes(draft);
  DraftHFields(draft);
  DraftTextures(draft);
  for (auto& material : spec.List<Material>()) {
    material->id = static_cast<int>(draft.materials.size());
    draft.materials.push_back({material.get()});
  }
}

void WriteAssets(const Draft& draft, mjModel* m) {
  WriteMeshes(draft, m);
  WriteHFields(draft, m);
  WriteTextures(draft, m);
  for (const MaterialDraft& material : draft.materials) {
    At(*material.source, [&] { WriteMaterial(*material.source, draft.spec, m); });
  }
  WriteSkins(draft, m);
}

}  // namespace sinew::inline compile
