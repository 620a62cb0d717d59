// Limit forces of joints, bushings of sites and ligaments of tendons, in the document.
#include <array>
#include <string>

#include "mjcf/read/sections.h"
#include "mjcf/write/write_sections.h"

namespace sinew::mjcf {

void ReadLimitForces(Context& context, const ElementReader& reader, std::vector<LimitForce>* forces) {
  ForEachChild(context, reader.node(), reader.row(), [&](ElementReader& child, const XmlNode& node) {
    if (node.tag != "limitforce") return;
    LimitForce limit;
    limit.where = child.Location();
    child.RealsInto("range", limit.range);
    if (const auto stiffness = child.Reals("stiffness")) {
      limit.stiffness[0] = stiffness->front();
      limit.stiffness[1] = stiffness->back();
    }
    limit.damping = child.Real("damping", limit.damping);
    limit.force_damping = child.Real("forcedamping", limit.force_damping);
    limit.transition = child.Real("transition", limit.transition);
    child.Finish();
    forces->push_back(limit);
  });
}

void WriteLimitForces(const WriteContext& context, const std::vector<LimitForce>& forces, ElementWriter& writer) {
  for (const LimitForce& limit : forces) {
    ElementWriter child(*FindChild(writer.row(), "limitforce"), context.precision);
    child.Reals("range", limit.range);
    child.Reals("stiffness", limit.stiffness);
    if (limit.damping != 0) child.Real("damping", limit.damping);
    if (limit.force_damping != 0) child.Real("forcedamping", limit.force_damping);
    child.Real("transition", limit.transition);
    writer.Append(child.Take());
  }
}

void ReadBushings(Context& context, const ElementReader& reader, std::vector<Bushing>* bushings) {
  ForEachChild(context, reader.node(), reader.row(), [&](ElementReader& child, const XmlNode& node) {
    if (node.tag != "bushing") return;
    Bushing bushing;
    bushing.where = child.Location();
    bushing.site = child.String("site").value_or("");
    bushing.stiffness = child.Reals("stiffness").value_or(std::vector<double>());
    bushing.damping = child.Reals("damping").value_or(std::vector<double>());
    child.Finish();
    bushings->push_back(std::move(bushing));
  });
}

void WriteBushings(const WriteContext& context, const std::vector<Bushing>& bushings, ElementWriter& writer) {
  for (const Bushing& bushing : bushings) {
    ElementWriter child(*FindChild(writer.row(), "bushing"), context.precision);
    child.Text("site", bushing.site);
    child.Reals("stiffness", bushing.stiffness);
    if (!bushing.damping.empty()) child.Reals("damping", bushing.damping);
    writer.Append(child.Take());
  }
}

Ligament ReadLigament(ElementReader& reader) {
  Ligament ligament;
  ligament.where = reader.Location();
  ligament.slack_length = reader.Real("slacklength", 0);
  const bool has_curve = reader.Has("force") || reader.Has("function") || reader.Has("coef") || reader.Has("x");
  const bool has_law = reader.Has("stiffness") || reader.Has("transition") || reader.Has("damping");
  if (has_curve && has_law) {
    reader.Fail("a ligament has a curve, and numbers of Blankevoort's law", "give stiffness, or force and a function");
  }
  if (!has_curve && !reader.Has("stiffness")) {
    reader.Fail("a ligament has neither stiffness nor force", "give stiffness, or force and a function");
  }
  ligament.stiffness = reader.Real("stiffness", ligament.stiffness);
  ligament.transition = reader.Real("transition", ligament.transition);
  ligament.damping = reader.Real("damping", ligament.damping);
  ligament.force = reader.Real("force", ligament.force);
  if (has_curve) ligament.curve = FunctionOf(reader);
  return ligament;
}

void WriteLigaments(const WriteContext& context, const std::vector<Ligament>& ligaments, ElementWriter& writer) {
  for (const Ligament& ligament : ligaments) {
    ElementWriter child(*FindChild(writer.row(), "ligament"), context.precision);
    child.Real("slacklength", ligament.slack_length);
    if (ligament.curve) {
      child.Real("force", ligament.force);
      WriteFunction(*ligament.curve, child);
    } else {
      child.Real("stiffness", ligament.stiffness);
      child.Real("transition", ligament.transition);
      child.Real("damping", ligament.damping);
    }
    writer.Append(child.Take());
  }
}

}  // namespace sinew::mjcf
