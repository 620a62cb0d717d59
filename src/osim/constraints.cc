#include "osim/constraints.h"

#include <algorithm>
#include <string>

#include "osim/frame_sites.h"
#include "osim/properties.h"

namespace sinew::osim {
namespace {

Equality& AddEquality(Context& context, Properties& properties, mjtEq type) {
  Equality& equality = context.spec.Add<Equality>();
  Name(context, equality, properties.node(), properties.name());
  equality.type = type;
  return equality;
}

// ---- coupled coordinates

// The coordinate of a joint; null, with a problem or a word, where there is none.
Coordinate* FindCoordinate(Context& context, Properties& properties, const std::string& name) {
  Coordinate* found = context.skeleton.FindCoordinate(name);
  if (!found) properties.Fail("there is no coordinate '" + name + "'", "correct the name");
  return found;
}

// q = f(q_other) times a factor.
void ReadCoupler(Context& context, Properties& properties) {
  const XmlNode* holder = properties.Find({"coupled_coordinates_function"});
  Coordinate* other = FindCoordinate(context, properties, properties.Text({"independent_coordinate_names"}));
  Coordinate* own = FindCoordinate(context, properties, properties.Text({"dependent_coordinate_name"}));
  const double factor = properties.Number("scale_factor", 1);
  if (!holder) properties.Fail("coupled_coordinates_function is missing", "add it");
  if (!holder || !other || !own) return;
  FunctionValues function = ReadFunction(context, *holder);
  ScaleFunction(factor, &function);
  if (own->locked) return;
  if (!own->joint || (!other->joint && !other->locked)) {
    context.dropped.AddElement(properties.node(), "a coordinate of it is part of a ball or free joint");
    return;
  }
  Equality& equality = AddEquality(context, properties, mjEQ_JOINT);
  *equality.name1 = own->joint->name;
  if (other->locked) function = ConstantFunction(ValueOf(function, other->default_value));
  if (other->joint) *equality.name2 = other->joint->name;
  equality.coupling = function;
}

// ---- points and bodies

void HoldSites(Context& context, Properties& properties, mjtEq type, const Place& first, const Place& second) {
  const std::string one = AddFrameSite(context, properties, first, "_1").name,
                    two = AddFrameSite(context, properties, second, "_2").name;
  Equality& equality = AddEquality(context, properties, type);
  equality.objtype = mjOBJ_SITE;
  *equality.name1 = one;
  *equality.name2 = two;
}

void ReadPoint(Context& context, Properties& properties) {
  TwoPlaces places = ReadTwoFrames(context, properties);
  const Vec3<double> first = properties.Vector({"location_body_1"}, {0, 0, 0});
  const Vec3<double> second = properties.Vector({"location_body_2"}, {0, 0, 0});
  if (!places.first || !places.second) return;
  places.first->pose.pos = places.first->pose * first;
  places.second->pose.pos = places.second->pose * second;
  HoldSites(context, properties, mjEQ_CONNECT, *places.first, *places.second);
}

void ReadWeld(Context& context, Properties& properties) {
  const TwoPlaces places = ReadTwoFrames(context, properties);
  if (places.first && places.second) HoldSites(context, properties, mjEQ_WELD, *places.first, *places.second);
}

void ReadConstraint(Context& context, const XmlNode& node) {
  const bool couples = node.tag == "CoordinateCouplerConstraint", welds = node.tag == "WeldConstraint";
  if (!couples && !welds && node.tag != "PointConstraint") return context.dropped.AddElement(node);
  Properties properties(context, node);
  if (!properties.Flag("isEnforced", true) || properties.Flag("isDisabled", false)) {
    context.dropped.AddElement(node, "it is switched off");
    return properties.SkipAll();
  }
  if (couples) return ReadCoupler(context, properties);
  if (welds) return ReadWeld(context, properties);
  ReadPoint(context, properties);
}

}  // namespace

void ReadConstraints(Context& context, const XmlNode& model) {
  ForObjects(model, "ConstraintSet", [&](const XmlNode& node) { ReadConstraint(context, node); });
}

}  // namespace sinew::osim
