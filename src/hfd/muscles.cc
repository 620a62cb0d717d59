#include "hfd/muscles.h"

#include <string>
#include <vector>

#include "force/muscle_curves.h"
#include "hfd/entries.h"
#include "model/storage/extension.h"
#include "osim/parts.h"
#include "spec/actuator_kinds.h"

namespace sinew::hfd {
namespace {

// Rates of activation, where a muscle has none of its own: those of the integrators [1/s].
constexpr double kActivationRate = 100, kDeactivationRate = 25;
// muscle_force_m2012fast without settings of its own, which are not in a model's file.
constexpr double kLargestSpeed = 10, kDamping = 0.1;

// A point: { body = femur pos { ... } }. Empty: there is no such body.
std::string AddPoint(Context& context, const XmlNode& node, const std::string& muscle, std::size_t number) {
  Entries entries(context, node);
  const std::string name = entries.Text("body");
  const Vec3<double> pos = entries.Vector("pos", {0, 0, 0});
  const BodyRecord* record = context.FindBody(name);
  if (!record) {
    entries.Fail("there is no body '" + name + "'", "correct the name");
    return "";
  }
  Site& site = record->body->Add<Site>();
  StoreVec3(record->frame * pos, site.pos);
  osim::ShowPathPoint(site);
  Name(context, site, node, muscle + "-P" + std::to_string(number));
  return site.name;
}

Tendon& AddPath(Context& context, Entries& entries) {
  Tendon& tendon = context.spec.Add<Tendon>();
  Name(context, tendon, entries.node(), entries.name());
  osim::ShowMuscle(tendon);
  const XmlNode* path = entries.Find("path");
  const std::size_t count = path ? path->children.size() : 0;
  if (count < 2) {
    entries.Fail("the path has " + std::to_string(count) + " points", "give it at least two");
    return tendon;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const XmlNode& node = path->children[i];
    Wrap& wrap = tendon.AddWrap(mjWRAP_SITE);
    wrap.target = AddPoint(context, node, entries.name(), i + 1);
    wrap.where = node.Location();
    *wrap.info = "line " + std::to_string(node.line);
  }
  return tendon;
}

double TimeOf(Entries& entries, const char* rate, double usual) {
  return 1 / (entries.Find(rate) ? entries.Positive(rate) : usual);
}

}  // namespace

void ReadMuscle(Context& context, const XmlNode& node) {
  Entries entries(context, node);
  if (entries.name().empty()) return entries.Fail("the muscle has no name", "give it one");
  const Tendon& path = AddPath(context, entries);
  Actuator& muscle = context.spec.Add<Actuator>();
  Name(context, muscle, node, entries.name());
  muscle.trntype = mjTRN_TENDON;
  *muscle.target = path.name;
  BecomeMusculotendon(&muscle);
  double *gain = muscle.gainprm, *dyn = muscle.dynprm;
  gain[kCurves] = static_cast<int>(CurveSet::kHyfydy);
  gain[kPeakForce] = entries.Positive("max_isometric_force") * context.options.force_multiplier;
  gain[kFiberLength] = entries.Positive("optimal_fiber_length");
  gain[kSlackLength] = entries.Positive("tendon_slack_length");
  gain[kPennation] = entries.Number("pennation_angle", 0);
  gain[kStiffnessScale] = entries.Number("stiffness_multiplier", 1);
  gain[kLargestVelocity] = kLargestSpeed;
  gain[kFiberDamping] = kDamping;
  dyn[kActivationTime] = TimeOf(entries, "activation_rate", kActivationRate);
  dyn[kDeactivationTime] = TimeOf(entries, "deactivation_rate", kDeactivationRate);
  muscle.ctrllimited = mjLIMITED_TRUE;
  muscle.ctrlrange[0] = 0;
  muscle.ctrlrange[1] = 1;
}

}  // namespace sinew::hfd
