// The writers of the sections of a model, in the order in which they stand in the file (write.cc). Each returns an
// element; one without content is left out.
#ifndef SINEW_MJCF_WRITE_WRITE_SECTIONS_H_
#define SINEW_MJCF_WRITE_WRITE_SECTIONS_H_

#include <algorithm>
#include <string>
#include <vector>

#include "math/vec3.h"
#include "mjcf/write/element_writer.h"
#include "mjcf/xml/xml_node.h"
#include "spec/spec.h"

namespace sinew::mjcf {

// State that all writers share.
struct WriteContext {
  Spec& spec;
  int precision;
};

// write_settings.cc
const Spec& Untouched(Level level);  // an unchanged specification of this level
XmlNode WriteCompiler(const WriteContext& context);
XmlNode WriteOption(const WriteContext& context);
XmlNode WriteSize(const WriteContext& context);
XmlNode WriteVisual(const WriteContext& context);
XmlNode WriteStatistic(const WriteContext& context);

// write_defaults.cc
XmlNode WriteDefault(const WriteContext& context);

// write_custom.cc
XmlNode WriteExtension(const WriteContext& context);
XmlNode WriteCustom(const WriteContext& context);
XmlNode WriteKeyframe(const WriteContext& context);

// write_assets.cc
void WriteMeshCollision(int collision, int base, ElementWriter& writer);
XmlNode WriteAsset(const WriteContext& context);
XmlNode WriteDeformable(const WriteContext& context);
void WriteTextures(const WriteContext& context, const mjsMaterial& material, const mjsMaterial& base,
                   ElementWriter& writer);

// write_bodies.cc
XmlNode WriteWorldBody(const WriteContext& context);
// Whether a body was written for settings by which its inertia is not what it would be by those of the document: they
// are those of a model that was attached, which have no place in it.
bool HasOtherInertiaSettings(const mjsCompiler& own, const mjsCompiler& document);

// write_relations.cc
XmlNode WriteContact(const WriteContext& context);
XmlNode WriteEquality(const WriteContext& context);
XmlNode WriteTendon(const WriteContext& context);
void WriteSpringLength(const mjsTendon& tendon, const mjsTendon& base, ElementWriter& writer);

// contact_law.cc
void WriteContactLaw(const ContactLawValues& values, const ContactLawValues& base, ElementWriter& writer);
void WriteContactOption(const WriteContext& context, ElementWriter& writer);

// surface.cc
void WriteSurface(const SurfaceValues& values, const SurfaceValues& base, ElementWriter& writer);
void WriteAdhesion(double adhesion, double base, ElementWriter& writer);

// stick.cc
void WriteStick(int stick, int base, ElementWriter& writer);
void WriteStickOption(const WriteContext& context, ElementWriter& writer);

// functions.cc: `axes` in the frame that the document has.
void WriteMotion(const WriteContext& context, const std::vector<MotionTerm>& motion,
                 const std::vector<Vec3<double>>& axes, ElementWriter& writer);
void WriteCoupling(const FunctionValues& function, ElementWriter& writer);
void WriteFunction(const FunctionValues& function, ElementWriter& writer);

// passive_elements.cc
void WriteLimitForces(const WriteContext& context, const std::vector<LimitForce>& forces, ElementWriter& writer);
void WriteBushings(const WriteContext& context, const std::vector<Bushing>& bushings, ElementWriter& writer);
void WriteReflexes(const WriteContext& context, const std::vector<Reflex>& reflexes, ElementWriter& writer);
void WriteLigaments(const WriteContext& context, const std::vector<Ligament>& ligaments, ElementWriter& writer);

// write_actuators.cc
XmlNode WriteActuator(const WriteContext& context);

// write_sensors.cc
XmlNode WriteSensor(const WriteContext& context);

// ---- shared by them

// An element without attributes and children yet.
inline XmlNode Section(const char* name) {
  XmlNode section;
  section.tag = name;
  return section;
}

// Appends write(context, element) for each element of a type.
template <class Element, class Write>
void AddAll(const WriteContext& context, XmlNode& section, const Write& write) {
  for (const auto& element : context.spec.List<Element>()) section.children.push_back(write(context, *element));
}
// A section with the elements of one type.
template <class Element, class Write>
XmlNode SectionOf(const WriteContext& context, const char* name, const Write& write) {
  XmlNode section = Section(name);
  AddAll<Element>(context, section, write);
  return section;
}

// The class whose values an element started from.
inline const Default& ClassOf(const WriteContext& context, const Element& element) {
  return element.default_class ? *element.default_class : context.spec.main_class();
}

// Name, and class where it is not the one that holds without saying.
inline void Identify(const WriteContext& context, const Element& element, const Default& implied,
                     ElementWriter& writer) {
  writer.NonEmpty("name", element.name);
  const Default& own = ClassOf(context, element);
  if (&own != &implied) writer.Text("class", own.name);
}

// The values of an element that was written for a specification of another level, in the meaning of the document.
template <class Struct>
Struct AtLevelOf(const Spec& document, Struct values, const Spec* home) {
  if constexpr (requires { values.gap; }) {
    const Level from = home ? home->level : document.level;
    if ((from >= kGapBeyondMargin) != (document.level >= kGapBeyondMargin)) {
      values.margin = MarginOf(ListedBelow(values.margin, values.gap, from), values.gap, document.level);
    }
  }
  return values;
}

// An element outside of the tree: identity, and its fields against those of its class.
template <class T>
void WriteElement(const WriteContext& context, const T& element, ElementWriter& writer,
                  std::initializer_list<std::string_view> except = {}) {
  using Struct = typename T::PublicStruct;
  if constexpr (kHasDefaults<T>) {
    Identify(context, element, context.spec.main_class(), writer);
    const Default& of_class = ClassOf(context, element);
    const Struct values = AtLevelOf<Struct>(context.spec, element, element.home);
    const Struct base = AtLevelOf<Struct>(context.spec, of_class.template Get<T>(), of_class.home);
    writer.Fields(&values, &base, except);
  } else {
    writer.NonEmpty("name", element.name);
    const T base;
    writer.Fields(static_cast<const Struct*>(&element), static_cast<const Struct*>(&base), except);
  }
}

// The elements of a kind in the order of the compiled model, which sorts some kinds.
template <class T>
std::vector<const T*> ById(const Spec& spec) {
  std::vector<const T*> elements;
  for (const auto& element : spec.List<T>()) elements.push_back(element.get());
  std::stable_sort(elements.begin(), elements.end(), [](const T* a, const T* b) { return a->id < b->id; });
  return elements;
}

// Reference to an engine plugin, with its configuration when the instance belongs to the element alone.
void WritePlugin(const WriteContext& context, const mjsPlugin& plugin, ElementWriter& writer);

// A child element that refers to a plugin, if the element has one.
void AppendPlugin(const WriteContext& context, const mjsPlugin& plugin, const char* path, ElementWriter& writer);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_WRITE_WRITE_SECTIONS_H_
