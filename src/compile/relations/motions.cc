// Joints and points that move, or count, by functions of a coordinate: checks of the elements that have them, and the
// number arrays that hold the functions (model/kinds/motion.h).
#include <string>
#include <vector>

#include "compile/diagnose.h"
#include "compile/passes.h"
#include "compile/topology/relations.h"
#include "compile/tree/function_array.h"
#include "compile/tree/motion.h"
#include "model/kinds/motion.h"
#include "model/view/wrap_types.h"

namespace sinew::inline compile {
namespace {

// Rotations come first, in their order. `joint_of` gives the joint whose coordinate a term follows.
template <class JointOf>
void AppendMotion(int id, const std::vector<MotionDraft>& motion, const JointOf& joint_of, FunctionArray* array) {
  const auto count = [&](bool rotates) {
    double sum = 0;
    for (const MotionDraft& term : motion) sum += term.source->rotates == rotates;
    return sum;
  };
  array->Begin(id);
  array->Append(count(true));
  array->Append(count(false));
  for (const bool rotates : {true, false}) {
    for (const MotionDraft& term : motion) {
      if (term.source->rotates != rotates) continue;
      for (int i = 0; i < 3; ++i) array->Append(term.axis[i]);
      array->Append(joint_of(*term.source));
      array->AppendAddressOf(term.function);
    }
  }
}

void DraftJointMotions(Draft& draft) {
  FunctionArray array(draft.joints.size());
  for (int id = 0; id < static_cast<int>(draft.joints.size()); ++id) {
    const JointDraft& joint = FindJoint(draft, id);
    if (!joint.motion.empty())
      AppendMotion(
          id, joint.motion, [&](const MotionTerm&) { return id; }, &array);
  }
  if (!array.empty()) draft.extensions.push_back({kMotionArray, array.Take()});
}

const SiteDraft& FindSite(const Draft& draft, int site) {
  const PartRef& ref = draft.sites[static_cast<std::size_t>(site)];
  return draft.bodies[static_cast<std::size_t>(ref.body)].sites[ref.index];
}

bool Moves(const Draft& draft, int site) { return site >= 0 && !FindSite(draft, site).motion.empty(); }

void DraftPoints(Draft& draft) {
  ErrorList errors;
  FunctionArray array(draft.sites.size());
  for (int id = 0; id < static_cast<int>(draft.sites.size()); ++id) {
    const SiteDraft& site = FindSite(draft, id);
    if (site.motion.empty()) continue;
    const auto joint_of = [&](const MotionTerm& term) {
      return AtTerm(term, [&] { return ScalarJoint(draft.spec, term.joint); });
    };
    errors.At(*site.source, [&] { AppendMotion(id, site.motion, joint_of, &array); });
  }
  errors.Throw();
  if (!array.empty()) draft.extensions.push_back({kPointArray, array.Take()});
}

// ---- who may be on a point that moves

void RefuseActuators(const Draft& draft, ErrorList* errors) {
  for (const ActuatorDraft& actuator : draft.actuators) {
    const bool on_sites = actuator.trntype == mjTRN_SITE || actuator.trntype == mjTRN_SLIDERCRANK;
    if (!on_sites || (!Moves(draft, actuator.trnid[0]) && !Moves(draft, actuator.trnid[1]))) continue;
    errors->At(*actuator.source, [] {
      throw Error("an actuator acts on a site that moves by a function of a coordinate", "let it act on another site");
    });
  }
}

void RefuseEqualities(const Draft& draft, ErrorList* errors) {
  for (const EqualityDraft& equality : draft.equalities) {
    const Equality& source = *equality.source;
    const bool joins = source.type == mjEQ_CONNECT || source.type == mjEQ_WELD;
    if (!joins || source.objtype != mjOBJ_SITE) continue;
    if (!Moves(draft, equality.obj1) && !Moves(draft, equality.obj2)) continue;
    errors->At(source, [] {
      throw Error("an equality holds a site that moves by a function of a coordinate", "let it hold another site");
    });
  }
}

void RefuseSensors(const Draft& draft, ErrorList* errors) {
  for (const SensorDraft& sensor : draft.sensors) {
    const bool moves = (sensor.objtype == mjOBJ_SITE && Moves(draft, sensor.objid)) ||
                       (sensor.reftype == mjOBJ_SITE && Moves(draft, sensor.refid));
    if (!moves || sensor.needstage == mjSTAGE_POS) continue;
    errors->At(*sensor.source, [] {
      throw Error("a sensor of velocity or force is on a site that moves by a function of a coordinate",
                  "put it on another site, or measure the position");
    });
  }
}

void RefuseSideSites(const Draft& draft, ErrorList* errors) {
  for (const TendonDraft& tendon : draft.tendons) {
    for (const WrapDraft& wrap : tendon.path) {
      if (!IsWrapGeom(wrap.type) || !Moves(draft, static_cast<int>(wrap.prm))) continue;
      errors->At(*tendon.source, [] {
        throw Error("a side site moves by a function of a coordinate", "take a site that is fixed to its body");
      });
    }
  }
}

void RefuseOnPoints(const Draft& draft) {
  ErrorList errors;
  RefuseActuators(draft, &errors);
  RefuseEqualities(draft, &errors);
  RefuseSensors(draft, &errors);
  RefuseSideSites(draft, &errors);
  errors.Throw();
}

// ---- ranges of paths, and couplings

// Steps of all tendons follow one another.
void DraftRanges(Draft& draft) {
  std::size_t steps = 0;
  for (const TendonDraft& tendon : draft.tendons) steps += tendon.path.size();
  FunctionArray array(steps);
  int step = 0;
  for (const TendonDraft& tendon : draft.tendons) {
    for (std::size_t i = 0; i < tendon.path.size(); ++i, ++step) {
      if (tendon.path[i].condition < 0) continue;
      const double* range = tendon.source->path[i]->condition.range;
      array.Begin(step);
      for (const double number : {static_cast<double>(tendon.path[i].condition), range[0], range[1]}) {
        array.Append(number);
      }
    }
  }
  if (!array.empty()) draft.extensions.push_back({kRangeArray, array.Take()});
}

void DraftCouplings(Draft& draft) {
  ErrorList errors;
  FunctionArray array(draft.equalities.size());
  for (const EqualityDraft& equality : draft.equalities) {
    const Equality& source = *equality.source;
    if (!source.coupling) continue;
    errors.At(source, [&] {
      if (source.type != mjEQ_JOINT) {
        throw Error("a function couples something else than joints", "use an equality of joints");
      }
      const std::vector<double> function = FunctionNumbers(*source.coupling);
      array.Begin(source.id);
      array.Append(function);
    });
  }
  errors.Throw();
  if (!array.empty()) draft.extensions.push_back({kCouplingArray, array.Take()});
}

}  // namespace

int ScalarJoint(const Spec& spec, const std::string& name) {
  if (name.empty()) throw Error("no joint is given whose coordinate counts", "name a hinge or slide as joint");
  const auto& joint = static_cast<const Joint&>(Require(spec, mjOBJ_JOINT, name));
  if (joint.type != mjJNT_HINGE && joint.type != mjJNT_SLIDE) {
    throw Error("joint '" + name + "' has more than one coordinate", "name a hinge or slide");
  }
  return joint.id;
}

void DraftMotions(Draft& draft) {
  DraftJointMotions(draft);
  DraftPoints(draft);
  RefuseOnPoints(draft);
  DraftRanges(draft);
  DraftCouplings(draft);
}

}  // namespace sinew::inline compile
