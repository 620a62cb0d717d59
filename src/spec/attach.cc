// Attaches parts of one specification to another, by copy or by reference, with classes, settings and keyframes that
// belong to them. docs/how/spec.md has the rules; spec/graft.h moves the elements.
#include "spec/attach.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/error.h"
#include "spec/key_layout.h"
#include "spec/loan.h"
#include "spec/placeholder.h"
#include "spec/traverse.h"

namespace sinew::inline spec {
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

// Attaching to a frame or a site puts the child there; a body is attached to at its origin.
Place PlaceAt(Element& parent) {
  if (Frame* frame = As<Frame>(&parent)) return {frame->parent, frame};
  if (Site* site = As<Site>(&parent)) return {site->parent, &FrameAtSite(*site)};
  return {static_cast<Body*>(&parent), nullptr};
}

// A body in a body would need a pose, which only a frame or a site gives.
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

  // Those that Copy has made.
  const std::vector<Default*>& made() const { return made_; }

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
      made_.push_back(copy);
    }
    graft.ReplaceClass(original, *copy);
    Default& below = *copy;
    for (const auto& child : original.children) Copy(*child, below, graft);
  }

  const Affixes& affixes_;
  Spec& dest_;
  std::unordered_map<std::string, Default*> there_;
  std::vector<Default*> made_;
};

// Copied elements keep the compiler settings of the specification that they were written for; placeholders have them.
class Placeholders {
 public:
  Placeholders(Spec& dest, Graft& graft) : dest_(dest), graft_(graft) {}

  void Add(Spec& original) {
    if (!known_.insert(&original).second) return;
    graft_.ReplaceHome(original, PlaceholderFor(original, dest_));
    AddAttached(original);
  }
  void AddAttached(Spec& original) {
    for (Spec* attached : original.attached) Add(*attached);
  }

 private:
  Spec& dest_;
  Graft& graft_;
  std::unordered_set<const Spec*> known_;
};

// ---- specifications that share elements

// Members of a family live until all of them are released, because pointers lead from one to another.
void Join(Spec& a, Spec& b) {
  // A model that a document named is owned only by the model of that document.
  const auto found = [](Spec& spec) {
    if (spec.family) return;
    spec.family = std::make_shared<SpecFamily>();
    if (spec.named_by) {
      ElementList<Spec>& models = spec.named_by->models;
      const auto place = std::find_if(models.begin(), models.end(), [&](const auto& m) { return m.get() == &spec; });
      spec.family->members.push_back(std::move(*place));
      models.erase(place);
    } else {
      spec.family->members.emplace_back(&spec);
      spec.family->held = 1;
    }
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

// A specification that has given away its elements cannot move them again.
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

// The keyframes of both before, and of the parent after. Both may be one.
class AttachedKeys {
 public:
  AttachedKeys(Spec& source, Spec& dest) : source_(source), dest_(dest), are_any_(HasKeys(source) || HasKeys(dest)) {
    if (!are_any_) return;
    source_before_ = source.key_layout ? *source.key_layout : KeyLayout(source);
    dest_before_ = KeyLayout(dest);
    for (const auto& key : source.List<Key>()) source_before_.Check(*key);
    if (&source == &dest) return;
    for (const auto& key : source.pending_keys) source_before_.Check(*key);
  }

  // Numbers that copies add: the parent's keyframes get those of the child's elements, and the child's those of all.
  std::size_t NewNumberCount() const {
    const std::size_t ours = dest_before_.size(), added = source_before_.size();
    return Count(dest_) * added + Count(source_) * (ours + added);
  }

  // `origin` gives the element of the child that one of the parent is or is a copy of; `part` is what was attached,
  // with which the keyframes will go. Those that a part of the child has brought wait there for its compilation; they
  // come along as the others do.
  void Finish(const Affixes& affixes, const KeyLayout::Origin& origin, const Element& part) {
    if (!are_any_) return;
    const KeyLayout now(dest_);
    ElementList<Key> added;
    const auto add_all = [&](const ElementList<Key>& keys) {
      for (const auto& key : keys) {
        Key& copy = *added.emplace_back(std::make_unique<Key>(*key));
        copy.spec = copy.home = &dest_;
        copy.name = affixes(key->name);
        copy.brought_by = &part;
        now.Arrange(source_before_, origin, &copy);
      }
    };
    add_all(source_.List<Key>());
    if (&source_ != &dest_) add_all(source_.pending_keys);
    ExtendKeys(dest_, dest_before_);
    std::move(added.begin(), added.end(), std::back_inserter(dest_.pending_keys));
  }

 private:
  static std::size_t Count(const Spec& spec) { return spec.List<Key>().size() + spec.pending_keys.size(); }

  Spec& source_;
  Spec& dest_;
  const bool are_any_;
  KeyLayout source_before_, dest_before_;
};

// ---- the limit

// Subtracts the elements that an edit makes from those that may still be made. A class counts as 16 elements, and a
// number of a keyframe as a hundredth of one.
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

// Includes the elements of the child, before anything of the parent changes.
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
  Graft graft(spec, spec);
  AttachedKeys keys(spec, spec);
  IncludeChild(child, true, graft);
  TakeFromBudget(copies_left, graft.size(), 0, keys.NewNumberCount());
  Place place = PlaceAt(parent);
  if (child.elemtype == mjOBJ_MODEL) place.frame = &Wrap(place);
  graft.Copy(affixes, *place.body, place.frame);
  Element& part = child.elemtype == mjOBJ_MODEL ? *place.frame : *CopyOf(graft, child);
  // In the keyframes of a copy it has the values of the original, which then has none.
  const auto origin = [&](const Element& element) -> const Element* {
    if (const Element* original = graft.OriginalOf(element)) return original;
    return graft.HasCopied(element) ? nullptr : &element;
  };
  keys.Finish(affixes, origin, part);
  return part;
}

// Assets and classes that come with a part go with it, if nothing else has come to use them.
void NoteWhatCame(const Graft& graft, const ClassCopier& classes, const Element& part) {
  const auto note = [&](const auto& originals) {
    for (const auto* original : originals) graft.CopyOf(*original)->brought_by = &part;
  };
  note(graft.Get<Mesh>());
  note(graft.Get<HField>());
  note(graft.Get<Texture>());
  note(graft.Get<Material>());
  note(graft.Get<Numeric>());
  note(graft.Get<Text>());
  for (Default* made : classes.made()) made->brought_by = &part;
}

Element& AttachCopy(Element& parent, Element& child, const Affixes& affixes, std::size_t* copies_left) {
  Spec &source = *child.spec, &dest = *parent.spec;
  Graft graft(source, dest);
  AttachedKeys keys(source, dest);
  IncludeChild(child, false, graft);
  ClassCopier classes(affixes, dest);
  TakeFromBudget(copies_left, graft.size(), classes.CountNew(source.main_class()), keys.NewNumberCount());
  classes.Copy(source, graft);
  Placeholders(dest, graft).Add(source);
  ShareActivations(source, dest);
  Place place = PlaceAt(parent);
  if (child.elemtype == mjOBJ_MODEL) place.frame = &Wrap(place);
  graft.Copy(affixes, *place.body, place.frame);
  Element& part = child.elemtype == mjOBJ_MODEL ? *place.frame : *CopyOf(graft, child);
  NoteWhatCame(graft, classes, part);
  keys.Finish(
      affixes, [&](const Element& element) { return graft.OriginalOf(element); }, part);
  return part;
}

// The world itself cannot leave its model: a body of its name takes over what stands in it.
Body& BodyForWorld(Spec& source) {
  Body& world = source.world();
  Body& body = world.Add<Body>();
  body.CopyValues(world);
  source.ForgetName(world);
  source.SetName(body, world.name);
  source.SetName(world, world.name);
  world.ForEachList([&]<class T>(ElementList<T>& list) {
    for (std::size_t i = 0; i < list.size();) {
      if (static_cast<Element*>(list[i].get()) == &body) {
        ++i;
        continue;
      }
      list[i]->parent = &body;
      body.List<T>().push_back(std::move(list[i]));
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    }
  });
  return body;
}

Element& AttachMoved(Element& parent, Element& element, const Affixes& affixes) {
  Spec &source = *element.spec, &dest = *parent.spec;
  CheckMove(source, dest);
  AttachedKeys keys(source, dest);
  const bool is_world = &element == &source.world(), is_model = element.elemtype == mjOBJ_MODEL;
  Element& child = is_world ? BodyForWorld(source) : element;
  Graft graft(source, dest);
  IncludeChild(child, false, graft);
  ClassCopier classes(affixes, dest);
  classes.Copy(source, graft);
  Join(dest, source);
  if (std::find(dest.attached.begin(), dest.attached.end(), &source) == dest.attached.end()) {
    dest.attached.push_back(&source);
  }
  source.attached_to = &dest;
  ShareActivations(source, dest);
  if (!source.key_layout) source.key_layout = std::make_unique<KeyLayout>(source);
  Place place = PlaceAt(parent);
  if (is_model) place.frame = &Wrap(place);
  Loan& loan = Lend(source, graft, is_model ? source.world() : *child.parent, child.frame, affixes);
  Element& part = is_model ? *place.frame : child;
  loan.root = &part;
  loan.is_frame_of_it = is_model;
  loan.is_world = is_world;
  graft.Move(affixes, *place.body, place.frame);
  NoteNewNames(&loan);
  for (Default* made : classes.made()) made->brought_by = &part;
  keys.Finish(
      affixes, [](const Element& moved) { return &moved; }, part);
  return part;
}

}  // namespace

// The limit counts elements, so that documents which attach each other many times end early.
Element& Attach(Element& parent, Element& child, const Affixes& affixes, bool by_copy, std::size_t* copies_left) {
  std::size_t of_this_call = kMaxCopies;
  if (!copies_left) copies_left = &of_this_call;
  CheckKinds(parent, child);
  if (parent.spec == child.spec) return AttachWithin(parent, child, affixes, copies_left);
  return by_copy ? AttachCopy(parent, child, affixes, copies_left) : AttachMoved(parent, child, affixes);
}

// A copy is a graft of everything onto an empty specification, under unchanged names.
std::unique_ptr<Spec> CopySpec(Spec& spec) {
  auto copy = std::make_unique<Spec>();
  copy->CopySettings(spec);
  copy->world().CopyValues(spec.world());
  copy->main_class().CopyValues(spec.main_class());
  Graft graft(spec, *copy);
  const Affixes unchanged;
  ClassCopier(unchanged, *copy).Copy(spec, graft);
  graft.ReplaceHome(spec, *copy);
  Placeholders(*copy, graft).AddAttached(spec);
  graft.IncludeContents(spec.world());
  graft.IncludeLists();
  graft.Copy({}, copy->world(), nullptr);
  for (const auto& model : spec.models) {
    copy->models.push_back(CopySpec(*model));
    copy->models.back()->named_by = copy.get();
  }
  for (const auto& key : spec.pending_keys) {
    Key& waiting = *copy->pending_keys.emplace_back(std::make_unique<Key>(*key));
    waiting.spec = waiting.home = copy.get();
    waiting.name = key->name;
    waiting.brought_by = graft.CopyOfElement(key->brought_by);
  }
  return copy;
}

// Models that the document names come before those that were attached.
Spec* FindSpec(Spec& spec, std::string_view name) {
  for (const auto& model : spec.models) {
    if (*model->modelname == name) return model.get();
  }
  for (Spec* attached : spec.attached) {
    if (*attached->modelname == name) return attached;
  }
  return nullptr;
}

// A specification that others still refer to stays in memory, although it cannot be used any more. Elements that it has
// borrowed go back to their owners.
void Release(Spec* spec) {
  ElementList<Spec> gone;
  if (spec->family && !spec->is_deleted && !spec->attached_to) EndAllLoans(*spec, &gone);
  if (!spec->family) {
    // A placeholder belongs to the specification that it stands in, a named model to the one of the document.
    if (!spec->attached_to && !spec->named_by) delete spec;
    return;
  }
  // The family goes with its last member that somebody holds. Members refer to it: it must outlive them.
  const std::shared_ptr<SpecFamily> family = spec->family;
  if (spec->is_deleted) return;
  spec->is_deleted = true;
  if (--family->held > 0) return;
  const ElementList<Spec> members = std::move(family->members);
}

}  // namespace sinew::inline spec
