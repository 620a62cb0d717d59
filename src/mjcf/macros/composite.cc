// composite: a cable, which is a chain of bodies with ball joints along a curve. Patterns that MJCF has given up are
// refused with what replaces them.
#include <algorithm>
#include <optional>
#include <string>

#include "mjcf/macros/cable.h"
#include "mjcf/macros/composite_skin.h"
#include "mjcf/read/sections.h"

namespace sinew::mjcf {
namespace {

constexpr int kJointGroup = 3, kSiteGroup = 3;
constexpr char kCablePlugin[] = "mujoco.elasticity.cable";

// The attributes of the element. Joints, geoms and sites of the cable are copies of one each; classes do not count.
struct Cable {
  std::string prefix;
  Vec3<double> offset = {0, 0, 0};
  std::vector<Vec3<double>> points;
  bool joint_at_start = true, is_free = false;
  Joint joint;
  Geom geom;
  Site site;
  Skin skin;
  bool texcoord = false;
  int subgrid = 0;
  mjsPlugin* plugin = nullptr;  // of every body
};

// ---- reading

// A cable extends in one direction: the first of up to three counts is the number of points.
int ReadCount(ElementReader& reader) {
  std::vector<int> count = reader.Ints("count").value_or(std::vector<int>());
  count.resize(3, 1);
  if (std::any_of(count.begin(), count.end(), [](int n) { return n < 1; })) {
    throw Error("attribute 'count' is not positive", "give the number of points");
  }
  if (count[1] > 1 || count[2] > 1) throw Error("a cable extends in one direction", "give one count");
  // Links have three degrees of freedom each; a chain has as many derivatives of forces as the square of all of them,
  // which is an index of the model.
  constexpr int kMaxPoints = 15447;
  if (count[0] > kMaxPoints) {
    throw Error("attribute 'count' is larger than " + std::to_string(kMaxPoints), "give fewer points");
  }
  return count[0];
}

// Points come from a list or from a curve; both are turned by `quat` before they are rounded.
void ReadPoints(ElementReader& reader, Cable& cable) {
  const auto vertices = reader.Reals("vertex");
  const auto curve = reader.String("curve");
  double size[3] = {1, 0, 0};
  reader.RealsInto("size", size);
  double quat[4] = {1, 0, 0, 0};
  reader.RealsInto("quat", quat);
  const int count = ReadCount(reader);
  if (vertices && reader.Has("count")) throw Error("both vertex and count are given", "remove one of them");
  if (vertices) {
    if (vertices->size() % 3 != 0) throw Error("attribute 'vertex' is not made of triples", "give x, y, z of each");
    for (size_t i = 0; i < vertices->size(); i += 3) cable.points.push_back(LoadVec3(vertices->data() + i));
  } else if (count > 1) {
    cable.points = CurvePoints(ParseCurve(curve.value_or("")), count, size);
  }
  if (cable.points.size() < 2) throw Error("a cable needs two points at least", "give more points");
  for (Vec3<double>& point : cable.points) point = ToSingle(Rotate(LoadQuat(quat), point));
  for (size_t i = 0; i + 1 < cable.points.size(); ++i) {
    if (Norm(cable.points[i + 1] - cable.points[i]) >= mjMINVAL) continue;
    throw Error("points " + std::to_string(i) + " and " + std::to_string(i + 1) + " of the cable coincide",
                "move one of them");
  }
}

// The start of a cable has a ball joint, a free joint, or none, in which case the first body is fixed to its parent.
void ReadStart(ElementReader& reader, Cable& cable) {
  // Any other word is a ball joint.
  const std::string initial = reader.String("initial").value_or("ball");
  cable.joint_at_start = initial != "none";
  cable.is_free = initial == "free";
}

void ReadJoint(ElementReader& reader, Cable& cable) {
  reader.ReadFields(static_cast<mjsJoint*>(&cable.joint));
  // Cables have ball joints and no equalities: what these attributes say does not matter.
  for (const char* ignored : {"kind", "type"}) reader.Keyword(ignored);
  for (const char* ignored : {"solreffix", "solimpfix"}) reader.Reals(ignored);
}

// Sizes of geoms are those of the document, except along the edge, where the builder sets them.
void ReadGeom(ElementReader& reader, Cable& cable) { reader.ReadFields(static_cast<mjsGeom*>(&cable.geom)); }

// An instance of its own is called after the composite.
void ReadPlugin(Context& context, ElementReader& reader, Cable& cable, Plugin& use) {
  ReadPluginUse(context, reader, &use);
  if (Plugin* own = As<Plugin>(use.mjsPlugin::element); own && own != &use) {
    const std::string name = "composite" + cable.prefix;
    context.spec.SetName(*own, name);
    *own->mjsPlugin::name = *use.mjsPlugin::name = name;
  }
  if (*use.plugin_name != kCablePlugin) {
    reader.Fail("cables have no plugin '" + *use.plugin_name + "'", std::string("use ") + kCablePlugin);
  }
  cable.plugin = &use;
}

// Joint, geom, site and skin are prototypes here: copies of them go to each body.
void ReadParts(Context& context, ElementReader& reader, Cable& cable, Plugin& use) {
  cable.joint.group = kJointGroup;
  cable.site.group = kSiteGroup;
  std::fill_n(cable.skin.rgba, 4, 1.0f);
  bool has_joint = false;
  ForEachChild(context, reader.node(), reader.row(), [&](ElementReader& part, const XmlNode& child) {
    if (child.tag == "joint") {
      if (has_joint) part.Fail("a second joint of the cable", "give one");
      has_joint = true;
      ReadJoint(part, cable);
    } else if (child.tag == "geom") {
      ReadGeom(part, cable);
    } else if (child.tag == "site") {
      part.ReadFields(static_cast<mjsSite*>(&cable.site));
    } else if (child.tag == "skin") {
      part.ReadFields(static_cast<mjsSkin*>(&cable.skin));
      cable.texcoord = part.Keyword("texcoord").value_or(0) != 0;
      cable.subgrid = part.Int("subgrid").value_or(0);
    } else {
      ReadPlugin(context, part, cable, use);
    }
    part.Finish();
  });
  cable.joint.type = mjJNT_BALL;
  const mjtGeom type = cable.geom.type;
  if (type != mjGEOM_CYLINDER && type != mjGEOM_CAPSULE && type != mjGEOM_BOX) {
    throw Error("the geoms of a cable are cylinders, capsules or boxes", "give a geom of such a type");
  }
}

// ---- building

// Names along the cable: first, 1, 2, ..., last.
std::string PartName(const Cable& cable, const char* part, size_t i) {
  const std::string place = i == 0 ? "first" : i + 2 == cable.points.size() ? "last" : std::to_string(i);
  return cable.prefix + part + "_" + place;
}

// Adds parts to a body in the name of the composite element.
class CableBuilder {
 public:
  CableBuilder(Context& context, ElementReader& reader, const Cable& cable)
      : context_(context), reader_(reader), cable_(cable) {}

  // The body of an edge stands at the start of it, with its x axis along the edge.
  Body& AddBody(const Place& place, size_t i, const CableEdge& edge, const Vec3<double>& pos) {
    Body& body = place.body->Add<Body>(nullptr, place.frame);
    Name(body, PartName(cable_, "B", i));
    StoreVec3(pos, body.pos);
    StoreQuat(edge.quat, body.quat);
    if (cable_.plugin) {
      body.plugin.active = 1;
      *body.plugin.plugin_name = *cable_.plugin->plugin_name;
      *body.plugin.name = *cable_.plugin->name;
      body.plugin.element = cable_.plugin->element;
    }
    return body;
  }

  // A cable that is free to move has a free joint without damping at its start.
  void AddJoint(Body& body, size_t i) {
    if (i == 0 && !cable_.joint_at_start) return;
    Joint& joint = body.Add<Joint>();
    joint.CopyValues(cable_.joint);
    if (i == 0 && cable_.is_free) {
      joint.type = mjJNT_FREE;
      std::fill(std::begin(joint.damping), std::end(joint.damping), 0.0);
      joint.armature = joint.frictionloss = 0;
    }
    Name(joint, PartName(cable_, "J", i));
  }

  // The geom spans the edge: its x axis when it is a box, else its axis.
  void AddGeom(Body& body, size_t i, double length) {
    Geom& geom = body.Add<Geom>();
    geom.CopyValues(cable_.geom);
    if (geom.type == mjGEOM_BOX) {
      geom.pos[0] = geom.size[0] = length / 2;
    } else {
      std::fill_n(geom.fromto, 6, 0.0);
      geom.fromto[3] = length;
    }
    Name(geom, cable_.prefix + "G" + std::to_string(i));
  }

  // Sites mark the ends of the cable. A cable of a single edge has one site, at its end.
  void AddSite(Body& body, size_t i, double length) {
    const bool is_last = i + 2 == cable_.points.size();
    if (i != 0 && !is_last) return;
    Site& site = body.Add<Site>();
    site.CopyValues(cable_.site);
    site.pos[0] = is_last ? length : 0;
    Name(site, PartName(cable_, "S", i));
  }

  // Neighbors overlap at the joint.
  void AddExclude(size_t i) {
    if (i + 2 >= cable_.points.size()) return;
    Exclude& exclude = context_.spec.Add<Exclude>();
    exclude.where = reader_.Location();
    *exclude.bodyname1 = PartName(cable_, "B", i);
    *exclude.bodyname2 = PartName(cable_, "B", i + 1);
  }

  // Tells programs that read models that this is a cable.
  void AddText() {
    Text& text = context_.spec.Add<Text>();
    Name(text, "composite_" + cable_.prefix);
    *text.data = "rope_" + cable_.prefix;
  }

  // Only boxes have a skin, since capsules and cylinders are round already.
  void AddSkin() {
    Skin& skin = context_.spec.Add<Skin>();
    skin.CopyValues(cable_.skin);
    Name(skin, cable_.prefix + "Skin");
    SkinnedCable skinned = {{}, cable_.geom.size};
    for (size_t i = 0; i + 1 < cable_.points.size(); ++i) skinned.bodies.push_back(PartName(cable_, "B", i));
    MakeCableSkin(skinned, cable_.texcoord, cable_.subgrid, &skin);
  }

 private:
  template <class T>
  void Name(T& element, const std::string& name) {
    static_cast<Element&>(element).where = reader_.Location();
    *element.info = "line " + std::to_string(reader_.node().line);
    if (!context_.spec.SetName(element, name)) {
      reader_.Fail(
          std::string("another ") + TypeName(static_cast<Element&>(element).elemtype) + " has the name '" + name + "'",
          "give the composite another prefix");
    }
  }

  Context& context_;
  ElementReader& reader_;
  const Cable& cable_;
};

// Each body is the child of the one before it, so the position of all but the first is the end of the previous edge.
void BuildCable(Context& context, ElementReader& reader, Place place, const Cable& cable) {
  CableBuilder builder(context, reader, cable);
  builder.AddText();
  const std::vector<CableEdge> edges = CableEdges(cable.points);
  Vec3<double> pos = cable.offset + cable.points.front();
  for (size_t i = 0; i < edges.size(); ++i) {
    Body& body = builder.AddBody(place, i, edges[i], pos);
    builder.AddJoint(body, i);
    builder.AddGeom(body, i, edges[i].length);
    builder.AddSite(body, i, edges[i].length);
    builder.AddExclude(i);
    place = {&body, nullptr};
    pos = {edges[i].length, 0, 0};
  }
  if (cable.geom.type == mjGEOM_BOX) builder.AddSkin();
}

}  // namespace

// Problems with the numbers of a composite are found deep inside, hence the catch.
void ReadComposite(Context& context, ElementReader& reader, const Place& place) {
  if (!reader.Keyword("type")) return;  // all others are refused with the words that are gone
  try {
    Cable cable;
    Plugin use;
    cable.prefix = reader.String("prefix").value_or("");
    double offset[3] = {0, 0, 0};
    reader.RealsInto("offset", offset);
    cable.offset = LoadVec3(offset);
    ReadPoints(reader, cable);
    ReadStart(reader, cable);
    ReadParts(context, reader, cable, use);
    BuildCable(context, reader, place, cable);
  } catch (const Error& error) {
    reader.Fail(error.problem(), error.remedy());
  }
}

}  // namespace sinew::mjcf
