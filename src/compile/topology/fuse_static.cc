// Option fusestatic: bodies without joints become parts of their parents, which makes models of robots with many fixed
// links smaller. A body that an element refers to by name stays, and so does one whose fusion would change forces: the
// fused model has the mass matrix and the forces of the model that it is made from.
#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_set>

#include "compile/geometry/bvh.h"
#include "compile/passes.h"
#include "compile/tree/motion.h"

namespace sinew::inline compile {
namespace {

using Names = std::unordered_set<std::string>;

bool IsBody(mjtObj type) { return type == mjOBJ_BODY || type == mjOBJ_XBODY; }

// A sensor may observe bodies as object and as reference.
void AddSensor(const Sensor& sensor, const Spec& spec, Names& names) {
  if (IsBody(sensor.objtype)) names.insert(*sensor.objname);
  if (IsBody(sensor.reftype)) names.insert(*sensor.refname);
  if (sensor.type != mjSENS_FORCE && sensor.type != mjSENS_TORQUE) return;
  // These measure what the body of a site exchanges with its parent: the body must remain.
  if (const Site* site = spec.Find<Site>(*sensor.objname)) names.insert(site->parent->name);
}

// Bodies that something refers to by name.
Names NamesInUse(const Draft& draft) {
  const Spec& spec = draft.spec;
  Names names;
  for (const BodyDraft& body : draft.bodies) {
    for (const CameraDraft& camera : body.cameras) names.insert(*camera.source->targetbody);
    for (const LightDraft& light : body.lights) names.insert(*light.source->targetbody);
  }
  for (const auto& exclude : spec.List<Exclude>()) {
    names.insert(*exclude->bodyname1);
    names.insert(*exclude->bodyname2);
  }
  for (const auto& equality : spec.List<Equality>()) {
    const bool bodies = equality->type == mjEQ_CONNECT || equality->type == mjEQ_WELD;
    if (!bodies || equality->objtype == mjOBJ_SITE) continue;
    names.insert(*equality->name1);
    names.insert(*equality->name2);
  }
  for (const auto& skin : spec.List<Skin>()) names.insert(skin->bodyname->begin(), skin->bodyname->end());
  for (const auto& actuator : spec.List<Actuator>()) {
    if (actuator->trntype == mjTRN_BODY) names.insert(*actuator->target);
  }
  for (const auto& flex : spec.List<Flex>()) {
    names.insert(flex->vertbody->begin(), flex->vertbody->end());
    names.insert(flex->nodebody->begin(), flex->nodebody->end());
  }
  for (const auto& sensor : spec.List<Sensor>()) AddSensor(*sensor, spec, names);
  for (const auto& tuple : spec.List<Tuple>()) {
    for (size_t i = 0; i < std::min(tuple->objtype->size(), tuple->objname->size()); ++i) {
      if (IsBody(static_cast<mjtObj>((*tuple->objtype)[i]))) names.insert((*tuple->objname)[i]);
    }
  }
  names.erase("");
  return names;
}

// The pose of a part in the parent is the pose of the body times that of the part.
template <class Part>
void MovePoses(std::vector<Part>& from, const Pose& pose, std::vector<Part>& to) {
  for (Part& part : from) {
    part.pose = pose * part.pose;
    if constexpr (requires { part.motion; }) TurnMotion(pose, &part.motion);
    to.push_back(part);
  }
}

// Parts of a body that stands at `body.pose` in its parent.
void MoveParts(BodyDraft& body, BodyDraft& parent) {
  MovePoses(body.geoms, body.pose, parent.geoms);
  MovePoses(body.sites, body.pose, parent.sites);
  MovePoses(body.cameras, body.pose, parent.cameras);
  for (LightDraft light : body.lights) {
    light.pos = body.pose * light.pos;
    light.dir = Rotate(body.pose.quat, light.dir);
    parent.lights.push_back(light);
  }
}

// Adds the inertia of a body to that of its parent.
void MoveInertial(const BodyDraft& body, BodyDraft& parent) {
  Inertial moved = body.inertial;
  moved.frame = body.pose * body.inertial.frame;
  parent.inertial = CombineInertials(parent.inertial, moved);
}

// ---- what a fused model would compute otherwise

// Whether a camera or a light follows its body without turning with it: the place that it follows is not its parent's.
bool Follows(mjtCamLight mode) { return mode == mjCAMLIGHT_TRACK || mode == mjCAMLIGHT_TRACKCOM; }

bool HasFollower(const BodyDraft& body) {
  return std::any_of(body.cameras.begin(), body.cameras.end(),
                     [](const CameraDraft& camera) { return Follows(camera.source->mode); }) ||
         std::any_of(body.lights.begin(), body.lights.end(),
                     [](const LightDraft& light) { return Follows(light.source->mode); });
}

// How a medium acts on a body: by its geoms if one of them asks for that, else on a box of its inertia, if it has mass.
enum class FluidModel { kNone, kBox, kGeoms };

FluidModel FluidModelOf(const BodyDraft& body) {
  const bool by_geoms = std::any_of(body.geoms.begin(), body.geoms.end(),
                                    [](const GeomDraft& geom) { return geom.source->fluid_ellipsoid > 0; });
  if (by_geoms) return FluidModel::kGeoms;
  return body.inertial.mass > 0 ? FluidModel::kBox : FluidModel::kNone;
}

// The box of a sum of bodies is not the sum of their boxes, and a body is treated in one way.
bool ChangesFluidForces(const BodyDraft& body, const BodyDraft& parent, const mjOption& option) {
  if (!(option.density > 0) && !(option.viscosity > 0)) return false;
  const FluidModel of_body = FluidModelOf(body), of_parent = FluidModelOf(parent);
  if (of_body == FluidModel::kNone) return of_parent == FluidModel::kGeoms && !body.geoms.empty();
  return of_body != FluidModel::kGeoms || of_parent == FluidModel::kBox;
}

// A fused model moves as the model of all bodies does: what a body has of its own that its parent could not have for it
// keeps it. The world does not move, so its parts need not care for forces.
bool MustStay(const BodyDraft& body, const BodyDraft& parent, const Draft& draft) {
  if (HasFollower(body) || body.source->plugin.active) return true;
  if (body.parent == 0) return false;
  const bool lifted_otherwise = body.inertial.mass > 0 && body.source->gravcomp != parent.source->gravcomp;
  return lifted_otherwise || ChangesFluidForces(body, parent, draft.spec.option);
}

bool Collides(const BodyDraft& body) {
  return std::any_of(body.geoms.begin(), body.geoms.end(),
                     [](const GeomDraft& geom) { return geom.source->contype != 0 || geom.source->conaffinity != 0; });
}

}  // namespace

// Ids of bodies are positions in the draft, so what remains is renumbered at the end.
void FuseStaticBodies(Draft& draft) {
  if (!static_cast<const mjSpec&>(draft.spec).compiler.fusestatic) return;
  const Names names = NamesInUse(draft);
  std::vector<bool> fused(draft.bodies.size());
  // Parents come first, so that a fused parent already stands in the frame of a body that remains.
  for (size_t i = 1; i < draft.bodies.size(); ++i) {
    BodyDraft& body = draft.bodies[i];
    const BodyDraft& old_parent = draft.bodies[static_cast<size_t>(body.parent)];
    if (fused[static_cast<size_t>(body.parent)]) {
      body.pose = old_parent.pose * body.pose;
      body.parent = old_parent.parent;
    }
    BodyDraft& parent = draft.bodies[static_cast<size_t>(body.parent)];
    fused[i] = body.joints.empty() && !body.source->mocap && !names.contains(body.source->name) &&
               !MustStay(body, parent, draft);
    if (!fused[i]) continue;
    body.source->id = -1;
    draft.body_user = std::max(draft.body_user, static_cast<int>(body.source->userdata->size()));
    // Models of MuJoCo 3.8.0 have an unused node for each tree of boxes that was merged into another one.
    draft.spare_boxes += Collides(body) && Collides(parent);
    if (parent.past_leaves.empty()) RememberLeaves(parent);
    MoveParts(body, parent);
    if (body.parent != 0) MoveInertial(body, parent);
    RememberLeaves(parent);
  }

  // Renumber what remains.
  std::vector<int> new_id(draft.bodies.size(), -1);
  std::vector<BodyDraft> kept;
  for (size_t i = 0; i < draft.bodies.size(); ++i) {
    if (fused[i]) continue;
    new_id[i] = static_cast<int>(kept.size());
    BodyDraft body = std::move(draft.bodies[i]);
    body.parent = new_id[static_cast<size_t>(body.parent)];
    body.weld = new_id[i] == 0 ? 0 : body.joints.empty() ? kept[static_cast<size_t>(body.parent)].weld : new_id[i];
    kept.push_back(std::move(body));
  }
  draft.bodies = std::move(kept);
}

}  // namespace sinew::inline compile
