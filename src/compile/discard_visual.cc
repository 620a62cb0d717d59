// Option discardvisual: what is only seen goes, after its mass has counted.
#include <algorithm>
#include <string>
#include <unordered_set>

#include "compile/passes.h"

namespace sinew {
namespace {

using Names = std::unordered_set<std::string>;

// Geoms that something refers to: contact pairs, tendons around them, sensors and tuples.
Names NamesInUse(const Spec& spec) {
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
  for (const auto& sensor : spec.List<Sensor>()) {
    if (sensor->objtype == mjOBJ_GEOM) names.insert(*sensor->objname);
    if (sensor->reftype == mjOBJ_GEOM) names.insert(*sensor->refname);
  }
  for (const auto& tuple : spec.List<Tuple>()) {
    for (size_t i = 0; i < std::min(tuple->objtype->size(), tuple->objname->size()); ++i) {
      if ((*tuple->objtype)[i] == mjOBJ_GEOM) names.insert((*tuple->objname)[i]);
    }
  }
  names.erase("");
  return names;
}

}  // namespace

void DiscardVisuals(Draft& draft) {
  if (!static_cast<const mjSpec&>(draft.spec).compiler.discardvisual) return;
  const Names names = NamesInUse(draft.spec);
  // The draft has the inertia of all geoms already, so their bodies keep mass and moments.
  for (BodyDraft& body : draft.bodies) {
    std::erase_if(body.geoms, [&](const GeomDraft& geom) {
      const bool collides = geom.source->contype != 0 || geom.source->conaffinity != 0;
      if (collides || names.contains(geom.source->name)) return false;
      geom.source->id = -1;
      return true;
    });
  }
  for (const TextureDraft& texture : draft.textures) texture.source->id = -1;
  for (const MaterialDraft& material : draft.materials) material.source->id = -1;
  draft.textures.clear();
  draft.materials.clear();
}

}  // namespace sinew
