// The readers of the sections of a model, in the order in which they are called (read.cc). Each takes one element of
// its section; what stands twice is read twice.
#ifndef SINEW_MJCF_READ_SECTIONS_H_
#define SINEW_MJCF_READ_SECTIONS_H_

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mjcf/read/element_reader.h"
#include "mjcf/read/read.h"
#include "mjcf/xml/problems.h"
#include "mjcf/xml/xml_node.h"
#include "spec/attach.h"
#include "spec/key_layout.h"
#include "spec/spec.h"

namespace sinew::mjcf {

// State that all readers share.
struct Context {
  Spec& spec;
  Problems& problems;

  const mjVFS* vfs = nullptr;
  ModelReader read_model = nullptr;

  // Elements that replicates and attached models may still make, so that a short document cannot fill the memory.
  std::size_t copies_left = kMaxCopies;

  // Classes by name, as their elements are read: attached models may bring more.
  std::unordered_map<std::string, Default*> classes = {};

  // The layout of keyframes after the last edit of the tree; none: keyframes are as the document has them.
  std::optional<KeyLayout> key_layout = std::nullopt;

  // How many pieces meshes have that are decomposed, by their names.
  std::map<std::string, size_t> pieces = {};

  bool has_replicas_with_state = false;  // which change how many numbers keyframes have
};

// Where children are put: a body, and the innermost frame around them.
struct Place {
  Body* body;
  Frame* frame;
  bool is_world() const { return body->parent == nullptr; }
};

// settings.cc
void ReadRoot(Context& context, const XmlNode& root);
void ReadCompiler(Context& context, const XmlNode& section);
void ReadOption(Context& context, const XmlNode& section);
void ReadSize(Context& context, const XmlNode& section);
void ReadVisual(Context& context, const XmlNode& section);
void ReadStatistic(Context& context, const XmlNode& section);

// Folders of assets come from all compiler elements of the document before anything else is read.
void ReadDirectories(Context& context, const XmlNode& root);

// defaults.cc
void ReadDefault(Context& context, const XmlNode& section);

// extension.cc
void ReadExtension(Context& context, const XmlNode& section);
// Which plugin instance an element uses.
void ReadPluginUse(Context& context, ElementReader& reader, mjsPlugin* use);

// custom.cc
void ReadCustom(Context& context, const XmlNode& section);
void ReadKeyframe(Context& context, const XmlNode& section);

// assets.cc
void ReadMeshCollision(ElementReader& reader, int* collision);
void ReadAsset(Context& context, const XmlNode& section);
void ReadSkin(Context& context, ElementReader& reader);  // stands in asset or deformable
void ReadLayers(Context& context, const XmlNode& node, bool has_texture, mjsMaterial* material);

// asset_places.cc: normalizes the name of a file below `folder` (meshdir or texturedir), and makes it lead to the file
// beside an included one where only that exists.
void LocateFile(const Context& context, const Element& asset, const std::string& folder, std::string* file);

// constraints.cc
void ReadContact(Context& context, const XmlNode& section);
void ReadEquality(Context& context, const XmlNode& section);

// deformable.cc
void ReadDeformable(Context& context, const XmlNode& section);

// tendons.cc
void ReadTendon(Context& context, const XmlNode& section);
void ReadTendonValues(ElementReader& reader, mjsTendon* tendon);

// contact_law.cc
void ReadContactLaw(ElementReader& reader, bool of_pair, ContactLawValues* values);
void ReadContactOption(Context& context, ElementReader& reader);

// surface.cc
void ReadSurface(ElementReader& reader, SurfaceValues* values);

// stick.cc
void ReadStick(ElementReader& reader, int* stick);
void ReadStickOption(Context& context, ElementReader& reader);

// functions.cc: a function of a coordinate; the rotations and translations in a joint or site, by such functions.
FunctionValues FunctionOf(ElementReader& reader);
void ReadMotion(Context& context, const ElementReader& reader, std::vector<MotionTerm>* motion);
// The function of an equality of joints.
void ReadCoupling(ElementReader& reader, std::optional<FunctionValues>* coupling);

// passive_elements.cc: limit forces of a joint, bushings of a site, and a ligament of a tendon.
void ReadLimitForces(Context& context, const ElementReader& reader, std::vector<LimitForce>* forces);
void ReadBushings(Context& context, const ElementReader& reader, std::vector<Bushing>* bushings);
Ligament ReadLigament(ElementReader& reader);

// reflexes.cc
void ReadReflexes(Context& context, const ElementReader& reader, std::vector<Reflex>* reflexes);

// actuators.cc
void ReadActuator(Context& context, const XmlNode& section);
void ReadActuatorValues(ElementReader& reader, mjsActuator* actuator);

// sensors.cc
void ReadSensor(Context& context, const XmlNode& section);

// composite.cc, flexcomp.cc
void ReadComposite(Context& context, ElementReader& reader, const Place& place);
void ReadFlexcomp(Context& context, ElementReader& reader, const Place& place);

// decompose.cc: how a mesh collides; of one that is decomposed, its pieces are added as meshes. Then geoms of such
// meshes get a geom for each piece, which collides in their place. They keep their mass and their looks.
void ReadDecomposition(Context& context, ElementReader& reader, Mesh& mesh);
void AddPieces(Context& context);

// attach.cc
void ReadModel(Context& context, ElementReader& reader);
void ReadAttach(Context& context, ElementReader& reader, const Place& place);

// bodies.cc
void ReadWorldBody(Context& context, const XmlNode& section);
void CheckKeysBesideReplicates(const Context& context);
void ReadLightType(ElementReader& reader, mjsLight* light);

// ---- shared by them

// The class that an attribute names; null: the attribute is absent, or names no class and that is reported.
const Default* FindClass(Context& context, ElementReader& reader, const char* attribute);

// Name, file and line of an element.
void Identify(Context& context, ElementReader& reader, Element* element);

// Keyframes that an edit of the tree has changed take up what was read since then.
void UpdateKeys(Context& context);

// Reports elements that are in the schema and not yet in the reader.
void NotSupported(Context& context, const XmlNode& node);

// Adds an element outside of the tree that starts from its class.
template <class T>
T& AddElement(Context& context, ElementReader& reader) {
  const Default* from = kHasDefaults<T> ? FindClass(context, reader, "class") : nullptr;
  T& element = context.spec.Add<T>(from);
  Identify(context, reader, &element);
  *element.info = "line " + std::to_string(reader.node().line);
  return element;
}

// Calls `read(reader, child)` for every child of a section that is in the schema; the others are reported already.
template <class Read>
void ForEachChild(Context& context, const XmlNode& section, const ElementRow& row, Read&& read) {
  for (const XmlNode& child : section.children) {
    const ElementRow* child_row = FindChild(row, child.tag);
    if (!child_row) continue;
    ElementReader reader(child, *child_row, &context.problems);
    read(reader, child);
  }
}

template <class Read>
void ForEachChild(Context& context, const XmlNode& section, const char* path, Read&& read) {
  ForEachChild(context, section, *FindPath(path), std::forward<Read>(read));
}

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_READ_SECTIONS_H_
