// Joints of the draft: limits, angles in radians, axis and anchor in the body frame; and which joints a body may have
// together.
#include "compile/tree/joint.h"

#include "compile/diagnose.h"
#include "compile/tree/motion.h"
#include "math/orientation.h"
#include "spec/orientation.h"

namespace sinew::inline compile {
namespace {

constexpr int kMaxDofsPerBody = 6;

bool IsScalar(mjtJoint type) { return type == mjJNT_HINGE || type == mjJNT_SLIDE; }
bool IsRotation(mjtJoint type) { return type == mjJNT_HINGE || type == mjJNT_BALL; }

// Free joints have no limits; actuator forces are limited on slides and hinges only.
void ResolveLimits(const Joint& joint, JointDraft& draft) {
  const mjsCompiler& compiler = joint.compiler();
  // The range of a ball ends with an angle of any sign; zero keeps it where it is.
  const auto check = joint.type == mjJNT_BALL ? IsLimited : CheckedLimit;
  draft.limited = joint.type != mjJNT_FREE && check(joint.limited, joint.range, compiler, "joint");
  draft.actfrclimited =
      IsScalar(joint.type) && CheckedLimit(joint.actfrclimited, joint.actfrcrange, compiler, "actuatorfrc");
  if (draft.limited && joint.type == mjJNT_BALL && joint.range[0] != 0) {
    throw Error("the range of a ball joint begins with an angle that is not zero", "set range=\"0 angle\"");
  }
}

// Angles are converted where they count: hinges, and balls with a limit.
void ResolveAngles(const Joint& joint, JointDraft& draft) {
  const double unit = joint.compiler().degree ? kPi / 180 : 1;
  const bool is_angle = draft.limited && IsRotation(joint.type);
  for (int i = 0; i < 2; ++i) draft.range[i] = joint.range[i] * (is_angle ? unit : 1);
  draft.ref = joint.ref * (joint.type == mjJNT_HINGE ? unit : 1);
  draft.springref = joint.springref * (joint.type == mjJNT_HINGE ? unit : 1);
}

// Free and ball joints have no axis of their own; a free joint stands at the origin of its body.
void ResolveAxis(const Joint& joint, const Pose& frame, JointDraft& draft) {
  draft.pos = {0, 0, 0};
  draft.axis = {0, 0, 1};
  if (joint.type != mjJNT_FREE) draft.pos = frame * LoadVec3(joint.pos);
  if (!IsScalar(joint.type)) return;
  const Vec3<double> axis = LoadVec3(joint.axis);
  if (!(Dot(axis, axis) >= kDirectionEps)) throw Error("axis too small", "give an axis that has a direction");
  draft.axis = Rotate(frame.quat, axis);
  DivideByNorm(draft.axis);
}

// A joint that moves by functions is a hinge or slide, and turns its own axes as it turns the body.
void ResolveMotion(const Joint& joint, const Pose& frame, JointDraft& draft) {
  if (joint.motion.empty()) return;
  if (!IsScalar(joint.type)) {
    throw Error("a ball or free joint cannot move by functions of a coordinate",
                "set type=\"hinge\" or type=\"slide\", which have one", joint.motion.front().where);
  }
  draft.motion = DraftMotion(joint.motion, frame);
}

}  // namespace

// Spring and damper may be given as a time constant and a damping ratio, which become stiffness and damping once the
// inertia is known.
JointDraft DraftJoint(Joint& joint, const Pose& frame) {
  if (joint.type < mjJNT_FREE || joint.type > mjJNT_HINGE) throw Error("unknown joint type", "use one of mjtJoint");
  JointDraft draft = {};
  draft.source = &joint;
  ResolveLimits(joint, draft);
  ResolveAngles(joint, draft);
  ResolveAxis(joint, frame, draft);
  ResolveMotion(joint, frame, draft);
  const double* springdamper = joint.springdamper;
  if ((springdamper[0] != 0 || springdamper[1] != 0) && !(springdamper[0] > 0 && springdamper[1] > 0)) {
    throw Error("springdamper must hold two positive numbers", "give a time constant and a damping ratio");
  }
  return draft;
}

// Joints of a body act one after the other; what follows a ball or free joint could only repeat its rotation, so that M
// would be singular.
void CheckJoints(const BodyDraft& body) {
  if (body.joints.empty()) return;
  if (!body.source->parent) throw Error("the world cannot have joints", "put them into a body");
  int dofs = 0;
  bool after_ball = false;
  for (const JointDraft& joint : body.joints) {
    const mjtJoint type = joint.source->type;
    dofs += DofCount(type);
    if (after_ball && IsRotation(type)) {
      throw Error("a rotation after a ball joint", "put it into a body of its own").At(Place(*joint.source));
    }
    after_ball = after_ball || type == mjJNT_BALL;
  }
  if (dofs > kMaxDofsPerBody) {
    throw Error("more than 6 degrees of freedom in one body", "spread the joints over several bodies");
  }
}

void CheckFreeJoints(const Draft& draft) {
  for (const BodyDraft& body : draft.bodies) {
    if (body.parent == 0 || body.joints.empty() || body.joints[0].source->type != mjJNT_FREE) continue;
    throw Error("a free joint moves a body that is not a child of the world", "move the body to the world")
        .At(Place(*body.joints[0].source));
  }
}

}  // namespace sinew::inline compile
