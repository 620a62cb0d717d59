// Option alignfree: the frame of a free body moves to its centre of mass and principal axes, which makes its block of
// the inertia matrix diagonal.
#include "compile/passes.h"
#include "compile/tree/motion.h"

namespace sinew::inline compile {
namespace {

// A joint's own setting has precedence over the option.
bool IsAligned(const BodyDraft& body) {
  if (body.joints.size() != 1 || body.joints[0].source->type != mjJNT_FREE) return false;
  const Joint& joint = *body.joints[0].source;
  if (joint.align != mjALIGNFREE_AUTO) return joint.align == mjALIGNFREE_TRUE;
  return joint.compiler().alignfree != 0;
}

// Parts keep their places in the world: with X_WB the body's pose and X_BI that of its inertia,
//   X_WB' = X_WB X_BI,   X_B'part = X_BI^-1 X_Bpart
void Align(BodyDraft& body) {
  body.source->compiled.is_aligned = true;
  const Pose inertial = body.inertial.frame, back = Inverse(inertial);
  body.pose = body.pose * inertial;
  body.inertial.frame = {};
  for (GeomDraft& geom : body.geoms) geom.pose = back * geom.pose;
  for (SiteDraft& site : body.sites) {
    site.pose = back * site.pose;
    TurnMotion(back, &site.motion);
  }
  for (CameraDraft& camera : body.cameras) camera.pose = back * camera.pose;
  for (LightDraft& light : body.lights) {
    light.pos = back * light.pos;
    light.dir = Rotate(back.quat, light.dir);
  }
}

}  // namespace

void AlignFreeBodies(Draft& draft) {
  for (BodyDraft& body : draft.bodies) {
    // Children are placed in the body's frame: with any, it stays.
    if (body.source->bodies.empty() && IsAligned(body)) Align(body);
  }
}

}  // namespace sinew::inline compile
