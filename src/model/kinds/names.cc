// Finds objects by name in constant time, and names by object. The hash table is stored in the model and in its files,
// so the function and the order of its blocks are those of MuJoCo 3.8.0 (docs/how/mjb.md).
#include "model/kinds/names.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sinew::inline model {
namespace {

// A kind of object that has names: where they begin in mjModel.names, and how many there are.
struct NamedKind {
  int type;  // mjtObj
  mjtSize mjModel::*count;
  int* mjModel::*name_address;
};

// The order is that of names and of names_map.
constexpr NamedKind kNamedKinds[] = {
    {mjOBJ_BODY, &mjModel::nbody, &mjModel::name_bodyadr},
    {mjOBJ_JOINT, &mjModel::njnt, &mjModel::name_jntadr},
    {mjOBJ_GEOM, &mjModel::ngeom, &mjModel::name_geomadr},
    {mjOBJ_SITE, &mjModel::nsite, &mjModel::name_siteadr},
    {mjOBJ_CAMERA, &mjModel::ncam, &mjModel::name_camadr},
    {mjOBJ_LIGHT, &mjModel::nlight, &mjModel::name_lightadr},
    {mjOBJ_FLEX, &mjModel::nflex, &mjModel::name_flexadr},
    {mjOBJ_MESH, &mjModel::nmesh, &mjModel::name_meshadr},
    {mjOBJ_SKIN, &mjModel::nskin, &mjModel::name_skinadr},
    {mjOBJ_HFIELD, &mjModel::nhfield, &mjModel::name_hfieldadr},
    {mjOBJ_TEXTURE, &mjModel::ntex, &mjModel::name_texadr},
    {mjOBJ_MATERIAL, &mjModel::nmat, &mjModel::name_matadr},
    {mjOBJ_PAIR, &mjModel::npair, &mjModel::name_pairadr},
    {mjOBJ_EXCLUDE, &mjModel::nexclude, &mjModel::name_excludeadr},
    {mjOBJ_EQUALITY, &mjModel::neq, &mjModel::name_eqadr},
    {mjOBJ_TENDON, &mjModel::ntendon, &mjModel::name_tendonadr},
    {mjOBJ_ACTUATOR, &mjModel::nu, &mjModel::name_actuatoradr},
    {mjOBJ_SENSOR, &mjModel::nsensor, &mjModel::name_sensoradr},
    {mjOBJ_NUMERIC, &mjModel::nnumeric, &mjModel::name_numericadr},
    {mjOBJ_TEXT, &mjModel::ntext, &mjModel::name_textadr},
    {mjOBJ_TUPLE, &mjModel::ntuple, &mjModel::name_tupleadr},
    {mjOBJ_KEY, &mjModel::nkey, &mjModel::name_keyadr},
    {mjOBJ_PLUGIN, &mjModel::nplugin, &mjModel::name_pluginadr},
};

// Words of MJCF for kinds of objects, which are also those of mju_type2Str.
struct TypeName {
  int type;
  const char* name;
};

constexpr TypeName kTypeNames[] = {
    {mjOBJ_BODY, "body"},         {mjOBJ_XBODY, "xbody"},       {mjOBJ_JOINT, "joint"},
    {mjOBJ_DOF, "dof"},           {mjOBJ_GEOM, "geom"},         {mjOBJ_SITE, "site"},
    {mjOBJ_CAMERA, "camera"},     {mjOBJ_LIGHT, "light"},       {mjOBJ_FLEX, "flex"},
    {mjOBJ_MESH, "mesh"},         {mjOBJ_SKIN, "skin"},         {mjOBJ_HFIELD, "hfield"},
    {mjOBJ_TEXTURE, "texture"},   {mjOBJ_MATERIAL, "material"}, {mjOBJ_PAIR, "pair"},
    {mjOBJ_EXCLUDE, "exclude"},   {mjOBJ_EQUALITY, "equality"}, {mjOBJ_TENDON, "tendon"},
    {mjOBJ_ACTUATOR, "actuator"}, {mjOBJ_SENSOR, "sensor"},     {mjOBJ_NUMERIC, "numeric"},
    {mjOBJ_TEXT, "text"},         {mjOBJ_TUPLE, "tuple"},       {mjOBJ_KEY, "key"},
    {mjOBJ_PLUGIN, "plugin"},     {mjOBJ_FRAME, "frame"},
};

// Both frames of a body, mjOBJ_BODY and mjOBJ_XBODY, are found by the name of the body.
const NamedKind* FindKind(int type) {
  if (type == mjOBJ_XBODY) type = mjOBJ_BODY;
  const auto* kind =
      std::find_if(std::begin(kNamedKinds), std::end(kNamedKinds), [=](const NamedKind& k) { return k.type == type; });
  return kind == std::end(kNamedKinds) ? nullptr : kind;
}

// Programs may write to the arrays of the model: what is no address of a text with an end is read as no name.
const char* NameOf(const mjModel& m, const NamedKind& kind, int id) {
  const int address = (m.*kind.name_address)[id];
  const bool is_text = address >= 0 && address < m.nnames && m.names[m.nnames - 1] == '\0';
  return is_text ? m.names + address : "";
}

// Hash function of D. J. Bernstein, variant with exclusive or. Bytes count as signed on every platform, because the
// table is part of the file format.
uint64_t Hash(const char* name) {
  uint64_t hash = 5381;
  for (; *name; ++name) hash = (hash * 33) ^ static_cast<uint64_t>(static_cast<signed char>(*name));
  return hash;
}

// The block of a kind in names_map.
struct Block {
  int* slots;
  mjtSize count;
};
Block BlockOf(const mjModel& m, const NamedKind& kind) {
  mjtSize first = 0;
  for (const NamedKind* k = kNamedKinds; k != &kind; ++k) first += 2 * (m.*k->count);
  return {m.names_map + first, 2 * (m.*kind.count)};
}

}  // namespace

// A free slot ends the search: since objects are never removed, what is not found before it does not exist.
int Name2Id(const mjModel& m, int type, const char* name) {
  const NamedKind* kind = FindKind(type);
  if (!kind || !name || m.*kind->count == 0) return -1;
  const Block block = BlockOf(m, *kind);
  mjtSize slot = static_cast<mjtSize>(Hash(name) % static_cast<uint64_t>(block.count));
  for (mjtSize probe = 0; probe < block.count; ++probe) {
    const int id = block.slots[slot];
    if (id < 0) return -1;
    if (id < m.*kind->count && std::strcmp(NameOf(m, *kind, id), name) == 0) return id;
    if (++slot == block.count) slot = 0;
  }
  return -1;
}

const char* Id2Name(const mjModel& m, int type, int id) {
  const NamedKind* kind = FindKind(type);
  if (!kind || id < 0 || id >= m.*kind->count) return nullptr;
  const char* name = NameOf(m, *kind, id);
  return *name ? name : nullptr;
}

const char* TypeToString(int type) {
  for (const TypeName& t : kTypeNames) {
    if (t.type == type) return t.name;
  }
  return nullptr;
}

int StringToType(const char* name) {
  for (const TypeName& t : kTypeNames) {
    // Frames exist in specifications only.
    if (name && t.type < mjNOBJECT && std::strcmp(t.name, name) == 0) return t.type;
  }
  return mjOBJ_UNKNOWN;
}

int ObjectCount(const mjModel& m, int type) {
  const NamedKind* kind = FindKind(type);
  return kind ? static_cast<int>(m.*kind->count) : 0;
}

mjtSize NamesMapSize(const mjModel& m) {
  mjtSize slots = 0;
  for (const NamedKind& kind : kNamedKinds) slots += 2 * (m.*kind.count);
  return slots;
}

// Objects are entered in the order of their ids, which decides the slots of names with the same hash.
void BuildNamesMap(mjModel* m) {
  std::fill_n(m->names_map, m->nnames_map, -1);
  for (const NamedKind& kind : kNamedKinds) {
    const Block block = BlockOf(*m, kind);
    for (int id = 0; id < m->*kind.count; ++id) {
      const char* name = NameOf(*m, kind, id);
      if (!*name) continue;
      mjtSize slot = static_cast<mjtSize>(Hash(name) % static_cast<uint64_t>(block.count));
      while (block.slots[slot] >= 0) slot = (slot + 1) % block.count;
      block.slots[slot] = id;
    }
  }
}

}  // namespace sinew::inline model
