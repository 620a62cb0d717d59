// Writes the sections contact, equality and tendon. Pairs and excludes stand in the order of the compiled model, which
// sorts them by bodies.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "compile/diagnose.h"
#include "core/error.h"
#include "mjcf/vocabulary.h"
#include "mjcf/write/write_sections.h"

namespace sinew::mjcf {
namespace {

// ---- equality

const char* EqualityTag(mjtEq type) {
  for (const auto& [tag, tagged] : kEqualityTypes) {
    if (tagged == type) return tag;
  }
  return "";
}

// Bodies or sites that are tied together; where the pose follows from the bodies, it is not written.
void WriteEnds(const Equality& equality, ElementWriter& writer) {
  const bool sites = equality.objtype == mjOBJ_SITE;
  writer.NonEmpty(sites ? "site1" : "body1", *equality.name1);
  writer.NonEmpty(sites ? "site2" : "body2", *equality.name2);
  const double* data = equality.data;
  if (!sites) writer.Reals("anchor", std::span(data, 3));
  if (equality.type != mjEQ_WELD) return;
  const double* quat = data + kWeldPose + 3;
  const bool has_pose = std::any_of(quat, quat + 4, [](double x) { return x != 0; });
  if (!sites && has_pose) writer.Reals("relpose", std::span(data + kWeldPose, 7));
  if (!sites || data[kWeldTorqueScale] != 1) writer.Real("torquescale", data[kWeldTorqueScale]);
}

// Fields of joint and tendon equalities come from the schema; ends of connect and weld have no field.
XmlNode WriteOneEquality(const WriteContext& context, const Equality& equality) {
  const ElementRow* found = FindChild(*FindPath("equality"), EqualityTag(equality.type));
  if (!found) {
    throw Error("the equality has no type of the format: " + std::to_string(equality.type), "set a type of mjtEq")
        .At(Place(equality));
  }
  const ElementRow& row = *found;
  ElementWriter writer(row, context.precision);
  Identify(context, equality, context.spec.main_class(), writer);
  mjsEquality base = ClassOf(context, equality).Get<Equality>();
  // Coefficients do not come from classes.
  base.data[0] = std::numeric_limits<double>::quiet_NaN();
  const bool coupled = equality.type == mjEQ_JOINT && equality.coupling;
  writer.Fields(static_cast<const mjsEquality*>(&equality), &base, {"anchor", coupled ? "polycoef" : "anchor"});
  if (coupled) WriteCoupling(*equality.coupling, writer);
  if (equality.type == mjEQ_CONNECT || equality.type == mjEQ_WELD) WriteEnds(equality, writer);
  return writer.Take();
}

// ---- tendon

// The elements of a path have names of their own in the schema of the tendon.
XmlNode WriteWrap(const WriteContext& context, const ElementRow& tendon, const Wrap& wrap) {
  const bool is_geom = wrap.type == mjWRAP_SPHERE || wrap.type == mjWRAP_CYLINDER;
  const char* tag = is_geom                     ? "geom"
                    : wrap.type == mjWRAP_JOINT ? "joint"
                    : wrap.type == mjWRAP_SITE  ? "site"
                                                : "pulley";
  const ElementRow* row = FindChild(tendon, tag);
  if (!row) {
    throw Error(std::string("a path that begins with a joint has a ") + tag, "use joints alone, or none", wrap.where);
  }
  ElementWriter writer(*row, context.precision);
  if (wrap.type == mjWRAP_PULLEY) {
    writer.Real("divisor", wrap.value);
  } else {
    writer.Text(tag, wrap.target);
  }
  if (wrap.type == mjWRAP_JOINT) writer.Real("coef", wrap.value);
  if (is_geom) writer.NonEmpty("sidesite", wrap.sidesite);
  if (wrap.type == mjWRAP_SITE && !wrap.condition.joint.empty()) {
    writer.Text("joint", wrap.condition.joint);
    writer.Reals("range", wrap.condition.range);
  }
  return writer.Take();
}

// A tendon is fixed when its path begins with a joint, since paths do not mix.
XmlNode WriteOneTendon(const WriteContext& context, const Tendon& tendon) {
  const bool is_fixed = !tendon.path.empty() && tendon.path.front()->type == mjWRAP_JOINT;
  const ElementRow& row = *FindPath(is_fixed ? "tendon/fixed" : "tendon/spatial");
  ElementWriter writer(row, context.precision);
  WriteElement(context, tendon, writer);
  WriteSpringLength(tendon, ClassOf(context, tendon).Get<Tendon>(), writer);
  for (const auto& wrap : tendon.path) writer.Append(WriteWrap(context, row, *wrap));
  WriteLigaments(context, tendon.ligaments, writer);
  return writer.Take();
}

}  // namespace

// One number stands for both ends of the range of rest.
void WriteSpringLength(const mjsTendon& tendon, const mjsTendon& base, ElementWriter& writer) {
  const double* length = tendon.springlength;
  if (!writer.Differ(std::span(length, 2), base.springlength)) return;
  writer.Reals("springlength", std::span(length, length[0] == length[1] ? 1 : 2));
}

XmlNode WriteContact(const WriteContext& context) {
  XmlNode section = Section("contact");
  for (const Pair* pair : ById<Pair>(context.spec)) {
    ElementWriter writer(*FindPath("contact/pair"), context.precision);
    WriteElement(context, *pair, writer);
    WriteContactLaw(pair->contact_law, ClassOf(context, *pair).Get<Pair>().contact_law, writer);
    WriteAdhesion(pair->adhesion, ClassOf(context, *pair).Get<Pair>().adhesion, writer);
    WriteStick(pair->stick, ClassOf(context, *pair).Get<Pair>().stick, writer);
    section.children.push_back(writer.Take());
  }
  for (const Exclude* exclude : ById<Exclude>(context.spec)) {
    ElementWriter writer(*FindPath("contact/exclude"), context.precision);
    WriteElement(context, *exclude, writer);
    section.children.push_back(writer.Take());
  }
  return section;
}

XmlNode WriteEquality(const WriteContext& context) {
  return SectionOf<Equality>(context, "equality", WriteOneEquality);
}

XmlNode WriteTendon(const WriteContext& context) { return SectionOf<Tendon>(context, "tendon", WriteOneTendon); }

}  // namespace sinew::mjcf
