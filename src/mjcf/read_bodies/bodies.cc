// Reads worldbody: the tree of bodies and frames, and what stands in them. Poses are stored as given, in the innermost
// frame around an element; the compiler resolves them into body frames.
#include <algorithm>
#include <string>

#include "mjcf/read/sections.h"
#include "spec/replicate.h"

namespace sinew::mjcf {
namespace {

// Elements of the tree start from the class that they name, else from the childclass of the frame or body around them.
template <class T>
T& AddChild(Context& context, ElementReader& reader, const Place& place, const char* class_attribute) {
  T& child = place.body->Add<T>(FindClass(context, reader, class_attribute), place.frame);
  Identify(context, reader, &child);
  *child.info = "line " + std::to_string(reader.node().line);
  return child;
}

void ReadChildren(Context& context, const XmlNode& node, const Place& place);

// ---- leaves of the tree

void ReadJoint(Context& context, ElementReader& reader, const Place& place) {
  if (place.is_world()) return reader.Fail("the world cannot have joints", "put the joint into a body");
  Joint& joint = AddChild<Joint>(context, reader, place, "class");
  reader.ReadFields(static_cast<mjsJoint*>(&joint));
  ReadMotion(context, reader, &joint.motion);
  ReadLimitForces(context, reader, &joint.limit_forces);
}

void ReadFreeJoint(Context& context, ElementReader& reader, const Place& place) {
  if (place.is_world()) return reader.Fail("the world cannot have joints", "put the joint into a body");
  Joint& joint = AddChild<Joint>(context, reader, place, "class");
  // No class says anything about free joints: their damping and armature would act on floating bodies unasked.
  const Joint plain;
  joint.CopyValues(plain);
  joint.type = mjJNT_FREE;
  *joint.info = "line " + std::to_string(reader.node().line);
  reader.ReadFields(static_cast<mjsJoint*>(&joint));
}

// An inertial element gives what otherwise follows from the geoms. Its frame is in the body's, and a full matrix has
// the axes of the body.
void ReadInertial(ElementReader& reader, const Place& place) {
  Body& body = *place.body;
  body.explicitinertial = 1;
  reader.ReadFields(static_cast<mjsBody*>(&body));
  reader.ReadOrientation(&body.ialt, body.iquat);
  if (!reader.Has("fullinertia")) return;
  for (const char* other : {"quat", "axisangle", "xyaxes", "zaxis", "euler", "diaginertia"}) {
    if (reader.Has(other)) {
      reader.Fail(std::string("attributes 'fullinertia' and '") + other + "' exclude each other",
                  "the full matrix determines the principal axes and moments");
    }
  }
}

void ReadGeom(Context& context, ElementReader& reader, const Place& place) {
  Geom& geom = AddChild<Geom>(context, reader, place, "class");
  reader.ReadPlaced(static_cast<mjsGeom*>(&geom));
  ReadContactLaw(reader, /*of_pair=*/false, &geom.contact_law);
  ReadSurface(reader, &geom.surface);
  ReadStick(reader, &geom.stick);
  ForEachChild(context, reader.node(), reader.row(), [&](ElementReader& child, const XmlNode&) {
    ReadPluginUse(context, child, &geom.plugin);
    child.Finish();
  });
}

// The vertical field of view of a camera is in degrees; sensor size and focal length are in metres.
void ReadCamera(Context& context, ElementReader& reader, const Place& place) {
  Camera& camera = AddChild<Camera>(context, reader, place, "class");
  reader.ReadPlaced(static_cast<mjsCamera*>(&camera));
  if (reader.Has("fovy") && reader.Has("sensorsize")) {
    reader.Fail("attributes 'fovy' and 'sensorsize' exclude each other",
                "the field of view follows from sensor and focal length");
  }
}

// ---- bodies and frames

// A body starts a new frame of reference, so frames around it end here.
void ReadBody(Context& context, ElementReader& reader, const Place& place) {
  Body& body = AddChild<Body>(context, reader, place, "childclass");
  reader.ReadPlaced(static_cast<mjsBody*>(&body));
  ReadChildren(context, reader.node(), {&body, nullptr});
}

// A frame gives its pose to the elements in it, and does not appear in the model.
void ReadFrame(Context& context, ElementReader& reader, const Place& place) {
  Frame& frame = AddChild<Frame>(context, reader, place, "childclass");
  reader.ReadPlaced(static_cast<mjsFrame*>(&frame));
  ReadChildren(context, reader.node(), {place.body, &frame});
}

// The contents are read once, into a frame, which copies then replace.
void ReadReplicate(Context& context, ElementReader& reader, const Place& place) {
  Replication replication;
  replication.count = reader.Int("count").value_or(0);
  reader.RealsInto("offset", replication.offset);
  reader.RealsInto("euler", replication.euler);
  replication.separator = reader.String("sep").value_or("");
  replication.count = std::max(replication.count, 0);

  Frame& prototype = AddChild<Frame>(context, reader, place, "childclass");
  ReadChildren(context, reader.node(), {place.body, &prototype});
  try {
    UpdateKeys(context);
    std::size_t& copies_left = context.copies_left;
    const Replicated replicated = Replicate(context.spec, prototype, replication, copies_left);
    copies_left -= replicated.made;
    if (context.key_layout || !context.spec.pending_keys.empty()) context.key_layout.emplace(context.spec);
    context.has_replicas_with_state |= replicated.has_state;
  } catch (const Error& error) {
    reader.Fail(error.problem(), error.remedy());
  }
}

// Names of elements select the reader here; the order of the document decides that of the elements.
void ReadChild(Context& context, ElementReader& reader, const Place& place) {
  const std::string& tag = reader.node().tag;
  if (tag == "body") {
    ReadBody(context, reader, place);
  } else if (tag == "frame") {
    ReadFrame(context, reader, place);
  } else if (tag == "replicate") {
    ReadReplicate(context, reader, place);
  } else if (tag == "attach") {
    ReadAttach(context, reader, place);
  } else if (tag == "inertial") {
    if (place.is_world()) return;  // the check against the schema has said so
    ReadInertial(reader, place);
  } else if (tag == "joint") {
    ReadJoint(context, reader, place);
  } else if (tag == "freejoint") {
    ReadFreeJoint(context, reader, place);
  } else if (tag == "geom") {
    ReadGeom(context, reader, place);
  } else if (tag == "site") {
    Site& site = AddChild<Site>(context, reader, place, "class");
    reader.ReadPlaced(static_cast<mjsSite*>(&site));
    ReadMotion(context, reader, &site.motion);
    ReadBushings(context, reader, &site.bushings);
  } else if (tag == "camera") {
    ReadCamera(context, reader, place);
  } else if (tag == "light") {
    Light& light = AddChild<Light>(context, reader, place, "class");
    reader.ReadFields(static_cast<mjsLight*>(&light));
    ReadLightType(reader, &light);
  } else if (tag == "plugin") {
    ReadPluginUse(context, reader, &place.body->plugin);
  } else if (tag == "composite") {
    ReadComposite(context, reader, place);
  } else if (tag == "flexcomp") {
    ReadFlexcomp(context, reader, place);
  } else {
    return NotSupported(context, reader.node());
  }
  reader.Finish();
}

void ReadChildren(Context& context, const XmlNode& node, const Place& place) {
  ForEachChild(context, node, "body",
               [&](ElementReader& reader, const XmlNode&) { ReadChild(context, reader, place); });
}

}  // namespace

// Without a layout nothing has been attached or replicated, and keyframes are as in the document.
void UpdateKeys(Context& context) {
  if (context.key_layout) ExtendKeys(context.spec, *context.key_layout);
}

// Both attributes say the same; `directional` is from before there were more than two types of lights.
void ReadLightType(ElementReader& reader, mjsLight* light) {
  if (reader.Has("type") && reader.Has("directional")) {
    reader.Fail("attributes 'type' and 'directional' exclude each other", "keep 'type'");
  }
  if (const auto type = reader.Keyword("type")) light->type = static_cast<mjtLightType>(*type);
  if (const auto directional = reader.Keyword("directional")) {
    light->type = *directional ? mjLIGHT_DIRECTIONAL : mjLIGHT_SPOT;
  }
}

void ReadWorldBody(Context& context, const XmlNode& section) {
  ReadChildren(context, section, {&context.spec.world(), nullptr});
  UpdateKeys(context);
}

// A keyframe is one of the tree as it was where a replicate stands, or one of the whole model.
void CheckKeysBesideReplicates(const Context& context) {
  if (!context.has_replicas_with_state) return;
  const KeyLayout whole(context.spec);
  for (const auto& key : context.spec.List<Key>()) {
    try {
      whole.Check(*key);
    } catch (const Error& error) {
      throw Error(error.problem(),
                  "give the numbers of the whole model, or of what stands before a replicate and once of "
                  "what is in it",
                  key->where);
    }
  }
}

}  // namespace sinew::mjcf
