// worldbody: the tree of bodies. Poses are those in the body: frames are folded into what stands in them, and only
// those that have a name or a class of their own are written, without pose.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "compile/draft.h"
#include "compile/geom.h"
#include "compile/joint.h"
#include "compile/passes.h"
#include "compile/placement.h"
#include "mjcf/write_sections.h"
#include "spec/orientation.h"

namespace sinew::mjcf {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// ---- poses

// Stores a pose as position and quaternion, which then is what counts.
template <class Struct>
void PutPose(const Pose& pose, Struct* s) {
  StoreVec3(pose.pos, s->pos);
  StoreQuat(pose.quat, s->quat);
  s->alt = {};
}

template <class T>
Pose OwnPose(const T& element) {
  return {LoadVec3(element.pos), Orientation(element.quat, element.alt, element.compiler())};
}

// Geoms and sites: sizes and pose, without end points.
template <class T>
typename T::PublicStruct WithoutEnds(const T& element) {
  typename T::PublicStruct values = element;
  Shape shape = {element.type, LoadVec3(element.size)};
  Pose pose = OwnPose(element);
  ResolveFromTo(element.fromto, shape, pose);
  StoreVec3(shape.size, values.size);
  std::fill(std::begin(values.fromto), std::end(values.fromto), kNaN);
  PutPose(InBody(element.frame, pose), &values);
  return values;
}

// What an element in the tree starts from: the values of its class, at the origin of the body.
template <class T>
typename T::PublicStruct Base(const WriteContext& context, const T& element) {
  typename T::PublicStruct base = ClassOf(context, element).template Get<T>();
  if constexpr (requires { base.quat; }) PutPose({}, &base);
  return base;
}

// The sizes that a shape has, and those behind them that are not the class's.
template <class Struct>
void WriteSize(const Struct& values, const Struct& base, ElementWriter& writer) {
  const std::span<const double> size = values.size, base_size = base.size;
  auto count = static_cast<std::size_t>(SizeCount(values.type));
  while (count < size.size() && writer.Differ(size.subspan(count), base_size.subspan(count))) ++count;
  if (writer.Differ(size.first(count), base_size)) writer.Reals("size", size.first(count));
}

// ---- leaves of the tree

XmlNode WriteJoint(const WriteContext& context, Joint& joint, const Default& implied) {
  // Angles become radians, and the axis that of the body.
  const JointDraft draft = DraftJoint(joint, InBody(joint.frame, {}));
  mjsJoint values = joint, base = Base(context, joint);
  StoreVec3(draft.pos, values.pos);
  StoreVec3(draft.axis, values.axis);
  std::copy_n(draft.range, 2, values.range);
  values.ref = draft.ref;
  values.springref = draft.springref;
  if (joint.type == mjJNT_FREE) values.limited = base.limited;  // nothing to limit

  // Whether a free joint is aligned with its inertia is said by another element, which says little else.
  const Joint plain;
  ElementWriter rest(*FindPath("body/joint"), context.precision);
  rest.Fields(&values, static_cast<const mjsJoint*>(&plain), {"type", "pos", "axis", "group"});
  if (joint.type == mjJNT_FREE && joint.align != plain.align && rest.empty()) {
    ElementWriter writer(*FindPath("body/freejoint"), context.precision);
    writer.NonEmpty("name", joint.name);
    writer.Fields(&values, static_cast<const mjsJoint*>(&plain));
    return writer.Take();
  }

  const bool has_axis = joint.type == mjJNT_HINGE || joint.type == mjJNT_SLIDE;
  ElementWriter writer(*FindPath("body/joint"), context.precision);
  Identify(context, joint, implied, writer);
  writer.Fields(&values, &base, {"pos", "axis"});
  if (joint.type != mjJNT_FREE) writer.Reals("pos", values.pos);
  if (has_axis) writer.Reals("axis", values.axis);
  return writer.Take();
}

XmlNode WriteGeom(const WriteContext& context, const Geom& geom, const Default& implied) {
  mjsGeom values = WithoutEnds(geom), base = Base(context, geom);
  // A mass replaces the density, and is not among the values of a class.
  const bool class_has_mass = !std::isnan(base.mass);
  base.mass = kNaN;
  if (!std::isnan(values.mass)) {
    values.density = base.density;
  } else if (class_has_mass) {
    base.density = kNaN;
  }
  ElementWriter writer(*FindPath("body/geom"), context.precision);
  Identify(context, geom, implied, writer);
  writer.Fields(&values, &base, {"size"});
  WriteSize(values, base, writer);
  AppendPlugin(context, geom.plugin, "body/geom/plugin", writer);
  return writer.Take();
}

XmlNode WriteSite(const WriteContext& context, const Site& site, const Default& implied) {
  const mjsSite values = WithoutEnds(site), base = Base(context, site);
  ElementWriter writer(*FindPath("body/site"), context.precision);
  Identify(context, site, implied, writer);
  writer.Fields(&values, &base, {"size", "pos"});
  writer.Reals("pos", values.pos);
  WriteSize(values, base, writer);
  return writer.Take();
}

XmlNode WriteCamera(const WriteContext& context, const Camera& camera, const Default& implied) {
  mjsCamera values = camera, base = Base(context, camera);
  PutPose(InBody(camera.frame, OwnPose(camera)), &values);
  // The field of view follows from a sensor.
  if (values.sensor_size[0] > 0 && values.sensor_size[1] > 0) values.fovy = base.fovy;
  ElementWriter writer(*FindPath("body/camera"), context.precision);
  Identify(context, camera, implied, writer);
  writer.Fields(&values, &base, {"pos"});
  writer.Reals("pos", values.pos);
  return writer.Take();
}

XmlNode WriteLight(const WriteContext& context, const Light& light, const Default& implied) {
  mjsLight values = light;
  const mjsLight base = Base(context, light);
  const Pose frame = InBody(light.frame, {});
  Vec3<double> direction = LoadVec3(light.dir);
  Normalize(direction);
  StoreVec3(frame.pos + Rotate(frame.quat, LoadVec3(light.pos)), values.pos);
  StoreVec3(Rotate(frame.quat, direction), values.dir);
  ElementWriter writer(*FindPath("body/light"), context.precision);
  Identify(context, light, implied, writer);
  writer.Fields(&values, &base, {"pos", "dir"});
  writer.Reals("pos", values.pos);
  writer.Reals("dir", values.dir);
  if (values.type != base.type) writer.Keyword("type", values.type);
  return writer.Take();
}

// The inertia that the user gave, in principal axes. Where the geoms always determine it, it says nothing.
void AppendInertial(const WriteContext& context, Body& body, ElementWriter& into) {
  if (!body.explicitinertial || body.compiler().inertiafromgeom == mjINERTIAFROMGEOM_TRUE) return;
  BodyDraft draft = {};
  draft.source = &body;
  ResolveInertial(draft);
  const double identity[4] = {1, 0, 0, 0};
  double pos[3], quat[4], moments[3];
  StoreVec3(draft.inertial.frame.pos, pos);
  StoreQuat(draft.inertial.frame.quat, quat);
  StoreVec3(draft.inertial.moments, moments);
  ElementWriter writer(*FindPath("body/inertial"), context.precision);
  writer.Reals("pos", pos);
  if (writer.Differ(quat, identity)) writer.Reals("quat", quat);
  writer.Real("mass", draft.inertial.mass);
  writer.Reals("diaginertia", moments);
  into.Append(writer.Take());
}

// ---- bodies and frames

class BodyWriter {
 public:
  BodyWriter(const WriteContext& context, Body& body) : context_(context), body_(body) {
    Collect(body.joints, 0);
    Collect(body.geoms, 1);
    Collect(body.sites, 2);
    Collect(body.cameras, 3);
    Collect(body.lights, 4);
    Collect(body.bodies, 5);
  }

  void WriteContents(ElementWriter& writer) {
    WriteScope(nullptr, writer);
    AppendPlugin(context_, body_.plugin, "body/plugin", writer);
  }

 private:
  // The children of one kind, and the first that is not written yet.
  struct Kind {
    std::vector<Element*> children;
    std::size_t next = 0;
    Element* Next() const { return next < children.size() ? children[next] : nullptr; }
  };

  template <class T>
  void Collect(const ElementList<T>& list, std::size_t kind) {
    for (const auto& child : list) kinds_[kind].children.push_back(child.get());
  }

  const Default& ClassIn(const Frame* frame) const {
    return ClassOf(context_, frame ? static_cast<const Element&>(*frame) : body_);
  }
  bool IsKept(const Frame& frame) const {
    return !frame.name.empty() || &ClassOf(context_, frame) != &ClassIn(frame.frame);
  }

  // The kept frame around a child or frame; null: none.
  Frame* Around(const Element& element) const {
    Frame* frame = element.frame;
    while (frame && !IsKept(*frame)) frame = frame->frame;
    return frame;
  }

  // The kept frame that leads from a scope to an element; null when it stands directly there. False: it does not stand
  // in the scope.
  bool Branch(const Element& element, const Frame* scope, Frame** branch) const {
    *branch = nullptr;
    for (Frame* frame = Around(element); frame != scope; frame = Around(*frame)) {
      if (!frame) return false;
      *branch = frame;
    }
    return true;
  }

  void WriteScope(const Frame* scope, ElementWriter& writer);
  bool WriteDirect(const Frame* scope, std::span<Kind> kinds, ElementWriter& writer);
  Frame* ReadyFrame(const Frame* scope) const;
  Frame* InterruptedFrame(const Frame* scope) const;
  bool HoldsUp(const Frame* scope, const Frame& frame) const;
  XmlNode WriteFrame(Frame& frame);
  XmlNode WriteChild(Element& child, const Default& implied);

  const WriteContext& context_;
  Body& body_;
  std::array<Kind, 6> kinds_;
  std::set<const Frame*> opened_;
};

// Children keep the order within their kind, on which ids rest. What stands directly in a scope is written up to the
// first child of each kind that stands in an inner frame, then frames whose turn it is in every kind, then other
// bodies; and so on.
void BodyWriter::WriteScope(const Frame* scope, ElementWriter& writer) {
  const std::span<Kind> all = kinds_, leaves = all.first(kinds_.size() - 1);
  WriteDirect(scope, all, writer);
  for (;;) {
    if (Frame* frame = ReadyFrame(scope)) {
      writer.Append(WriteFrame(*frame));
      WriteDirect(scope, leaves, writer);
    } else if (!WriteDirect(scope, all, writer)) {
      Frame* interrupted = InterruptedFrame(scope);
      if (!interrupted) return;
      writer.Append(WriteFrame(*interrupted));
    }
  }
}

// Whether there was something to write.
bool BodyWriter::WriteDirect(const Frame* scope, std::span<Kind> kinds, ElementWriter& writer) {
  bool wrote = false;
  Frame* branch = nullptr;
  for (Kind& kind : kinds) {
    for (; kind.Next() && Branch(*kind.Next(), scope, &branch) && !branch; ++kind.next) {
      writer.Append(WriteChild(*kind.Next(), ClassIn(scope)));
      wrote = true;
    }
  }
  return wrote;
}

// An inner frame whose children are next in every kind that it has; null: none.
Frame* BodyWriter::ReadyFrame(const Frame* scope) const {
  for (const auto& frame : body_.frames) {
    const bool is_inner = IsKept(*frame) && Around(*frame) == scope && !opened_.contains(frame.get());
    if (is_inner && !HoldsUp(scope, *frame)) return frame.get();
  }
  return nullptr;
}

// An inner frame whose children are next in some kind.
Frame* BodyWriter::InterruptedFrame(const Frame* scope) const {
  for (const Kind& kind : kinds_) {
    Frame* branch = nullptr;
    if (kind.Next() && Branch(*kind.Next(), scope, &branch)) return branch;
  }
  return nullptr;
}

// Whether a frame has children of a kind in which others are to come first.
bool BodyWriter::HoldsUp(const Frame* scope, const Frame& frame) const {
  for (const Kind& kind : kinds_) {
    Frame* branch = nullptr;
    if (!kind.Next() || (Branch(*kind.Next(), scope, &branch) && branch == &frame)) continue;
    for (std::size_t i = kind.next; i < kind.children.size(); ++i) {
      if (Branch(*kind.children[i], scope, &branch) && branch == &frame) return true;
    }
  }
  return false;
}

// A frame whose children others interrupt is written in pieces, of which the first has the name.
XmlNode BodyWriter::WriteFrame(Frame& frame) {
  ElementWriter writer(*FindPath("body/frame"), context_.precision);
  const Default& own = ClassOf(context_, frame);
  if (opened_.insert(&frame).second) writer.NonEmpty("name", frame.name);
  if (&own != &context_.spec.main_class() || &own != &ClassIn(Around(frame))) writer.Text("childclass", own.name);
  WriteScope(&frame, writer);
  return writer.Take();
}

XmlNode WriteBody(const WriteContext& context, Body& body, const Default& implied) {
  mjsBody values = body;
  const Body base;
  PutPose(InBody(body.frame, OwnPose(body)), &values);
  ElementWriter writer(*FindPath("body"), context.precision);
  writer.NonEmpty("name", body.name);
  const Default& own = ClassOf(context, body);
  if (&own != &implied) writer.Text("childclass", own.name);
  writer.Fields(&values, static_cast<const mjsBody*>(&base), {"childclass"});
  AppendInertial(context, body, writer);
  BodyWriter(context, body).WriteContents(writer);
  return writer.Take();
}

XmlNode BodyWriter::WriteChild(Element& child, const Default& implied) {
  switch (static_cast<int>(child.elemtype)) {
    case mjOBJ_JOINT:
      return WriteJoint(context_, static_cast<Joint&>(child), implied);
    case mjOBJ_GEOM:
      return WriteGeom(context_, static_cast<Geom&>(child), implied);
    case mjOBJ_SITE:
      return WriteSite(context_, static_cast<Site&>(child), implied);
    case mjOBJ_CAMERA:
      return WriteCamera(context_, static_cast<Camera&>(child), implied);
    case mjOBJ_LIGHT:
      return WriteLight(context_, static_cast<Light&>(child), implied);
    default:
      return WriteBody(context_, static_cast<Body&>(child), implied);
  }
}

}  // namespace

XmlNode WriteWorldBody(const WriteContext& context) {
  ElementWriter writer(*FindPath("worldbody"), context.precision);
  BodyWriter(context, context.spec.world()).WriteContents(writer);
  return writer.Take();
}

}  // namespace sinew::mjcf
