// Deletes elements with what refers to them, and turns bodies into frames. Deleted elements stay in memory, marked, for
// handles that programs still hold.
#include "spec/edit.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>

#include "core/error.h"
#include "math/point_inertia.h"
#include "math/principal_axes.h"
#include "spec/graft.h"
#include "spec/key_layout.h"
#include "spec/orientation.h"
#include "spec/traverse.h"

namespace sinew {
namespace {

// ---- deletion

// Each refusal says what would do what the caller wants.
void CheckDeletable(const Spec& spec, const Element& element) {
  if (element.is_deleted) throw Error("the element is deleted already");
  if (spec.attached_to) {
    throw Error("Cannot delete element from an attached mjSpec", "delete it from the one that this is attached to");
  }
  if (element.spec != &spec) throw Error(element.Label() + " is not in this model", "delete it from its own model");
  if (&element == &spec.world()) throw Error("the world cannot be deleted", "delete the bodies in it");
  if (&element == &spec.main_class()) throw Error("the class 'main' cannot be deleted", "change its values");
  if (element.elemtype == mjOBJ_MODEL) throw Error("a model cannot be deleted from itself", "call mj_deleteSpec");
  if (element.elemtype == mjOBJ_UNKNOWN) throw Error("a step of a path cannot be deleted", "delete the tendon");
}

// Marks what has been taken out, with everything below, and keeps it for who still points to it.
void KeepDeleted(Spec& spec, ElementList<Element> removed) {
  for (const auto& element : removed) {
    element->is_deleted = true;
    if (Body* body = As<Body>(element.get())) {
      for (Body* below = body; below; below = NextBody(*body, below)) {
        below->ForEachList([](auto& list) {
          for (const auto& part : list) part->is_deleted = true;
        });
      }
    }
  }
  std::move(removed.begin(), removed.end(), std::back_inserter(spec.deleted));
}

// Calls visit(element) for everything that can have a class.
template <class Visit>
void ForEachElement(Spec& spec, Visit&& visit) {
  const auto visit_all = [&](auto& list) {
    for (const auto& element : list) visit(*element);
  };
  spec.ForEachList(visit_all);
  for (Body* body = &spec.world(); body; body = NextBody(spec.world(), body)) body->ForEachList(visit_all);
}

// The instance of a plugin that was made for an element and has no name; null: none.
template <class T>
Plugin* OwnPlugin(T& element) {
  if constexpr (requires { element.plugin.element; }) {
    Plugin* instance = As<Plugin>(element.plugin.element);
    return instance && instance->Element::name.empty() && !instance->is_deleted ? instance : nullptr;
  } else {
    return nullptr;
  }
}

// Such instances go with the elements, unless a copy of one uses them, too.
void IncludeOwnPlugins(Spec& spec, Graft& graft) {
  std::map<Plugin*, int> uses;
  const auto find = [&](const auto& elements) {
    for (auto* element : elements) {
      if (Plugin* own = OwnPlugin(*element)) ++uses[own];
    }
  };
  find(graft.Get<Body>());
  find(graft.Get<Geom>());
  find(graft.Get<Mesh>());
  find(graft.Get<Actuator>());
  find(graft.Get<Sensor>());
  if (uses.empty()) return;
  ForEachElement(spec, [&](auto& element) {
    const auto used = uses.find(OwnPlugin(element));
    if (used != uses.end()) --used->second;
  });
  for (const auto& [instance, others] : uses) {
    if (others == 0) graft.Include(static_cast<Element&>(*instance));
  }
}

// Elements keep the values that they have, and belong to the class above.
void DeleteClass(Spec& spec, Default& doomed) {
  Default& above = const_cast<Default&>(*doomed.parent_class);
  ForEachElement(spec, [&](Element& element) {
    for (const Default* from = element.default_class; from; from = from->parent_class) {
      if (from == &doomed) element.default_class = &above;
    }
  });
  const auto position = std::find_if(above.children.begin(), above.children.end(),
                                     [&](const auto& child) { return child.get() == &doomed; });
  doomed.MarkDeleted();
  spec.deleted.push_back(std::move(*position));
  above.children.erase(position);
}

// ---- bodies to frames

// Parts that stood in a frame keep it; the others get the frame that replaces their body.
template <class T>
void MoveParts(Body& from, Body& to, Frame& frame) {
  for (auto& part : from.List<T>()) {
    part->parent = &to;
    if (!part->frame) part->frame = &frame;
    to.List<T>().push_back(std::move(part));
  }
  from.List<T>().clear();
}

// ---- the inertia of a body that becomes a frame

struct GivenInertia {
  double mass = 0;
  Vec3<double> center = {0, 0, 0};
  Mat3<double> matrix = {};  // about the centre
};

Mat3<double> SymmetricMatrix(const double full[6]) {
  return {{full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]}};
}

// What the user has given a body, in its own frame; no mass: nothing.
GivenInertia Given(const Body& body) {
  if (!body.explicitinertial) return {};
  GivenInertia given = {body.mass, LoadVec3(body.ipos)};
  if (!std::isnan(body.fullinertia[0])) {
    given.matrix = SymmetricMatrix(body.fullinertia);
  } else {
    const double* moments = body.inertia;
    const Mat3<double> R = ToMat3(Orientation(body.iquat, body.ialt, body.compiler()));
    given.matrix = R * Mat3<double>{{moments[0], 0, 0, 0, moments[1], 0, 0, 0, moments[2]}} * Transpose(R);
  }
  return given;
}

// Adds an inertia about another centre.
void AddShifted(const GivenInertia& part, const Vec3<double>& center, Mat3<double>* sum) {
  const Mat3<double> point = PointInertia(part.mass, part.center - center);
  for (int i = 0; i < 9; ++i) sum->m[i] += part.matrix.m[i] + point.m[i];
}

// The given inertia of a compiled body joins that of its parent. Bodies that were never compiled lose it, as in 3.8.0.
void MergeInertia(const Body& body, Body& parent) {
  GivenInertia own = Given(body);
  if (body.id < 0 || !parent.parent || !(own.mass > 0)) return;
  const Quat<double> turn = Orientation(body.quat, body.alt, body.compiler());
  const Mat3<double> R = ToMat3(turn);
  own.center = LoadVec3(body.pos) + Rotate(turn, own.center);
  own.matrix = R * own.matrix * Transpose(R);
  const GivenInertia other = Given(parent);

  const double mass = own.mass + other.mass;
  const Vec3<double> center = (own.center * own.mass + other.center * other.mass) * (1 / mass);
  Mat3<double> sum = {};
  AddShifted(own, center, &sum);
  AddShifted(other, center, &sum);
  const PrincipalAxes principal = FindPrincipalAxes(sum);
  parent.explicitinertial = 1;
  parent.mass = mass;
  StoreVec3(center, parent.ipos);
  StoreQuat(principal.axes, parent.iquat);
  StoreVec3(principal.values, parent.inertia);
  parent.ialt = {};
  parent.fullinertia[0] = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

// Keyframes lose the numbers of elements that are gone, so their layout is taken before.
void Delete(Spec& spec, Element& element) {
  CheckDeletable(spec, element);
  if (Default* doomed = As<Default>(&element)) return DeleteClass(spec, *doomed);
  const bool is_tree = element.elemtype == mjOBJ_BODY || element.elemtype == mjOBJ_FRAME;
  if (element.elemtype == mjOBJ_KEY) spec.RestoreKeys();
  std::optional<KeyLayout> before;
  if (HasKeys(spec)) before.emplace(spec);
  Graft graft(spec, spec);
  graft.Include(element);
  IncludeOwnPlugins(spec, graft);
  if (is_tree) graft.IncludeRelations();
  KeepDeleted(spec, graft.TakeOutOriginals());
  if (before) ExtendKeys(spec, *before);
  if (is_tree) spec.SuspendKeys();
}

// Joints move into the parent, which must therefore be able to move.
Frame& BodyToFrame(Body& body) {
  if (!body.parent) throw Error("the world cannot become a frame");
  Spec& spec = *body.spec;
  Body& parent = *body.parent;
  if (!body.joints.empty() && !parent.parent) {
    throw Error(body.Label() + " has joints", "delete them: the world cannot move");
  }
  std::optional<KeyLayout> before;
  if (HasKeys(spec)) before.emplace(spec);
  MergeInertia(body, parent);
  Frame& frame = parent.Add<Frame>(body.default_class, body.frame);
  frame.home = body.home;
  std::copy_n(body.pos, 3, frame.pos);
  std::copy_n(body.quat, 4, frame.quat);
  frame.alt = body.alt;
  frame.where = body.where;
  MoveParts<Frame>(body, parent, frame);
  MoveParts<Joint>(body, parent, frame);
  MoveParts<Geom>(body, parent, frame);
  MoveParts<Site>(body, parent, frame);
  MoveParts<Camera>(body, parent, frame);
  MoveParts<Light>(body, parent, frame);
  MoveParts<Body>(body, parent, frame);

  // What is left of the body goes, but what refers to it by name stays for the compiler to report.
  Graft graft(spec, spec);
  graft.Include(static_cast<Element&>(body));
  KeepDeleted(spec, graft.TakeOutOriginals());
  if (before) ExtendKeys(spec, *before);
  return frame;
}

}  // namespace sinew
