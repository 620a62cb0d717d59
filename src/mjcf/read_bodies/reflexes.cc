// Reflexes of actuators, in the document.
#include <string>
#include <utility>

#include "mjcf/read/sections.h"
#include "mjcf/write/write_sections.h"

namespace sinew::mjcf {

void ReadReflexes(Context& context, const ElementReader& reader, std::vector<Reflex>* reflexes) {
  ForEachChild(context, reader.node(), reader.row(), [&](ElementReader& child, const XmlNode& node) {
    if (node.tag != "reflex") return;
    Reflex reflex;
    reflex.where = child.Location();
    reflex.sensor = child.String("sensor").value_or("");
    reflex.gain = child.Real("gain", reflex.gain);
    reflex.reference = child.Real("reference", reflex.reference);
    reflex.offset = child.Real("offset", reflex.offset);
    reflex.rectify = child.Keyword("rectify").value_or(reflex.rectify ? 1 : 0) != 0;
    reflex.factor = child.String("factor").value_or("");
    ForEachChild(context, node, child.row(), [&](ElementReader& phase, const XmlNode&) {
      ReflexPhase& added = reflex.phases.emplace_back();
      added.sensor = phase.String("sensor").value_or("");
      phase.RealsInto("range", added.range);
      phase.Finish();
    });
    child.Finish();
    reflexes->push_back(std::move(reflex));
  });
}

void WriteReflexes(const WriteContext& context, const std::vector<Reflex>& reflexes, ElementWriter& writer) {
  for (const Reflex& reflex : reflexes) {
    ElementWriter child(*FindChild(writer.row(), "reflex"), context.precision);
    child.Text("sensor", reflex.sensor);
    child.Real("gain", reflex.gain);
    if (reflex.reference != 0) child.Real("reference", reflex.reference);
    if (reflex.offset != 0) child.Real("offset", reflex.offset);
    if (!reflex.rectify) child.Keyword("rectify", 0);
    child.NonEmpty("factor", reflex.factor);
    for (const ReflexPhase& phase : reflex.phases) {
      ElementWriter part(*FindChild(child.row(), "phase"), context.precision);
      part.Text("sensor", phase.sensor);
      part.Reals("range", phase.range);
      child.Append(part.Take());
    }
    writer.Append(child.Take());
  }
}

}  // namespace sinew::mjcf
