// A graft: a part of a specification that is copied, or moved, to another place, with what belongs to it.
//
//     originals:  roots ─ everything below ─ relations (tendons, sensors, ...) that refer to it
//     names:      inside_ holds the names of the originals; a copy is called prefix + name + suffix, and so is every
//                 reference to a name in inside_, while other names stay
//
// Copying a specification, attaching and replicating are all grafts; docs/how/spec.md has the rules.
#ifndef SINEW_SPEC_GRAFT_H_
#define SINEW_SPEC_GRAFT_H_

#include <array>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "spec/spec.h"

namespace sinew::inline spec {

// The name by which others refer to an element that is called `name`: assets without one are called like their files.
std::string NameInReferences(const Element& element, const std::string& name);

// The instance of a plugin that an element uses: the one that it names, or its own; null: none.
template <class T>
Plugin* InstanceOf(Spec& spec, const T& element) {
  if constexpr (requires { element.plugin.element; }) {
    if (!element.plugin.active) return nullptr;
    const std::string& name = *element.plugin.name;
    Plugin* instance = name.empty() ? As<Plugin>(element.plugin.element) : spec.Find<Plugin>(name);
    return instance && !instance->is_deleted ? instance : nullptr;
  } else {
    return nullptr;
  }
}

using ElementSet = std::unordered_set<const Element*>;

// Prefix and suffix for the names of a copy.
struct Affixes {
  std::string prefix, suffix;

  bool empty() const { return prefix.empty() && suffix.empty(); }

  // Nameless elements stay so.
  std::string operator()(const std::string& name) const { return name.empty() ? name : prefix + name + suffix; }
};

class Graft {
 public:
  // Originals by kind, in order of their lists; bodies come before those below them. Kinds stand behind those that they
  // can refer to, so that one pass finds what refers to what refers to the tree.
  using Originals =
      std::tuple<std::vector<Body*>, std::vector<Frame*>, std::vector<Joint*>, std::vector<Geom*>, std::vector<Site*>,
                 std::vector<Camera*>, std::vector<Light*>, std::vector<Flex*>, std::vector<Skin*>, std::vector<Pair*>,
                 std::vector<Exclude*>, std::vector<Tendon*>, std::vector<Equality*>, std::vector<Actuator*>,
                 std::vector<Sensor*>, std::vector<Tuple*>, std::vector<Mesh*>, std::vector<HField*>,
                 std::vector<Texture*>, std::vector<Material*>, std::vector<Numeric*>, std::vector<Text*>,
                 std::vector<Plugin*>, std::vector<Key*>>;

  // A part of `source` that is to appear in `dest`, which may be the same.
  Graft(Spec& source, Spec& dest) : source_(source), dest_(dest) {}

  // Classes of defaults and settings of the compiler that the originals have, and their replacements in the
  // destination. Others stay.
  void ReplaceClass(const Default& original, const Default& by) { classes_[&original] = &by; }
  void ReplaceHome(const Spec& original, Spec& by) { homes_[&original] = &by; }

  // ---- what it consists of

  // A body with everything in and below it; a frame with everything that stands in it.
  void Include(Body& root);
  void Include(Frame& root);

  // All elements in a body and below it, but not the body itself.
  void IncludeContents(Body& body);

  // All elements in a frame, but not the frame itself.
  void IncludeContents(Frame& frame);

  // An element of any kind, as above for bodies and frames.
  void Include(Element& element);

  // Shared elements: meshes, height fields, textures, materials, the plugins that they use; and custom numbers and
  // texts. After the relations.
  void IncludeAssets();

  // Everything that stands outside of the tree.
  void IncludeLists();

  // Last: the relations that refer to what is included. Within a specification, these are all that refer to it at least
  // once. Between two, all other names must be known in the destination.
  void IncludeRelations();

  // Number of originals.
  std::size_t size() const;

  // Originals of all kinds.
  std::vector<Element*> ListOriginals() const;

  // Leaves out what stands in the source no more.
  void ForgetMoved();

  template <class T>
  const std::vector<T*>& Get() const {
    return std::get<std::vector<T*>>(originals_);
  }

  // ---- what is done with it

  // Puts copies into a body of the destination; what stood in no included frame stands in `frame` (null: in none).
  void Copy(const Affixes& affixes, Body& into, Frame* frame);

  // Whether the last call has made a copy of an element.
  bool HasCopied(const Element& original) const { return copies_.contains(&original); }

  // The original of a copy; null: none.
  const Element* OriginalOf(const Element& copy) const;

  // Puts the originals themselves there. The source still finds them, by their new names.
  void Move(const Affixes& affixes, Body& into, Frame* frame);

  // The same under names that are given for each; those without one keep theirs. In what moves, names of other elements
  // become those that `references` has for them.
  using Names = std::unordered_map<const Element*, std::string>;
  using References = std::map<std::pair<mjtObj, std::string>, std::string>;
  void MoveAs(const Names& names, const References& references, Body& into, Frame* frame);

  // The copy that the last call made of an element; null: none.
  template <class T>
  T* CopyOf(const T& original) const {
    const auto found = copies_.find(&original);
    return found == copies_.end() ? nullptr : static_cast<T*>(found->second);
  }

  Element* CopyOfElement(const Element* original) const {
    const auto found = copies_.find(original);
    return found == copies_.end() ? nullptr : found->second;
  }

  // Calls visit(element) for all originals that may use a plugin.
  template <class Visit>
  void ForEachUser(Visit&& visit) const {
    const auto visit_all = [&](const auto&... lists) {
      const auto visit_list = [&](const auto& list) {
        for (auto* element : list) visit(*element);
      };
      (visit_list(lists), ...);
    };
    visit_all(Get<Body>(), Get<Geom>(), Get<Mesh>(), Get<Actuator>(), Get<Sensor>());
  }

  // Takes the originals out of the source and hands them over.
  ElementList<Element> TakeOutOriginals();

 private:
  template <class T>
  void Include(T& element, std::vector<T*>& originals);
  void IncludeParts(Body& body);
  void IncludeUsedPlugins();
  template <class T>
  void IncludeAll();
  template <class T>
  bool Travels(T& relation) const;
  template <class T>
  T& CopyElement(T& original, const Affixes& affixes, ElementList<T>& list);
  template <class T>
  void Rename(T& copy, const Affixes& affixes) const;
  Plugin& InstanceInDestination(Plugin& instance, const Affixes& affixes);
  template <class NewReference>
  static void RenameAll(Spec& spec, const NewReference& rename);
  template <class NewNameOf, class NewReference>
  void MoveWith(Body& into, Frame* frame, const NewNameOf& new_name, const NewReference& rename);
  void Rebind(Element& element) const;
  bool IsInside(mjtObj type, const std::string& name) const;

  Spec& source_;
  Spec& dest_;
  Originals originals_;
  std::array<std::unordered_set<std::string>, mjNOBJECT> inside_;
  std::unordered_map<const Element*, Element*> copies_;
  std::unordered_map<const Element*, const Element*> originals_of_;
  std::unordered_map<const Default*, const Default*> classes_;
  std::unordered_map<const Spec*, Spec*> homes_;
};

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_GRAFT_H_
