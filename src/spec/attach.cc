#include "spec/attach.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/error.h"
#include "spec/key_layout.h"
#include "spec/traverse.h"

namespace sinew {
namespace {

// ---- places

// Where a child goes: a body, and the frame around the child.
struct Place {
  Body* body;
  Frame* frame;
};

// A site becomes a place by a frame with its pose.
Frame& FrameAtSite(const Site& site) {
  Frame& frame = site.parent->Add<Frame>(nullptr, site.frame);
  std::copy_n(site.pos, 3, frame.pos);
  std::copy_n(site.quat, 4, frame.quat);
  frame.alt = site.alt;
  return frame;
}

Place PlaceAt(Element& parent) {
  if (Frame* frame = As<Frame>(&parent)) return {frame->parent, frame};
  if (Site* site = As<Site>(&parent)) return {site->parent, &FrameAtSite(*site)};
  return {static_cast<Body*>(&parent), nullptr};
}

void CheckKinds(const Element& parent, const Element& child) {
  const mjtObj to = parent.elemtype, what = child.elemtype;
  if (to != mjOBJ_BODY && to != mjOBJ_FRAME && to != mjOBJ_SITE) {
    throw Error("nothing can be attached to a " + parent.Label(), "attach to a frame, a site or a body");
  }
  if (what != mjOBJ_BODY && what != mjOBJ_FRAME && what != mjOBJ_MODEL) {
    throw Error("a " + child.Label() + " cannot be attached", "attach a body, a frame or a whole model");
  }
  if (to == mjOBJ_BODY && what == mjOBJ_BODY) {
    throw Error("a body cannot be attached to a body", "attach it to a frame or a site of the body");
  }
}

// ---- classes and settings of the child

// Copies the classes of a specification, under the names that elements get. A class of that name that is there already
// serves. There may be thousands, hence a table of those that are there.
class ClassCopier {
 public:
  ClassCopier(const Affixes& affixes, Spec& dest) : affixes_(affixes), dest_(dest) { List(dest.main_class()); }

  // How many classes Copy will make.
  std::size_t CountNew(const Default& original) const {
    std::size_t count = there_.contains(affixes_(original.name)) ? 0 : 1;
    for (const auto& child : original.children) count += CountNew(*child);
    return count;
  }

  void Copy(const Spec& source, Graft& graft) { Copy(source.main_class(), dest_.main_class(), graft); }

 private:
  void List(Default& from) {
    there_.emplace(from.name, &from);
    for (const auto& child : from.children) List(*child);
  }

  void Copy(const Default& original, Default& above, Graft& graft) {
    Default*& copy = there_[affixes_(original.name)];
    if (!copy) {
      copy = above.AddChild(affixes_(original.name));
      copy->CopyValues(original);
    }
    graft.ReplaceClass(original, *copy);
    Default& below = *copy;
    for (const auto& child : original.children) Copy(*child, below, graft);
  }

  const Affixes& affixes_;
  Spec& dest_;
  std::unordered_map<std::string, Default*> there_;
};

// Whether two specifications agree in what elements need of those that they were written for. Bytes between fields may
// differ too, which costs a stand-in more.
bool HaveSameSettings(const mjSpec& a, const mjSpec& b) {
  mjsCompiler fields_a = a.compiler, fields_b = b.compiler;
  fields_a.meshdir = fields_b.meshdir = nullptr;
  fields_a.texturedir = fields_b.texturedir = nullptr;
  return *a.modelname == *b.modelname && *a.modelfiledir == *b.modelfiledir && a.strippath == b.strippath &&
         *a.compiler.meshdir == *b.compiler.meshdir && *a.compiler.texturedir == *b.compiler.texturedir &&
         std::memcmp(&fields_a, &fields_b, sizeof(mjsCompiler)) == 0;
}

// Copied elements keep the compiler settings of the specification that they were written for; stand-ins have them. All
// originals with the same settings share one.
class StandIns {
 public:
  StandIns(Spec& dest, Graft& graft) : dest_(dest), graft_(graft) {}

  void Add(Spec& original) {
    if (!known_.insert(&original).second) return;
    graft_.ReplaceHome(original, FindOrAdd(original));
    AddAttached(original);
  }
  void AddAttached(Spec& original) {
    for (Spec* attached : original.attached) Add(*attached);
  }

 private:
  Spec& FindOrAdd(const Spec& original) {
    for (const auto& stand_in : dest_.stand_ins) {
      if (HaveSameSettings(*stand_in, original)) return *stand_in;
    }
    Spec& stand_in = *dest_.stand_ins.emplace_back(std::make_unique<Spec>());
    stand_in.CopySettings(original);
    stand_in.attached_to = &dest_;
    dest_.attached.push_back(&stand_in);
    return stand_in;
  }

  Spec& dest_;
  Graft& graft_;
  std::unordered_set<const Spec*> known_;
};

// ---- specifications that share elements

void Join(Spec& a, Spec& b) {
  const auto found = [](Spec& spec) {
    if (spec.family) return;
    spec.family = std::make_shared<SpecFamily>();
    spec.family->members.emplace_back(&spec);
    spec.family->held = 1;
  };
  found(a);
  found(b);
  if (a.family == b.family) return;
  const std::shared_ptr<SpecFamily> gone = b.family;
  a.family->held += gone->held;
  for (auto& member : gone->members) {
    member->family = a.family;
    a.family->members.push_back(std::move(member));
  }
  gone->members.clear();
}

void CheckMove(const Spec& source, const Spec& dest) {
  if (source.attached_to && source.attached_to != &dest) {
    throw Error("model '" + *source.modelname + "' is attached to another one by reference",
                "attach a copy: mjs_setDeepCopy");
  }
  if (dest.attached_to) {
    throw Error("model '" + *dest.modelname + "' is itself attached by reference",
                "attach to the model that it is attached to");
  }
}

// ---- keyframes

// The keyframes of both before, and of the parent after.
class AttachedKeys {
 public:
  AttachedKeys(Spec& source, Spec& dest)
      : source_(source), dest_(dest), are_any_(!source.List<Key>().empty() || !dest.List<Key>().empty()) {
    if (!are_any_) return;
    source_before_ = source.key_layout ? *source.key_layout : KeyLayout(source);
    dest_before_ = KeyLayout(dest);
    for (const auto& key : source.List<Key>()) {
      if (!source_before_.Fits(*key)) {
        throw Error("keyframe '" + key->name + "' of model '" + *source.modelname + "' has the wrong size",
                    "give it as many numbers as its model has, or none");
      }
    }
  }

  // Numbers that copies add: the parent's keyframes get those of the child's elements, and the child's those of all.
  std::size_t NewNumberCount() const {
    const std::size_t ours = dest_before_.size(), added = source_before_.size();
    return dest_.List<Key>().size() * added + source_.List<Key>().size() * (ours + added);
  }

  // `origin` gives the element of the child that one of the parent is or is a copy of.
  void Finish(const Affixes& affixes, const KeyLayout::Origin& origin) {
    if (!are_any_) return;
    ExtendKeys(dest_, dest_before_);
    const KeyLayout now(dest_);
    for (const auto& key : source_.List<Key>()) {
      Key& added = *dest_.List<Key>().emplace_back(std::make_unique<Key>(*key));
      added.spec = added.home = &dest_;
      added.is_replicated = true;
      dest_.SetName(added, affixes(key->name));
      now.Arrange(source_before_, origin, &added);
    }
  }

 private:
  Spec& source_;
  Spec& dest_;
  const bool are_any_;
  KeyLayout source_before_, dest_before_;
};

// ---- the limit

// Takes what an edit makes off what may still be made. A class is as large as a dozen elements, and
// numbers of keyframes weigh less.
void TakeFromBudget(std::size_t* copies_left, std::size_t elements, std::size_t classes = 0,
                    std::size_t key_numbers = 0) {
  constexpr std::size_t kElementsOfClass = 16, kNumbersOfElement = 100;
  const std::size_t made = elements + kElementsOfClass * classes + key_numbers / kNumbersOfElement;
  if (made > *copies_left) {
    throw Error("the copies have too many elements", "attaching may make " + std::to_string(kMaxCopies) +
                                                         " of them in a model: attach smaller ones, or fewer");
  }
  *copies_left -= made;
}

// Plugins that the child may use, its elements may use in the parent too.
void ShareActivations(const Spec& source, Spec& dest) {
  dest.active_plugins.insert(source.active_plugins.begin(), source.active_plugins.end());
}

// ---- the ways

// What the child is, before anything of the parent changes.
void IncludeChild(Element& child, bool within, Graft& graft) {
  if (child.elemtype == mjOBJ_MODEL) {
    graft.IncludeContents(static_cast<Spec&>(child).world());
  } else {
    graft.Include(child);
  }
  graft.IncludeRelations();
  if (!within) graft.IncludeAssets();
}

// A whole specification gets a frame around what stands in its world.
Frame& Wrap(const Place& place) { return place.body->Add<Frame>(nullptr, place.frame); }

Element* CopyOf(const Graft& graft, Element& child) {
  if (Body* body = As<Body>(&child)) return graft.CopyOf(*body);
  return graft.CopyOf(*As<Frame>(&child));
}

Element& AttachWithin(Element& parent, Element& child, const Affixes& affixes, std::size_t* copies_left) {
  Spec& spec = *parent.spec;
  const KeyLayout before = spec.List<Key>().empty() ? KeyLayout() : KeyLayout(spec);
  Graft graft(spec, spec);
  IncludeChild(child, true, graft);
  TakeFromBudget(copies_left, graft.size());
  Place place = PlaceAt(parent);
  if (child.elemtype == mjOBJ_MODEL) place.frame = &Wrap(place);
  graft.Copy(affixes, *place.body, place.frame);
  ExtendKeys(spec, before);
  return child.elemtype == mjOBJ_MODEL ? *place.frame : *CopyOf(graft, child);
}

Element& AttachCopy(Element& parent, Element& child, const Affixes& affixes, std::size_t* copies_left) {
  Spec &source = *child.spec, &dest = *parent.spec;
  Graft graft(source, dest);
  AttachedKeys keys(source, dest);
  IncludeChild(child, false, graft);
  ClassCopier classes(affixes, dest);
  TakeFromBudget(copies_left, graft.size(), classes.CountNew(source.main_class()), keys.NewNumberCount());
  classes.Copy(source, graft);
  StandIns(dest, graft).Add(source);
  ShareActivations(source, dest);
  Place place = PlaceAt(parent);
  if (child.elemtype == mjOBJ_MODEL) place.frame = &Wrap(place);
  graft.Copy(affixes, *place.body, place.frame);
  keys.Finish(affixes, [&](const Element& element) { return graft.OriginalOf(element); });
  return child.elemtype == mjOBJ_MODEL ? *place.frame : *CopyOf(graft, child);
}

Element& AttachMoved(Element& parent, Element& child, const Affixes& affixes) {
  Spec &source = *child.spec, &dest = *parent.spec;
  CheckMove(source, dest);
  Graft graft(source, dest);
  AttachedKeys keys(source, dest);
  IncludeChild(child, false, graft);
  ClassCopier(affixes, dest).Copy(source, graft);
  Join(dest, source);
  if (std::find(dest.attached.begin(), dest.attached.end(), &source) == dest.attached.end()) {
    dest.attached.push_back(&source);
  }
  source.attached_to = &dest;
  ShareActivations(source, dest);
  if (!source.key_layout) source.key_layout = std::make_unique<KeyLayout>(source);
  Place place = PlaceAt(parent);
  if (child.elemtype == mjOBJ_MODEL) place.frame = &Wrap(place);
  graft.Move(affixes, *place.body, place.frame);
  keys.Finish(affixes, [](const Element& element) { return &element; });
  return child.elemtype == mjOBJ_MODEL ? *place.frame : child;
}

}  // namespace

Element& Attach(Element& parent, Element& child, const Affixes& affixes, bool by_copy, std::size_t* copies_left) {
  std::size_t of_this_call = kMaxCopies;
  if (!copies_left) copies_left = &of_this_call;
  CheckKinds(parent, child);
  if (child.elemtype == mjOBJ_BODY && !child.parent) {
    throw Error("the world of a model cannot be attached", "attach the model");
  }
  if (parent.spec == child.spec) return AttachWithin(parent, child, affixes, copies_left);
  return by_copy ? AttachCopy(parent, child, affixes, copies_left) : AttachMoved(parent, child, affixes);
}

std::unique_ptr<Spec> CopySpec(Spec& spec) {
  auto copy = std::make_unique<Spec>();
  copy->CopySettings(spec);
  copy->world().CopyValues(spec.world());
  copy->main_class().CopyValues(spec.main_class());
  Graft graft(spec, *copy);
  const Affixes unchanged;
  ClassCopier(unchanged, *copy).Copy(spec, graft);
  graft.ReplaceHome(spec, *copy);
  StandIns(*copy, graft).AddAttached(spec);
  graft.IncludeContents(spec.world());
  graft.IncludeLists();
  graft.Copy({}, copy->world(), nullptr);
  return copy;
}

Spec* FindSpec(Spec& spec, std::string_view name) {
  if (*spec.modelname == name) return &spec;
  for (Spec* attached : spec.attached) {
    if (Spec* found = FindSpec(*attached, name)) return found;
  }
  return nullptr;
}

void Release(Spec* spec) {
  if (!spec->family) {
    // A stand-in belongs to the specification that it stands in.
    if (!spec->attached_to) delete spec;
    return;
  }
  // The family goes with its last member that somebody holds. Members refer to it: it must outlive them.
  const std::shared_ptr<SpecFamily> family = spec->family;
  if (spec->is_deleted) return;
  spec->is_deleted = true;
  if (--family->held > 0) return;
  const ElementList<Spec> members = std::move(family->members);
}

}  // namespace sinew
