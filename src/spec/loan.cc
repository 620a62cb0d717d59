// The way back of what was attached by reference: a graft from the holder to the specification that has given, under
// the names that the loan has noted.
#include "spec/loan.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "spec/key_layout.h"
#include "spec/placeholder.h"
#include "spec/references.h"
#include "spec/traverse.h"

namespace sinew::inline spec {
namespace {

struct Position {
  const void* list;
  std::size_t index;
};
using Positions = std::unordered_map<const Element*, Position>;

// Assets and settings are shared by all that was given, in several loans perhaps.
bool IsShared(mjtObj type) {
  return type == mjOBJ_MESH || type == mjOBJ_HFIELD || type == mjOBJ_TEXTURE || type == mjOBJ_MATERIAL ||
         type == mjOBJ_NUMERIC || type == mjOBJ_TEXT || type == mjOBJ_PLUGIN;
}

ElementSet WithAll(ElementSet set, const std::vector<Element*>& others) {
  set.insert(others.begin(), others.end());
  return set;
}

// Calls visit(loan) for all loans of the family of a specification.
template <class Visit>
void ForEachLoan(const Spec& spec, Visit&& visit) {
  if (!spec.family) return;
  for (const auto& member : spec.family->members) {
    for (const auto& loan : member->loans) visit(*loan);
  }
}

// ---- back to where it stood

// Positions in a list of what a specification has given away and has not got back, in increasing order.
std::vector<std::size_t> Gaps(const Spec& giver, const void* list) {
  std::vector<std::size_t> gaps;
  for (const auto& loan : giver.loans) {
    for (const Loan::Item& item : loan->items) {
      if (item.list == list) gaps.push_back(item.position);
    }
  }
  std::sort(gaps.begin(), gaps.end());
  return gaps;
}

// The positions of what is in a list, as if nothing had been given away.
template <class T>
void AddPositions(const Spec& giver, const ElementList<T>& list, Positions* positions) {
  const std::vector<std::size_t> gaps = Gaps(giver, &list);
  auto gap = gaps.begin();
  std::size_t position = 0;
  for (const auto& item : list) {
    for (; gap != gaps.end() && *gap == position; ++gap) ++position;
    positions->emplace(item.get(), Position{&list, position++});
  }
}

// Moves elements that have come back from the end of their list to their position.
template <class T>
void RestoreOrder(const Spec& giver, const Positions& positions, ElementList<T>& list) {
  const auto returned = std::stable_partition(list.begin(), list.end(),
                                              [&](const auto& item) { return !positions.contains(item.get()); });
  ElementList<T> moved(std::make_move_iterator(returned), std::make_move_iterator(list.end()));
  list.erase(returned, list.end());
  const auto position = [&](const auto& item) { return positions.at(item.get()).index; };
  std::stable_sort(moved.begin(), moved.end(), [&](const auto& a, const auto& b) { return position(a) < position(b); });
  const std::vector<std::size_t> gaps = Gaps(giver, &list);
  for (auto& item : moved) {
    const auto away = std::lower_bound(gaps.begin(), gaps.end(), position(item)) - gaps.begin();
    const std::size_t place = std::min(position(item) - static_cast<std::size_t>(away), list.size());
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(place), std::move(item));
  }
}

// Moves the parts of the body that stood for a world back into that world, and removes the body.
void DissolveIntoWorld(Body& body, Spec& spec) {
  Body& world = spec.world();
  body.ForEachList([&]<class T>(ElementList<T>& list) {
    for (auto& part : list) {
      part->parent = &world;
      world.List<T>().push_back(std::move(part));
    }
    list.clear();
  });
  spec.ForgetName(body);
  const auto place =
      std::find_if(world.bodies.begin(), world.bodies.end(), [&](const auto& child) { return child.get() == &body; });
  body.is_deleted = true;
  spec.deleted.push_back(std::move(*place));
  world.bodies.erase(place);
  spec.SetName(world, "world");
}

// Shared elements go to the loans that are left.
void PassShares(Spec& giver, Loan* loan) {
  if (giver.loans.empty()) return;
  const auto shared = std::stable_partition(loan->items.begin(), loan->items.end(),
                                            [](const Loan::Item& item) { return !IsShared(item.element->elemtype); });
  std::vector<Loan::Item>& others = giver.loans.front()->items;
  others.insert(others.end(), std::make_move_iterator(shared), std::make_move_iterator(loan->items.end()));
  loan->items.erase(shared, loan->items.end());
}

// Relations to what goes that have come with another loan go too.
void TakeRelations(Spec& giver, const ElementSet& doomed, Loan* loan) {
  for (const auto& other : giver.loans) {
    const auto taken = std::stable_partition(other->items.begin(), other->items.end(), [&](const Loan::Item& item) {
      return item.element->parent || IsShared(item.element->elemtype) || !doomed.contains(item.element);
    });
    loan->items.insert(loan->items.end(), std::make_move_iterator(taken), std::make_move_iterator(other->items.end()));
    other->items.erase(taken, other->items.end());
  }
}

// Includes the elements of a specification that return: the tree, as far as its former place still exists, and the
// elements outside of the tree.
void IncludeItems(const Loan& loan, const Spec& giver, const Spec& holder, Graft* graft) {
  if (loan.root && loan.root->spec == &holder && loan.body->spec == &giver) {
    if (loan.is_frame_of_it) {
      graft->IncludeContents(static_cast<Frame&>(*loan.root));
    } else {
      graft->Include(*loan.root);
    }
  }
  for (const Loan::Item& item : loan.items) {
    if (!item.element->parent && item.element->spec == &holder) graft->Include(*item.element);
  }
}

// Those that hold `giver` have noted its elements among those that they have given on.
void ForgetInOuterLoans(const Spec& giver, const ElementSet& returned) {
  for (const Spec* outer = giver.attached_to; outer; outer = outer->attached_to) {
    for (const auto& loan : outer->loans) {
      std::erase_if(loan->items, [&](const Loan::Item& item) { return returned.contains(item.element); });
    }
  }
}

// Shared elements that what stays in the holder has come to use, by the names that they had there: it keeps copies.
class SavedShares {
 public:
  // Elements in `doomed` will not stay.
  SavedShares(Spec& holder, const ElementSet& doomed) : holder_(holder) {
    ForEachElement(holder, [&](auto& element) {
      if (!doomed.contains(&element)) NoteReferences(element);
    });
  }

  // Before the graft moves.
  void NoteNames(const Graft& graft) {
    for (Element* element : graft.ListOriginals()) {
      if (IsShared(element->elemtype)) names_.emplace_back(element, element->name);
    }
  }

  // After it. Elements that a copy refers to are copied too.
  void Copy(Spec& giver, const Affixes& affixes) {
    Graft copies(giver, holder_);
    for (bool found = true; found;) {
      found = false;
      for (auto& [element, name] : names_) {
        if (!element || holder_.Find(element->elemtype, name) || !used_.contains({element->elemtype, name})) continue;
        copies.Include(*element);
        if (const Material* material = As<Material>(element)) {
          for (const std::string& texture : *material->textures) used_.emplace(mjOBJ_TEXTURE, affixes(texture));
        }
        element = nullptr;
        found = true;
      }
    }
    if (copies.size() == 0) return;
    copies.ReplaceHome(giver, PlaceholderFor(giver, holder_));
    copies.Copy(affixes, holder_.world(), nullptr);
  }

 private:
  template <class T>
  void NoteReferences(T& element) {
    ForEachReference(element, [&](mjtObj type, const std::string& name) {
      if (IsShared(type)) used_.emplace(type, name);
    });
  }

  Spec& holder_;
  std::set<std::pair<mjtObj, std::string>> used_;
  std::vector<std::pair<Element*, std::string>> names_;
};

// Where what was lent stands now: a part that was given on leaves some of its relations behind.
std::vector<Spec*> HoldersOf(const Loan& loan) {
  std::vector<Spec*> holders;
  const auto add = [&](Spec* holder) {
    if (std::find(holders.begin(), holders.end(), holder) == holders.end()) holders.push_back(holder);
  };
  if (loan.root) add(loan.root->spec);
  for (const Loan::Item& item : loan.items) add(item.element->spec);
  return holders;
}

// Elements that have stayed refer to lent ones by the names that these got there; those become the original names.
void RenameRest(const Loan& loan, Spec& giver) {
  Graft::References own;
  for (const Loan::Item& item : loan.items) {
    own.emplace(std::pair(item.element->elemtype, item.name_there), NameInReferences(*item.element, item.name));
  }
  ForEachElement(giver, [&](auto& element) {
    ForEachReference(element, [&](mjtObj type, std::string& name) {
      const auto found = own.find({type == mjOBJ_XBODY ? mjOBJ_BODY : type, name});
      if (found != own.end()) name = found->second;
    });
  });
}

// Keyframes that a part has brought go with it, wherever it was on its way.
void DropKeys(const Spec& giver, const Element* root) {
  for (Spec* outer = giver.attached_to; outer && root; outer = outer->attached_to) {
    const auto came_with_it = [&](const std::unique_ptr<Key>& key) { return key->brought_by == root; };
    for (const auto& key : outer->List<Key>()) {
      if (came_with_it(key)) outer->ForgetName(*key);
    }
    std::erase_if(outer->List<Key>(), came_with_it);
    std::erase_if(outer->pending_keys, came_with_it);
  }
}

// A loan that is no longer in the list of the specification that has given. Without `doomed`, all of the holder goes.
void GiveBack(const Loan& loan, Spec& giver, const ElementSet* doomed) {
  Graft::Names names;
  Graft::References references;
  Positions positions;
  for (const Loan::Item& item : loan.items) {
    const Element& element = *item.element;
    names.emplace(&element, item.name);
    references.emplace(std::pair(element.elemtype, NameInReferences(element, element.name)),
                       NameInReferences(element, item.name));
    positions.emplace(&element, Position{item.list, item.position});
  }
  RenameRest(loan, giver);
  ElementSet returned;
  for (Spec* holder : HoldersOf(loan)) {
    Graft graft(*holder, giver);
    graft.ReplaceHome(*holder, giver);
    IncludeItems(loan, giver, *holder, &graft);
    const std::vector<Element*> originals = graft.ListOriginals();
    returned.insert(originals.begin(), originals.end());
    std::optional<SavedShares> kept;
    if (doomed) {
      kept.emplace(*holder, WithAll(*doomed, originals));
      kept->NoteNames(graft);
    }
    graft.MoveAs(names, references, *loan.body, loan.frame);
    if (kept) kept->Copy(giver, loan.affixes);
  }
  for (const Loan::Item& item : loan.items) {
    if (item.element->spec == &giver) item.element->default_class = item.default_class;
  }
  const auto restore = [&](auto& list) { RestoreOrder(giver, positions, list); };
  loan.body->ForEachList(restore);
  giver.ForEachList(restore);
  ForgetInOuterLoans(giver, returned);
  DropKeys(giver, loan.root);
  // The body may have become a frame.
  Body* world = loan.is_world ? As<Body>(loan.root) : nullptr;
  if (world && world->spec == &giver) DissolveIntoWorld(*world, giver);
}

// ---- free again

// Elements that stay elsewhere and were written for `giver`, such as copies, keep its settings without it.
void RehomeRest(Spec& giver) {
  for (const auto& member : giver.family->members) {
    if (member.get() == &giver) continue;
    Spec* placeholder = nullptr;
    ForEachElement(*member, [&](Element& element) {
      if (element.home != &giver) return;
      if (!placeholder) placeholder = &PlaceholderFor(giver, *member);
      giver.ForgetName(element);
      element.home = placeholder;
    });
    for (const auto& element : member->deleted) {
      if (element->home == &giver) element->home = member.get();
    }
  }
}

// A specification that shares nothing any more is held by its program alone, or by nobody. One that a document has
// named stays.
void LeaveFamily(Spec& spec, ElementList<Spec>* gone) {
  const bool gives_nothing = std::all_of(spec.attached.begin(), spec.attached.end(),
                                         [&](const Spec* attached) { return IsPlaceholder(*attached, spec); });
  if (!gives_nothing || spec.named_by) return;
  const std::shared_ptr<SpecFamily> family = std::exchange(spec.family, nullptr);
  const auto place = std::find_if(family->members.begin(), family->members.end(),
                                  [&](const auto& member) { return member.get() == &spec; });
  if (spec.is_deleted) {
    gone->push_back(std::move(*place));
  } else {
    (void)place->release();
    --family->held;
  }
  family->members.erase(place);
}

// Makes a specification independent, once all its loans have ended.
void Free(Spec& giver, ElementList<Spec>* gone) {
  std::erase(giver.attached_to->attached, &giver);
  giver.attached_to = nullptr;
  if (giver.key_layout) {
    ExtendKeys(giver, *giver.key_layout);
    giver.key_layout.reset();
  }
  RehomeRest(giver);
  if (giver.is_deleted) EndAllLoans(giver, gone);
  LeaveFamily(giver, gone);
}

// Ends the loans of a specification that `ends` selects, the latest ones first.
template <class Ends>
void EndLoansOf(Spec& giver, const Ends& ends, const ElementSet* doomed, ElementList<Spec>* gone) {
  if (giver.loans.empty()) return;  // a placeholder
  for (std::size_t i = giver.loans.size(); i-- > 0;) {
    if (!ends(*giver.loans[i])) continue;
    const std::unique_ptr<Loan> loan = std::move(giver.loans[i]);
    giver.loans.erase(giver.loans.begin() + static_cast<std::ptrdiff_t>(i));
    PassShares(giver, loan.get());
    if (doomed) TakeRelations(giver, *doomed, loan.get());
    GiveBack(*loan, giver, doomed);
  }
  if (giver.loans.empty()) Free(giver, gone);
}

void EndLoansBelow(Spec& between, const Spec& holder, const ElementSet& doomed, ElementList<Spec>* gone) {
  const std::vector<Spec*> attached = between.attached;
  for (auto giver = attached.rbegin(); giver != attached.rend(); ++giver) {
    const auto ends = [&](const Loan& loan) {
      return loan.root && loan.root->spec == &holder && doomed.contains(loan.root);
    };
    EndLoansOf(**giver, ends, &doomed, gone);
    if ((*giver)->attached_to == &between) EndLoansBelow(**giver, holder, doomed, gone);
  }
}

}  // namespace

Loan& Lend(Spec& source, const Graft& graft, Body& body, Frame* frame, const Affixes& affixes) {
  Positions positions;
  const auto note = [&](const auto& list) { AddPositions(source, list, &positions); };
  body.ForEachList(note);
  source.ForEachList(note);
  Loan& loan = *source.loans.emplace_back(std::make_unique<Loan>());
  loan.body = &body;
  loan.frame = frame;
  loan.affixes = affixes;
  for (Element* given : graft.ListOriginals()) {
    const auto found = positions.find(given);
    const Position position = found == positions.end() ? Position{nullptr, 0} : found->second;
    loan.items.push_back({given, given->name, given->default_class, position.list, position.index, ""});
  }
  return loan;
}

void NoteNewNames(Loan* loan) {
  for (Loan::Item& item : loan->items) item.name_there = item.element->name;
}

// Those that were attached later may stand in those that were attached before.
void EndLoans(Spec& holder, const ElementSet& doomed, ElementList<Spec>* gone) {
  EndLoansBelow(holder, holder, doomed, gone);
}

void EndAllLoans(Spec& holder, ElementList<Spec>* gone) {
  const std::vector<Spec*> attached = holder.attached;
  for (auto giver = attached.rbegin(); giver != attached.rend(); ++giver) {
    EndLoansOf(
        **giver, [](const Loan&) { return true; }, nullptr, gone);
  }
}

void DropDeleted(const Spec& spec) {
  ForEachLoan(spec, [](Loan& loan) {
    std::erase_if(loan.items, [](const Loan::Item& item) { return item.element->is_deleted; });
    if (loan.root && loan.root->is_deleted) loan.root = nullptr;
  });
}

void ReplaceRoot(const Spec& spec, const Body& body, Frame& by) {
  ForEachLoan(spec, [&](Loan& loan) {
    if (loan.root == &body) loan.root = &by;
  });
}

}  // namespace sinew::inline spec
