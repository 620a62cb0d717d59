// Option discardvisual: what is only seen goes, after its mass has counted.
#include <algorithm>
#include <string>
#include <unordered_set>

#include "compile/diagnose.h"
#include "compile/passes.h"

namespace sinew::inline compile {
namespace {

using Names = std::unordered_set<std::string>;

// Objects of a type that sensors and tuples refer to.
void AddObserved(const Spec& spec, mjtObj type, Names& names) {
  for (const auto& sensor : spec.List<Sensor>()) {
    if (sensor->objtype == type) names.insert(*sensor->objname);
    if (sensor->reftype == type) names.insert(*sensor->refname);
  }
  for (const auto& tuple : spec.List<Tuple>()) {
    for (size_t i = 0; i < std::min(tuple->objtype->size(), tuple->objname->size()); ++i) {
      if ((*tuple->objtype)[i] == type) names.insert((*tuple->objname)[i]);
    }
  }
}

// Geoms that something refers to: contact pairs, tendons around them, sensors and tuples.
Names GeomsInUse(const Spec& spec) {
  Names names;
  for (const auto& pair : spec.List<Pair>()) {
    names.insert(*pair->geomname1);
    names.insert(*pair->geomname2);
  }
  for (const auto& tendon : spec.List<Tendon>()) {
    for (const auto& wrap : tendon->path) {
      if (wrap->type == mjWRAP_SPHERE || wrap->type == mjWRAP_CYLINDER) names.insert(wrap->target);
    }
  }
  AddObserved(spec, mjOBJ_GEOM, names);
  names.erase("");
  return names;
}

void DiscardGeoms(Draft& draft) {
  const Names in_use = GeomsInUse(draft.spec);
  // The draft has the inertia of all geoms already, so their bodies keep mass and moments.
  for (BodyDraft& body : draft.bodies) {
    std::erase_if(body.geoms, [&](const GeomDraft& geom) {
      const bool collides = geom.source->contype != 0 || geom.source->conaffinity != 0;
      if (collides || in_use.contains(geom.source->name)) return false;
      geom.source->id = -1;
      draft.geom_user = std::max(draft.geom_user, static_cast<int>(geom.source->userdata->size()));
      return true;
    });
  }
}

// Meshes without a geom that is left, a sensor or a tuple; the others move up.
void DiscardMeshes(Draft& draft) {
  Names in_use;
  AddObserved(draft.spec, mjOBJ_MESH, in_use);
  for (const BodyDraft& body : draft.bodies) {
    for (const GeomDraft& geom : body.geoms) in_use.insert(*geom.source->meshname);
  }
  in_use.erase("");
  std::erase_if(draft.meshes, [&](const MeshDraft& mesh) {
    if (in_use.contains(mesh.source->name)) return false;
    mesh.source->id = -1;
    return true;
  });
  for (size_t i = 0; i < draft.meshes.size(); ++i) draft.meshes[i].source->id = static_cast<int>(i);
  for (BodyDraft& body : draft.bodies) {
    for (GeomDraft& geom : body.geoms) {
      if (geom.mesh >= 0) geom.mesh = Require(*geom.source->spec, mjOBJ_MESH, *geom.source->meshname).id;
    }
  }
}

}  // namespace

void DiscardVisuals(Draft& draft) {
  if (!static_cast<const mjSpec&>(draft.spec).compiler.discardvisual) return;
  DiscardGeoms(draft);
  DiscardMeshes(draft);
  for (const TextureDraft& texture : draft.textures) texture.source->id = -1;
  for (const MaterialDraft& material : draft.materials) material.source->id = -1;
  draft.textures.clear();
  draft.materials.clear();
}

}  // namespace sinew::inline compile
