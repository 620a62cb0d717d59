// Reads the sections contact and equality: pairs that collide in any case, pairs that never do, and constraints that
// tie two objects.
#include <string>

#include "mjcf/read/sections.h"
#include "mjcf/vocabulary.h"

namespace sinew::mjcf {
namespace {

// Names the two objects of a connect or weld: sites, or bodies of which the second may be the world.
void ReadEnds(ElementReader& reader, bool needs_anchor, mjsEquality* equality) {
  const bool anchored = reader.Has("anchor");
  const bool posed = reader.Has("anchor") || reader.Has("relpose");
  const bool bodies = reader.Has("body1") || reader.Has("body2") || posed;
  const bool sites = reader.Has("site1") || reader.Has("site2");
  const std::string remedy = needs_anchor ? "give body1 and anchor, and perhaps body2; or site1 and site2"
                                          : "give body1, and perhaps body2, anchor, relpose; or site1 and site2";
  if (bodies && sites) reader.Fail("bodies and sites are mixed", remedy);
  const bool complete =
      sites ? reader.Has("site1") && reader.Has("site2") : reader.Has("body1") && (anchored || !needs_anchor);
  if (!complete && !(bodies && sites)) reader.Fail("it is not said what is tied to what", remedy);

  const auto body1 = reader.String("body1"), body2 = reader.String("body2");
  const auto site1 = reader.String("site1"), site2 = reader.String("site2");
  equality->objtype = sites ? mjOBJ_SITE : mjOBJ_BODY;
  *equality->name1 = (sites ? site1 : body1).value_or("");
  *equality->name2 = (sites ? site2 : body2).value_or("");
}

void ReadWeld(ElementReader& reader, mjsEquality* equality) {
  ReadEnds(reader, false, equality);
  // The struct's defaults are those of joints, where the second number is a linear coefficient; the anchor of a body
  // weld starts at zero.
  if (equality->objtype == mjOBJ_BODY) equality->data[1] = 0;
  reader.RealsInto("anchor", equality->data);
  reader.RealsInto("relpose", equality->data + kWeldPose);
  if (const auto scale = reader.Real("torquescale")) equality->data[kWeldTorqueScale] = *scale;
}

// The schema has refused elements that are not in the table.
mjtEq EqualityType(const std::string& tag) {
  for (const auto& [name, type] : kEqualityTypes) {
    if (tag == name) return type;
  }
  return mjEQ_DISTANCE;
}

}  // namespace

void ReadContact(Context& context, const XmlNode& section) {
  ForEachChild(context, section, "contact", [&](ElementReader& reader, const XmlNode& child) {
    if (child.tag == "pair") {
      Pair& pair = AddElement<Pair>(context, reader);
      reader.ReadFields(static_cast<mjsPair*>(&pair));
      ReadContactLaw(reader, /*of_pair=*/true, &pair.contact_law);
      pair.adhesion = reader.Real("adhesion", pair.adhesion);
      ReadStick(reader, &pair.stick);
    } else {
      reader.ReadFields(static_cast<mjsExclude*>(&AddElement<Exclude>(context, reader)));
    }
    reader.Finish();
  });
}

// Joints and tendons name two objects by fields of the schema; connect and weld may tie bodies or sites.
void ReadEquality(Context& context, const XmlNode& section) {
  ForEachChild(context, section, "equality", [&](ElementReader& reader, const XmlNode& child) {
    Equality& equality = AddElement<Equality>(context, reader);
    equality.type = EqualityType(child.tag);
    reader.ReadFields(static_cast<mjsEquality*>(&equality));
    if (equality.type == mjEQ_CONNECT) ReadEnds(reader, true, &equality);
    if (equality.type == mjEQ_WELD) ReadWeld(reader, &equality);
    if (equality.type == mjEQ_JOINT) ReadCoupling(reader, &equality.coupling);
    reader.Finish();
  });
}

}  // namespace sinew::mjcf
