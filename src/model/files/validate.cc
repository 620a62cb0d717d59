// Checks every array of indices, blocks and types of a model that came from a file, by three tables: what an entry may
// refer to. Without these checks a damaged file would make later stages read outside of their arrays.
#include "model/files/validate.h"

#include <cstring>
#include <string>

#include "core/error.h"
#include "model/storage/check.h"
#include "model/storage/extension.h"
#include "model/view/fields.h"
#include "model/view/wrap_types.h"

namespace sinew::inline model {
namespace {

// An array of ints, each of which lies in [lowest, m.*count).
struct Reference {
  const char* array;
  mjtSize mjModel::*count;
  int lowest = 0;
};

// Rows [address, address + number) of an array with m.*count * factor elements. Without elements the address is free.
struct Range {
  const char* address;
  const char* number;
  mjtSize mjModel::*count;
  int factor = 1;
  bool full = false;  // all elements are in rows: arrays of mjData, which no file backs with its length
};

// An array of values of an enumeration, in [0, count).
struct Enumeration {
  const char* array;
  int count;
  int extensions = 0, end = 0;  // values of our own: from `extensions` to below `end`
};

// These arrays hold indices, which may be -1 (kNone) where they may mean nothing, and -2 (kSeveral) where several
// actuators may be meant.
constexpr Reference kReferences[] = {
    {"body_parentid", &mjModel::nbody},
    {"body_rootid", &mjModel::nbody},
    {"body_weldid", &mjModel::nbody},
    {"body_mocapid", &mjModel::nmocap, kNone},
    {"body_treeid", &mjModel::ntree, kNone},
    {"body_plugin", &mjModel::nplugin, kNone},
    {"jnt_bodyid", &mjModel::nbody},
    {"jnt_actuatorid", &mjModel::nu, kSeveral},
    {"dof_bodyid", &mjModel::nbody},
    {"dof_jntid", &mjModel::njnt},
    {"dof_parentid", &mjModel::nv, kNone},
    {"dof_treeid", &mjModel::ntree},
    {"dof_Madr", &mjModel::nM},
    {"geom_bodyid", &mjModel::nbody},
    {"geom_matid", &mjModel::nmat, kNone},
    {"geom_plugin", &mjModel::nplugin, kNone},
    {"site_bodyid", &mjModel::nbody},
    {"site_matid", &mjModel::nmat, kNone},
    {"cam_bodyid", &mjModel::nbody},
    {"cam_targetbodyid", &mjModel::nbody, kNone},
    {"light_bodyid", &mjModel::nbody},
    {"light_targetbodyid", &mjModel::nbody, kNone},
    {"light_texid", &mjModel::ntex, kNone},
    {"flex_matid", &mjModel::nmat, kNone},
    {"flex_nodebodyid", &mjModel::nbody, kNone},
    {"flex_vertbodyid", &mjModel::nbody, kNone},
    {"flexedge_J_colind", &mjModel::nv},
    {"flexvert_J_colind", &mjModel::nv},
    {"skin_matid", &mjModel::nmat, kNone},
    {"skin_bonebodyid", &mjModel::nbody},
    {"mat_texid", &mjModel::ntex, kNone},
    {"pair_geom1", &mjModel::ngeom},
    {"pair_geom2", &mjModel::ngeom},
    {"tendon_matid", &mjModel::nmat, kNone},
    {"tendon_actuatorid", &mjModel::nu, kSeveral},
    {"tendon_treeid", &mjModel::ntree, kNone},
    {"ten_J_colind", &mjModel::nv},
    {"actuator_plugin", &mjModel::nplugin, kNone},
    {"sensor_plugin", &mjModel::nplugin, kNone},
    {"hfield_pathadr", &mjModel::npaths, kNone},
    {"mesh_pathadr", &mjModel::npaths, kNone},
    {"skin_pathadr", &mjModel::npaths, kNone},
    {"tex_pathadr", &mjModel::npaths, kNone},
    {"plugin_attradr", &mjModel::npluginattr, kNone},
    {"B_colind", &mjModel::nv},
    {"M_colind", &mjModel::nv},
    {"D_colind", &mjModel::nv},
    {"mapM2M", &mjModel::nM},
    {"mapM2D", &mjModel::nC, kNone},
    {"mapD2M", &mjModel::nD},
    {"name_bodyadr", &mjModel::nnames},
    {"name_jntadr", &mjModel::nnames},
    {"name_geomadr", &mjModel::nnames},
    {"name_siteadr", &mjModel::nnames},
    {"name_camadr", &mjModel::nnames},
    {"name_lightadr", &mjModel::nnames},
    {"name_flexadr", &mjModel::nnames},
    {"name_meshadr", &mjModel::nnames},
    {"name_skinadr", &mjModel::nnames},
    {"name_hfieldadr", &mjModel::nnames},
    {"name_texadr", &mjModel::nnames},
    {"name_matadr", &mjModel::nnames},
    {"name_pairadr", &mjModel::nnames},
    {"name_excludeadr", &mjModel::nnames},
    {"name_eqadr", &mjModel::nnames},
    {"name_tendonadr", &mjModel::nnames},
    {"name_actuatoradr", &mjModel::nnames},
    {"name_sensoradr", &mjModel::nnames},
    {"name_numericadr", &mjModel::nnames},
    {"name_textadr", &mjModel::nnames},
    {"name_tupleadr", &mjModel::nnames},
    {"name_keyadr", &mjModel::nnames},
    {"name_pluginadr", &mjModel::nnames},
};

// Blocks are given by first row and number of rows; arrays of kinds with several possible targets are checked by type
// (model/files/validate_typed.cc).
constexpr Range kRanges[] = {
    {"body_jntadr", "body_jntnum", &mjModel::njnt},
    {"body_dofadr", "body_dofnum", &mjModel::nv},
    {"body_geomadr", "body_geomnum", &mjModel::ngeom},
    {"body_bvhadr", "body_bvhnum", &mjModel::nbvh},
    {"tree_bodyadr", "tree_bodynum", &mjModel::nbody},
    {"tree_dofadr", "tree_dofnum", &mjModel::nv},
    {"flex_nodeadr", "flex_nodenum", &mjModel::nflexnode},
    {"flex_vertadr", "flex_vertnum", &mjModel::nflexvert},
    {"flex_edgeadr", "flex_edgenum", &mjModel::nflexedge},
    {"flex_elemadr", "flex_elemnum", &mjModel::nflexelem},
    {"flex_evpairadr", "flex_evpairnum", &mjModel::nflexevpair},
    {"flex_bvhadr", "flex_bvhnum", &mjModel::nbvh},
    {"flex_vertedgeadr", "flex_vertedgenum", &mjModel::nflexedge, 2},
    {"flexedge_J_rowadr", "flexedge_J_rownnz", &mjModel::nJfe},
    {"flexvert_J_rowadr", "flexvert_J_rownnz", &mjModel::nJfv, 2},
    {"mesh_vertadr", "mesh_vertnum", &mjModel::nmeshvert},
    {"mesh_faceadr", "mesh_facenum", &mjModel::nmeshface},
    {"mesh_normaladr", "mesh_normalnum", &mjModel::nmeshnormal},
    {"mesh_texcoordadr", "mesh_texcoordnum", &mjModel::nmeshtexcoord},
    {"mesh_bvhadr", "mesh_bvhnum", &mjModel::nbvh},
    {"mesh_octadr", "mesh_octnum", &mjModel::noct},
    {"mesh_polyadr", "mesh_polynum", &mjModel::nmeshpoly},
    {"mesh_polyvertadr", "mesh_polyvertnum", &mjModel::nmeshpolyvert},
    {"mesh_polymapadr", "mesh_polymapnum", &mjModel::nmeshpolymap},
    {"skin_vertadr", "skin_vertnum", &mjModel::nskinvert},
    {"skin_faceadr", "skin_facenum", &mjModel::nskinface},
    {"skin_boneadr", "skin_bonenum", &mjModel::nskinbone},
    {"skin_bonevertadr", "skin_bonevertnum", &mjModel::nskinbonevert},
    {"tendon_adr", "tendon_num", &mjModel::nwrap},
    {"ten_J_rowadr", "ten_J_rownnz", &mjModel::nJten},
    {"actuator_actadr", "actuator_actnum", &mjModel::na, 1, true},
    {"sensor_adr", "sensor_dim", &mjModel::nsensordata, 1, true},
    {"plugin_stateadr", "plugin_statenum", &mjModel::npluginstate, 1, true},
    {"numeric_adr", "numeric_size", &mjModel::nnumericdata},
    {"text_adr", "text_size", &mjModel::ntextdata},
    {"tuple_adr", "tuple_size", &mjModel::ntupledata},
    {"B_rowadr", "B_rownnz", &mjModel::nB},
    {"M_rowadr", "M_rownnz", &mjModel::nC},
    {"D_rowadr", "D_rownnz", &mjModel::nD},
};

// Types that select a branch or index a table of functions.
constexpr Enumeration kEnumerations[] = {
    {"jnt_type", mjJNT_HINGE + 1},
    {"geom_type", mjNGEOMTYPES},
    {"site_type", mjNGEOMTYPES},
    {"cam_mode", mjCAMLIGHT_TARGETBODYCOM + 1},
    {"light_mode", mjCAMLIGHT_TARGETBODYCOM + 1},
    {"eq_type", mjEQ_DISTANCE + 1},
    {"wrap_type", mjWRAP_CYLINDER + 1, kWrapEllipsoid, kWrapEllipsoid + 1},
    {"actuator_dyntype", mjDYN_USER + 1, kMusculotendon, kMusculotendon + 1},
    {"actuator_gaintype", mjGAIN_USER + 1, kMusculotendon, kMusculotendon + 1},
    {"actuator_biastype", mjBIAS_USER + 1, kMusculotendon, kMusculotendon + 1},
    {"sensor_type", mjSENS_USER + 1, kSensorFiberLength, kEndOfSensors},
};

// A name that the tables of fields lack is a mistake in the tables above.
const ModelArray& Find(const char* name) {
  for (const ModelArray& array : kModelFields) {
    if (std::strcmp(array.name, name) == 0) return array;
  }
  throw Error("no array of mjModel is called " + std::string(name));
}

// Checks lowest <= value < end for all elements of a named array.
void CheckArray(const mjModel& m, const char* name, mjtSize lowest, mjtSize end) {
  const ModelArray& array = Find(name);
  CheckValues(name, static_cast<const int*>(array.Pointer(m)), static_cast<mjtSize>(array.Count(m)), lowest, end);
}

// An enumeration may have values of our own far behind those of the interface; both ranges are valid.
void CheckTypes(const mjModel& m, const Enumeration& enumeration) {
  const ModelArray& array = Find(enumeration.array);
  const int* values = static_cast<const int*>(array.Pointer(m));
  for (mjtSize i = 0; i < static_cast<mjtSize>(array.Count(m)); ++i) {
    if (values[i] >= enumeration.extensions && values[i] < enumeration.end) continue;
    CheckValue(enumeration.array, values, i, 0, enumeration.count);
  }
}

// Lengths are checked one by one, because a negative one would pass a check of sums.
void CheckRange(const mjModel& m, const Range& range) {
  const ModelArray& array = Find(range.address);
  const int* address = static_cast<const int*>(array.Pointer(m));
  const int* number = static_cast<const int*>(Find(range.number).Pointer(m));
  const mjtSize count = static_cast<mjtSize>(array.Count(m));
  mjtSize rows = 0;
  for (mjtSize i = 0; i < count; ++i) {
    if (number[i] < 0) ThrowInvalid(range.number, i, number[i]);
    CheckBlock(range.address, address, i, number[i], m.*range.count * range.factor);
    rows += number[i];
  }
  if (range.full && m.*range.count > rows) {
    throw Error("Invalid model: there is more room than " + std::string(range.number) + " asks for");
  }
}

}  // namespace

// Trees, patterns and typed addresses are checked after these, because they follow the indices that are checked here.
void ValidateReferences(const mjModel& m) {
  for (const Reference& r : kReferences) CheckArray(m, r.array, r.lowest, m.*r.count);
  for (const Range& range : kRanges) CheckRange(m, range);
  for (const Enumeration& e : kEnumerations) CheckTypes(m, e);
}

// The order matters: each check may use what those before it have found valid.
void Validate(const mjModel& m) {
  ValidateOptions(m.opt);
  ValidateReferences(m);
  ValidateTree(m);
  ValidatePatterns(m);
  ValidateTyped(m);
  ValidateTendons(m);
  ValidateSensors(m);
  ValidateAssets(m);
  ValidateExtensions(m);
}

}  // namespace sinew::inline model
