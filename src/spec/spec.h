// Spec: the editable model, from which the compiler makes an mjModel. Readers of files and the mjs_* functions build
// it; the public struct mjSpec is its base, so that `static_cast<Spec*>(mjSpec*)` leads back.
//
//     Spec ── option, visual, sizes, compiler            (fields of mjSpec)
//      ├── world: Body ── bodies, frames, joints, geoms, sites, cameras, lights
//      ├── main_class: Default ── children
//      └── lists: flexes, meshes, hfields, ... keys, plugins
#ifndef SINEW_SPEC_SPEC_H_
#define SINEW_SPEC_SPEC_H_

#include <array>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "spec/default_class.h"
#include "spec/elements.h"
#include "spec/level.h"

namespace sinew::inline spec {

class KeyLayout;
class Spec;
struct Loan;

// Specifications that share elements, since one was attached to another without a copy. They live until all of them are
// released.
struct SpecFamily {
  ElementList<Spec> members;
  int held = 0;  // members that are not released
};

class Spec : public Element, public mjSpec {
 public:
  static constexpr mjtObj kType = mjOBJ_MODEL;

  // Elements that stand outside of the tree, by type.
  using Lists =
      std::tuple<ElementList<Flex>, ElementList<Mesh>, ElementList<HField>, ElementList<Skin>, ElementList<Texture>,
                 ElementList<Material>, ElementList<Pair>, ElementList<Exclude>, ElementList<Equality>,
                 ElementList<Tendon>, ElementList<Actuator>, ElementList<Sensor>, ElementList<Numeric>,
                 ElementList<Text>, ElementList<Tuple>, ElementList<Key>, ElementList<Plugin>>;

  explicit Spec(Level level_of_all = CurrentLevel());
  Spec(const Spec&) = delete;
  ~Spec() override;

  // ---- elements

  Body& world() { return world_; }
  const Body& world() const { return world_; }
  Default& main_class() { return main_class_; }
  const Default& main_class() const { return main_class_; }

  // The elements of a kind that stands outside of the tree, in order of creation: spec.List<Tendon>().
  template <class T>
  ElementList<T>& List() {
    return std::get<ElementList<T>>(lists_);
  }
  template <class T>
  const ElementList<T>& List() const {
    return std::get<ElementList<T>>(lists_);
  }

  // Appends an element that starts from the values of a class (null: main), if its kind has values there.
  template <class T>
  T& Add(const Default* from = nullptr);

  // Calls visit(list) for the lists of all kinds.
  template <class Visit>
  void ForEachList(Visit&& visit) {
    std::apply([&](auto&... list) { (visit(list), ...); }, lists_);
  }

  // ---- names

  // Names an element. False when another element of its type has the name already; the element bears it nevertheless,
  // and Find gives the first bearer.
  bool SetName(Element& element, std::string name);

  // The element of a type with a name; null: none. Bodies are found as mjOBJ_XBODY too.
  Element* Find(mjtObj type, std::string_view name) const;
  std::vector<std::string_view> NamesInOrder(mjtObj type) const;  // alphabetical
  template <class T>
  T* Find(std::string_view wanted) const {
    return static_cast<T*>(Find(T::kType, wanted));
  }

  // Takes an element's name out of the tables, before the element goes.
  void ForgetName(Element& element);

  // Where the settings of sizes stand, for messages; without a line, nowhere.
  SourceLocation size_where;

  // Warnings of the reader about a file that it could read: one sentence each, with file and line.
  std::vector<std::string> warnings;

  // Makes another specification find an element by its name here too.
  void FindHereToo(Element& element);

  // ---- values

  // Takes over the public fields (options, sizes, compiler settings, texts) of another one, but no elements.
  void CopySettings(const Spec& other);

  Level level = kFirstLevel;     // what numbers mean, where releases of MuJoCo differ (spec/level.h)
  std::set<int> active_plugins;  // slots of the plugins that elements may use

  // ---- relations to other specifications (spec/attach.h)

  bool deep_copy = false;          // whether attaching to this one copies; else it moves
  Spec* attached_to = nullptr;     // the one that has taken elements of this one
  std::vector<Spec*> attached;     // those of which this one has elements: moved ones, and placeholders for copied ones
  ElementList<Spec> placeholders;  // settings of specifications that were copied
  ElementList<Spec> models;        // those that the document of this one names, each under the name that it has there
  Spec* named_by = nullptr;        // the one whose document names this one
  std::shared_ptr<SpecFamily> family;        // null: alone
  std::unique_ptr<KeyLayout> key_layout;     // of the keyframes, when elements have been moved away
  std::vector<std::unique_ptr<Loan>> loans;  // what has been moved away, in order of attaching
  ElementList<Element> deleted;              // the latest ones, for who still points to them

  // Keyframes that the next compilation puts behind the others: those of attached models and of replicates, and all
  // that there were when a body was deleted. Until then they have no place in the list, and are not found by name.
  ElementList<Key> pending_keys;
  void SuspendKeys(const std::function<bool(const Key&)>& which);
  void RestoreKeys();

  // ---- outcome of the last compilation

  bool is_compiled = false;        // whether it made a model; no in a copy
  mjStatistic computed_stat = {};  // statistics of the model, those that the user gave included
  std::string message;             // text of the error or warning; empty: none
  bool is_warning = false;         // the message is a warning: a model was made

 private:
  using Names = std::unordered_map<std::string, Element*>;
  Names* NamesOf(mjtObj type);
  const Names* NamesOf(mjtObj type) const { return const_cast<Spec*>(this)->NamesOf(type); }

  HandlesOf<mjSpec> handles_;
  Default main_class_;
  Body world_;
  Lists lists_;
  std::array<Names, mjNOBJECT + 1> names_;  // by type; frames in the last
  std::vector<Element*> also_named_;        // elements whose name another one of their type had first
};

// ---- templates

template <class T>
ElementList<T>& Body::List() {
  if constexpr (std::is_same_v<T, Body>) return bodies;
  if constexpr (std::is_same_v<T, Frame>) return frames;
  if constexpr (std::is_same_v<T, Joint>) return joints;
  if constexpr (std::is_same_v<T, Geom>) return geoms;
  if constexpr (std::is_same_v<T, Site>) return sites;
  if constexpr (std::is_same_v<T, Camera>) return cameras;
  if constexpr (std::is_same_v<T, Light>) return lights;
}

template <class T>
T& Body::Add(const Default* from, Frame* in_frame) {
  T& child = *List<T>().emplace_back(std::make_unique<T>());
  child.index = List<T>().size() - 1;
  child.spec = spec;
  child.home = home;
  child.parent = this;
  child.frame = in_frame;
  // A class of another specification gives its values, but cannot be named here.
  child.default_class = from && from->spec == spec ? from : ChildDefault(in_frame);
  if constexpr (kHasDefaults<T>) child.CopyValues((from ? from : child.default_class)->template Get<T>());
  return child;
}

template <class T>
T& Spec::Add(const Default* from) {
  T& added = *List<T>().emplace_back(std::make_unique<T>());
  added.index = List<T>().size() - 1;
  added.spec = added.home = this;
  added.default_class = from && from->spec == this ? from : &main_class_;
  if constexpr (kHasDefaults<T>) added.CopyValues((from ? from : added.default_class)->template Get<T>());
  return added;
}

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_SPEC_H_
