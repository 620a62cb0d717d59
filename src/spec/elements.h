// The element classes. Fields of the public structs are documented in <mujoco/mjspec.h>; a class only adds what the
// structs cannot show.
#ifndef SINEW_SPEC_ELEMENTS_H_
#define SINEW_SPEC_ELEMENTS_H_

#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/error.h"
#include "model/kinds/contact_law.h"
#include "model/kinds/motion.h"
#include "model/kinds/stick.h"
#include "model/kinds/surface.h"
#include "model/kinds/triangle_meshes.h"
#include "spec/element.h"

namespace sinew::inline spec {

// ---- assets and other elements without children

class Flex : public ElementOf<mjsFlex, mjOBJ_FLEX> {};
class Mesh : public ElementOf<mjsMesh, mjOBJ_MESH> {
 public:
  void CopyValues(const Mesh& other) {
    ElementOf::CopyValues(other);
    collision = other.collision;
  }

  int collision = kCollideHull;  // model/kinds/triangle_meshes.h
};
class HField : public ElementOf<mjsHField, mjOBJ_HFIELD> {
 public:
  // No field may have more points than this: specification, draft and model each hold its numbers, all three in less
  // than a gigabyte.
  static constexpr std::size_t kMaxPoints = std::size_t{1} << 26;
};
class Skin : public ElementOf<mjsSkin, mjOBJ_SKIN> {};
class Texture : public ElementOf<mjsTexture, mjOBJ_TEXTURE> {
 public:
  Texture() { cubefiles->resize(6); }  // right, left, up, down, front, back
};
class Material : public ElementOf<mjsMaterial, mjOBJ_MATERIAL> {
 public:
  Material() { textures->resize(mjNTEXROLE); }  // by mjtTextureRole
};

// Parameters of compliant contacts of a geom or pair (model/kinds/contact_law.h), by ContactLawNumber; NaN: not given.
using ContactLawValues = std::array<double, kLawNumbers>;
inline ContactLawValues NoContactLaw() {
  ContactLawValues values;
  values.fill(std::numeric_limits<double>::quiet_NaN());
  return values;
}

// Velocity and adhesion of a geom's surface (model/kinds/surface.h), by SurfaceNumber; NaN: not given.
using SurfaceValues = std::array<double, kSurfaceNumbers>;
inline SurfaceValues NoSurface() {
  SurfaceValues values;
  values.fill(std::numeric_limits<double>::quiet_NaN());
  return values;
}

// A function of a coordinate (docs/how/function-joints.md): coefficients of a polynomial, or x of all points and then
// their y.
struct FunctionValues {
  FunctionKind kind = FunctionKind::kPolynomial;
  std::vector<double> numbers;

  bool operator==(const FunctionValues&) const = default;
};

// A rotation about an axis, or a translation along it, by a function of a coordinate: that of `joint`, or, in a joint,
// its own.
struct MotionTerm {
  bool rotates = false;
  std::array<double, 3> axis = {0, 0, 1};
  FunctionValues function;
  std::string joint;
  SourceLocation where;  // of the element; nothing for terms that a program has made
};

// A force that holds the coordinate of a hinge or slide within a range, and grows smoothly beyond it.
struct LimitForce {
  double range[2] = {0, 0};      // rad or m
  double stiffness[2] = {0, 0};  // below and above the range [N m/rad or N/m]
  double damping = 0;            // beyond the transition [N m s/rad or N s/m]
  double force_damping = 0;      // in proportion to the force: [N m s/rad] for each N m, or [N s/m] for each N
  double transition = 0;         // how far beyond an end of the range both are complete [rad or m]
  SourceLocation where;
};

// A spring along a tendon that is longer than its slack length.
struct Ligament {
  double slack_length = 0;  // m
  // The law of Blankevoort and Huiskes.
  double stiffness = 0;      // N for a strain of one
  double transition = 0.06;  // strain from which on the force is a line
  double damping = 0.003;    // N s: force at a rate of strain of 1/s, while it lengthens
  // Or a curve: the force is `force` times a function of the length in slack lengths.
  std::optional<FunctionValues> curve;
  double force = 0;  // N
  SourceLocation where;
};

// A spring and damper in six directions between the site that has it and another one.
struct Bushing {
  std::string site;
  std::vector<double> stiffness, damping;  // 6 or 36 numbers, 6 or none (docs/how/passive-elements.md)
  SourceLocation where;
};

// A reflex acts while the value of a sensor is within a range.
struct ReflexPhase {
  std::string sensor;
  double range[2] = {0, 0};
};

// What a delayed sensor adds to the control of an actuator (docs/how/reflexes.md).
struct Reflex {
  std::string sensor;
  double gain = 1, reference = 0, offset = 0;
  bool rectify = true;  // the difference from the reference, from below
  std::string factor;   // a second sensor; empty: none
  std::vector<ReflexPhase> phases;
  SourceLocation where;
};

class Pair : public ElementOf<mjsPair, mjOBJ_PAIR> {
 public:
  void CopyValues(const Pair& other) {
    ElementOf::CopyValues(other);
    contact_law = other.contact_law;
    adhesion = other.adhesion;
    stick = other.stick;
  }

  ContactLawValues contact_law = NoContactLaw();
  double adhesion = std::numeric_limits<double>::quiet_NaN();  // not given
  int stick = kStickNotGiven;                                  // model/kinds/stick.h
};
class Exclude : public ElementOf<mjsExclude, mjOBJ_EXCLUDE> {};
class Equality : public ElementOf<mjsEquality, mjOBJ_EQUALITY> {
 public:
  void CopyValues(const Equality& other) {
    ElementOf::CopyValues(other);
    coupling = other.coupling;
  }

  // Of joints: what holds the first at a function of the second, in the place of the polynomial of `data`.
  std::optional<FunctionValues> coupling;
};

// The kind of an actuator beyond those of the public struct (docs/how/extensions.md): kMusculotendon, or 0 for none.
// Parameters are in the rows of the struct, and here if there is no room.
struct ActuatorExtension {
  int kind = 0;
  std::vector<double> active, velocity, passive, tendon;  // shapes of curves; empty: as published
};

class Actuator : public ElementOf<mjsActuator, mjOBJ_ACTUATOR> {
 public:
  void CopyValues(const Actuator& other) {
    ElementOf::CopyValues(other);
    extension = other.extension;
    reflexes = other.reflexes;
  }

  ActuatorExtension extension;
  std::vector<Reflex> reflexes;
};

class Sensor : public ElementOf<mjsSensor, mjOBJ_SENSOR> {
 public:
  int extension = 0;  // type of a sensor that the public struct calls a user's (model/storage/extension.h); 0: none
};
class Numeric : public ElementOf<mjsNumeric, mjOBJ_NUMERIC> {};
class Text : public ElementOf<mjsText, mjOBJ_TEXT> {};
class Tuple : public ElementOf<mjsTuple, mjOBJ_TUPLE> {};

class Key : public ElementOf<mjsKey, mjOBJ_KEY> {};

// An instance of an engine plugin. mjsPlugin::name is a handle; Element::name is the name itself.
class Plugin : public ElementOf<mjsPlugin, mjOBJ_PLUGIN> {
 public:
  std::map<std::string, std::string, std::less<>> config;
};

// ---- tendons

// A point of a path counts while the coordinate of a joint is in a range [rad or m]; without a joint, always.
struct PathCondition {
  std::string joint;
  double range[2] = {0, 0};
};

// One object on a tendon's path. `type` of the struct says which of the members count.
class Wrap : public ElementOf<mjsWrap, mjOBJ_UNKNOWN> {
 public:
  std::string target;       // joint, site or geom
  std::string sidesite;     // geom: site on the side where the tendon passes; empty: the shorter way
  double value = 0;         // joint: coefficient; pulley: divisor
  PathCondition condition;  // site
};

class Tendon : public ElementOf<mjsTendon, mjOBJ_TENDON> {
 public:
  Tendon() = default;
  Tendon(const Tendon& other);

  Wrap& AddWrap(mjtWrap type);

  ElementList<Wrap> path;
  std::vector<Ligament> ligaments;
};

// ---- the tree

class Joint : public ElementOf<mjsJoint, mjOBJ_JOINT> {
 public:
  void CopyValues(const Joint& other) {
    ElementOf::CopyValues(other);
    motion = other.motion;
    limit_forces = other.limit_forces;
  }

  // How the joint moves its body in the place of a turn about its axis, or a shift along it; empty: it does not.
  std::vector<MotionTerm> motion;
  std::vector<LimitForce> limit_forces;

  // The stiffness and damping that the last compilation has computed from springdamper.
  double compiled_stiffness = 0, compiled_damping = 0;
};
class Geom : public ElementOf<mjsGeom, mjOBJ_GEOM> {
 public:
  // The primitive that the last compilation has fitted to a mesh: half sizes, and the pose in the geom's own frame.
  struct Fit {
    double size[3], pos[3], quat[4];
  };

  void CopyValues(const Geom& other) {
    ElementOf::CopyValues(other);
    contact_law = other.contact_law;
    surface = other.surface;
    stick = other.stick;
  }

  ContactLawValues contact_law = NoContactLaw();
  SurfaceValues surface = NoSurface();
  int stick = kStickNotGiven;  // model/kinds/stick.h
  std::optional<Fit> fit;
};
class Site : public ElementOf<mjsSite, mjOBJ_SITE> {
 public:
  void CopyValues(const Site& other) {
    ElementOf::CopyValues(other);
    motion = other.motion;
    bushings = other.bushings;
  }

  // Translations by which the site moves in its body.
  std::vector<MotionTerm> motion;
  std::vector<Bushing> bushings;  // from this site to others
};
class Camera : public ElementOf<mjsCamera, mjOBJ_CAMERA> {};
class Light : public ElementOf<mjsLight, mjOBJ_LIGHT> {};

// A frame groups siblings and moves them; it has no dynamics and vanishes at compilation.
class Frame : public ElementOf<mjsFrame, mjOBJ_FRAME> {};

// Children keep the order of declaration within their kind. Of two children of a kind, one may stand in a frame and the
// other not: frames do not regroup (`Element::frame` says where a child stands).
class Body : public ElementOf<mjsBody, mjOBJ_BODY> {
 public:
  Body() = default;
  // Copies values; children stay where they are (spec/graft.h copies trees).
  Body(const Body& other) : ElementOf(other) {}

  // Appends a child that starts from the values of a class; null: what ChildDefault() gives. Frames and bodies take no
  // values from classes, but remember them for their children.
  template <class T>
  T& Add(const Default* from = nullptr, Frame* frame = nullptr);

  // The class of children that name none: the childclass of the innermost frame or body around them, else the main one.
  const Default* ChildDefault(const Frame* frame) const;

  // The children of one kind.
  template <class T>
  ElementList<T>& List();
  template <class T>
  const ElementList<T>& List() const {
    return const_cast<Body*>(this)->List<T>();
  }

  // Calls visit(list) for the children of every kind.
  template <class Visit>
  void ForEachList(Visit&& visit) {
    const auto visit_all = [&](auto&... lists) { (visit(lists), ...); };
    visit_all(bodies, frames, joints, geoms, sites, cameras, lights);
  }

  // Mass, principal moments, centre and principal axes.
  struct Inertia {
    double mass = 0, moments[3] = {0, 0, 0}, pos[3] = {0, 0, 0}, quat[4] = {1, 0, 0, 0};

    bool operator==(const Inertia&) const = default;
  };

  // Results of the last compilation: the inertia of the body itself, and that of the model's body. These differ where
  // the body was aligned with its inertia, has taken in bodies that are fixed to it, or all masses were scaled.
  struct Compiled {
    Inertia own, of_model;
    bool is_given = false;    // by the body's own values, and not by its geoms
    bool is_aligned = false;  // the frame of the model is that of the body's inertia
    double mass_scale = 1;    // to the total mass of the compiler settings
  };
  Compiled compiled;

  ElementList<Body> bodies;
  ElementList<Frame> frames;
  ElementList<Joint> joints;
  ElementList<Geom> geoms;
  ElementList<Site> sites;
  ElementList<Camera> cameras;
  ElementList<Light> lights;
};

// Whether elements of a kind stand in bodies.
template <class T>
inline constexpr bool kStandsInBody =
    std::is_same_v<T, Body> || std::is_same_v<T, Frame> || std::is_same_v<T, Joint> || std::is_same_v<T, Geom> ||
    std::is_same_v<T, Site> || std::is_same_v<T, Camera> || std::is_same_v<T, Light>;

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_ELEMENTS_H_
