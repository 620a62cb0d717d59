// Names: checks that they are unique within their kind, and collects them, with the paths of files, into the buffers of
// the model.
#include "compile/names.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "compile/assets/asset_file.h"
#include "compile/diagnose.h"
#include "compile/passes.h"
#include "core/path.h"

namespace sinew::inline compile {
namespace {

// ---- checks

// An asset without a name is called like its file.
void NameLikeFile(Spec& spec, Element& asset, const std::string& file) {
  if (asset.name.empty()) spec.SetName(asset, std::string(Stem(file)));
}

// Skins and skyboxes may stay without a name, as nothing refers to them.
void NameAsset(Spec& spec, Element& asset, const std::string& file) {
  NameLikeFile(spec, asset, file);
  if (asset.name.empty()) throw Error("empty name", "assets are referred to by name: give one").At(Place(asset));
}

// Names seen so far, of one kind of element.
class UniqueNames {
 public:
  void Add(const Element& element) {
    if (element.name.empty() || seen_.insert(element.name).second) return;
    throw Error(std::string("repeated name '") + element.name + "'", "rename one of the elements").At(Place(element));
  }

 private:
  std::unordered_set<std::string> seen_;
};

// Kinds do not share names: a geom and a site may be called the same.
template <class T>
void CheckUnique(const ElementList<T>& list) {
  UniqueNames names;
  for (const auto& element : list) names.Add(*element);
}

// Elements of the tree share their names with nothing else of their kind, wherever they stand.
struct TreeNames {
  UniqueNames bodies, joints, geoms, sites, cameras, lights, frames;
};

template <class T>
void AddAll(const ElementList<T>& list, UniqueNames& names) {
  for (const auto& element : list) names.Add(*element);
}

void CheckTreeNames(const Body& world) {
  TreeNames names;
  std::vector<const Body*> stack = {&world};
  while (!stack.empty()) {
    const Body& body = *stack.back();
    stack.pop_back();
    names.bodies.Add(body);
    AddAll(body.joints, names.joints);
    AddAll(body.geoms, names.geoms);
    AddAll(body.sites, names.sites);
    AddAll(body.cameras, names.cameras);
    AddAll(body.lights, names.lights);
    AddAll(body.frames, names.frames);
    for (const auto& child : body.bodies) stack.push_back(child.get());
  }
}

// ---- collection

template <class List>
std::vector<std::string> NamesOf(const List& drafts) {
  std::vector<std::string> names;
  for (const auto& draft : drafts) names.push_back(draft.source->Element::name);
  return names;
}

template <class Part>
std::vector<std::string> PartNames(const Draft& draft, std::vector<Part> BodyDraft::*parts) {
  std::vector<std::string> names;
  for (const BodyDraft& body : draft.bodies) {
    for (const Part& part : body.*parts) names.push_back(part.source->name);
  }
  return names;
}

template <class T>
std::vector<std::string> ElementNames(const Spec& spec) {
  std::vector<std::string> names;
  for (const auto& element : spec.List<T>()) names.push_back(element->name);
  return names;
}

// Names of extensions stand behind those of the user.
std::vector<std::string> NumericNames(const Draft& draft) {
  std::vector<std::string> names = ElementNames<Numeric>(draft.spec);
  for (const ExtensionArray& array : draft.extensions) names.push_back(array.name);
  return names;
}

// Filler keyframes have no names.
std::vector<std::string> KeyNames(const Spec& spec) {
  std::vector<std::string> names = ElementNames<Key>(spec);
  names.resize(static_cast<size_t>(KeyCount(spec)));
  return names;
}

// Copies a text with its terminator; returns where the next one goes.
char* Append(char* to, const std::string& text) {
  std::memcpy(to, text.c_str(), text.size() + 1);
  return to + text.size() + 1;
}

}  // namespace

void CheckNames(Spec& spec) {
  CheckTreeNames(spec.world());
  for (auto& asset : spec.List<Mesh>()) NameAsset(spec, *asset, *asset->file);
  for (auto& skin : spec.List<Skin>()) NameLikeFile(spec, *skin, *skin->file);
  for (auto& asset : spec.List<HField>()) NameAsset(spec, *asset, *asset->file);
  for (auto& asset : spec.List<Texture>()) {
    if (asset->type == mjTEXTURE_SKYBOX) {
      NameLikeFile(spec, *asset, *asset->file);
    } else {
      NameAsset(spec, *asset, *asset->file);
    }
  }
  for (auto& asset : spec.List<Material>()) NameAsset(spec, *asset, "");
  CheckUnique(spec.List<Flex>());
  CheckUnique(spec.List<Mesh>());
  CheckUnique(spec.List<Skin>());
  CheckUnique(spec.List<HField>());
  CheckUnique(spec.List<Texture>());
  CheckUnique(spec.List<Material>());
  CheckUnique(spec.List<Pair>());
  CheckUnique(spec.List<Exclude>());
  CheckUnique(spec.List<Equality>());
  CheckUnique(spec.List<Tendon>());
  CheckUnique(spec.List<Actuator>());
  CheckUnique(spec.List<Sensor>());
  CheckUnique(spec.List<Numeric>());
  CheckUnique(spec.List<Text>());
  CheckUnique(spec.List<Tuple>());
  CheckUnique(spec.List<Key>());
  CheckUnique(spec.List<Plugin>());
}

// The order of kinds is that of model/kinds/names.cc, which looks names up.
std::vector<NameGroup> CollectNames(const Draft& draft) {
  const Spec& spec = draft.spec;
  return {
      {&mjModel::name_bodyadr, NamesOf(draft.bodies)},
      {&mjModel::name_jntadr, PartNames(draft, &BodyDraft::joints)},
      {&mjModel::name_geomadr, PartNames(draft, &BodyDraft::geoms)},
      {&mjModel::name_siteadr, PartNames(draft, &BodyDraft::sites)},
      {&mjModel::name_camadr, PartNames(draft, &BodyDraft::cameras)},
      {&mjModel::name_lightadr, PartNames(draft, &BodyDraft::lights)},
      {&mjModel::name_flexadr, NamesOf(draft.flexes)},
      {&mjModel::name_meshadr, NamesOf(draft.meshes)},
      {&mjModel::name_skinadr, NamesOf(draft.skins)},
      {&mjModel::name_hfieldadr, NamesOf(draft.hfields)},
      {&mjModel::name_texadr, NamesOf(draft.textures)},
      {&mjModel::name_matadr, NamesOf(draft.materials)},
      {&mjModel::name_pairadr, NamesOf(draft.pairs)},
      {&mjModel::name_excludeadr, NamesOf(draft.excludes)},
      {&mjModel::name_eqadr, NamesOf(draft.equalities)},
      {&mjModel::name_tendonadr, NamesOf(draft.tendons)},
      {&mjModel::name_actuatoradr, NamesOf(draft.actuators)},
      {&mjModel::name_sensoradr, NamesOf(draft.sensors)},
      {&mjModel::name_numericadr, NumericNames(draft)},
      {&mjModel::name_textadr, ElementNames<Text>(spec)},
      {&mjModel::name_tupleadr, NamesOf(draft.tuples)},
      {&mjModel::name_keyadr, KeyNames(spec)},
      {&mjModel::name_pluginadr, NamesOf(draft.plugins)},
  };
}

// ---- names

// The name of the model comes first in the buffer.
mjtSize NamesLength(const Draft& draft, const std::vector<NameGroup>& groups) {
  size_t length = draft.spec.modelname->size() + 1;
  for (const NameGroup& group : groups) {
    for (const std::string& name : group.names) length += name.size() + 1;
  }
  return static_cast<mjtSize>(length);
}

void WriteNames(const Draft& draft, const std::vector<NameGroup>& groups, mjModel* m) {
  char* end = Append(m->names, *draft.spec.modelname);
  for (const NameGroup& group : groups) {
    int* adr = m->*group.adr;
    for (const std::string& name : group.names) {
      *adr++ = static_cast<int>(end - m->names);
      end = Append(end, name);
    }
  }
}

// ---- paths

namespace {

// Calls visit(file, address in the model) for every asset that comes from a file, in the order of the buffer.
template <class Visit>
void ForEachPath(const Draft& draft, Visit&& visit) {
  for (const HFieldDraft& hfield : draft.hfields) {
    visit(AssetFileName(*hfield.source, *hfield.source->file), &mjModel::hfield_pathadr, hfield.source->id);
  }
  for (const MeshDraft& mesh : draft.meshes) {
    visit(AssetFileName(*mesh.source, *mesh.source->file), &mjModel::mesh_pathadr, mesh.source->id);
  }
  for (const SkinDraft& skin : draft.skins)
    visit(AssetFileName(*skin.source, *skin.source->file), &mjModel::skin_pathadr, skin.source->id);
  for (const TextureDraft& texture : draft.textures) {
    visit(AssetFileName(*texture.source, *texture.source->file), &mjModel::tex_pathadr, texture.source->id);
  }
}

}  // namespace

// An empty buffer still has one byte.
mjtSize PathsLength(const Draft& draft) {
  size_t length = 0;
  ForEachPath(draft, [&](const std::string& file, int* mjModel::*, int) {
    if (!file.empty()) length += file.size() + 1;
  });
  return static_cast<mjtSize>(std::max<size_t>(length, 1));
}

void WritePaths(const Draft& draft, mjModel* m) {
  char* end = m->paths;
  ForEachPath(draft, [&](const std::string& file, int* mjModel::*adr, int id) {
    (m->*adr)[id] = file.empty() ? -1 : static_cast<int>(end - m->paths);
    if (!file.empty()) end = Append(end, file);
  });
}

}  // namespace sinew::inline compile
