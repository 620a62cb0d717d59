// Deletes elements with what refers to them, and turns bodies into frames. Deleted elements stay in memory, marked, for
// handles that programs still hold.
#include "spec/edit.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "core/error.h"
#include "math/point_inertia.h"
#include "spec/graft.h"
#include "spec/key_layout.h"
#include "spec/loan.h"
#include "spec/orientation.h"
#include "spec/references.h"
#include "spec/traverse.h"

namespace sinew::inline spec {
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

// How many deleted parts are kept for who still points to them: programs that edit for ever must not fill the memory.
constexpr std::size_t kMostDeletedParts = 128;

// Elements may point to the instance of a plugin, which therefore stays.
void DropOldest(Spec& spec) {
  std::size_t surplus = spec.deleted.size() > kMostDeletedParts ? spec.deleted.size() - kMostDeletedParts : 0;
  std::erase_if(spec.deleted, [&](const std::unique_ptr<Element>& element) {
    if (surplus == 0 || element->elemtype == mjOBJ_PLUGIN) return false;
    --surplus;
    return true;
  });
}

// Marks what has been taken out, with everything below, and keeps it for who still points to it. Those that it came
// from do not find it any more either.
void KeepDeleted(Spec& spec, ElementList<Element> removed) {
  const auto mark = [](Element& element) {
    element.is_deleted = true;
    for (Spec* giver = element.home; giver; giver = giver->attached_to) giver->ForgetName(element);
  };
  for (const auto& element : removed) {
    mark(*element);
    if (Body* body = As<Body>(element.get())) {
      for (Body* below = body; below; below = NextBody(*body, below)) {
        below->ForEachList([&](auto& list) {
          for (const auto& part : list) mark(*part);
        });
      }
    }
  }
  DropDeleted(spec);
  std::move(removed.begin(), removed.end(), std::back_inserter(spec.deleted));
  DropOldest(spec);
}

// Includes the instances of plugins that nothing will use any more: those that only the elements of the graft use; with
// `all`, those too that nothing has used before. (An instance that nothing uses may be of a plugin that cannot do
// without.)
void IncludeUnusedPlugins(Spec& spec, bool all, Graft& graft) {
  std::map<const Plugin*, int> uses_left;
  std::set<const Plugin*> used_inside;
  ForEachElement(spec, [&](auto& element) {
    if (const Plugin* instance = InstanceOf(spec, element)) ++uses_left[instance];
  });
  graft.ForEachUser([&](auto& element) {
    if (const Plugin* instance = InstanceOf(spec, element)) {
      --uses_left[instance];
      used_inside.insert(instance);
    }
  });
  for (const auto& instance : spec.List<Plugin>()) {
    const bool is_unused = uses_left[instance.get()] == 0;
    if (is_unused && (all || used_inside.contains(instance.get()))) graft.Include(static_cast<Element&>(*instance));
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
  DropOldest(spec);
}

// ---- what a part has brought

// Names of elements by type.
using NamesInUse = std::set<std::pair<mjtObj, std::string>>;

template <class T>
void AddReferences(T& element, NamesInUse* names) {
  ForEachReference(element, [&](mjtObj type, const std::string& name) { names->emplace(type, name); });
}

// Includes the assets that a part has brought along, as far as no remaining element uses them. Assets that remain
// belong to the model from now on.
void IncludeBroughtAssets(Spec& spec, const ElementSet& doomed, Graft* graft) {
  std::vector<Element*> brought;
  NamesInUse used;
  ForEachElement(spec, [&](auto& element) {
    if (doomed.contains(element.brought_by)) {
      if (element.elemtype != mjOBJ_KEY) brought.push_back(&element);
    } else if (!doomed.contains(&element)) {
      AddReferences(element, &used);
    }
  });
  // A material that stays keeps its textures.
  for (Element* element : brought) {
    Material* material = As<Material>(element);
    if (material && used.contains({mjOBJ_MATERIAL, material->Element::name})) AddReferences(*material, &used);
  }
  for (Element* element : brought) {
    if (used.contains({element->elemtype, element->name})) {
      element->brought_by = nullptr;
    } else {
      graft->Include(*element);
    }
  }
}

// Deletes the classes that a part has brought along, those below others first, as far as no element has them.
void DeleteBroughtClasses(Spec& spec, const ElementSet& doomed) {
  std::vector<Default*> brought;
  const auto collect = [&](const auto& self, Default& from) -> void {
    if (doomed.contains(from.brought_by)) brought.push_back(&from);
    for (const auto& child : from.children) self(self, *child);
  };
  collect(collect, spec.main_class());
  if (brought.empty()) return;
  std::set<const Default*> used;
  ForEachElement(spec, [&](Element& element) { used.insert(element.default_class); });
  for (auto it = brought.rbegin(); it != brought.rend(); ++it) {
    if ((*it)->children.empty() && !used.contains(*it)) {
      DeleteClass(spec, **it);
    } else {
      (*it)->brought_by = nullptr;
    }
  }
}

// Takes out the keyframes that a part has brought along. They are pending.
ElementList<Element> TakeOutBroughtKeys(Spec& spec, const ElementSet& doomed) {
  ElementList<Element> removed;
  for (auto& key : spec.pending_keys) {
    if (doomed.contains(key->brought_by)) removed.push_back(std::move(key));
  }
  std::erase(spec.pending_keys, nullptr);
  return removed;
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

struct KnownInertia {
  double mass = 0;
  Vec3<double> center = {0, 0, 0};
  Mat3<double> matrix = {};  // about the centre
};

Mat3<double> SymmetricMatrix(const double full[6]) {
  return {{full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]}};
}
Mat3<double> Turned(const Quat<double>& quat, const Mat3<double>& matrix) {
  const Mat3<double> R = ToMat3(quat);
  return R * matrix * Transpose(R);
}
Mat3<double> Diagonal(const double moments[3]) { return {{moments[0], 0, 0, 0, moments[1], 0, 0, 0, moments[2]}}; }

// Whether the body's own values count, and not those of its geoms (compile/tree/inertial.cc).
bool IsGiven(const Body& body) {
  return body.explicitinertial || !std::isnan(body.ipos[0]) || (body.geoms.empty() && body.mass > 0);
}

// The inertia given to a body by the user, in its own frame. Without a centre, that frame is the body's pose.
KnownInertia Given(const Body& body) {
  const bool has_center = !std::isnan(body.ipos[0]);
  KnownInertia given = {body.mass, LoadVec3(has_center ? body.ipos : body.pos)};
  if (!std::isnan(body.fullinertia[0])) {
    given.matrix = SymmetricMatrix(body.fullinertia);
  } else {
    const Quat<double> quat = has_center ? Orientation(body.iquat, body.ialt, body.compiler())
                                         : Orientation(body.quat, body.alt, body.compiler());
    given.matrix = Turned(quat, Diagonal(body.inertia));
  }
  return given;
}

// The known inertia of a body: the given one, else that which the last compilation has computed from its geoms.
KnownInertia Known(const Body& body) {
  if (IsGiven(body)) return Given(body);
  if (body.id < 0) return {};
  const Body::Inertia& found = body.compiled.own;
  return {found.mass, LoadVec3(found.pos), Turned(LoadQuat(found.quat), Diagonal(found.moments))};
}

// Adds an inertia about another centre.
void AddShifted(const KnownInertia& part, const Vec3<double>& center, Mat3<double>* sum) {
  const Mat3<double> point = PointInertia(part.mass, part.center - center);
  for (int i = 0; i < 9; ++i) sum->m[i] += part.matrix.m[i] + point.m[i];
}

void SetInertia(double mass, const Vec3<double>& center, const Mat3<double>& matrix, Body* body) {
  body->explicitinertial = 1;
  body->mass = mass;
  StoreVec3(center, body->ipos);
  const double full[6] = {matrix(0, 0), matrix(1, 1), matrix(2, 2), matrix(0, 1), matrix(0, 2), matrix(1, 2)};
  std::copy_n(full, 6, body->fullinertia);
  std::fill_n(body->inertia, 3, 0.0);
  StoreQuat(IdentityQuat<double>(), body->iquat);
  body->ialt = {};
}

// The inertia of a body joins that of its parent, where the values of one of them are given: then the geoms of the
// parent do not count. The inertia of geoms is known once they have been compiled; if those of the parent have not
// been, they still count, and the given inertia of the body is lost, as in MuJoCo 3.8.0.
void MergeInertia(const Body& body, Body& parent) {
  if (!parent.parent || !(IsGiven(body) || IsGiven(parent))) return;
  if (!IsGiven(parent) && parent.id < 0 && !parent.geoms.empty()) return;
  KnownInertia own = Known(body);
  if (!(own.mass > 0)) return;
  const Quat<double> turn = Orientation(body.quat, body.alt, body.compiler());
  own.center = LoadVec3(body.pos) + Rotate(turn, own.center);
  own.matrix = Turned(turn, own.matrix);
  const KnownInertia other = Known(parent);

  const double mass = own.mass + other.mass;
  const Vec3<double> center = (own.center * own.mass + other.center * other.mass) * (1 / mass);
  Mat3<double> sum = {};
  AddShifted(own, center, &sum);
  AddShifted(other, center, &sum);
  SetInertia(mass, center, sum, &parent);
}

}  // namespace

// Keyframes lose the numbers of elements that are gone, so their layout is taken before. Elements attached by reference
// go back to the specification of their origin.
void Delete(Spec& spec, Element& element) {
  CheckDeletable(spec, element);
  if (Default* doomed = As<Default>(&element)) return DeleteClass(spec, *doomed);
  const bool is_tree = element.elemtype == mjOBJ_BODY || element.elemtype == mjOBJ_FRAME;
  if (element.elemtype == mjOBJ_KEY) spec.RestoreKeys();
  std::optional<KeyLayout> before;
  if (HasKeys(spec)) before.emplace(spec);
  Graft graft(spec, spec);
  graft.Include(element);
  if (is_tree) graft.IncludeRelations();
  if (element.elemtype != mjOBJ_PLUGIN) IncludeUnusedPlugins(spec, is_tree, graft);
  const std::vector<Element*> originals = graft.ListOriginals();
  const ElementSet doomed(originals.begin(), originals.end());
  if (is_tree) IncludeBroughtAssets(spec, doomed, &graft);
  ElementList<Spec> gone;
  if (is_tree) EndLoans(spec, doomed, &gone);
  graft.ForgetMoved();
  KeepDeleted(spec, graft.TakeOutOriginals());
  if (before) ExtendKeys(spec, *before);
  if (!is_tree) return;
  spec.SuspendKeys([](const Key&) { return true; });
  KeepDeleted(spec, TakeOutBroughtKeys(spec, doomed));
  DeleteBroughtClasses(spec, doomed);
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
  ReplaceRoot(spec, body, frame);
  ForEachElement(spec, [&](Element& element) {
    if (element.brought_by == &body) element.brought_by = &frame;
  });

  // The empty body is deleted; elements that refer to it by name stay, and the compiler reports them.
  Graft graft(spec, spec);
  graft.Include(static_cast<Element&>(body));
  KeepDeleted(spec, graft.TakeOutOriginals());
  if (before) ExtendKeys(spec, *before);
  return frame;
}

}  // namespace sinew::inline spec
