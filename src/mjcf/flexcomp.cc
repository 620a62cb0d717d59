// flexcomp: a flex made of a pattern of points, with a body for each point that moves.
//
//     pattern or given points ──> pose ──> pins ──> bodies of free points, flex, equality
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

#include "mjcf/flexcomp_shape.h"
#include "mjcf/sections.h"
#include "spec/orientation.h"

namespace sinew::mjcf {
namespace {

enum Type { kGrid, kBox, kCylinder, kEllipsoid, kSquare, kDisc, kCircle, kMesh, kGmsh, kDirect };
enum Dof { kFull, kRadial, kTrilinear, kQuadratic, kPlanar };
enum EqualityKind { kNoEquality, kEdges, kVertices, kStrain };
constexpr Vec3<double> kAxes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constexpr int kStretch = 2;  // elastic2d from here on: stretching, alone or with bending

// What the element says.
struct Flexcomp {
  std::string name;
  int type = kGrid, dof = kFull;
  int count[3] = {10, 10, 10};
  double spacing[3] = {0.02, 0.02, 0.02}, scale[3] = {1, 1, 1};
  double mass = 1, inertiabox = 0.005;
  bool rigid = false;
  Flex flex;
  Equality edges;
  int equality = kNoEquality;
  FlexcompShape shape;
  std::set<int> pins;
};

bool IsSolid(int type) { return type == kBox || type == kCylinder || type == kEllipsoid; }

// ---- attributes

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

void ReadParts(Context& context, ElementReader& reader, Flexcomp& comp) {
  ForEachChild(context, reader.node(), reader.row(), [&](ElementReader& part, const XmlNode& child) {
    if (child.tag == "pin") return;  // needs the points
    if (child.tag == "plugin") {
      return part.Fail("plugins of flexcomps are not supported", "use its elasticity");
    }
    if (child.tag == "edge") {
      comp.equality = part.Keyword("equality").value_or(kNoEquality);
      part.RealsInto("solref", comp.edges.solref);
      part.RealsInto("solimp", comp.edges.solimp);
    }
    part.ReadFields(static_cast<mjsFlex*>(&comp.flex));
    part.Finish();
  });
  if (comp.equality == kStrain) throw Error("strain constraints of flexes are not supported", "use equality=\"true\"");
  if (comp.equality != kNoEquality && comp.flex.elastic2d >= kStretch) {
    throw Error("an equality constraint and elasticity against stretching are both given", "keep one of them");
  }
}

// ---- points

// Bounds what a short document can ask for, before anything is allocated.
void CheckPattern(const Context& context, const Flexcomp& comp) {
  std::uint64_t points = 1;
  for (int i = 0; i < 3; ++i) {
    if (comp.count[i] < 1) throw Error("attribute 'count' is not positive", "give the numbers of points");
    points *= static_cast<std::uint64_t>(std::min(comp.count[i], 1 << 20));
    if (!(comp.spacing[i] >= 2 * comp.flex.radius + comp.flex.margin)) {
      throw Error("the spacing is less than the diameter of the points", "reduce radius or margin");
    }
  }
  if (points > context.copies_left) {
    throw Error("attribute 'count' asks for more points than a model may have", "give smaller counts");
  }
  const int axes = IsSolid(comp.type) ? 3 : comp.type == kCircle ? 1 : comp.flex.dim;
  for (int i = 0; i < 3; ++i) {
    const bool used = i < axes;
    if (used ? comp.count[i] > 1 : comp.count[i] == 1) continue;
    throw Error("count[" + std::to_string(i) + "] is " + std::to_string(comp.count[i]) + " in dimension " +
                    std::to_string(comp.flex.dim),
                used ? "give 2 or more" : "give 1");
  }
  if (comp.type == kCircle && comp.count[0] < 4) throw Error("a circle needs a count of 4", "give more points");
}

void CheckDimension(const Flexcomp& comp) {
  const int dim = comp.flex.dim;
  const bool fits = comp.type == kCircle ? dim == 1 : IsSolid(comp.type) ? dim == 2 || dim == 3 : dim >= 1 && dim <= 3;
  if (!fits) throw Error("the pattern has no elements of dimension " + std::to_string(dim), "set dim");
}

FlexcompShape MakePattern(const Flexcomp& comp) {
  const int dim = comp.flex.dim;
  switch (comp.type) {
    case kGrid:
    case kSquare:
      return MakeGrid(dim, comp.count, comp.spacing);
    case kDisc:
      return MakeDisc(comp.count, comp.spacing);
    case kCircle:
      return MakeCircle(comp.count[0], comp.spacing[0]);
    case kBox:
      return MakeSolid(SolidShape::kBox, dim, comp.count, comp.spacing);
    case kCylinder:
      return MakeSolid(SolidShape::kCylinder, dim, comp.count, comp.spacing);
    default:
      return MakeSolid(SolidShape::kEllipsoid, dim, comp.count, comp.spacing);
  }
}

// Removes what no element uses.
void Compact(FlexcompShape& shape, std::vector<float>& texcoord) {
  std::vector<int> ids(shape.points.size(), -1);
  for (const int vertex : shape.elements) ids[static_cast<size_t>(vertex)] = 0;
  size_t kept = 0;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0) continue;
    ids[i] = static_cast<int>(kept);
    shape.points[kept] = shape.points[i];
    if (!texcoord.empty())
      std::copy_n(texcoord.begin() + 2 * static_cast<ptrdiff_t>(i), 2,
                  texcoord.begin() + 2 * static_cast<ptrdiff_t>(kept));
    ++kept;
  }
  shape.points.resize(kept);
  if (!texcoord.empty()) texcoord.resize(2 * kept);
  for (int& vertex : shape.elements) vertex = ids[static_cast<size_t>(vertex)];
}

void ReadDirect(ElementReader& reader, Flexcomp& comp) {
  const auto points = reader.Reals("point");
  const auto elements = reader.Ints("element");
  if (!points || !elements) throw Error("the points or the elements are missing", "give 'point' and 'element'");
  if (points->size() % 3 != 0) throw Error("attribute 'point' is not made of triples", "give x, y, z of each");
  const size_t count = points->size() / 3;
  for (const int vertex : *elements) {
    if (vertex >= 0 && static_cast<size_t>(vertex) < count) continue;
    throw Error("attribute 'element' has point " + std::to_string(vertex),
                "there are " + std::to_string(count) + " points, from 0 on");
  }
  for (size_t i = 0; i < points->size(); i += 3) {
    const Vec3<double> p = LoadVec3(points->data() + i);
    comp.shape.points.push_back({p.x * comp.scale[0], p.y * comp.scale[1], p.z * comp.scale[2]});
  }
  comp.shape.elements = *elements;
}

// Coordinates of a lattice of the points along x and y, when a material may have a texture.
std::vector<float> LatticeTexture(const Flexcomp& comp) {
  std::vector<float> texcoord;
  if (comp.flex.material->empty() || comp.flex.dim == 1) return texcoord;
  if (IsSolid(comp.type)) throw Error("a material on a solid pattern is not supported", "give rgba");
  for (int x = 0; x < comp.count[0]; ++x) {
    for (int y = 0; y < comp.count[1]; ++y) {
      for (int z = 0; z < comp.count[2]; ++z) {
        texcoord.push_back(static_cast<float>(x) / static_cast<float>(comp.count[0] - 1));
        texcoord.push_back(static_cast<float>(y) / static_cast<float>(comp.count[1] - 1));
      }
    }
  }
  return texcoord;
}

void MakePoints(Context& context, ElementReader& reader, Flexcomp& comp) {
  Flex& flex = comp.flex;
  std::vector<float>& texcoord = *flex.texcoord;
  if (const auto given = reader.Reals("texcoord")) texcoord.assign(given->begin(), given->end());
  if (comp.type == kMesh || comp.type == kGmsh) {
    throw Error("flexcomps of type mesh and gmsh are not supported", "use type direct");
  }
  if (comp.type == kSquare || comp.type == kDisc) flex.dim = 2;
  CheckDimension(comp);
  if (comp.type == kDirect) {
    ReadDirect(reader, comp);
    if (!texcoord.empty() && texcoord.size() != 2 * comp.shape.points.size()) {
      throw Error("attribute 'texcoord' has " + std::to_string(texcoord.size()) + " numbers",
                  "give two for each point");
    }
    Compact(comp.shape, texcoord);
    return;
  }
  if (reader.Has("point") || reader.Has("element")) {
    throw Error("a pattern has its own points and elements", "remove 'point' and 'element', or use type direct");
  }
  CheckPattern(context, comp);
  comp.shape = MakePattern(comp);
  if (texcoord.empty()) texcoord = LatticeTexture(comp);
  if (comp.type == kBox || comp.type == kCylinder || (comp.type == kGrid && flex.dim == 3)) flex.flatskin = 1;
}

// Moves the points into the frame of the parent.
void PlacePoints(Context& context, ElementReader& reader, Flexcomp& comp) {
  double pos[3] = {0, 0, 0}, quat[4] = {1, 0, 0, 0};
  mjsOrientation alternative = {};
  reader.RealsInto("pos", pos);
  reader.RealsInto("quat", quat);
  reader.RealsInto("axisangle", alternative.axisangle);
  reader.RealsInto("xyaxes", alternative.xyaxes);
  reader.RealsInto("zaxis", alternative.zaxis);
  reader.RealsInto("euler", alternative.euler);
  reader.ReadOrientation(&alternative, quat);
  const Quat<double> q = Orientation(quat, alternative, static_cast<const mjSpec&>(context.spec).compiler);
  for (Vec3<double>& point : comp.shape.points) point = LoadVec3(pos) + Rotate(q, point);
}

// ---- pins

[[noreturn]] void ThrowPin(const char* attribute, const char* problem) {
  throw Error(std::string("attribute '") + attribute + "' of a pin " + problem, "points are counted from 0");
}

// All points of a block of the grid; its corners have `dim` coordinates each.
void PinBlock(Flexcomp& comp, const int* lower, const int* upper, const char* attribute) {
  int from[3] = {0, 0, 0}, to[3] = {0, 0, 0};
  for (int i = 0; i < comp.flex.dim; ++i) {
    from[i] = lower[i];
    to[i] = upper[i];
    if (from[i] < 0 || to[i] >= comp.count[i]) ThrowPin(attribute, "is outside of the grid");
  }
  for (int x = from[0]; x <= to[0]; ++x) {
    for (int y = from[1]; y <= to[1]; ++y) {
      for (int z = from[2]; z <= to[2]; ++z) comp.pins.insert((x * comp.count[1] + y) * comp.count[2] + z);
    }
  }
}

void ReadPin(ElementReader& pin, Flexcomp& comp) {
  const auto points = static_cast<int>(comp.shape.points.size());
  const auto ids = pin.Ints("id").value_or(std::vector<int>());
  const auto range = pin.Ints("range").value_or(std::vector<int>());
  const auto grid = pin.Ints("grid").value_or(std::vector<int>());
  const auto gridrange = pin.Ints("gridrange").value_or(std::vector<int>());
  const auto dim = static_cast<size_t>(comp.flex.dim);
  if (range.size() % 2 != 0) ThrowPin("range", "is not made of pairs");
  if (grid.size() % dim != 0) ThrowPin("grid", "does not have a number for each dimension");
  if (gridrange.size() % (2 * dim) != 0) ThrowPin("gridrange", "does not have two numbers for each dimension");
  if (comp.type != kGrid && !(grid.empty() && gridrange.empty())) ThrowPin("grid", "is for type grid only");

  const auto is_point = [points](int id) { return id >= 0 && id < points; };
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

// ---- elements

class FlexcompBuilder {
 public:
  FlexcompBuilder(Context& context, ElementReader& reader, const Place& place, const Flexcomp& comp)
      : context_(context), reader_(reader), place_(place), comp_(comp) {}

  void Build() {
    Flex& flex = context_.spec.Add<Flex>();
    flex.CopyValues(comp_.flex);
    Name(flex, comp_.name);
    *flex.elem = comp_.shape.elements;
    const size_t count = comp_.shape.points.size();
    const bool rigid = comp_.rigid || comp_.pins.size() == count;
    if (rigid) flex.vertbody->push_back(place_.body->name);
    for (size_t i = 0; i < count; ++i) {
      const bool pinned = rigid || comp_.pins.contains(static_cast<int>(i));
      const Vec3<double>& p = comp_.shape.points[i];
      if (!rigid) flex.vertbody->push_back(pinned ? place_.body->name : AddPoint(i));
      const Vec3<double> vertex = pinned ? p : Vec3<double>{0, 0, 0};
      flex.vert->insert(flex.vert->end(), {vertex.x, vertex.y, vertex.z});
    }
    if (!rigid && comp_.pins.empty()) flex.vert->clear();
    if (comp_.equality != kNoEquality) AddEquality();
  }

 private:
  // The body of a point that moves; returns its name.
  std::string AddPoint(size_t i) {
    Body& body = place_.body->Add<Body>();
    Name(body, comp_.name + "_" + std::to_string(i));
    const Vec3<double>& p = comp_.shape.points[i];
    StoreVec3(p, body.pos);
    // The inertia of a box with half sizes b:  m/3 (b^2 + b^2)
    body.explicitinertial = 1;
    body.mass = comp_.mass / static_cast<double>(comp_.shape.points.size());
    std::fill_n(body.inertia, 3, body.mass * (2 * comp_.inertiabox * comp_.inertiabox) / 3);
    std::fill_n(body.ipos, 3, 0.0);
    if (comp_.dof == kRadial) {
      AddSlide(body, p);
    } else {
      for (int k = 0; k < (comp_.dof == kPlanar ? 2 : 3); ++k) AddSlide(body, kAxes[k]);
    }
    return body.name;
  }

  void AddSlide(Body& body, const Vec3<double>& axis) {
    Joint& joint = body.Add<Joint>(place_.body->ChildDefault(place_.frame));
    joint.where = reader_.node().Location();
    joint.type = mjJNT_SLIDE;
    std::fill_n(joint.pos, 3, 0.0);
    StoreVec3(axis, joint.axis);
  }

  void AddEquality() {
    Equality& equality = context_.spec.Add<Equality>();
    equality.CopyValues(comp_.edges);
    static_cast<Element&>(equality).where = reader_.node().Location();
    equality.type = comp_.equality == kEdges ? mjEQ_FLEX : mjEQ_FLEXVERT;
    equality.active = 1;
    *equality.name1 = comp_.name;
  }

  template <class T>
  void Name(T& element, const std::string& name) {
    static_cast<Element&>(element).where = reader_.node().Location();
    *element.info = "line " + std::to_string(reader_.node().line);
    if (!context_.spec.SetName(element, name)) {
      throw Error(
          std::string("another ") + TypeName(static_cast<Element&>(element).elemtype) + " has the name '" + name + "'",
          "give the flexcomp another name");
    }
  }

  Context& context_;
  ElementReader& reader_;
  const Place& place_;
  const Flexcomp& comp_;
};

// Reads everything but the points, which depend on it.
void ReadValues(Context& context, ElementReader& reader, Flexcomp& comp) {
  comp.name = reader.String("name").value_or("");
  comp.type = reader.Keyword("type").value_or(kGrid);
  comp.dof = reader.Keyword("dof").value_or(kFull);
  comp.rigid = reader.Keyword("rigid").value_or(0) != 0;
  reader.ReadFields(static_cast<mjsFlex*>(&comp.flex));
  if (comp.dof == kTrilinear || comp.dof == kQuadratic) {
    throw Error("flexes that are moved by nodes are not supported", "use dof full, 2d or radial");
  }
  for (const char* of_mesh : {"file", "origin"}) {
    if (reader.Has(of_mesh)) throw Error("points from files are not supported", "use type direct");
  }
  ReadCounts(reader, comp);
  ReadParts(context, reader, comp);
}

}  // namespace

void ReadFlexcomp(Context& context, ElementReader& reader, const Place& place) {
  try {
    Flexcomp comp;
    if (!place.is_world() && place.body->name.empty()) throw Error("the parent body has no name", "name it");
    ReadValues(context, reader, comp);
    MakePoints(context, reader, comp);
    context.copies_left -= std::min(context.copies_left, comp.shape.points.size());
    PlacePoints(context, reader, comp);
    if (comp.dof == kRadial) comp.pins.insert(0);  // the centre has no direction
    ForEachChild(context, reader.node(), reader.row(), [&](ElementReader& part, const XmlNode& child) {
      if (child.tag == "pin") ReadPin(part, comp);
    });
    FlexcompBuilder(context, reader, place, comp).Build();
  } catch (const Error& error) {
    reader.Fail(error.problem(), error.remedy());
  }
}

}  // namespace sinew::mjcf
