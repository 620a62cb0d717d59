// Skins, from numbers or files: surfaces whose vertices follow bones, which are poses on bodies. The bind pose says
// where a bone is when the skin has the shape that is given. Skins have no physics.
#include "assets/skin.h"

#include <algorithm>

#include "compile/assets/asset_file.h"
#include "compile/diagnose.h"
#include "compile/passes.h"
#include "compile/rows.h"
#include "core/path.h"
#include "spec/lists.h"

namespace sinew::inline compile {
namespace {

// Bones of a specification are parallel lists.
std::vector<SkinBone> BonesOf(const Skin& source) {
  CheckLists(source);
  const size_t count = source.bodyname->size();
  std::vector<SkinBone> bones(count);
  for (size_t i = 0; i < count; ++i) {
    SkinBone& bone = bones[i];
    bone.body = (*source.bodyname)[i];
    std::copy_n(source.bindpos->data() + 3 * i, 3, bone.bindpos);
    std::copy_n(source.bindquat->data() + 4 * i, 4, bone.bindquat);
    bone.vertex = (*source.vertid)[i];
    bone.weight = (*source.vertweight)[i];
  }
  return bones;
}

// FinishSkin normalizes weights and checks what vertices and bones refer to.
SkinData FromNumbers(const Skin& source) {
  if (!source.texcoord->empty() && 3 * source.texcoord->size() != 2 * source.vert->size()) {
    throw Error("vertex and texcoord data have different sizes",
                "give two texture coordinates for each vertex, or none");
  }
  SkinData skin = {*source.vert, *source.texcoord, *source.face, BonesOf(source)};
  FinishSkin(skin);
  return skin;
}

// The format is recognized by its extension, as it has no mark of its own.
SkinData FromFile(const Skin& source, const mjVFS* vfs) {
  if (!source.vert->empty() || !source.texcoord->empty() || !source.face->empty() || !source.bodyname->empty()) {
    throw Error("the skin has a file and data of its own", "remove one of them");
  }
  if (!ToLower(*source.file).ends_with(".skn")) {
    throw Error("the file '" + *source.file + "' is no skin", "save it as .skn");
  }
  const auto file = OpenAssetFile(source, *source.compiler().meshdir, *source.file, vfs);
  SkinData skin;
  InFile(*source.file, [&] {
    skin = LoadSkn(ContentOf(*file));
    FinishSkin(skin);
  });
  return skin;
}

// Groups select what is drawn.
SkinDraft DraftSkin(Skin& source, const Draft& draft) {
  if (source.group < 0 || source.group >= mjNGROUP) {
    throw Error("the group of the skin is " + std::to_string(source.group), "use 0 to " + std::to_string(mjNGROUP - 1));
  }
  SkinDraft skin = {&source, source.file->empty() ? FromNumbers(source) : FromFile(source, draft.vfs), {}};
  for (const SkinBone& bone : skin.data.bones) {
    skin.bodies.push_back(Require(draft.spec, mjOBJ_BODY, bone.body).id);
  }
  return skin;
}

// ---- the model

// Rows of the arrays that all skins share.
struct SkinRows {
  int vertex = 0, texcoord = 0, face = 0, bone = 0, bone_vertex = 0;
};

template <class T>
int CountOf(const std::vector<T>& list, int width) {
  return static_cast<int>(list.size()) / width;
}

// Copies rows of `width` numbers behind those that are there.
template <class T>
void Append(const std::vector<T>& values, int width, T* array, int& row) {
  std::copy(values.begin(), values.end(), array + static_cast<size_t>(row) * static_cast<size_t>(width));
  row += CountOf(values, width);
}

// Vertices of a bone and their weights are two arrays with the same address.
void WriteBone(const SkinBone& bone, int body, SkinRows& rows, mjModel* m) {
  PutRow(m->skin_bonebindpos, rows.bone, bone.bindpos);
  PutRow(m->skin_bonebindquat, rows.bone, bone.bindquat);
  m->skin_bonebodyid[rows.bone] = body;
  m->skin_bonevertadr[rows.bone] = rows.bone_vertex;
  m->skin_bonevertnum[rows.bone] = CountOf(bone.vertex, 1);
  std::copy(bone.weight.begin(), bone.weight.end(), m->skin_bonevertweight + rows.bone_vertex);
  Append(bone.vertex, 1, m->skin_bonevertid, rows.bone_vertex);
  ++rows.bone;
}

// Texture coordinates are optional; a skin without them has the address -1.
void WriteSkin(const SkinDraft& skin, const Spec& spec, SkinRows& rows, mjModel* m) {
  const Skin& source = *skin.source;
  const SkinData& data = skin.data;
  const int id = source.id;
  m->skin_matid[id] = OptionalId(spec, mjOBJ_MATERIAL, *source.material);
  m->skin_group[id] = source.group;
  PutRow(m->skin_rgba, id, source.rgba);
  m->skin_inflate[id] = source.inflate;
  m->skin_vertadr[id] = rows.vertex;
  m->skin_vertnum[id] = CountOf(data.vertex, 3);
  m->skin_texcoordadr[id] = data.texcoord.empty() ? -1 : rows.texcoord;
  m->skin_faceadr[id] = rows.face;
  m->skin_facenum[id] = CountOf(data.face, 3);
  m->skin_boneadr[id] = rows.bone;
  m->skin_bonenum[id] = CountOf(data.bones, 1);
  Append(data.vertex, 3, m->skin_vert, rows.vertex);
  Append(data.texcoord, 2, m->skin_texcoord, rows.texcoord);
  Append(data.face, 3, m->skin_face, rows.face);
  for (size_t i = 0; i < data.bones.size(); ++i) WriteBone(data.bones[i], skin.bodies[i], rows, m);
}

}  // namespace

// Bones name bodies, so skins come after the tree has ids.
void DraftSkins(Draft& draft) {
  for (auto& skin : draft.spec.List<Skin>()) {
    skin->id = static_cast<int>(draft.skins.size());
    At(*skin, [&] { draft.skins.push_back(DraftSkin(*skin, draft)); });
  }
}

void WriteSkins(const Draft& draft, mjModel* m) {
  SkinRows rows;
  for (const SkinDraft& skin : draft.skins) {
    At(*skin.source, [&] { WriteSkin(skin, draft.spec, rows, m); });
  }
}

}  // namespace sinew::inline compile
