// flexcomp: a flex made of a pattern of points, with a body for each point that moves, or for each node of a lattice
// around them.
#include "mjcf/macros/flexcomp.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace sinew::mjcf {
namespace {

constexpr int kStretch = 2;  // elastic2d from here on: stretching, alone or with bending

// ---- attributes

// The number of points along each axis, and their distances in metres; the mass in kg is that of all points together.
void ReadCounts(ElementReader& reader, Flexcomp& comp) {
  if (const auto count = reader.Ints("count")) std::copy_n(count->begin(), 3, comp.count);
  reader.RealsInto("spacing", comp.spacing);
  reader.RealsInto("scale", comp.scale);
  comp.mass = reader.Real("mass").value_or(comp.mass);
  comp.inertiabox = reader.Real("inertiabox").value_or(comp.inertiabox);
  if (!(comp.mass >= kMinVal && comp.inertiabox >= kMinVal)) {
    throw Error("mass and inertiabox must be positive", "set them");
  }
  for (const double scale : comp.scale) {
    if (!(scale >= kMinVal)) throw Error("attribute 'scale' is not positive", "give positive factors");
  }
}

// Every body of the flexcomp uses the plugin. An instance of its own is called after the flexcomp.
void ReadPlugin(Context& context, ElementReader& reader, Flexcomp& comp) {
  ReadPluginUse(context, reader, &comp.plugin);
  if (Plugin* own = As<Plugin>(comp.plugin.mjsPlugin::element); own && own != &comp.plugin) {
    const std::string name = "flexcomp_" + comp.name;
    context.spec.SetName(*own, name);
    *own->mjsPlugin::name = *comp.plugin.mjsPlugin::name = name;
  }
}

// Pins refer to points by their numbers, so they are read last.
void ReadParts(Context& context, ElementReader& reader, Flexcomp& comp) {
  ForEachChild(context, reader.node(), reader.row(), [&](ElementReader& part, const XmlNode& child) {
    if (child.tag == "pin") return;  // needs the points
    if (child.tag == "plugin") {
      ReadPlugin(context, part, comp);
    } else {
      if (child.tag == "edge") {
        comp.equality = part.Keyword("equality").value_or(Flexcomp::kNoEquality);
        part.RealsInto("solref", comp.edges.solref);
        part.RealsInto("solimp", comp.edges.solimp);
      }
      part.ReadFields(static_cast<mjsFlex*>(&comp.flex));
    }
    part.Finish();
  });
  if (comp.equality == Flexcomp::kStrain && comp.flex.young > 0) {
    throw Error("strain constraints and elasticity are both given", "keep one of them");
  }
  if (comp.equality != Flexcomp::kNoEquality && comp.flex.elastic2d >= kStretch) {
    throw Error("an equality constraint and elasticity against stretching are both given", "keep one of them");
  }
}

// Reads everything but the points, which depend on it.
void ReadValues(Context& context, ElementReader& reader, Flexcomp& comp) {
  comp.name = reader.String("name").value_or("");
  comp.type = reader.Keyword("type").value_or(Flexcomp::kGrid);
  comp.dof = reader.Keyword("dof").value_or(Flexcomp::kFull);
  comp.rigid = reader.Keyword("rigid").value_or(0) != 0;
  reader.ReadFields(static_cast<mjsFlex*>(&comp.flex));
  comp.flex.order = comp.dof == Flexcomp::kTrilinear ? 1 : comp.dof == Flexcomp::kQuadratic ? 2 : 0;
  // Patterns leave aside what describes meshes.
  reader.String("file");
  reader.Reals("origin");
  ReadCounts(reader, comp);
  ReadParts(context, reader, comp);
}

// Bounds the lattice of nodes before anything is allocated; returns how many there are.
std::size_t CountNodes(const Context& context, const Flexcomp& comp) {
  double nodes = 1;
  for (const int count : comp.flex.cellcount) {
    if (count < 1) throw Error("attribute 'cellcount' is not positive", "give the numbers of cells");
    nodes *= static_cast<double>(count) * comp.flex.order + 1;
  }
  if (nodes > static_cast<double>(context.copies_left)) {
    throw Error("attribute 'cellcount' asks for more nodes than a model may have", "give smaller counts");
  }
  return static_cast<std::size_t>(nodes);
}

// ---- pins

[[noreturn]] void ThrowPin(const char* attribute, const char* problem) {
  throw Error(std::string("attribute '") + attribute + "' of a pin " + problem, "points are counted from 0");
}

// All points of a block of the grid; its corners have `dim` coordinates each.
void PinBlock(Flexcomp& comp, const int* lower, const int* upper, const char* attribute) {
  int from[3] = {0, 0, 0}, to[3] = {0, 0, 0}, size[3] = {1, 1, 1};
  for (int i = 0; i < comp.flex.dim; ++i) {
    size[i] = comp.count[i];  // whatever a mesh says about axes that it has not
    from[i] = lower[i];
    to[i] = upper[i];
    if (from[i] < 0 || to[i] >= comp.count[i]) ThrowPin(attribute, "is outside of the grid");
  }
  for (int x = from[0]; x <= to[0]; ++x) {
    for (int y = from[1]; y <= to[1]; ++y) {
      for (int z = from[2]; z <= to[2]; ++z) comp.pins.insert((x * size[1] + y) * size[2] + z);
    }
  }
}

// `count`: of the points, or of the nodes that move them.
void ReadPin(ElementReader& pin, int count, Flexcomp& comp) {
  const auto ids = pin.Ints("id").value_or(std::vector<int>());
  const auto range = pin.Ints("range").value_or(std::vector<int>());
  const auto grid = pin.Ints("grid").value_or(std::vector<int>());
  const auto gridrange = pin.Ints("gridrange").value_or(std::vector<int>());
  const auto dim = static_cast<size_t>(comp.flex.dim);
  if (range.size() % 2 != 0) ThrowPin("range", "is not made of pairs");
  if (grid.size() % dim != 0) ThrowPin("grid", "does not have a number for each dimension");
  if (gridrange.size() % (2 * dim) != 0) ThrowPin("gridrange", "does not have two numbers for each dimension");
  const bool has_grid = comp.type == Flexcomp::kGrid || comp.moved_by_nodes();
  if (!has_grid && !(grid.empty() && gridrange.empty())) {
    ThrowPin("grid", "is for type grid, or where nodes move the points");
  }

  const auto is_point = [count](int id) { return id >= 0 && id < count; };
  if (!std::all_of(ids.begin(), ids.end(), is_point)) ThrowPin("id", "is not a point");
  if (!std::all_of(range.begin(), range.end(), is_point)) ThrowPin("range", "has what is not a point");
  comp.pins.insert(ids.begin(), ids.end());
  for (size_t i = 0; i < range.size(); i += 2) {
    for (int id = range[i]; id <= range[i + 1]; ++id) comp.pins.insert(id);
  }
  for (size_t i = 0; i < grid.size(); i += dim) PinBlock(comp, grid.data() + i, grid.data() + i, "grid");
  for (size_t i = 0; i < gridrange.size(); i += 2 * dim) {
    PinBlock(comp, gridrange.data() + i, gridrange.data() + i + dim, "gridrange");
  }
  pin.Finish();
}

// Pins name points as they are given; bodies are made for those that elements use.
void RenumberPins(Flexcomp& comp) {
  std::set<int> pins;
  for (const int pin : comp.pins) {
    const bool is_given = static_cast<std::size_t>(pin) < comp.kept.size();
    const int kept = is_given ? comp.kept[static_cast<std::size_t>(pin)] : pin;
    if (kept >= 0) pins.insert(kept);
  }
  comp.pins = std::move(pins);
}

}  // namespace

// The copies that are left bound both points and nodes, so that a short document cannot make a huge model.
void ReadFlexcomp(Context& context, ElementReader& reader, const Place& place) {
  try {
    Flexcomp comp;
    if (!place.is_world() && place.body->name.empty()) throw Error("the parent body has no name", "name it");
    ReadValues(context, reader, comp);
    comp.flex.where = reader.Location();
    MakePoints(context, reader, comp);
    const std::size_t points = comp.shape.points.size();
    const std::size_t moving = comp.moved_by_nodes() ? CountNodes(context, comp) : points;
    context.copies_left -= std::min(context.copies_left, std::max(moving, points));
    if (comp.dof == Flexcomp::kRadial) comp.pins.insert(0);  // the centre has no direction
    ForEachChild(context, reader.node(), reader.row(), [&](ElementReader& part, const XmlNode& child) {
      if (child.tag == "pin") ReadPin(part, static_cast<int>(std::max({moving, points, comp.kept.size()})), comp);
    });
    RenumberPins(comp);
    BuildFlexcomp(context, reader.node(), place, comp);
  } catch (const Error& error) {
    reader.Fail(error.problem(), error.remedy());
  }
}

}  // namespace sinew::mjcf
