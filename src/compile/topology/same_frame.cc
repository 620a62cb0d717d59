#include "compile/topology/same_frame.h"

#include <algorithm>

#include "core/warning.h"
#include "model/text/object_text.h"

namespace sinew::inline compile {
namespace {

Pose PoseAt(const mjtNum* pos, const mjtNum* quat, int id) { return {LoadVec3(pos + 3 * id), LoadQuat(quat + 4 * id)}; }

Pose InertialPose(const mjModel* m, int body) { return PoseAt(m->body_ipos, m->body_iquat, body); }

// Whether a frame is what its kind says. All frames are of no kind.
bool IsOfKind(int kind, const Pose& pose, const Pose& inertial) {
  switch (kind) {
    case mjSAMEFRAME_BODY:
      return IsIdentity(pose);
    case mjSAMEFRAME_BODYROT:
      return SameRotation(pose.quat, {1, 0, 0, 0});
    case mjSAMEFRAME_INERTIA:
      return SamePosition(pose.pos, inertial.pos) && SameRotation(pose.quat, inertial.quat);
    case mjSAMEFRAME_INERTIAROT:
      return SameRotation(pose.quat, inertial.quat);
    default:
      return true;
  }
}

void UpdateInertialFrames(mjModel* m) {
  for (int b = 1; b < m->nbody; ++b) {
    const Pose frame = InertialPose(m, b);
    if (IsOfKind(m->body_sameframe[b], frame, {})) continue;
    if (!m->body_simple[b]) {
      m->body_sameframe[b] = static_cast<mjtByte>(InertialFrameKind(frame));
      continue;
    }
    Warn(
        "The centre of mass of body %s stays in its origin, with the principal axes along its own: its inertia matrix "
        "was compiled as a diagonal one. Give the body an inertial frame off its origin in the model file, by which "
        "body_ipos and body_iquat can change at run time.",
        NameOf(*m, mjOBJ_BODY, b).chars);
  }
}

void UpdateParts(const mjModel* m, mjtSize count, const int* body, const mjtNum* pos, const mjtNum* quat,
                 mjtByte* kind) {
  for (int i = 0; i < count; ++i) {
    const Pose pose = PoseAt(pos, quat, i), inertial = InertialPose(m, body[i]);
    if (!IsOfKind(kind[i], pose, inertial)) kind[i] = static_cast<mjtByte>(FrameKind(pose, inertial));
  }
}

}  // namespace

int FrameKind(const Pose& pose, const Pose& inertial) {
  if (IsIdentity(pose)) return mjSAMEFRAME_BODY;
  if (SameRotation(pose.quat, {1, 0, 0, 0})) return mjSAMEFRAME_BODYROT;
  const bool same_rotation = SameRotation(pose.quat, inertial.quat);
  if (same_rotation && SamePosition(pose.pos, inertial.pos)) return mjSAMEFRAME_INERTIA;
  return same_rotation ? mjSAMEFRAME_INERTIAROT : mjSAMEFRAME_NONE;
}

int InertialFrameKind(const Pose& frame) {
  if (IsIdentity(frame)) return mjSAMEFRAME_BODY;
  return SameRotation(frame.quat, {1, 0, 0, 0}) ? mjSAMEFRAME_BODYROT : mjSAMEFRAME_NONE;
}

void UpdateFrameKinds(mjModel* m) {
  UpdateInertialFrames(m);
  UpdateParts(m, m->ngeom, m->geom_bodyid, m->geom_pos, m->geom_quat, m->geom_sameframe);
  UpdateParts(m, m->nsite, m->site_bodyid, m->site_pos, m->site_quat, m->site_sameframe);
}

void MakeFramesGeneral(mjModel* m, std::string_view field) {
  const bool of_inertia = field == "body_ipos" || field == "body_iquat";
  if (of_inertia || field == "geom_pos" || field == "geom_quat")
    std::fill_n(m->geom_sameframe, m->ngeom, mjSAMEFRAME_NONE);
  if (of_inertia || field == "site_pos" || field == "site_quat")
    std::fill_n(m->site_sameframe, m->nsite, mjSAMEFRAME_NONE);
  for (int b = 1; of_inertia && b < m->nbody; ++b) {
    if (!m->body_simple[b]) m->body_sameframe[b] = mjSAMEFRAME_NONE;
  }
}

}  // namespace sinew::inline compile
