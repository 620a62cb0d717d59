#include "spec/attach.h"

#include <algorithm>
#include <optional>
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

// A copy of a class and those below it, under the names that elements get. A class of that name that is there already
// serves.
void GraftClass(const Default& original, const Affixes& affixes, Default& above, Spec& dest, Graft& graft) {
  const std::string name = affixes(original.name);
  Default* copy = dest.main_class().Find(name);
  if (!copy) {
    copy = above.AddChild(name);
    copy->CopyValues(original);
  }
  graft.ReplaceClass(original, *copy);
  for (const auto& child : original.children) GraftClass(*child, affixes, *copy, dest, graft);
}

void GraftClasses(const Spec& source, const Affixes& affixes, Spec& dest, Graft& graft) {
  GraftClass(source.main_class(), affixes, dest.main_class(), dest, graft);
}

// Copied elements keep the compiler settings of the specification that they were written for; stand-ins have them.
class StandIns {
 public:
  StandIns(Spec& dest, Graft& graft) : dest_(dest), graft_(graft) {}

  void Add(Spec& original) {
    if (!known_.insert(&original).second) return;
    Spec& stand_in = *dest_.stand_ins.emplace_back(std::make_unique<Spec>());
    stand_in.CopySettings(original);
    stand_in.attached_to = &dest_;
    dest_.attached.push_back(&stand_in);
    graft_.ReplaceHome(original, stand_in);
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
      : source_(source),
        dest_(dest),
        source_before_(source.key_layout ? *source.key_layout : KeyLayout(source)),
        dest_before_(dest) {
    for (const auto& key : source.List<Key>()) {
      if (!source_before_.Fits(*key)) {
        throw Error("keyframe '" + key->name + "' of model '" + *source.modelname + "' has the wrong size",
                    "give it as many numbers as its model has, or none");
      }
    }
  }

  // `origin` gives the element of the child that one of the parent is or is a copy of.
  void Finish(const Affixes& affixes, const KeyLayout::Origin& origin) {
    ExtendKeys(dest_, dest_before_);
    const KeyLayout now(dest_);
    for (const auto& key : source_.List<Key>()) {
      Key& added = *dest_.List<Key>().emplace_back(std::make_unique<Key>(*key));
      added.spec = added.home = &dest_;
      dest_.SetName(added, affixes(key->name));
      now.Arrange(source_before_, origin, &added);
    }
  }

 private:
  Spec& source_;
  Spec& dest_;
  const KeyLayout source_before_, dest_before_;
};

// ---- the two ways

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

Element& AttachWithin(Element& parent, Element& child, const Affixes& affixes) {
  Spec& spec = *parent.spec;
  const KeyLayout before(spec);
  Graft graft(spec, spec);
  IncludeChild(child, true, graft);
  Place place = PlaceAt(parent);
  if (child.elemtype == mjOBJ_MODEL) place.frame = &Wrap(place);
  graft.Copy(affixes, *place.body, place.frame);
  ExtendKeys(spec, before);
  return child.elemtype == mjOBJ_MODEL ? *place.frame : *CopyOf(graft, child);
}

Element& AttachCopy(Element& parent, Element& child, const Affixes& affixes) {
  Spec &source = *child.spec, &dest = *parent.spec;
  Graft graft(source, dest);
  AttachedKeys keys(source, dest);
  IncludeChild(child, false, graft);
  GraftClasses(source, affixes, dest, graft);
  StandIns(dest, graft).Add(source);
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
  GraftClasses(source, affixes, dest, graft);
  Join(dest, source);
  if (std::find(dest.attached.begin(), dest.attached.end(), &source) == dest.attached.end()) {
    dest.attached.push_back(&source);
  }
  source.attached_to = &dest;
  if (!source.key_layout) source.key_layout = std::make_unique<KeyLayout>(source);
  Place place = PlaceAt(parent);
  if (child.elemtype == mjOBJ_MODEL) place.frame = &Wrap(place);
  graft.Move(affixes, *place.body, place.frame);
  keys.Finish(affixes, [](const Element& element) { return &element; });
  return child.elemtype == mjOBJ_MODEL ? *place.frame : child;
}

}  // namespace

Element& Attach(Element& parent, Element& child, const Affixes& affixes, bool by_copy) {
  CheckKinds(parent, child);
  if (child.elemtype == mjOBJ_BODY && !child.parent) {
    throw Error("the world of a model cannot be attached", "attach the model");
  }
  if (parent.spec == child.spec) return AttachWithin(parent, child, affixes);
  return by_copy ? AttachCopy(parent, child, affixes) : AttachMoved(parent, child, affixes);
}

std::unique_ptr<Spec> CopySpec(Spec& spec) {
  auto copy = std::make_unique<Spec>();
  copy->CopySettings(spec);
  copy->world().CopyValues(spec.world());
  copy->main_class().CopyValues(spec.main_class());
  Graft graft(spec, *copy);
  GraftClasses(spec, {}, *copy, graft);
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
