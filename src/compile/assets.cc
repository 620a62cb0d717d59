// Height fields, textures and materials.
#include <algorithm>
#include <cmath>

#include "assets/builtin_texture.h"
#include "assets/hfield.h"
#include "compile/diagnose.h"
#include "compile/passes.h"
#include "compile/rows.h"

namespace sinew {
namespace {

// ---- height fields

HFieldDraft DraftHField(HField& source) {
  for (double size : source.size) {
    if (!(size > 0)) throw Error("the sizes of a height field must be positive", "set all four");
  }
  if (!source.file->empty()) throw Error("height fields from files are not supported", "give the elevation");
  if (source.nrow <= 0 || source.ncol <= 0) throw Error("nrow and ncol must be positive", "set them");
  HFieldDraft hfield = {&source, source.nrow, source.ncol, *source.userdata};
  const size_t count = static_cast<size_t>(source.nrow) * static_cast<size_t>(source.ncol);
  if (hfield.elevation.empty()) hfield.elevation.resize(count);
  if (hfield.elevation.size() != count) {
    throw Error("the elevation has " + std::to_string(hfield.elevation.size()) + " numbers",
                "give nrow * ncol of them");
  }
  for (float e : hfield.elevation) {
    if (!std::isfinite(e)) throw Error("an elevation is not a finite number");
  }
  NormalizeElevation(hfield.elevation);
  return hfield;
}

void WriteHFields(const Draft& draft, mjModel* m) {
  int adr = 0;
  for (const HFieldDraft& hfield : draft.hfields) {
    const int id = hfield.source->id;
    PutRow(m->hfield_size, id, hfield.source->size);
    m->hfield_nrow[id] = hfield.nrow;
    m->hfield_ncol[id] = hfield.ncol;
    m->hfield_adr[id] = adr;
    std::copy(hfield.elevation.begin(), hfield.elevation.end(), m->hfield_data + adr);
    adr += static_cast<int>(hfield.elevation.size());
  }
}

// ---- textures

// Pixels from memory, in the layout of the model.
TextureDraft FromData(Texture& source) {
  const int faces = source.type == mjTEXTURE_2D ? 1 : 6;
  if (source.width <= 0 || source.height <= 0 || (faces == 6 && source.height != 6 * source.width)) {
    throw Error("width and height do not fit the type of the texture", "a cube is six squares one above the other");
  }
  const size_t count =
      static_cast<size_t>(source.width) * static_cast<size_t>(source.height) * static_cast<size_t>(source.nchannel);
  if (source.data->size() != count) {
    throw Error("the texture has " + std::to_string(source.data->size()) + " bytes",
                "give width * height * nchannel = " + std::to_string(count));
  }
  TextureDraft texture = {&source, source.width, source.height, source.nchannel, {}};
  for (std::byte byte : *source.data) texture.pixels.push_back(static_cast<mjtByte>(byte));
  return texture;
}

TextureDraft DraftTexture(Texture& source) {
  if (source.nchannel != 1 && source.nchannel != 3 && source.nchannel != 4) {
    throw Error("nchannel is " + std::to_string(source.nchannel), "use 1, 3 or 4");
  }
  if (source.builtin == mjBUILTIN_NONE) {
    if (!source.data->empty()) return FromData(source);
    throw Error("textures from files are not supported, and there is no builtin pattern", "set builtin");
  }
  Image image = RenderBuiltin(source);
  TextureDraft texture = {&source, image.width, image.height, source.nchannel, std::move(image.pixels)};
  // Patterns have three channels; a fourth leaves the rest of the image empty.
  texture.pixels.resize(static_cast<size_t>(texture.width) * static_cast<size_t>(texture.height) *
                        static_cast<size_t>(texture.nchannel));
  return texture;
}

void WriteTextures(const Draft& draft, mjModel* m) {
  mjtSize adr = 0;
  for (const TextureDraft& texture : draft.textures) {
    const int id = texture.source->id;
    m->tex_type[id] = texture.source->type;
    m->tex_colorspace[id] = texture.source->colorspace;
    m->tex_height[id] = texture.height;
    m->tex_width[id] = texture.width;
    m->tex_nchannel[id] = texture.nchannel;
    m->tex_adr[id] = adr;
    std::copy(texture.pixels.begin(), texture.pixels.end(), m->tex_data + adr);
    adr += static_cast<mjtSize>(texture.pixels.size());
  }
}

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

template <class T>
void Refuse(const Spec& spec, const char* what) {
  if (spec.List<T>().empty()) return;
  throw Error(std::string(what) + " are not supported", "remove them").At(Place(*spec.List<T>().front()));
}

}  // namespace

void DraftAssets(Draft& draft) {
  Spec& spec = draft.spec;
  Refuse<Skin>(spec, "skins");
  Refuse<Flex>(spec, "flexes");
  DraftMeshes(draft);
  for (auto& hfield : spec.List<HField>()) {
    hfield->id = static_cast<int>(draft.hfields.size());
    At(*hfield, [&] { draft.hfields.push_back(DraftHField(*hfield)); });
  }
  for (auto& texture : spec.List<Texture>()) {
    texture->id = static_cast<int>(draft.textures.size());
    At(*texture, [&] { draft.textures.push_back(DraftTexture(*texture)); });
  }
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
}

}  // namespace sinew
