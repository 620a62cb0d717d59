// worldbody: the tree of bodies. Poses are those in the body: frames are folded into what stands in them, and only
// those that have a name or a class are written, without pose.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "compile/draft.h"
#include "compile/passes.h"
#include "compile/tree/geom.h"
#include "compile/tree/joint.h"
#include "compile/tree/motion.h"
#include "compile/tree/placement.h"
#include "mjcf/numbers.h"
#include "mjcf/write/write_sections.h"
#include "mjcf/write_bodies/child_order.h"
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

// The initial values of an element in the tree: those of its class, at the origin of the body.
template <class T>
typename T::PublicStruct Base(const WriteContext& context, const T& element) {
  using Struct = typename T::PublicStruct;
  const Default& of_class = ClassOf(context, element);
  Struct base = AtLevelOf<Struct>(context.spec, of_class.template Get<T>(), of_class.home);
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

// The compiler's settings that the document is going to have.
const mjsCompiler& DocumentSettings(const WriteContext& context) {
  return static_cast<const mjSpec&>(context.spec).compiler;
}

// ---- leaves of the tree

std::vector<Vec3<double>> AxesOf(const std::vector<MotionDraft>& motion) {
  std::vector<Vec3<double>> axes;
  for (const MotionDraft& term : motion) axes.push_back(term.axis);
  return axes;
}

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
  // The springdamper attribute is replaced by the stiffness and damping that were computed from it.
  if (values.springdamper[0] > 0 && values.springdamper[1] > 0) {
    values.stiffness[0] = joint.compiled_stiffness;
    values.damping[0] = joint.compiled_damping;
  }
  std::copy_n(base.springdamper, 2, values.springdamper);

  // Whether a free joint is aligned with its inertia is said by another element, which says little else, as long as
  // that is all there is to say. Settings of a model that was attached have no place in the document.
  const Joint plain;
  const int document = DocumentSettings(context).alignfree, own = joint.compiler().alignfree;
  if (joint.type != mjJNT_FREE) {
    values.align = base.align;
  } else if (joint.align == mjALIGNFREE_AUTO && (own != 0) != (document != 0)) {
    values.align = own != 0 ? mjALIGNFREE_TRUE : mjALIGNFREE_FALSE;
  }
  ElementWriter rest(*FindPath("body/joint"), context.precision);
  rest.Fields(&values, static_cast<const mjsJoint*>(&plain), {"type", "pos", "axis", "group", "align"});
  if (joint.type == mjJNT_FREE && values.align != plain.align && rest.empty()) {
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
  WriteMotion(context, joint.motion, AxesOf(draft.motion), writer);
  WriteLimitForces(context, joint.limit_forces, writer);
  return writer.Take();
}

// A primitive that is fitted to a mesh names the mesh, unless the document's compiler would fit another one, as it does
// after attaching a model with another `fitaabb`: then it is written with the place and the sizes that it got, in whose
// frame the velocity of its surface is.
void WriteFit(const WriteContext& context, const Geom& geom, mjsGeom& values, SurfaceValues& surface) {
  static mjString no_mesh;
  if (!geom.fit || (geom.compiler().fitaabb != 0) == (DocumentSettings(context).fitaabb != 0)) return;
  std::copy_n(geom.fit->size, 3, values.size);
  const Pose in_geom = {LoadVec3(geom.fit->pos), LoadQuat(geom.fit->quat)};
  PutPose(InBody(geom.frame, OwnPose(geom) * in_geom), &values);
  surface = SurfaceIn(in_geom, surface);
  values.meshname = &no_mesh;
}

XmlNode WriteGeom(const WriteContext& context, const Geom& geom, const Default& implied) {
  mjsGeom values = AtLevelOf(context.spec, WithoutEnds(geom), geom.home), base = Base(context, geom);
  SurfaceValues surface = geom.surface;
  WriteFit(context, geom, values, surface);
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
  WriteContactLaw(geom.contact_law, ClassOf(context, geom).Get<Geom>().contact_law, writer);
  WriteSurface(surface, ClassOf(context, geom).Get<Geom>().surface, writer);
  WriteStick(geom.stick, ClassOf(context, geom).Get<Geom>().stick, writer);
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
  WriteMotion(context, site.motion, AxesOf(DraftMotion(site.motion, InBody(site.frame, {}))), writer);
  WriteBushings(context, site.bushings, writer);
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

// The inertia that the user gave, in principal axes; without effect where the geoms always determine it.
Body::Inertia GivenInertia(Body& body) {
  BodyDraft draft = {};
  draft.source = &body;
  draft.pose = OwnPose(body);
  ResolveInertial(draft);
  return ToPlain(draft.inertial);
}

// A body without mass has its own pose as inertial frame, by a convention of the compiler: that in the frames around
// it, which the file does not have.
bool HasOtherFrame(const Body& body) {
  const Body::Inertia& own = body.compiled.own;
  const double most = body.compiler().boundinertia;  // lower bounds are all that such a body has
  if (body.id <= 0 || own.mass > body.compiler().boundmass) return false;
  if (own.moments[0] > most || own.moments[1] > most || own.moments[2] > most) return false;
  Body::Inertia in_body;
  const Pose pose = InBody(body.frame, OwnPose(body));
  StoreVec3(pose.pos, in_body.pos);
  StoreQuat(pose.quat, in_body.quat);
  return !(in_body == own);
}

// As many digits as keep the moments those of a mass distribution, none of which is larger than the sum of the others.
int InertiaDigits(const double (&moments)[3], int precision) {
  const auto is_legal = [](double a, double b, double c) { return a + b >= c && a + c >= b && b + c >= a; };
  const auto rounded = [&](int i) {
    double value = 0;
    ParseReal(RealText(moments[i], precision), &value);
    return value;
  };
  return is_legal(rounded(0), rounded(1), rounded(2)) ? precision : std::numeric_limits<double>::max_digits10;
}

// On request, the inertias of all bodies are written, as they were compiled.
void AppendInertial(const WriteContext& context, Body& body, ElementWriter& into) {
  const mjsCompiler& document = static_cast<const mjSpec&>(context.spec).compiler;
  const bool all = document.saveinertial != 0 || HasOtherInertiaSettings(body.compiler(), document);
  // A program may have given values since the last compilation.
  const bool has_moments = body.inertia[0] > 0 || body.inertia[1] > 0 || body.inertia[2] > 0;
  const bool has_values =
      body.explicitinertial || !std::isnan(body.ipos[0]) || (body.geoms.empty() && (body.mass > 0 || has_moments));
  const bool is_given = has_values && body.compiler().inertiafromgeom != mjINERTIAFROMGEOM_TRUE;
  const bool is_own = is_given || body.compiled.is_given;
  if (!all && !is_own && !HasOtherFrame(body)) return;
  const Body::Inertia inertia = all || !is_own ? body.compiled.own : GivenInertia(body);
  const double identity[4] = {1, 0, 0, 0};
  ElementWriter writer(*FindPath("body/inertial"), InertiaDigits(inertia.moments, context.precision));
  writer.Reals("pos", inertia.pos);
  if (writer.Differ(inertia.quat, identity)) writer.Reals("quat", inertia.quat);
  writer.Real("mass", inertia.mass);
  writer.Reals("diaginertia", inertia.moments);
  into.Append(writer.Take());
}

// ---- bodies and frames

XmlNode WriteBody(const WriteContext& context, Body& body, const Default& implied);

XmlNode WriteChild(const WriteContext& context, Element& child, const Default& implied) {
  if (Joint* joint = As<Joint>(&child)) return WriteJoint(context, *joint, implied);
  if (const Geom* geom = As<Geom>(&child)) return WriteGeom(context, *geom, implied);
  if (const Site* site = As<Site>(&child)) return WriteSite(context, *site, implied);
  if (const Camera* camera = As<Camera>(&child)) return WriteCamera(context, *camera, implied);
  if (const Light* light = As<Light>(&child)) return WriteLight(context, *light, implied);
  return WriteBody(context, static_cast<Body&>(child), implied);
}

// Ids follow from the order of the children of a kind, whatever frames they stand in, and keyframes follow from ids. So
// children of a kind are written in their order: what stands in a frame when its turn comes, and what stands beside it
// before and behind. A frame whose children cannot stand in one piece is continued by one without a name, if it has a
// class, or by none.
class BodyWriter {
 public:
  BodyWriter(const WriteContext& context, Body& body) : context_(context), body_(body), order_(body) {
    for (const auto& frame : body.frames) {
      if (IsKept(*frame)) order_.Keep(*frame);
    }
    order_.Count();
  }

  void WriteContents(ElementWriter& writer) {
    WriteScope(nullptr, writer);
    WriteOwnPlugin(writer);
  }

 private:
  const Default& ClassIn(const Frame* frame) const {
    return ClassOf(context_, frame ? static_cast<const Element&>(*frame) : body_);
  }
  bool HasOwnClass(const Frame& frame) const {
    const Default& own = ClassOf(context_, frame);
    return &own != &context_.spec.main_class() || &own != &ClassIn(frame.frame);
  }
  // Frames without a name or class leave no trace.
  bool IsKept(const Frame& frame) const { return !frame.name.empty() || HasOwnClass(frame); }

  void WriteScope(const Frame* scope, ElementWriter& writer);
  XmlNode WriteFrame(const Frame& frame, const std::string& name);

  // Instances of plugins are numbered as they are read: that of a body comes before those in its children.
  void WriteOwnPlugin(ElementWriter& writer) {
    if (!has_plugin_) return;
    has_plugin_ = false;
    AppendPlugin(context_, body_.plugin, "body/plugin", writer);
  }

  const WriteContext& context_;
  Body& body_;
  ChildOrder order_;
  bool has_plugin_ = true;  // until it is written
};

// Writes the elements that stand directly in a frame (null: in none), and the frames in it.
void BodyWriter::WriteScope(const Frame* scope, ElementWriter& writer) {
  const Default& implied = ClassIn(scope);
  for (;;) {
    while (Element* child = order_.Take(scope)) {
      if (!scope && child->elemtype == mjOBJ_BODY) WriteOwnPlugin(writer);
      writer.Append(WriteChild(context_, *child, implied));
    }
    const Frame* next = order_.NextFrame(scope);
    if (!next) return;
    if (!scope) WriteOwnPlugin(writer);
    const bool is_first = order_.Open(*next);
    if (is_first || HasOwnClass(*next)) {
      writer.Append(WriteFrame(*next, is_first ? next->name : ""));
    } else {
      WriteScope(next, writer);
    }
  }
}

XmlNode BodyWriter::WriteFrame(const Frame& frame, const std::string& name) {
  ElementWriter writer(*FindPath("body/frame"), context_.precision);
  writer.NonEmpty("name", name);
  if (HasOwnClass(frame)) writer.Text("childclass", ClassOf(context_, frame).name);
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

}  // namespace

bool HasOtherInertiaSettings(const mjsCompiler& own, const mjsCompiler& document) {
  return own.boundmass != document.boundmass || own.boundinertia != document.boundinertia ||
         own.balanceinertia != document.balanceinertia || own.inertiafromgeom != document.inertiafromgeom ||
         !std::equal(own.inertiagrouprange, own.inertiagrouprange + 2, document.inertiagrouprange);
}

XmlNode WriteWorldBody(const WriteContext& context) {
  ElementWriter writer(*FindPath("worldbody"), context.precision);
  BodyWriter(context, context.spec.world()).WriteContents(writer);
  return writer.Take();
}

}  // namespace sinew::mjcf
